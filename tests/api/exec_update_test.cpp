// SPDX-License-Identifier: Apache-2.0
// Updating an executable from a graph: which nodes are paired, and what they do afterwards.
#include "updating.h"

using namespace xpu::test;

static xpuGraph_t usual;
static xpuGraphNode_t in_graph[3];

static void an_update_takes_what_the_nodes_of_the_other_graph_do(void**) {
  const xpuGraph_t graph = steps(1, 2, 3), other = steps(4, 5, 6);
  const xpuGraphExec_t exec = instantiate(graph);

  update(exec, other);
  assert_ok(xpuGraphDestroy(other));
  const int after = run_from(exec, 9);
  update(exec, graph);
  const int back = run_from(exec, 9);

  if (shown(executes)) assert_int_equal(9456, after);
  if (shown(executes)) assert_int_equal(9123, back);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static void edits_of_the_graph_come_with_an_update_from_it(void**) {
  xpuGraphNode_t nodes[3];
  const xpuGraph_t graph = steps(1, 2, 3, nodes);
  const xpuGraphExec_t exec = instantiate(graph);
  Args<int*, int, int> args(p, 10, 7);
  const xpuKernelNodeParams params = node_params(kernel("step"), dim(1), dim(1), args.get());
  assert_ok(xpuGraphKernelNodeSetParams(nodes[1], &params));

  update(exec, graph);
  const int after = run_from(exec, 9);

  if (shown(executes)) assert_int_equal(9173, after);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static void a_clone_and_a_capture_of_the_same_work_are_taken(void**) {
  const xpuGraph_t graph = steps(1, 2, 3);
  const xpuGraphExec_t exec = instantiate(graph);
  xpuGraph_t clone = nullptr, captured = nullptr;
  assert_ok(xpuGraphClone(&clone, graph));
  assert_ok(xpuStreamBeginCapture(stream, xpuStreamCaptureModeThreadLocal));
  for (int i = 7; i < 10; i++) launch_one(stream, "step", p, 10, i);
  assert_ok(xpuStreamEndCapture(stream, &captured));

  update(exec, captured);
  const int after = run_from(exec, 1);
  update(exec, clone);
  const int cloned = run_from(exec, 1);

  if (shown(executes)) assert_int_equal(1789, after);
  if (shown(executes)) assert_int_equal(1123, cloned);
  assert_ok(xpuGraphExecDestroy(exec));
  for (xpuGraph_t g : {graph, clone, captured}) assert_ok(xpuGraphDestroy(g));
}

// The two are built in another order; only their ends and their dependencies say who is who.
static void nodes_are_paired_from_the_ends_along_the_edges(void**) {
  const xpuGraph_t graph = steps(1, 2, 3);
  const xpuGraphExec_t exec = instantiate(graph);
  const xpuGraph_t other = new_graph();
  const xpuGraphNode_t last = add_one(other, nullptr, "step", p, 10, 6);
  const xpuGraphNode_t first = add_one(other, nullptr, "step", p, 10, 4);
  const xpuGraphNode_t middle = add_one(other, nullptr, "step", p, 10, 5);
  assert_ok(xpuGraphAddDependencies(other, &first, &middle, nullptr, 1));
  assert_ok(xpuGraphAddDependencies(other, &middle, &last, nullptr, 1));

  update(exec, other);
  const int after = run_from(exec, 9);

  if (shown(executes)) assert_int_equal(9456, after);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphDestroy(other));
}

static void changed(void* counter) { *static_cast<int*>(counter) += 5; }
static void unchanged(void* counter) { *static_cast<int*>(counter) += 1; }

// One node of each kind that can change.
struct Mixed {
  xpuGraph_t graph;
  xpuGraphNode_t kernel, copy, fill, host, wait, record, child, empty;
};
static Mixed mixed(int* q, int value, int width, xpuHostFn_t fn, int* counter, xpuEvent_t event) {
  Mixed m = {};
  m.graph = new_graph();
  m.kernel = add_one(m.graph, nullptr, "store", q, 0, value);
  assert_ok(xpuGraphAddMemcpyNode1D(&m.copy, m.graph, &m.kernel, 1, q + 1, q, sizeof(int),
                                    xpuMemcpyDeviceToDevice));
  const xpuMemsetParams fill = {
      sizeof fill, 0, q + 2, 0, static_cast<uint32_t>(value), 4, static_cast<size_t>(width), 1};
  assert_ok(xpuGraphAddMemsetNode(&m.fill, m.graph, &m.copy, 1, &fill));
  const xpuHostNodeParams host = {sizeof host, 0, fn, counter};
  assert_ok(xpuGraphAddHostNode(&m.host, m.graph, &m.fill, 1, &host));
  assert_ok(xpuGraphAddEventWaitNode(&m.wait, m.graph, &m.host, 1, event));
  const xpuGraph_t inner = new_graph();
  add_one(inner, nullptr, "store", q, 7, value * 2);
  assert_ok(xpuGraphAddChildGraphNode(&m.child, m.graph, &m.wait, 1, inner));
  assert_ok(xpuGraphDestroy(inner));
  assert_ok(xpuGraphAddEmptyNode(&m.empty, m.graph, &m.child, 1));
  assert_ok(xpuGraphAddEventRecordNode(&m.record, m.graph, &m.empty, 1, event));
  return m;
}

static void every_kind_of_node_is_updated(void**) {
  int* q = device_ints(16);
  static int counter;
  counter = 0;
  const xpuEvent_t a = new_event(), b = new_event();
  const Mixed one = mixed(q, 1, 2, unchanged, &counter, a);
  const Mixed two = mixed(q + 8, 3, 4, changed, &counter, b);
  const xpuGraphExec_t exec = instantiate(one.graph);

  run(exec);
  update(exec, two.graph);
  run(exec);

  const int expected[16] = {1, 1, 1, 1, 0, 0, 0, 2, 3, 3, 3, 3, 3, 3, 0, 6};
  int seen[16];
  fetch(seen, q, sizeof seen);
  if (shown(executes)) assert_memory_equal(expected, seen, sizeof seen);
  if (shown(executes)) assert_int_equal(6, counter);
  assert_ok(xpuEventSynchronize(b));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(one.graph));
  assert_ok(xpuGraphDestroy(two.graph));
  assert_ok(xpuEventDestroy(a));
  assert_ok(xpuEventDestroy(b));
  assert_ok(xpuFree(q));
}

static void an_update_leaves_disabled_nodes_disabled(void**) {
  const xpuGraphExec_t exec = instantiate(usual);
  const xpuGraph_t other = steps(4, 5, 6);
  unsigned on = 9;
  assert_ok(xpuGraphNodeSetEnabled(exec, in_graph[1], 0));

  update(exec, other);
  assert_ok(xpuGraphNodeGetEnabled(exec, in_graph[1], &on));
  const int after = run_from(exec, 9);
  assert_ok(xpuGraphNodeSetEnabled(exec, in_graph[1], 1));
  const int enabled = run_from(exec, 9);

  assert_int_equal(0, on);
  if (shown(executes)) assert_int_equal(946, after);
  if (shown(executes)) assert_int_equal(9456, enabled);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(other));
}

static void the_executable_is_known_by_its_own_nodes_after_an_update(void**) {
  const xpuGraphExec_t exec = instantiate(usual);
  xpuGraphNode_t theirs[3];
  const xpuGraph_t other = steps(4, 5, 6, theirs);
  Args<int*, int, int> args(p, 10, 8);
  const xpuKernelNodeParams params = node_params(kernel("step"), dim(1), dim(1), args.get());

  update(exec, other);
  assert_code(xpuGraphExecKernelNodeSetParams(exec, theirs[0], &params), xpuErrorInvalidValue);
  assert_ok(xpuGraphExecKernelNodeSetParams(exec, in_graph[0], &params));
  (void)xpuGetLastError();
  const int after = run_from(exec, 9);

  if (shown(executes)) assert_int_equal(9856, after);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(other));
}

static int open_all(void**) {
  stream = new_stream();
  p = device_ints(1);
  usual = steps(1, 2, 3, in_graph);
  return 0;
}
static int close_all(void**) {
  assert_ok(xpuGraphDestroy(usual));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(stream));
  return 0;
}

int main() {
  const Test tests[] = {
      xpu_test(an_update_takes_what_the_nodes_of_the_other_graph_do, results(executes)),
      xpu_test(edits_of_the_graph_come_with_an_update_from_it, results(executes)),
      xpu_test(a_clone_and_a_capture_of_the_same_work_are_taken, results(executes)),
      xpu_test(nodes_are_paired_from_the_ends_along_the_edges, results(executes)),
      xpu_test(every_kind_of_node_is_updated, results(executes)),
      xpu_test(an_update_leaves_disabled_nodes_disabled, results(executes)),
      xpu_test(the_executable_is_known_by_its_own_nodes_after_an_update, results(executes)),
  };
  return run_all(tests, open_all, close_all);
}
