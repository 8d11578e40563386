// SPDX-License-Identifier: Apache-2.0
// Edges: what is refused, what is kept in which order, and that a refused call changes nothing.
#include "graph/well_formed.h"
#include "graph_making.h"
#include "xpu_test.h"

namespace {

using namespace xpu;
using namespace xpu::test;
using graph::well_formed;

struct Outcome {
  xpuError_t code;
  Text edges;
  bool sound;
};
Outcome outcome(xpuError_t code, const Graph& g) {
  return {code, text(edges_of(g)), well_formed(g)};
}

// 0 -> 1, and 2, 3 alone; then one call with the pairs given.
Outcome add_pairs(std::vector<std::pair<int, int>> pairs) {
  auto g = Graph::make(), other = Graph::make();
  std::vector<Node*> n;
  for (int i = 0; i < 4; i++) n.push_back(add(*g, empty()));
  n.push_back(add(*other, empty()));  // 4: foreign
  n.push_back(nullptr);               // 5: dead
  (void)link(*g, n[0], n[1]);
  std::vector<Node*> from, to;
  for (auto& [a, b] : pairs) {
    from.push_back(n[static_cast<size_t>(a)]);
    to.push_back(n[static_cast<size_t>(b)]);
  }
  const xpuError_t code = g->add_edges(from, to).code();
  return outcome(code, *g);
}

void expect_refused(const Outcome& o) {
  assert_int_equal(o.code, xpuErrorInvalidValue);
  assert_string_equal(o.edges.chars, "0>1");
  assert_true(o.sound);
}

void edges_are_kept_in_order_of_insertion(void**) {
  const Outcome o = add_pairs({{0, 3}, {2, 3}, {0, 2}});
  assert_int_equal(o.code, xpuSuccess);
  assert_string_equal(o.edges.chars, "0>1 0>3 0>2 2>3");
  assert_true(o.sound);
}
void a_self_edge_is_refused(void**) {
  const Outcome o = add_pairs({{0, 2}, {2, 2}});
  expect_refused(o);
}
void an_edge_that_exists_is_refused_and_nothing_of_the_call_stays(void**) {
  const Outcome o = add_pairs({{1, 2}, {2, 3}, {0, 1}});
  expect_refused(o);
}
void an_edge_given_twice_in_a_call_is_refused(void**) {
  const Outcome o = add_pairs({{2, 3}, {2, 3}});
  expect_refused(o);
}
void a_foreign_node_is_refused(void**) {
  const Outcome a = add_pairs({{0, 2}, {4, 3}}), b = add_pairs({{0, 2}, {3, 4}});
  expect_refused(a);
  expect_refused(b);
}
void a_dead_node_is_refused(void**) {
  const Outcome a = add_pairs({{0, 2}, {5, 3}}), b = add_pairs({{0, 2}, {3, 5}});
  expect_refused(a);
  expect_refused(b);
}
void a_cycle_is_not_refused_by_adding_edges(void**) {
  const Outcome o = add_pairs({{1, 0}});
  assert_int_equal(o.code, xpuSuccess);
}

Outcome remove_pairs(std::vector<std::pair<int, int>> pairs) {
  auto g = Graph::make();
  std::vector<Node*> n;
  for (int i = 0; i < 4; i++) n.push_back(add(*g, empty()));
  for (auto [a, b] : {std::pair(0, 1), {0, 2}, {0, 3}, {1, 3}, {2, 3}}) {
    (void)link(*g, n[static_cast<size_t>(a)], n[static_cast<size_t>(b)]);
  }
  std::vector<Node*> from, to;
  for (auto& [a, b] : pairs) {
    from.push_back(n[static_cast<size_t>(a)]);
    to.push_back(n[static_cast<size_t>(b)]);
  }
  return outcome(g->remove_edges(from, to).code(), *g);
}

void removed_edges_are_gone_and_the_others_keep_their_order(void**) {
  const Outcome o = remove_pairs({{0, 2}, {1, 3}});
  assert_int_equal(o.code, xpuSuccess);
  assert_string_equal(o.edges.chars, "0>1 0>3 2>3");
  assert_true(o.sound);
}
void removing_what_is_no_edge_leaves_all_as_it_was(void**) {
  for (auto absent : {std::pair(1, 2), {1, 0}, {0, 2}}) {
    const Outcome o = remove_pairs({{0, 2}, {2, 3}, absent});
    assert_int_equal(o.code, xpuErrorInvalidValue);
    assert_string_equal(o.edges.chars, "0>1 0>2 0>3 1>3 2>3");
    assert_true(o.sound);
  }
}

struct Ports {
  int from, to, type;
  bool kernel_kernel, kernel_fill, fill_kernel, empty_empty;
};
// CUDA 13's answers on an H200.
const Ports kPorts[] = {
    {0, 0, 0, true, true, true, true},      {1, 0, 1, true, false, false, false},
    {2, 0, 1, true, false, false, false},   {0, 0, 1, false, false, false, false},
    {1, 0, 0, false, false, false, false},  {2, 0, 0, true, true, false, false},
    {3, 0, 0, false, false, false, false},  {255, 0, 0, false, false, false, false},
    {0, 1, 0, false, false, false, false},  {0, 0, 2, false, false, false, false},
    {0, 0, 255, false, false, false, false}};

int accepts(ParamsRef (*from)(), ParamsRef (*to)(), const Ports& p) {
  auto g = Graph::make();
  Node* a = add(*g, from());
  Node* b = add(*g, to());
  const xpuGraphEdgeData data = edge_data(p.from, p.to, p.type);
  const bool linked = link(*g, a, b, &data) == xpuSuccess;
  auto h = Graph::make();
  Node* c = add(*h, from());
  const bool added = h->add(to(), {&c, 1}, &data).ok();
  if (linked != added || g->edge_count() != linked || h->edge_count() != added) return -1;
  return linked;
}
ParamsRef plain_kernel() { return kernel(); }

void edge_data_follows_the_rule_of_cuda(void**) {
  for (const Ports& p : kPorts) {
    assert_int_equal(accepts(plain_kernel, plain_kernel, p), p.kernel_kernel);
    assert_int_equal(accepts(plain_kernel, fill, p), p.kernel_fill);
    assert_int_equal(accepts(fill, plain_kernel, p), p.fill_kernel);
    assert_int_equal(accepts(empty, empty, p), p.empty_empty);
  }
}

bool reserved_accepted(int byte) {
  auto g = Graph::make();
  Node *a = add(*g, empty()), *b = add(*g, empty());
  xpuGraphEdgeData data = edge_data(0, 0, 0);
  data.reserved[byte] = 1;
  return link(*g, a, b, &data) == xpuSuccess;
}
void reserved_bytes_must_be_zero(void**) {
  for (int i = 0; i < 5; i++) assert_false(reserved_accepted(i));
}

bool data_is_seen_from_both_ends() {
  auto g = Graph::make();
  Node *a = add(*g, kernel()), *b = add(*g, kernel());
  const xpuGraphEdgeData data = edge_data(1, 0, 1);
  (void)link(*g, a, b, &data);
  const xpuGraphEdgeData out = a->out()[0].data(), in = b->in()[0].data();
  return !a->out()[0].is_default() && out.from_port == 1 && out.type == 1 && in.from_port == 1 &&
         in.type == 1 && unlink(*g, a, b) == xpuSuccess && g->edge_count() == 0;
}
void edge_data_is_seen_from_both_ends_and_not_needed_to_remove(void**) {
  assert_true(data_is_seen_from_both_ends());
}

Outcome hub(int leaves) {
  auto g = Graph::make();
  Node* hub = add(*g, empty());
  std::vector<Node*> from, to;
  for (int i = 0; i < leaves; i++) {
    from.push_back(hub);
    to.push_back(add(*g, empty()));
  }
  const xpuError_t code = g->add_edges(from, to).code();
  Outcome o = outcome(code, *g);
  o.sound = o.sound && hub->out().size() == static_cast<uint32_t>(leaves);
  return o;
}
void a_hub_of_a_thousand_edges_is_well_formed(void**) {
  const Outcome o = hub(1000);
  assert_int_equal(o.code, xpuSuccess);
  assert_true(o.sound);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(edges_are_kept_in_order_of_insertion),
      cmocka_unit_test(a_self_edge_is_refused),
      cmocka_unit_test(an_edge_that_exists_is_refused_and_nothing_of_the_call_stays),
      cmocka_unit_test(an_edge_given_twice_in_a_call_is_refused),
      cmocka_unit_test(a_foreign_node_is_refused),
      cmocka_unit_test(a_dead_node_is_refused),
      cmocka_unit_test(a_cycle_is_not_refused_by_adding_edges),
      cmocka_unit_test(removed_edges_are_gone_and_the_others_keep_their_order),
      cmocka_unit_test(removing_what_is_no_edge_leaves_all_as_it_was),
      cmocka_unit_test(edge_data_follows_the_rule_of_cuda),
      cmocka_unit_test(reserved_bytes_must_be_zero),
      cmocka_unit_test(edge_data_is_seen_from_both_ends_and_not_needed_to_remove),
      cmocka_unit_test(a_hub_of_a_thousand_edges_is_well_formed),
  };
  return XPU_RUN_TESTS(tests);
}
