// SPDX-License-Identifier: Apache-2.0
// Nodes: adding, removing, ids, handles, nesting.
#include <set>

#include "graph/well_formed.h"
#include "graph_making.h"
#include "random_dag.h"
#include "xpu_test.h"

namespace {

using namespace xpu;
using namespace xpu::test;
using graph::well_formed;

struct Counts {
  xpuError_t code;
  size_t nodes, edges;
  bool sound;
};
Counts counts(xpuError_t code, const Graph& g) {
  return {code, g.size(), g.edge_count(), well_formed(g)};
}

// A new node that depends on the nodes of `which`: 0 and 1 are there, 2 is foreign, 3 is dead.
Counts add_after(const int* which, size_t count) {
  auto g = Graph::make(), other = Graph::make();
  Node* n[] = {add(*g, empty()), add(*g, kernel()), add(*other, empty()), nullptr};
  std::vector<Node*> before;
  for (size_t i = 0; i < count; i++) before.push_back(n[which[i]]);
  const xpuError_t code = g->add(kernel(), before).status().code();
  return counts(code, *g);
}

void a_node_comes_with_its_edges(void**) {
  const int both[] = {1, 0};
  const Counts c = add_after(both, 2);
  assert_int_equal(c.code, xpuSuccess);
  assert_int_equal(c.nodes, 3);
  assert_int_equal(c.edges, 2);
  assert_true(c.sound);
}
void bad_dependencies_add_nothing(void**) {
  const int bad[][2] = {{0, 0}, {0, 2}, {2, 0}, {0, 3}, {3, 0}};
  for (auto& which : bad) {
    const Counts c = add_after(which, 2);
    assert_int_equal(c.code, xpuErrorInvalidValue);
    assert_int_equal(c.nodes, 2);
    assert_int_equal(c.edges, 0);
    assert_true(c.sound);
  }
}

Counts add_after_many(bool twice) {
  auto g = Graph::make();
  std::vector<Node*> before;
  for (int i = 0; i < 100; i++) before.push_back(add(*g, empty()));
  if (twice) before.push_back(before[37]);
  return counts(g->add(empty(), before).status().code(), *g);
}
void a_repeated_dependency_is_found_among_many(void**) {
  assert_int_equal(add_after_many(false).code, xpuSuccess);
  assert_int_equal(add_after_many(true).code, xpuErrorInvalidValue);
  assert_int_equal(add_after_many(true).edges, 0);
}

struct Removal {
  Text edges;
  bool sound, handle_dead, slot_again, id_new;
};
Removal remove_the_middle() {
  auto g = Graph::make();
  Node* a = add(*g, empty());
  Node* b = add(*g, empty(), {a});
  Node* c = add(*g, empty(), {b, a});
  add(*g, empty(), {b, c});
  const uint64_t handle = b->handle(), id = b->id();
  const uint32_t slot = b->slot();
  g->remove(b);
  Node* e = add(*g, empty(), {c});
  Removal r = {text(edges_of(*g)), well_formed(*g),
               HandleTable::find(HandleType::node, handle) == nullptr, e->slot() == slot,
               e->id() > id && e->local_id() == 4};
  return r;
}
void removing_a_node_takes_its_edges_its_handle_and_nothing_else(void**) {
  const Removal r = remove_the_middle();
  assert_string_equal(r.edges.chars, "0>2 2>3 2>4");
  assert_true(r.sound);
  assert_true(r.handle_dead);
  assert_true(r.slot_again);
  assert_true(r.id_new);
}

bool handles_die_with_the_graph() {
  auto g = Graph::make();
  const uint64_t graph = g->handle(), node = add(*g, empty())->handle();
  const bool alive = HandleTable::find(HandleType::graph, graph) == g.get() &&
                     HandleTable::find(HandleType::node, node) != nullptr;
  g.reset();
  return alive && !HandleTable::find(HandleType::graph, graph) &&
         !HandleTable::find(HandleType::node, node);
}
void handles_are_made_once_and_die_with_the_graph(void**) {
  assert_true(handles_die_with_the_graph());
}

int survivors_of_keep() {
  std::weak_ptr<Graph> weak;
  uint64_t handle = 0;
  {
    auto g = Graph::make();
    weak = g;
    handle = g->handle();
    g->keep();
  }
  if (weak.expired()) return -1;
  auto* g = static_cast<Graph*>(HandleTable::find(HandleType::graph, handle));
  auto last = g->let_go();
  if (HandleTable::find(HandleType::graph, handle)) return -2;
  last.reset();
  return weak.expired() ? 1 : 0;
}
void a_kept_graph_lives_until_it_is_let_go(void**) { assert_int_equal(survivors_of_keep(), 1); }

bool random_life(uint64_t seed) {
  Random random(seed);
  auto g = Graph::make();
  std::vector<Node*> live;
  std::set<uint64_t> ids;
  for (int turn = 0; turn < 300; turn++) {
    if (live.empty() || !random.one_in(3)) {
      std::vector<Node*> before;
      for (Node* n : live) {
        if (random.one_in(static_cast<uint32_t>(live.size()) / 2 + 1)) before.push_back(n);
      }
      Node* made = add(*g, random.one_in(2) ? kernel() : empty(), before);
      if (!ids.insert(made->id()).second) return false;
      live.push_back(made);
    } else {
      const size_t at = random.below(static_cast<uint32_t>(live.size()));
      g->remove(live[at]);
      live.erase(live.begin() + static_cast<ptrdiff_t>(at));
    }
    if (!well_formed(*g) || g->size() != live.size()) return false;
    for (size_t i = 0; i < live.size(); i++) {
      if (g->nodes()[i] != live[i] || g->find(live[i]->local_id()) != live[i]) return false;
    }
  }
  return true;
}
void nodes_keep_their_addresses_and_order_through_any_life(void**) {
  for (uint64_t seed = 0; seed < 20; seed++) assert_true(random_life(seed));
}

struct Nested {
  xpuError_t deepest, too_deep, twice, into_itself;
};
Nested nesting() {
  Nested n = {};
  auto g = Graph::make();
  for (uint32_t level = 0; level < graph::kDeepestNesting; level++) {
    auto outer = Graph::make();
    n.deepest = outer->add(graph::ChildParams::make(g).take()).status().code();
    g = outer;
  }
  n.too_deep = Graph::make()->add(graph::ChildParams::make(g).take()).status().code();
  auto inner = Graph::make(), a = Graph::make();
  (void)a->add(graph::ChildParams::make(inner).take());
  n.twice = a->add(graph::ChildParams::make(inner).take()).status().code();
  n.into_itself = inner->add(graph::ChildParams::make(a).take()).status().code();
  return n;
}
void child_graphs_nest_so_deep_and_have_one_owner(void**) {
  const Nested n = nesting();
  assert_int_equal(n.deepest, xpuSuccess);
  assert_int_equal(n.too_deep, xpuErrorInvalidValue);
  assert_int_equal(n.twice, xpuErrorInvalidValue);
  assert_int_equal(n.into_itself, xpuErrorInvalidValue);
}

bool setting_shares_nothing() {
  auto g = Graph::make();
  Node* node = add(*g, kernel("old"));
  const ParamsRef before = node->params();
  node->set_params(kernel("new"));
  return before.as<graph::KernelParams>()->signature().name() == "old" &&
         node->as<graph::KernelParams>()->signature().name() == "new";
}
void setting_parameters_leaves_versions_taken_before(void**) {
  assert_true(setting_shares_nothing());
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_node_comes_with_its_edges),
      cmocka_unit_test(bad_dependencies_add_nothing),
      cmocka_unit_test(a_repeated_dependency_is_found_among_many),
      cmocka_unit_test(removing_a_node_takes_its_edges_its_handle_and_nothing_else),
      cmocka_unit_test(handles_are_made_once_and_die_with_the_graph),
      cmocka_unit_test(a_kept_graph_lives_until_it_is_let_go),
      cmocka_unit_test(nodes_keep_their_addresses_and_order_through_any_life),
      cmocka_unit_test(child_graphs_nest_so_deep_and_have_one_owner),
      cmocka_unit_test(setting_parameters_leaves_versions_taken_before),
  };
  return XPU_RUN_TESTS(tests);
}
