// SPDX-License-Identifier: Apache-2.0
// Topological order, the naming of cycles, and what the invariants' predicate says.
#include "graph/order.h"

#include "graph_making.h"
#include "random_dag.h"
#include "xpu_test.h"

namespace {

using namespace xpu;
using namespace xpu::test;

bool order_is_one(uint64_t seed) {
  Random random(seed);
  const Dag dag = random_dag(random, 50);
  auto g = Graph::make();
  std::vector<Node*> n;
  for (uint32_t i = 0; i < dag.nodes; i++) n.push_back(add(*g, empty()));
  for (auto [a, b] : dag.edges) (void)link(*g, n[a], n[b]);
  auto order = graph::topological_order(*g);
  if (!order.ok() || order.value().size() != dag.nodes) return false;
  std::vector<size_t> at(dag.nodes, SIZE_MAX);
  for (size_t i = 0; i < order.value().size(); i++) at[order.value()[i]->local_id()] = i;
  for (auto [a, b] : dag.edges) {
    if (at[a] >= at[b]) return false;
  }
  for (size_t i : at) {
    if (i == SIZE_MAX) return false;
  }
  return true;
}
void every_node_comes_once_and_after_its_dependencies(void**) {
  for (uint64_t seed = 0; seed < 300; seed++) assert_true(order_is_one(seed));
}

struct Failure {
  xpuError_t code;
  Text sentence;
};
Failure cycle_behind_a_tail() {
  auto g = Graph::make();
  Node* t = add(*g, empty());
  Node* a = add(*g, kernel("k_step"), {t});
  Node* b = add(*g, fill(), {a});
  Node* c = add(*g, kernel("k_add"), {b});
  add(*g, empty(), {c});
  (void)link(*g, c, a);
  const auto order = graph::topological_order(*g);
  return {order.status().code(), text(order.status().sentence())};
}
void a_cycle_is_named_by_its_nodes(void**) {
  const Failure f = cycle_behind_a_tail();
  assert_int_equal(f.code, xpuErrorInvalidValue);
  assert_non_null(strstr(f.sentence.chars,
                         "node 1 (kernel 'k_step') -> node 2 (memset) -> "
                         "node 3 (kernel 'k_add') -> node 1"));
}

Failure long_cycle() {
  auto g = Graph::make();
  Node *first = add(*g, empty()), *last = first;
  for (int i = 0; i < 10000; i++) last = add(*g, empty(), {last});
  (void)link(*g, last, first);
  const auto order = graph::topological_order(*g);
  return {order.status().code(), text(order.status().sentence())};
}
void a_long_cycle_is_named_in_short(void**) {
  const Failure f = long_cycle();
  assert_int_equal(f.code, xpuErrorInvalidValue);
  assert_non_null(strstr(f.sentence.chars, "more)"));
  assert_in_range(strlen(f.sentence.chars), 50, 500);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_node_comes_once_and_after_its_dependencies),
      cmocka_unit_test(a_cycle_is_named_by_its_nodes),
      cmocka_unit_test(a_long_cycle_is_named_in_short),
  };
  return XPU_RUN_TESTS(tests);
}
