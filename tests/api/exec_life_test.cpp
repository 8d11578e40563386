// SPDX-License-Identifier: Apache-2.0
// What an executable outlives, and what it is a snapshot of.
#include "ground.h"

using namespace xpu::test;

static Gate gate;

static void an_executable_outlives_its_graph_and_its_module(void**) {
  const xpuModule_t module = load_kernels();
  const xpuGraph_t graph = new_graph();
  const xpuStream_t s = new_stream();
  int* p = device_ints(1, 1);
  xpuKernel_t step = nullptr;
  xpuGraphNode_t node = nullptr;
  Args<int*, int, int> args(p, 10, 5);
  assert_ok(xpuModuleGetKernel(&step, module, "step"));
  const xpuKernelNodeParams params = node_params(step, dim(1), dim(1), args.get());
  assert_ok(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  const xpuGraphExec_t exec = instantiate(graph);

  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuModuleUnload(module));
  for (int i = 0; i < 5; i++) assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));

  if (shown(executes)) assert_int_equal(155555, fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

static void an_executable_outlives_the_stream_it_ran_in(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1);
  add_one(graph, nullptr, "add", p, 0, 1);
  const xpuGraphExec_t exec = instantiate(graph);

  for (int i = 0; i < 6; i++) {
    const xpuStream_t s = new_stream();
    assert_ok(xpuGraphUpload(exec, s));
    assert_ok(xpuGraphLaunch(exec, s));
    assert_ok(xpuStreamDestroy(s));
  }
  assert_ok(xpuDeviceSynchronize());

  if (shown(executes)) assert_int_equal(6, fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void an_executable_keeps_the_events_of_its_nodes(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuStream_t s = new_stream();
  const xpuEvent_t e = new_event();
  int* p = device_ints(1);
  xpuGraphNode_t w = nullptr, r = nullptr;
  assert_ok(xpuGraphAddEventWaitNode(&w, graph, nullptr, 0, e));
  const xpuGraphNode_t k = add_one(graph, w, "add", p, 0, 1);
  assert_ok(xpuGraphAddEventRecordNode(&r, graph, &k, 1, e));
  const xpuGraphExec_t exec = instantiate(graph);

  assert_ok(xpuEventDestroy(e));
  for (int i = 0; i < 4; i++) assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));

  if (shown(executes)) assert_int_equal(4, fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

static void destroying_the_executable_leaves_its_launches_running(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuStream_t s = new_stream();
  int* p = device_ints(1);
  add_one(graph, add_one(graph, nullptr, "add", p, 0, 1), "add", p, 0, 10);
  const xpuGraphExec_t exec = instantiate(graph);

  gate.shut(s);
  for (int i = 0; i < 3; i++) assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_code(xpuGraphLaunch(exec, s), xpuErrorInvalidValue);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  if (shown(executes)) assert_int_equal(33, fetch(p));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

static void an_executable_is_a_snapshot(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1);
  const xpuGraphNode_t node = add_one(graph, nullptr, "add", p, 0, 1);
  const xpuGraphExec_t before = instantiate(graph);

  Args<int*, int, int> args(p, 0, 100);
  const xpuKernelNodeParams params = node_params(kernel("add"), dim(1), dim(1), args.get());
  assert_ok(xpuGraphKernelNodeSetParams(node, &params));
  add_one(graph, node, "add", p, 0, 1000);
  const xpuGraphExec_t after = instantiate(graph);

  assert_ok(xpuGraphLaunch(before, nullptr));
  if (shown(executes)) assert_int_equal(1, fetch(p));
  assert_ok(xpuGraphLaunch(after, nullptr));
  if (shown(executes)) assert_int_equal(1101, fetch(p));
  assert_ok(xpuGraphDestroyNode(node));
  assert_ok(xpuGraphLaunch(after, nullptr));
  if (shown(executes)) assert_int_equal(2201, fetch(p));
  assert_ok(xpuGraphExecDestroy(before));
  assert_ok(xpuGraphExecDestroy(after));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void a_failed_instantiation_leaves_the_graph_usable(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1);
  const xpuGraphNode_t a = add_one(graph, nullptr, "add", p, 0, 1);
  const xpuGraphNode_t b = add_one(graph, a, "add", p, 0, 2);
  xpuGraphExec_t exec = nullptr;

  assert_ok(xpuGraphAddDependencies(graph, &b, &a, nullptr, 1));
  assert_code(xpuGraphInstantiate(&exec, graph, 0), xpuErrorInvalidValue);
  assert_null(exec);
  assert_ok(xpuGraphRemoveDependencies(graph, &b, &a, nullptr, 1));
  exec = instantiate(graph);
  assert_ok(xpuGraphLaunch(exec, nullptr));

  if (shown(executes)) assert_int_equal(3, fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void several_executables_of_one_graph_are_independent(void**) {
  enum { kExecs = 5 };
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1);
  xpuGraphExec_t exec[kExecs];
  xpuStream_t s[kExecs];
  add_one(graph, nullptr, "noop");
  for (int i = 0; i < kExecs; i++) {
    exec[i] = instantiate(graph);
    s[i] = new_stream();
  }

  // The first one is held back, the others pass it.
  gate.shut(s[0]);
  assert_ok(xpuGraphLaunch(exec[0], s[0]));
  for (int i = 1; i < kExecs; i++) assert_ok(xpuGraphLaunch(exec[i], s[i]));
  for (int i = 1; i < kExecs; i++) assert_ok(xpuStreamSynchronize(s[i]));
  if (shown(waits)) assert_code(xpuStreamQuery(s[0]), xpuErrorNotReady);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s[0]));

  for (int i = 0; i < kExecs; i++) {
    assert_ok(xpuGraphExecDestroy(exec[i]));
    assert_ok(xpuStreamDestroy(s[i]));
  }
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void an_executable_remembers_its_flags(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphExec_t exec = nullptr;
  unsigned long long flags = 77;

  assert_ok(xpuGraphInstantiateWithFlags(&exec, graph, xpuGraphInstantiateFlagAutoFreeOnLaunch));
  assert_ok(xpuGraphExecGetFlags(exec, &flags));
  assert_int_equal(xpuGraphInstantiateFlagAutoFreeOnLaunch, flags);
  assert_ok(xpuGraphExecDestroy(exec));
  exec = instantiate(graph);
  assert_ok(xpuGraphExecGetFlags(exec, &flags));
  assert_int_equal(0, flags);

  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static void an_upload_runs_nothing(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuStream_t s = new_stream();
  int* p = device_ints(1);
  add_one(graph, nullptr, "add", p, 0, 1);
  const xpuGraphExec_t exec = instantiate(graph);

  assert_ok(xpuGraphUpload(exec, s));
  assert_ok(xpuGraphUpload(exec, s));
  assert_ok(xpuDeviceSynchronize());
  if (shown(executes)) assert_int_equal(0, fetch(p));
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));

  if (shown(executes)) assert_int_equal(1, fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

int main() {
  const Test tests[] = {
      xpu_test(an_executable_outlives_its_graph_and_its_module, results(executes)),
      xpu_test(an_executable_outlives_the_stream_it_ran_in, results(executes)),
      xpu_test(an_executable_keeps_the_events_of_its_nodes, results(executes)),
      xpu_test(destroying_the_executable_leaves_its_launches_running, results(executes)),
      xpu_test(an_executable_is_a_snapshot, results(executes)),
      xpu_test(a_failed_instantiation_leaves_the_graph_usable, results(executes)),
      xpu_test(several_executables_of_one_graph_are_independent, results(waits)),
      xpu_test(an_executable_remembers_its_flags),
      xpu_test(an_upload_runs_nothing, results(executes)),
  };
  return run_all(tests);
}
