// SPDX-License-Identifier: Apache-2.0
// Updates of graphs with nodes on two devices, and what is refused.
#include "two_devices.h"
#include "updating.h"

using namespace xpu::test;

static void kernels_of_both_devices_get_other_arguments(void**) {
  int *const here = ints_on(0, 1), *const there = ints_on(1, 1);
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t a = add_on(0, graph, {}, "store", here, 0, 1);
  const xpuGraphNode_t b = add_on(1, graph, {}, "store", there, 0, 2);
  const xpuGraphExec_t exec = instantiate(graph);
  for (int round = 0; round < 4; round++) {
    Args<int*, int, int> first(here, 0, 10 + round), second(there, 0, 20 + round);
    const xpuKernelNodeParams one = node_params(kernel_on(0, "store"), dim(1), dim(1), first.get());
    const xpuKernelNodeParams other =
        node_params(kernel_on(1, "store"), dim(1), dim(1), second.get());
    assert_ok(xpuGraphExecKernelNodeSetParams(exec, a, &one));
    assert_ok(xpuGraphExecKernelNodeSetParams(exec, b, &other));
    run(exec);
    if (!shown(executes)) continue;
    assert_int_equal(10 + round, fetch(here));
    assert_int_equal(20 + round, fetch_on(1, there));
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(here));
  assert_ok(xpuFree(there));
}

// A copy that goes through the host needs more room there when it grows.
static void a_copy_between_devices_grows_and_shrinks(void**) {
  enum { kMost = 5000 };
  static int values[kMost], got[kMost];
  int *const from = ints_on(0, kMost), *const to = ints_on(1, kMost);
  for (int i = 0; i < kMost; i++) values[i] = i + 1;
  assert_ok(xpuMemcpy(from, values, sizeof values, xpuMemcpyHostToDevice));
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t copy = add_copy(graph, {}, to, from, 1);
  const xpuGraphExec_t exec = instantiate(graph);
  const size_t counts[] = {1, 100, kMost, 7, 3000};
  for (size_t n : counts) {
    zero_on(1, to, kMost);
    assert_ok(
        xpuGraphExecMemcpyNodeSetParams1D(exec, copy, to, from, n * sizeof(int), xpuMemcpyDefault));
    assert_ok(xpuGraphLaunch(exec, stream));
    run(exec);
    if (!shown(executes)) continue;
    on(1, [&] { return fetch(got, to, sizeof got), 0; });
    assert_memory_equal(got, values, n * sizeof(int));
    if (n < kMost) assert_int_equal(0, got[n]);
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(from));
  assert_ok(xpuFree(to));
}

static void a_copy_between_devices_is_switched_off_and_on(void**) {
  int *const from = ints_on(0, 1), *const to = ints_on(1, 1);
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t store = add_on(0, graph, {}, "store", from, 0, 5);
  const xpuGraphNode_t copy = add_copy(graph, {store}, to, from, 1);
  (void)add_on(1, graph, {copy}, "add", to, 0, 1);
  const xpuGraphExec_t exec = instantiate(graph);
  zero_on(1, to, 1);
  const int expected[] = {6, 7, 8, 6};
  for (int round = 0; round < 4; round++) {
    const unsigned on = round == 0 || round == 3;
    unsigned now = 9;
    assert_ok(xpuGraphNodeSetEnabled(exec, copy, on));
    assert_ok(xpuGraphNodeGetEnabled(exec, copy, &now));
    assert_int_equal(on, now);
    run(exec);
    if (shown(executes)) assert_int_equal(expected[round], fetch_on(1, to));
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(from));
  assert_ok(xpuFree(to));
}

static xpuGraph_t chain_across(int* here, int* there, int value) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t store = add_on(0, graph, {}, "store", here, 0, value);
  const xpuGraphNode_t copy = add_copy(graph, {store}, there, here, 1);
  (void)add_on(1, graph, {copy}, "add", there, 0, value);
  return graph;
}
static void a_whole_graph_on_two_devices_takes_the_place_of_another(void**) {
  int *const here = ints_on(0, 2), *const there = ints_on(1, 2);
  const xpuGraph_t graph = chain_across(here, there, 1);
  const xpuGraphExec_t exec = instantiate(graph);
  for (int round = 2; round < 5; round++) {
    const int at = round % 2;
    const xpuGraph_t next = chain_across(here + at, there + at, round);
    run(exec);
    update(exec, next);
    assert_ok(xpuGraphDestroy(next));
    run(exec);
    if (shown(executes)) assert_int_equal(2 * round, fetch_on(1, there + at));
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(here));
  assert_ok(xpuFree(there));
}

static void a_node_stays_on_its_device(void**) {
  int *const here = ints_on(0, 2), *const there = ints_on(1, 2);
  const xpuEvent_t first = event_on(0), second = event_on(1);
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t store = add_on(0, graph, {}, "store", here, 0, 1);
  const xpuGraphNode_t copy = add_copy(graph, {}, there, here + 1, 1);
  xpuGraphNode_t record = nullptr;
  assert_ok(xpuGraphAddEventRecordNode(&record, graph, nullptr, 0, first));
  const xpuGraphExec_t exec = instantiate(graph);
  Args<int*, int, int> args(there, 0, 1);
  const xpuKernelNodeParams params = node_params(kernel_on(1, "store"), dim(1), dim(1), args.get());
  assert_code(xpuGraphExecKernelNodeSetParams(exec, store, &params), xpuErrorInvalidValue);
  assert_non_null(strstr(last_failure().sentence, "device 1"));
  assert_code(
      xpuGraphExecMemcpyNodeSetParams1D(exec, copy, here, here + 1, sizeof(int), xpuMemcpyDefault),
      xpuErrorInvalidValue);
  assert_code(xpuGraphExecEventRecordNodeSetEvent(exec, record, second), xpuErrorInvalidValue);

  const xpuGraph_t moved = new_graph();
  const xpuGraphNode_t elsewhere = add_on(1, moved, {}, "store", there, 0, 1);
  (void)add_copy(moved, {}, there, here + 1, 1);
  assert_ok(xpuGraphAddEventRecordNode(&record, moved, nullptr, 0, first));
  refuse(exec, moved, xpuGraphExecUpdateErrorUnsupportedFunctionChange, elsewhere);
  run(exec);
  assert_ok(xpuGraphDestroy(moved));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuEventDestroy(first));
  assert_ok(xpuEventDestroy(second));
  assert_ok(xpuFree(here));
  assert_ok(xpuFree(there));
}

static void bodies_of_conditional_nodes_are_on_one_device(void**) {
  int* const there = ints_on(1, 1);
  const xpuGraph_t graph = new_graph();
  const Branch branch = add_if(graph, nullptr, new_handle(graph, 1));
  const xpuGraphNode_t node = add_on(1, branch.body[0], {}, "store", there, 0, 1);
  xpuGraphExec_t exec = nullptr;
  assert_code(xpuGraphInstantiate(&exec, graph, 0), xpuErrorInvalidValue);
  assert_null(exec);
  assert_non_null(strstr(last_failure().sentence, "bodies"));
  // Beside a body the other device may be used.
  assert_ok(xpuGraphDestroyNode(node));
  (void)add_on(0, branch.body[0], {}, "noop");
  (void)add_on(1, graph, {branch.node}, "store", there, 0, 8);
  assert_ok(xpuGraphInstantiate(&exec, graph, 0));
  run(exec);
  if (shown(executes)) assert_int_equal(8, fetch_on(1, there));
  const xpuStream_t other = stream_on(1);
  assert_code(xpuGraphLaunch(exec, other), xpuErrorNotSupported);
  assert_non_null(strstr(last_failure().sentence, "conditional"));
  assert_ok(xpuStreamDestroy(other));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(there));
}

static int open_both(void**) {
  stream = new_stream();
  return load_both(nullptr);
}
static int close_both(void**) {
  assert_ok(xpuStreamDestroy(stream));
  return unload_second(nullptr);
}

int main() {
  int devices = 0;
  if (xpuGetDeviceCount(&devices) != xpuSuccess || devices < 2) return 77;
  const Test tests[] = {
      xpu_test(kernels_of_both_devices_get_other_arguments, results(executes)),
      xpu_test(a_copy_between_devices_grows_and_shrinks, results(executes)),
      xpu_test(a_copy_between_devices_is_switched_off_and_on, results(executes)),
      xpu_test(a_whole_graph_on_two_devices_takes_the_place_of_another, results(executes)),
      xpu_test(a_node_stays_on_its_device),
      xpu_test(bodies_of_conditional_nodes_are_on_one_device, results(executes)),
  };
  return run_all(tests, open_both, close_both);
}
