// SPDX-License-Identifier: Apache-2.0
// What plans look like: chains, levels, lanes, nodes that stand alone.
#include "plan_line.h"
#include "xpu_test.h"

namespace {

using namespace xpu;
using namespace xpu::test;
using plan::DeviceFacts;
using plan::Plan;

std::vector<Node*> chain(Graph& g, int length, Node* after = nullptr) {
  std::vector<Node*> made;
  for (int i = 0; i < length; i++) {
    made.push_back(after ? add(g, kernel(), {after}) : add(g, kernel()));
    after = made.back();
  }
  return made;
}

// A head, `branches` chains of `length`, a tail.
std::shared_ptr<Graph> fork_join(int branches, int length) {
  auto g = Graph::make();
  Node* head = add(*g, kernel());
  std::vector<Node*> ends;
  for (int b = 0; b < branches; b++) ends.push_back(chain(*g, length, head).back());
  add(*g, kernel(), ends);
  return g;
}

Text plan_of_nothing() { return planned(*Graph::make()); }
Text plan_of_one() {
  auto g = Graph::make();
  chain(*g, 1);
  return planned(*g);
}
Text plan_of_chain() {
  auto g = Graph::make();
  auto n = chain(*g, 100);
  (void)link(*g, n[3], n[50]);  // follows from the chain
  return planned(*g);
}
void a_chain_is_one_in_order_list(void**) {
  const Text nothing = plan_of_nothing(), one = plan_of_one(), many = plan_of_chain();
  assert_string_equal(nothing.chars, "");
  assert_string_equal(one.chars, "0o:1 =>0");
  assert_string_equal(many.chars, "0o:100 =>0");
}

Text plan_of_fork(int branches, int length, uint32_t lanes, plan::Shape shape) {
  DeviceFacts facts;
  facts.compute_lanes = lanes;
  facts.shape = shape;
  return planned(*fork_join(branches, length), facts);
}
void a_wide_graph_on_one_engine_has_a_barrier_per_level(void**) {
  const Text t = plan_of_fork(4, 3, 1, plan::Shape::automatic);
  assert_string_equal(t.chars, "0b:1|4|4|4|1 =>0");
  const Text forced = plan_of_fork(4, 3, 4, plan::Shape::levels);
  assert_string_equal(forced.chars, t.chars);
}
void a_forced_chain_orders_what_the_graph_does_not(void**) {
  const Text t = plan_of_fork(4, 3, 4, plan::Shape::chain);
  assert_string_equal(t.chars, "0o:14 =>0");
}
void long_branches_get_an_engine_each(void**) {
  const Text t = plan_of_fork(3, 20, 4, plan::Shape::automatic);
  assert_string_equal(t.chars, "0o:1 0o:20 1o:20<0 2o:20<0 0o:1<2,3 =>4");
}
void more_branches_than_engines_share_them(void**) {
  const Text t = plan_of_fork(4, 20, 2, plan::Shape::automatic);
  assert_string_equal(t.chars,
                      "0o:1 0b:2|2|2|2|2|2|2|2|2|2|2|2|2|2|2|2|2|2|2|2 "
                      "1b:2|2|2|2|2|2|2|2|2|2|2|2|2|2|2|2|2|2|2|2<0 0o:1<2 =>3");
}
void short_branches_stay_on_one_engine(void**) {
  const Text t = plan_of_fork(4, 2, 4, plan::Shape::automatic);
  assert_string_equal(t.chars, "0b:1|4|4|1 =>0");
  const Text forced = plan_of_fork(2, 2, 2, plan::Shape::lanes);
  assert_string_equal(forced.chars, "0o:1 0o:2 1o:2<0 0o:1<2 =>3");
}

Text plan_of_ladder() {  // two chains that wait for each other at every step
  auto g = Graph::make();
  auto a = chain(*g, 40), b = chain(*g, 40);
  for (size_t i = 0; i + 1 < a.size(); i++) {
    (void)link(*g, a[i], b[i + 1]);
    (void)link(*g, b[i], a[i + 1]);
  }
  DeviceFacts facts;
  facts.compute_lanes = 2;
  Text t = planned(*g, facts);
  t.chars[8] = 0;
  return t;
}
void a_graph_too_entangled_for_lanes_is_one_list(void**) {
  const Text t = plan_of_ladder();
  assert_string_equal(t.chars, "0b:2|2|2");
}

// A head, two branches of 10 levels of 3 in which each level waits for all of the one before, a
// tail.
Text plan_of_wide_branches() {
  auto g = Graph::make();
  Node* head = add(*g, kernel());
  std::vector<Node*> ends;
  for (int b = 0; b < 2; b++) {
    std::vector<Node*> level = {head};
    for (int l = 0; l < 10; l++) {
      std::vector<Node*> next;
      for (int i = 0; i < 3; i++) next.push_back(add(*g, kernel(), level));
      level = next;
    }
    ends.insert(ends.end(), level.begin(), level.end());
  }
  add(*g, kernel(), ends);
  DeviceFacts facts;
  facts.compute_lanes = 2;
  return planned(*g, facts);
}
void branches_that_are_wide_themselves_get_an_engine_each(void**) {
  const Text t = plan_of_wide_branches();
  assert_string_equal(t.chars, "0o:1 0b:3|3|3|3|3|3|3|3|3|3 1b:3|3|3|3|3|3|3|3|3|3<0 0o:1<2 =>3");
}

Text plan_of_empties() {
  auto g = Graph::make();
  std::vector<Node*> first, all;
  for (int i = 0; i < 5; i++) first.push_back(add(*g, kernel()));
  Node* join = add(*g, empty(), first);
  Node* again = add(*g, empty(), {join});
  for (int i = 0; i < 3; i++) add(*g, kernel(), {again});
  add(*g, empty());
  return planned(*g);
}
void empty_nodes_leave_their_order_behind(void**) {
  const Text t = plan_of_empties();
  assert_string_equal(t.chars, "0b:5|3 =>0");
}

Text plan_of_children() {
  auto inner = Graph::make(), middle = Graph::make(), g = Graph::make();
  chain(*inner, 2);
  add(*middle, kernel(), {add(*middle, child(*inner))});
  Node* a = add(*g, kernel());
  Node* b = add(*g, child(*middle), {a});
  Node* c = add(*g, child(*Graph::make()), {b});
  add(*g, kernel(), {c});
  return planned(*g);
}
void child_graphs_are_expanded_in_place(void**) {
  const Text t = plan_of_children();
  assert_string_equal(t.chars, "0o:5 =>0");
}

Text plan_of_child_cycle() {
  auto inner = Graph::make(), g = Graph::make();
  Node *a = add(*inner, empty()), *b = add(*inner, empty(), {a});
  (void)link(*inner, b, a);
  add(*g, child(*inner));
  return planned(*g);
}
void a_cycle_in_a_child_graph_is_found(void**) {
  const Text t = plan_of_child_cycle();
  assert_non_null(strstr(t.chars, "cycle"));
}

Text plan_with_host(bool in_list) {
  auto g = Graph::make();
  Node* a = chain(*g, 3).back();
  Node* h = add(*g, host(), {a});
  chain(*g, 2, h);
  chain(*g, 4);  // has nothing to do with the host node
  DeviceFacts facts;
  facts.host_function_in_list = in_list;
  return planned(*g, facts);
}
void a_host_node_stands_alone_where_the_driver_cannot_call(void**) {
  const Text in = plan_with_host(true), out = plan_with_host(false);
  assert_string_equal(in.chars, "0b:2|2|2|2|1|1 =>0");
  // The call can begin as soon as what it waits for is done, and the rest of the other chain, which
  // has nothing to do with it, is submitted before it.
  assert_string_equal(out.chars, "0b:2|2|1 0o:2 1H<0 0o:2<2 =>3");
}

Text plan_with_events() {
  auto g = Graph::make();
  Node* a = chain(*g, 2).back();
  Node* w = add(*g, wait(), {a});
  Node* k = add(*g, kernel(), {w});
  add(*g, record(), {k});
  return planned(*g);
}
void event_nodes_stand_alone_on_their_lane(void**) {
  const Text t = plan_with_events();
  assert_string_equal(t.chars, "0o:2 0W 0o:1 0R =>3");
}

struct Big {
  size_t nodes, segments, steps;
  bool kept;
};
Big plan_of_ten_thousand(uint32_t lanes) {
  auto g = fork_join(100, 100);
  DeviceFacts facts;
  facts.compute_lanes = lanes;
  const Plan plan = plan::make_plan(*g, facts).take();
  Big b = {plan.nodes.size(), plan.segments.size(), 0, plan::keeps_every_edge(*g, plan)};
  for (const auto& s : plan.segments) b.steps += s.steps.size();
  return b;
}
void ten_thousand_nodes_take_a_handful_of_segments(void**) {
  const Big one = plan_of_ten_thousand(1), four = plan_of_ten_thousand(4);
  assert_int_equal(one.nodes, 10002);
  assert_int_equal(one.segments, 1);
  assert_int_equal(four.segments, 6);
  assert_int_equal(four.steps, 10002);
  assert_true(one.kept && four.kept);
}

size_t edges_through_a_join() {
  auto g = Graph::make();
  std::vector<Node*> before;
  for (int i = 0; i < 4000; i++) before.push_back(add(*g, kernel()));
  Node* join = add(*g, empty(), before);
  for (int i = 0; i < 4000; i++) add(*g, kernel(), {join});
  return plan::make_plan(*g, {}).take().segments[0].steps.size();
}
// 16 million edges if the join were dissolved into them.
void a_wide_join_stays_cheap(void**) { assert_int_equal(edges_through_a_join(), 8000); }

}  // namespace

ParamsRef cooperative() {
  xpuLaunchAttributeValue value = {};
  value.cooperative = 1;
  auto attributes = std::make_shared<graph::LaunchAttributes>();
  attributes->set(xpuLaunchAttributeCooperative, value);
  const ParamsRef usual = kernel();
  return usual.as<graph::KernelParams>()->with(attributes);
}
Text plan_of_cooperative_among_free() {
  auto g = Graph::make();
  for (int i = 0; i < 6; i++) add(*g, i == 2 ? cooperative() : kernel());
  return planned(*g);
}
Text plan_of_cooperative_in_a_branch() {
  auto g = fork_join(3, 20);
  g->nodes()[30]->set_params(cooperative());
  DeviceFacts facts;
  facts.compute_lanes = 4;
  const Plan plan = plan::make_plan(*g, facts).take();
  return text(std::to_string(plan.lanes.size()) + " " + planned(*g, facts).chars);
}
void a_cooperative_kernel_has_the_device_for_itself(void**) {
  const Text free = plan_of_cooperative_among_free(), branch = plan_of_cooperative_in_a_branch();
  assert_string_equal(free.chars, "0b:2|1|3 =>0");
  assert_int_equal(0, strncmp(branch.chars, "1 0", 3));
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_is_one_in_order_list),
      cmocka_unit_test(a_wide_graph_on_one_engine_has_a_barrier_per_level),
      cmocka_unit_test(a_forced_chain_orders_what_the_graph_does_not),
      cmocka_unit_test(long_branches_get_an_engine_each),
      cmocka_unit_test(more_branches_than_engines_share_them),
      cmocka_unit_test(short_branches_stay_on_one_engine),
      cmocka_unit_test(a_graph_too_entangled_for_lanes_is_one_list),
      cmocka_unit_test(branches_that_are_wide_themselves_get_an_engine_each),
      cmocka_unit_test(empty_nodes_leave_their_order_behind),
      cmocka_unit_test(child_graphs_are_expanded_in_place),
      cmocka_unit_test(a_cycle_in_a_child_graph_is_found),
      cmocka_unit_test(a_host_node_stands_alone_where_the_driver_cannot_call),
      cmocka_unit_test(event_nodes_stand_alone_on_their_lane),
      cmocka_unit_test(ten_thousand_nodes_take_a_handful_of_segments),
      cmocka_unit_test(a_wide_join_stays_cheap),
      cmocka_unit_test(a_cooperative_kernel_has_the_device_for_itself),
  };
  return XPU_RUN_TESTS(tests);
}
