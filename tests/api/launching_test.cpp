// SPDX-License-Identifier: Apache-2.0
// How kernels are launched: with all groups at the same time, or in an urgent queue.
#include <dlfcn.h>

#include "attributes.h"

using namespace xpu::test;

// What a counting driver has counted, -1 if the driver does not count.
static long counted(const char* what) {
  const char* path = getenv("XPUGRAPH_DRIVER");
  void* driver = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  const auto count = driver ? reinterpret_cast<long (*)()>(dlsym(driver, what)) : nullptr;
  return count ? count() : -1;
}
static long count_cooperative() { return counted("counting_driver_cooperative"); }
static bool can_cooperate() {
  int can = 0;
  assert_ok(xpuDeviceGetAttribute(&can, xpuDevAttrCooperativeLaunch, 0));
  return can;
}

// With a driver that counts: `launches` more than `before`.
static void assert_cooperative(long launches, long before) {
  if (before >= 0) assert_int_equal(before + launches, count_cooperative());
}

static void a_cooperative_node_runs_as_such(void**) {
  if (!can_cooperate()) skip();
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(8);
  const xpuLaunchAttributeValue yes = of_number(1);
  xpuGraphNode_t nodes[4];
  // Several side by side, between others: each has the device for itself.
  for (int i = 0; i < 4; i++) {
    nodes[i] = add_one(graph, nullptr, "store", p, i, 10 + i);
    assert_ok(xpuGraphKernelNodeSetAttribute(nodes[i], xpuLaunchAttributeCooperative, &yes));
  }
  (void)add_one(graph, nodes[3], "copy_one", p, 4, p, 3);
  const long before = count_cooperative();
  const xpuGraphExec_t exec = instantiate(graph);
  assert_cooperative(4, before);
  assert_ok(xpuGraphExecDestroy(exec));
  run(graph, 3);
  for (int i = 0; i < 4; i++)
    if (shown(executes)) assert_int_equal(10 + i, fetch(p + i));
  if (shown(executes)) assert_int_equal(13, fetch(p + 4));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void more_groups_than_fit_are_refused(void**) {
  if (!can_cooperate()) skip();
  const xpuDim3 many = dim(1u << 20), one = dim(1);
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t node = nullptr;
  const xpuKernelNodeParams params = node_params(kernel("noop"), many, one, nullptr);
  const xpuLaunchAttributeValue yes = of_number(1);
  xpuGraphExec_t exec = nullptr;
  xpuGraphInstantiateParams wishes = {};
  wishes.struct_size = sizeof wishes;
  assert_ok(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  assert_ok(xpuGraphKernelNodeSetAttribute(node, xpuLaunchAttributeCooperative, &yes));
  assert_code(xpuGraphInstantiateWithParams(&exec, graph, &wishes),
              xpuErrorCooperativeLaunchTooLarge);
  assert_ptr_equal(node, wishes.errNode_out);
  assert_null(exec);
  const xpuStream_t stream = new_stream();
  assert_code(xpuLaunchCooperativeKernel(kernel("noop"), many, one, nullptr, 0, stream),
              xpuErrorCooperativeLaunchTooLarge);
  assert_string_equal("gridDim", last_failure().argument);
  // The same kernel is launched as usual.
  assert_ok(xpuLaunchKernel(kernel("noop"), dim(64), one, nullptr, 0, stream));
  assert_ok(xpuStreamSynchronize(stream));
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuGraphDestroy(graph));
}

static void a_cooperative_launch_runs_and_is_captured(void**) {
  if (!can_cooperate()) skip();
  int* p = device_ints(1);
  const xpuStream_t stream = new_stream();
  Args<int*, int, int> args(p, 0, 5);
  xpuGraph_t graph = nullptr;
  xpuGraphNode_t node = nullptr;
  size_t count = 1;
  const long before = count_cooperative();
  assert_ok(xpuLaunchCooperativeKernel(kernel("add"), dim(1), dim(1), args.get(), 0, stream));
  assert_ok(xpuStreamSynchronize(stream));
  assert_cooperative(1, before);
  if (shown(executes)) assert_int_equal(5, fetch(p));

  assert_ok(xpuStreamBeginCapture(stream, xpuStreamCaptureModeThreadLocal));
  assert_ok(xpuLaunchCooperativeKernel(kernel("add"), dim(1), dim(1), args.get(), 0, stream));
  assert_ok(xpuStreamEndCapture(stream, &graph));
  assert_ok(xpuGraphGetNodes(graph, &node, &count));
  assert_int_equal(1, get(node, xpuLaunchAttributeCooperative).cooperative);
  run(graph);
  if (shown(executes)) assert_int_equal(10, fetch(p));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuFree(p));
}

// A graph of two long branches and a tail; one branch is urgent.
static xpuGraph_t urgent_branch(int* p, xpuLaunchAttributeValue priority) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t ends[2] = {};
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < 20; i++) {
      ends[b] = add_one(graph, ends[b], "step", p + b, 3, 1);
      if (b == 1)
        assert_ok(xpuGraphKernelNodeSetAttribute(ends[b], xpuLaunchAttributePriority, &priority));
    }
  const xpuGraphNode_t tail = add_one(graph, nullptr, "copy_one", p, 2, p, 1);
  for (const xpuGraphNode_t& end : ends)
    assert_ok(xpuGraphAddDependencies(graph, &end, &tail, nullptr, 1));
  return graph;
}

static void urgent_nodes_run_in_an_urgent_queue(void**) {
  int* p = device_ints(3);
  int greatest = 0;
  assert_ok(xpuDeviceGetStreamPriorityRange(nullptr, &greatest));
  const xpuGraph_t graph = urgent_branch(p, of_number(greatest));
  const long before = counted("counting_driver_urgent");
  const xpuGraphExec_t plain = instantiate(graph);
  if (before >= 0) assert_int_equal(before, counted("counting_driver_urgent"));
  xpuGraphExec_t exec = nullptr;
  assert_ok(xpuGraphInstantiate(&exec, graph, xpuGraphInstantiateFlagUseNodePriority));
  if (before >= 0) assert_true(counted("counting_driver_urgent") > before);
  const xpuStream_t stream = new_stream();
  // Launches follow each other, of one executable and the other, and the stream is in order.
  int expected = 0;
  for (int round = 0; round < 4; round++) {
    assert_ok(xpuGraphLaunch(round % 2 ? plain : exec, stream));
    for (int i = 0; i < 20; i++)
      expected = static_cast<int>(static_cast<unsigned>(expected) * 3 + 1);
  }
  launch_one(stream, "copy_one", p, 0, static_cast<const int*>(p), 2);
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(expected, fetch(p));
  if (shown(executes)) assert_int_equal(expected, fetch(p + 1));
  unsigned long long flags = 0;
  assert_ok(xpuGraphExecGetFlags(exec, &flags));
  assert_int_equal(xpuGraphInstantiateFlagUseNodePriority, flags);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphExecDestroy(plain));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuFree(p));
}

// store 7 (urgent) -> if -> (store 8) -> copy (urgent)
static void urgent_nodes_stand_before_and_behind_a_conditional_one(void**) {
  int* p = device_ints(2);
  int greatest = 0;
  assert_ok(xpuDeviceGetStreamPriorityRange(nullptr, &greatest));
  const xpuLaunchAttributeValue urgent = of_number(greatest);
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t first = add_one(graph, nullptr, "store", p, 0, 7);
  xpuGraphNodeParams params;
  memset(&params, 0, sizeof params);
  params.struct_size = sizeof params;
  params.type = xpuGraphNodeTypeConditional;
  params.conditional.size = 1;
  assert_ok(xpuGraphConditionalHandleCreate(&params.conditional.handle, graph, 1,
                                            xpuGraphCondAssignDefault));
  xpuGraphNode_t branch = nullptr;
  assert_ok(xpuGraphAddNode(&branch, graph, &first, nullptr, 1, &params));
  (void)add_one(params.conditional.phGraph_out[0], nullptr, "step", p, 10, 8);
  const xpuGraphNode_t last = add_one(graph, branch, "copy_one", p, 1, p, 0);
  assert_ok(xpuGraphKernelNodeSetAttribute(first, xpuLaunchAttributePriority, &urgent));
  assert_ok(xpuGraphKernelNodeSetAttribute(last, xpuLaunchAttributePriority, &urgent));
  xpuGraphExec_t exec = nullptr;
  assert_ok(xpuGraphInstantiate(&exec, graph, xpuGraphInstantiateFlagUseNodePriority));
  const xpuStream_t stream = new_stream();
  for (int i = 0; i < 3; i++) assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(78, fetch(p + 1));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuFree(p));
}

int main(void) {
  const Test tests[] = {
      xpu_test(a_cooperative_node_runs_as_such, results(executes)),
      xpu_test(more_groups_than_fit_are_refused),
      xpu_test(a_cooperative_launch_runs_and_is_captured, results(executes)),
      xpu_test(urgent_nodes_run_in_an_urgent_queue, results(executes)),
      xpu_test(urgent_nodes_stand_before_and_behind_a_conditional_one, results(executes)),
  };
  return run_all(tests, load_first);
}
