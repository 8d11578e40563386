// SPDX-License-Identifier: Apache-2.0
// Clones: equal, independent, deep, and with a way back from each node.
#include "graph/well_formed.h"
#include "graph_making.h"
#include "random_dag.h"
#include "xpu_test.h"

namespace {

using namespace xpu;
using namespace xpu::test;
using graph::ChildParams;
using graph::well_formed;

std::shared_ptr<Graph> diamond() {
  auto g = Graph::make();
  Node* a = add(*g, kernel("a"));
  Node* b = add(*g, kernel("b"), {a});
  Node* c = add(*g, kernel("c"), {a});
  add(*g, kernel("d"), {c, b});
  return g;
}

// Whether clones of random graphs, some with removed nodes, have the same nodes and edges in the
// same order on both sides.
bool clones_are_equal(uint64_t seed) {
  Random random(seed);
  const Dag dag = random_dag(random, 40);
  auto g = Graph::make();
  std::vector<Node*> n;
  for (uint32_t i = 0; i < dag.nodes; i++) n.push_back(add(*g, kernel()));
  for (auto [a, b] : dag.edges) (void)link(*g, n[a], n[b]);
  if (random.one_in(2)) g->remove(n[random.below(dag.nodes)]);
  auto copy = g->clone();
  if (edges_of(*copy) != edges_of(*g) || !well_formed(*copy)) return false;
  if (copy->size() != g->size() || copy->id() == g->id()) return false;
  for (size_t i = 0; i < g->size(); i++) {
    const Node &from = *g->nodes()[i], &to = *copy->nodes()[i];
    if (from.params().get() != to.params().get() || copy->find_clone_of(from) != &to) return false;
    for (uint32_t e = 0; e < from.in().size(); e++) {
      if (from.in()[e].node->local_id() != to.in()[e].node->local_id()) return false;
    }
  }
  return true;
}
void a_clone_has_the_same_nodes_and_edges_in_the_same_order(void**) {
  for (uint64_t seed = 0; seed < 200; seed++) assert_true(clones_are_equal(seed));
}

struct Independence {
  Text original, clone;
  bool sound;
};
Independence edit_both() {
  auto g = diamond(), copy = g->clone();
  g->remove(g->nodes()[1]);
  (void)unlink(*copy, copy->nodes()[0], copy->nodes()[2]);
  add(*copy, empty(), {copy->nodes()[3]});
  Independence i = {text(edges_of(*g)), text(edges_of(*copy)),
                    well_formed(*g) && well_formed(*copy)};
  g.reset();
  i.sound = i.sound && well_formed(*copy);
  return i;
}
void editing_one_does_not_change_the_other(void**) {
  const Independence i = edit_both();
  assert_string_equal(i.original.chars, "0>2 2>3");
  assert_string_equal(i.clone.chars, "0>1 1>3 2>3 3>4");
  assert_true(i.sound);
}

// Bits of what must be found (1) and what must not (2 and up).
int find_in_clone() {
  auto g = diamond(), copy = g->clone(), second = copy->clone(), other = diamond();
  Node* later = add(*g, empty());
  int wrong = 0;
  if (copy->find_clone_of(*g->nodes()[2]) != copy->nodes()[2]) wrong |= 1;
  if (copy->find_clone_of(*later)) wrong |= 2;
  if (g->find_clone_of(*g->nodes()[0])) wrong |= 4;
  if (copy->find_clone_of(*other->nodes()[0])) wrong |= 8;
  if (second->find_clone_of(*g->nodes()[0])) wrong |= 16;
  if (second->find_clone_of(*copy->nodes()[0]) != second->nodes()[0]) wrong |= 32;
  copy->remove(copy->nodes()[2]);
  if (copy->find_clone_of(*g->nodes()[2])) wrong |= 64;
  Node* made = add(*copy, empty());
  if (copy->find_clone_of(*later) == made) wrong |= 128;
  return wrong;
}
void a_node_finds_its_copy_in_a_direct_clone_only(void**) { assert_int_equal(find_in_clone(), 0); }

int deep() {
  auto inner = diamond();
  auto g = Graph::make();
  Node* node = add(*g, child(*inner));
  auto copy = g->clone();
  Graph& ours = *node->as<ChildParams>()->graph();
  Graph& theirs = *copy->nodes()[0]->as<ChildParams>()->graph();
  int wrong = 0;
  if (&ours == &theirs || theirs.owner() != copy->nodes()[0] || ours.owner() != node) wrong |= 1;
  ours.remove(ours.nodes()[0]);
  if (theirs.size() != 4 || inner->size() != 4) wrong |= 2;
  if (theirs.find_clone_of(*ours.nodes()[0]) != theirs.nodes()[1]) wrong |= 4;
  auto kept = copy->nodes()[0]->as<ChildParams>()->graph();
  copy.reset();
  if (kept->owner() || !well_formed(*kept)) wrong |= 8;
  return wrong;
}
void child_graphs_are_cloned_too(void**) { assert_int_equal(deep(), 0); }

size_t clone_of_itself() {
  auto g = diamond();
  for (int i = 0; i < 3; i++) add(*g, child(*g));
  return g->nodes()[6]->as<ChildParams>()->graph()->size();
}
void a_graph_may_hold_a_snapshot_of_itself(void**) { assert_int_equal(clone_of_itself(), 6); }

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_clone_has_the_same_nodes_and_edges_in_the_same_order),
      cmocka_unit_test(editing_one_does_not_change_the_other),
      cmocka_unit_test(a_node_finds_its_copy_in_a_direct_clone_only),
      cmocka_unit_test(child_graphs_are_cloned_too),
      cmocka_unit_test(a_graph_may_hold_a_snapshot_of_itself),
  };
  return XPU_RUN_TESTS(tests);
}
