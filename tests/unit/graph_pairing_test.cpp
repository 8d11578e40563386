// SPDX-License-Identifier: Apache-2.0
// Pairing two graphs: those that were built in another order are found to be the same, those that
// are not the same are not, and the node that is named is where they differ.
#include "graph/pairing.h"

#include <algorithm>
#include <random>
#include <utility>

#include "graph_making.h"
#include "xpu_test.h"

namespace {

using namespace xpu;
using namespace xpu::test;

// Dependencies of each node, in order; all of lower numbers.
using Shape = std::vector<std::vector<size_t>>;

Shape random_shape(std::mt19937& random, size_t count) {
  Shape shape(count);
  for (size_t i = 1; i < count; i++) {
    for (size_t n = random() % 4; n > 0; n--) {
      const size_t before = random() % i;
      if (std::find(shape[i].begin(), shape[i].end(), before) == shape[i].end())
        shape[i].push_back(before);
    }
  }
  return shape;
}

std::vector<size_t> last_of(const Shape& shape) {
  std::vector<bool> has_next(shape.size());
  for (const auto& before : shape)
    for (const size_t b : before) has_next[b] = true;
  std::vector<size_t> last;
  for (size_t i = 0; i < shape.size(); i++)
    if (!has_next[i]) last.push_back(i);
  return last;
}

struct Built {
  std::shared_ptr<Graph> graph = Graph::make();
  std::vector<Node*> nodes;  // by number in the shape
};

// Nodes are added in that order of their numbers.
Built build(const Shape& shape, const std::vector<size_t>& order) {
  Built built;
  built.nodes.resize(shape.size());
  for (const size_t i : order) built.nodes[i] = add(*built.graph, empty());
  for (size_t i = 0; i < shape.size(); i++)
    for (const size_t before : shape[i])
      (void)link(*built.graph, built.nodes[before], built.nodes[i]);
  return built;
}

std::vector<size_t> in_order(size_t count) {
  std::vector<size_t> order(count);
  for (size_t i = 0; i < count; i++) order[i] = i;
  return order;
}

// Any order but for the last nodes, which stay in theirs.
std::vector<size_t> shuffled(const Shape& shape, std::mt19937& random) {
  std::vector<size_t> order = in_order(shape.size());
  std::shuffle(order.begin(), order.end(), random);
  const std::vector<size_t> last = last_of(shape);
  size_t next = 0;
  for (size_t& number : order)
    if (std::find(last.begin(), last.end(), number) != last.end()) number = last[next++];
  return order;
}

// By the definition: one to one, each dependency on the partner of the dependency in its place.
bool is_pairing(const Graph& a, const Graph& b, const std::vector<Node*>& partners) {
  std::vector<Node*> used;
  for (const Node* node : a.nodes()) {
    const Node* const partner = partners[node->slot()];
    if (!partner || node->in().size() != partner->in().size()) return false;
    if (std::find(used.begin(), used.end(), partner) != used.end()) return false;
    used.push_back(partners[node->slot()]);
    for (uint32_t k = 0; k < node->in().size(); k++)
      if (partners[node->in()[k].node->slot()] != partner->in()[k].node) return false;
  }
  return used.size() == b.size();
}

int wrong_for_the_same_shape(uint32_t seed) {
  std::mt19937 random(seed);
  const Shape shape = random_shape(random, 2 + random() % 30);
  const Built a = build(shape, in_order(shape.size()));
  const Built b = build(shape, shuffled(shape, random));
  std::vector<Node*> partners;
  const graph::Mismatch mismatch = graph::pair(*a.graph, *b.graph, partners);
  if (!mismatch.why.empty()) return 1;
  for (size_t i = 0; i < shape.size(); i++)
    if (partners[a.nodes[i]->slot()] != b.nodes[i]) return 1;
  return 0;
}

void graphs_of_one_shape_are_paired_whatever_the_order_of_their_nodes(void**) {
  int wrong = 0;
  for (uint32_t seed = 0; seed < 500; seed++) wrong += wrong_for_the_same_shape(seed);

  assert_int_equal(wrong, 0);
}

struct Changed {
  int wrong = 0;
  int refused = 0;
};

// One edge begins elsewhere, or two are the other way round.
void change(Shape& shape, std::mt19937& random) {
  for (int tries = 0; tries < 100; tries++) {
    auto& before = shape[random() % shape.size()];
    if (before.size() > 1 && random() % 2) {
      std::swap(before[0], before[before.size() - 1]);
      return;
    }
    if (before.empty()) continue;
    const auto number = static_cast<size_t>(&before - shape.data());
    const size_t other = random() % number;
    if (std::find(before.begin(), before.end(), other) != before.end()) continue;
    before[random() % before.size()] = other;
    return;
  }
}

void pair_changed(uint32_t seed, Changed& result) {
  std::mt19937 random(seed);
  Shape shape = random_shape(random, 3 + random() % 12);
  const Built a = build(shape, in_order(shape.size()));
  change(shape, random);
  const Built b = build(shape, shuffled(shape, random));
  std::vector<Node*> partners;
  const graph::Mismatch mismatch = graph::pair(*a.graph, *b.graph, partners);
  if (mismatch.why.empty()) {
    // A change may make the same graph with other names.
    if (!is_pairing(*a.graph, *b.graph, partners)) result.wrong++;
    return;
  }
  result.refused++;
  if (mismatch.node && &mismatch.node->graph() != b.graph.get()) result.wrong++;
  if (mismatch.from && mismatch.node->in().find(mismatch.from) == mismatch.node->in().size())
    result.wrong++;
}

void graphs_of_other_shapes_are_not_paired(void**) {
  Changed result;
  for (uint32_t seed = 0; seed < 500; seed++) pair_changed(seed, result);

  assert_int_equal(result.wrong, 0);
  assert_true(result.refused > 300);
}

int differing_data() {
  const xpuGraphEdgeData early = edge_data(1, 0, 1);
  Built graphs[2];
  for (int i = 0; i < 2; i++) {
    Node* const first = add(*graphs[i].graph, kernel());
    Node* const second = add(*graphs[i].graph, kernel());
    if (link(*graphs[i].graph, first, second, i ? &early : nullptr) != xpuSuccess) return 1;
    graphs[i].nodes = {first, second};
  }
  std::vector<Node*> partners;
  const graph::Mismatch mismatch = graph::pair(*graphs[0].graph, *graphs[1].graph, partners);
  return mismatch.node != graphs[1].nodes[1] || mismatch.from != graphs[1].nodes[0];
}

void edges_with_other_data_do_not_match(void**) { assert_int_equal(differing_data(), 0); }

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(graphs_of_one_shape_are_paired_whatever_the_order_of_their_nodes),
      cmocka_unit_test(graphs_of_other_shapes_are_not_paired),
      cmocka_unit_test(edges_with_other_data_do_not_match),
  };
  return XPU_RUN_TESTS(tests);
}
