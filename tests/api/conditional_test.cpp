// SPDX-License-Identifier: Apache-2.0
// Conditional nodes: which bodies run, how often, and in what order with everything else.
#include <sys/resource.h>

#include "branching.h"

using namespace xpu::test;

namespace {

template <size_t n>
void run_into(int (&values)[n], xpuGraph_t graph, const int* p, int times = 1) {
  run(graph, times);
  fetch(values, p, sizeof values);
}

void an_if_runs_its_first_body_unless_the_value_is_0(void**) {
  for (const unsigned size : {1u, 2u})
    for (const unsigned value : {0u, 1u, 2u, 0x80000000u, 0xffffffffu}) {
      const xpuGraph_t graph = new_graph();
      int* p = device_ints(2);
      int got[2] = {};
      const Handle handle = new_handle(graph, 1 - (value != 0));
      const Branch branch =
          add_if(graph, add_one(graph, nullptr, "decide", handle, value), handle, size);
      add_one(branch.body[0], nullptr, "add", p, 0, 1);
      if (size == 2) add_one(branch.body[1], nullptr, "add", p, 1, 10);
      run_into(got, graph, p);
      if (shown(executes)) {
        assert_int_equal(value != 0, got[0]);
        assert_int_equal(value == 0 && size == 2 ? 10 : 0, got[1]);
      }
      assert_ok(xpuGraphDestroy(graph));
      assert_ok(xpuFree(p));
    }
}

void a_while_looks_before_every_turn(void**) {
  for (const int turns : {0, 1, 2, 50}) {
    const xpuGraph_t graph = new_graph();
    int* p = device_ints(2);
    int got[2] = {};
    const Handle handle = new_handle(graph);
    xpuGraphNode_t node = add_one(graph, nullptr, "store", p, 0, turns);
    node = add_one(graph, node, "store", p, 1, 0);
    node = add_one(graph, node, "decide_by", handle, p, 0);
    const xpuGraph_t body = add_while(graph, node, handle).body[0];
    add_one(body, add_one(body, nullptr, "add", p, 1, 3), "count_down", handle, p, 0);
    run_into(got, graph, p, 3);
    if (shown(executes)) {
      assert_int_equal(0, got[0]);
      assert_int_equal(3 * turns, got[1]);
    }
    assert_ok(xpuGraphDestroy(graph));
    assert_ok(xpuFree(p));
  }
}

void a_switch_runs_the_body_of_that_number_or_none(void**) {
  for (const unsigned value : {0u, 1u, 2u, 3u, 0xffffffffu}) {
    const xpuGraph_t graph = new_graph();
    int* p = device_ints(1);
    int got[1] = {};
    const Handle handle = new_handle(graph, value);
    const Branch branch = add_switch(graph, nullptr, handle, 3);
    for (int i = 0; i < 3; i++) add_one(branch.body[i], nullptr, "store", p, 0, 100 + i);
    run_into(got, graph, p);
    if (shown(executes)) assert_int_equal(value < 3 ? 100 + value : 0, got[0]);
    assert_ok(xpuGraphDestroy(graph));
    assert_ok(xpuFree(p));
  }
}

// Each launch sets the value again, although the loop of the one before left it 0.
void launches_that_are_queued_do_not_disturb_each_other(void**) {
  static Gate gate;
  const xpuStream_t streams[] = {new_stream(), new_stream()};
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(2);
  const Handle handle = new_handle(graph, 1);
  const xpuGraphNode_t first = add_one(graph, nullptr, "store", p, 0, 4);
  const Branch loop = add_while(graph, first, handle);
  const xpuGraphNode_t step = add_one(loop.body[0], nullptr, "step", p + 1, 3, 1);
  add_one(loop.body[0], step, "count_down", handle, p, 0);
  add_one(graph, loop.node, "step", p + 1, 5, 2);
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphUpload(exec, streams[0]));
  gate.shut(streams[0]);
  for (int i = 0; i < 10; i++) assert_ok(xpuGraphLaunch(exec, streams[i % 3 == 2]));
  gate.open = 1;
  for (const xpuStream_t s : streams) assert_ok(xpuStreamSynchronize(s));

  unsigned expected = 0;
  for (int i = 0; i < 10; i++) {
    for (int turn = 0; turn < 4; turn++) expected = expected * 3 + 1;
    expected = expected * 5 + 2;
  }
  if (shown(executes)) assert_int_equal(static_cast<int>(expected), fetch(p + 1));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  for (const xpuStream_t s : streams) assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

// while { three steps; while { two steps; if { one } else { another } } }
void conditional_nodes_nest(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(4);  // outer turns left, inner turns left, result
  const Handle outer = new_handle(graph, 1), inner = new_handle(graph), odd = new_handle(graph);
  xpuGraphNode_t n = add_one(graph, nullptr, "store", p, 0, 3);
  n = add_one(graph, n, "store", p, 2, 1);
  const xpuGraph_t outside = add_while(graph, n, outer).body[0];
  n = add_one(outside, nullptr, "step", p + 2, 3, 1);
  n = add_one(outside, n, "store", p, 1, 2);
  n = add_one(outside, n, "decide", inner, 1u);
  const Branch loop = add_while(outside, n, inner);
  n = add_one(loop.body[0], nullptr, "step", p + 2, 5, 7);
  n = add_one(loop.body[0], n, "count_down", inner, p, 1);
  n = add_one(loop.body[0], n, "copy_one", p, 3, p, 1);
  n = add_one(loop.body[0], n, "decide_by", odd, p, 3);
  const Branch choice = add_if(loop.body[0], n, odd, 2);
  add_one(choice.body[0], nullptr, "step", p + 2, 1, 100);
  add_one(choice.body[1], nullptr, "step", p + 2, 1, 1000);
  add_one(outside, loop.node, "count_down", outer, p, 0);
  int got[4] = {};
  run_into(got, graph, p, 2);

  int expected = 1;
  for (int i = 0; i < 3; i++) {
    expected = expected * 3 + 1;
    for (int left = 1; left >= 0; left--) {
      expected = expected * 5 + 7;
      expected += left ? 100 : 1000;
    }
  }
  if (shown(executes)) assert_int_equal(expected, got[2]);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

void a_body_can_have_what_it_may_have(void**) {
  const xpuGraph_t graph = new_graph(), child = new_graph();
  int* p = device_ints(8);
  const Handle handle = new_handle(graph, 1);
  add_one(child, add_one(child, nullptr, "add", p, 2, 5), "add", p, 2, 6);
  const xpuGraph_t body =
      add_while(graph, add_one(graph, nullptr, "store", p, 0, 3), handle).body[0];
  xpuGraphNode_t fill = nullptr, copy = nullptr, join = nullptr, inside = nullptr;
  xpuMemsetParams fill_params = {};
  fill_params.struct_size = sizeof fill_params;
  fill_params.dst = p + 4;
  fill_params.value = 9;
  fill_params.elementSize = 4;
  fill_params.width = fill_params.height = 1;
  assert_ok(xpuGraphAddMemsetNode(&fill, body, nullptr, 0, &fill_params));
  assert_ok(xpuGraphAddMemcpyNode1D(&copy, body, &fill, 1, p + 5, p + 4, sizeof(int),
                                    xpuMemcpyDeviceToDevice));
  assert_ok(xpuGraphAddChildGraphNode(&inside, body, nullptr, 0, child));
  const xpuGraphNode_t both[] = {copy, inside};
  assert_ok(xpuGraphAddEmptyNode(&join, body, both, 2));
  add_one(body, add_one(body, join, "add", p, 5, 1), "count_down", handle, p, 0);
  int got[8] = {};
  run_into(got, graph, p);
  if (shown(executes)) {
    assert_int_equal(3 * 11, got[2]);
    assert_int_equal(9, got[4]);
    assert_int_equal(10, got[5]);
  }
  assert_ok(xpuGraphDestroy(child));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

// Independent nodes beside it, nodes before and after it, an empty body, and one that is not run.
void everything_around_a_conditional_node_keeps_its_order(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(4);
  const Handle first = new_handle(graph, 1), second = new_handle(graph, 1);
  const Handle never = new_handle(graph, 0), empty = new_handle(graph, 1);
  const xpuGraphNode_t root = add_one(graph, nullptr, "store", p, 0, 1);
  const xpuGraphNode_t beside = add_one(graph, nullptr, "slow_step", p + 1, 1, 4, 20000);
  const Branch a = add_if(graph, root, first);
  add_one(a.body[0], nullptr, "step", p, 10, 2);
  const Branch b = add_if(graph, a.node, second);
  add_one(b.body[0], nullptr, "step", p, 10, 3);
  const Branch c = add_while(graph, b.node, never);
  add_one(c.body[0], nullptr, "store", p, 0, -1);
  const Branch d = add_if(graph, c.node, empty, 2);
  xpuGraphNode_t last = nullptr;
  const xpuGraphNode_t both[] = {d.node, beside};
  assert_ok(xpuGraphAddEmptyNode(&last, graph, both, 2));
  add_one(graph, last, "vector_add", p + 2, p, p + 1, 1);
  int got[4] = {};
  run_into(got, graph, p);
  if (shown(executes)) assert_int_equal(123 + 4, got[2]);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

void a_launch_returns_while_the_loop_runs(void**) {
  static Gate gate;
  const xpuStream_t s = new_stream();
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(2);
  const Handle handle = new_handle(graph, 1);
  const xpuGraphNode_t first = add_one(graph, nullptr, "store", p, 0, 30);
  const xpuGraph_t body = add_while(graph, first, handle).body[0];
  add_one(body, nullptr, "count_down", handle, p, 0);
  const xpuGraphExec_t exec = instantiate(graph);
  gate.shut(s);
  for (int i = 0; i < 5; i++) assert_ok(xpuGraphLaunch(exec, s));
  launch_one(s, "copy_one", p, 1, p, 0);
  if (shown(waits)) assert_code(xpuStreamQuery(s), xpuErrorNotReady);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));
  if (shown(executes)) assert_int_equal(0, fetch(p + 1));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

long resident_kib() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

void ten_thousand_turns_take_no_memory(void**) {
  const xpuStream_t s = new_stream();
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1);
  const Handle handle = new_handle(graph, 1);
  const xpuGraphNode_t first = add_one(graph, nullptr, "store", p, 0, 2500);
  const xpuGraph_t body = add_while(graph, first, handle).body[0];
  add_one(body, nullptr, "count_down", handle, p, 0);
  const xpuGraphExec_t exec = instantiate(graph);
  long before = 0;
  for (int i = 0; i < 5; i++) {
    assert_ok(xpuGraphLaunch(exec, s));
    assert_ok(xpuStreamSynchronize(s));
    if (i == 0) before = resident_kib();
  }
  [[maybe_unused]] const long grown = resident_kib() - before;
  if (shown(executes)) {
    assert_int_equal(0, fetch(p));
    assert_true(before > 0);
// A sanitizer keeps what was freed.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (grown > 1024) fail_msg("10,000 turns took %ld KiB", grown);
#endif
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

void a_profile_tells_how_long_all_turns_took(void**) {
  const xpuStream_t s = new_stream();
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1);
  const Handle handle = new_handle(graph, 1);
  const xpuGraphNode_t first = add_one(graph, nullptr, "store", p, 0, 5);
  const xpuGraph_t body = add_while(graph, first, handle).body[0];
  add_one(body, nullptr, "count_down", handle, p, 0);
  const xpuGraphExec_t exec = instantiate(graph);
  xpuGraphNodeProfile rows[2] = {};
  size_t count = 2;
  for (xpuGraphNodeProfile& row : rows) row.struct_size = sizeof row;
  assert_ok(xpuGraphExecProfile(exec, s, rows, &count, nullptr));
  assert_int_equal(2, count);
  assert_int_equal(xpuGraphNodeTypeConditional, rows[1].type);
  if (shown(timestamps)) {
    assert_int_equal(1, rows[1].timed);
    assert_true(rows[1].durationNs > 0);
  }
  if (shown(executes)) assert_int_equal(0, fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

void a_body_can_be_captured(void**) {
  const xpuStream_t s = new_stream();
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(2);
  const Handle handle = new_handle(graph, 1);
  const xpuGraphNode_t first = add_one(graph, nullptr, "store", p, 0, 4);
  const xpuGraph_t body = add_while(graph, first, handle).body[0];
  assert_ok(xpuStreamBeginCaptureToGraph(s, body, nullptr, nullptr, 0, xpuStreamCaptureModeGlobal));
  launch_one(s, "step", p + 1, 2, 1);
  launch_one(s, "count_down", handle, p, 0);
  assert_code(xpuGraphDestroy(graph), xpuErrorIllegalState);
  assert_ok(xpuStreamEndCapture(s, nullptr));
  run(graph);
  if (shown(executes)) assert_int_equal(15, fetch(p + 1));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

// As CUDA's sample does it: look at the capture, add the node by hand, go on behind it.
void a_conditional_node_can_be_added_in_the_middle_of_a_capture(void**) {
  const xpuStream_t s = new_stream(), other = new_stream();
  int* p = device_ints(2);
  xpuStreamCaptureStatus state;
  xpuGraph_t graph = nullptr;
  const xpuGraphNode_t* before = nullptr;
  size_t count = 0;
  begin(s);
  launch_one(s, "store", p, 0, 5);
  assert_ok(xpuStreamGetCaptureInfo(s, &state, nullptr, &graph, &before, nullptr, &count));
  assert_int_equal(1, count);
  const Handle handle = new_handle(graph, 1);
  const Branch branch = add_while(graph, before[0], handle);
  assert_ok(xpuStreamUpdateCaptureDependencies(s, &branch.node, nullptr, 1,
                                               xpuStreamSetCaptureDependencies));
  assert_ok(xpuStreamBeginCaptureToGraph(other, branch.body[0], nullptr, nullptr, 0,
                                         xpuStreamCaptureModeGlobal));
  launch_one(other, "step", p + 1, 2, 1);
  launch_one(other, "count_down", handle, p, 0);
  assert_ok(xpuStreamEndCapture(other, nullptr));
  launch_one(s, "step", p + 1, 10, 7);
  const xpuGraph_t made = end(s);
  assert_ptr_equal(graph, made);
  assert_int_equal(3, node_count(made));
  int got[2] = {};
  run_into(got, made, p);
  if (shown(executes)) assert_int_equal(317, got[1]);
  assert_ok(xpuGraphDestroy(made));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuStreamDestroy(other));
  assert_ok(xpuFree(p));
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(an_if_runs_its_first_body_unless_the_value_is_0, results(executes)),
      xpu_test(a_while_looks_before_every_turn, results(executes)),
      xpu_test(a_switch_runs_the_body_of_that_number_or_none, results(executes)),
      xpu_test(launches_that_are_queued_do_not_disturb_each_other, results(executes)),
      xpu_test(conditional_nodes_nest, results(executes)),
      xpu_test(a_body_can_have_what_it_may_have, results(executes)),
      xpu_test(everything_around_a_conditional_node_keeps_its_order, results(executes)),
      xpu_test(a_launch_returns_while_the_loop_runs, results(executes | waits)),
      xpu_test(ten_thousand_turns_take_no_memory, results(executes)),
      xpu_test(a_profile_tells_how_long_all_turns_took, results(executes | timestamps)),
      xpu_test(a_body_can_be_captured, results(executes)),
      xpu_test(a_conditional_node_can_be_added_in_the_middle_of_a_capture, results(executes)),
  };
  return run_all(tests, load_first);
}
