// SPDX-License-Identifier: Apache-2.0
// Who frees what a launch left allocated: calls, and flags of the executable.
#include "graph_memory.h"

using namespace xpu::test;

// ---- frees by calls

static void a_second_free_is_refused(void**) {
  const xpuStream_t stream = new_stream();
  const Kept k = kept_graph(1);
  const xpuGraphExec_t exec = instantiate(k.graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuFreeAsync(k.at, stream));
  assert_code(xpuFreeAsync(k.at, stream), xpuErrorInvalidValue);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuFree(k.at));
  assert_code(xpuFree(k.at), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  destroy(exec);
  destroy(k.graph);
  destroy(stream);
}

static void a_free_before_the_first_launch_is_refused(void**) {
  const xpuStream_t stream = new_stream();
  const Kept k = kept_graph(1);
  assert_code(xpuFree(k.at), xpuErrorInvalidValue);
  const xpuGraphExec_t exec = instantiate(k.graph);
  assert_code(xpuFree(k.at), xpuErrorInvalidValue);
  assert_code(xpuFreeAsync(k.at, stream), xpuErrorInvalidValue);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuFree(k.at));
  destroy(exec);
  destroy(k.graph);
  assert_code(xpuFree(k.at), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  destroy(stream);
}

static void a_free_of_what_the_graph_frees_is_refused(void**) {
  const xpuStream_t stream = new_stream();
  int* out = device_ints(1);
  const Closed c = closed_graph(out, 1);
  run(c.graph);
  assert_code(xpuFree(c.at), xpuErrorInvalidValue);
  assert_code(xpuFreeAsync(c.at, stream), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  destroy(c.graph);
  destroy(stream);
  assert_ok(xpuFree(out));
}

static void a_free_inside_an_allocation_is_refused(void**) {
  const xpuStream_t stream = new_stream();
  const Kept k = kept_graph(1);
  const xpuGraphExec_t exec = instantiate(k.graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_code(xpuFreeAsync(reinterpret_cast<char*>(k.at) + 512, stream), xpuErrorInvalidValue);
  assert_code(xpuFree(reinterpret_cast<char*>(k.at) + 512), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  assert_ok(xpuFree(k.at));
  destroy(exec);
  destroy(k.graph);
  destroy(stream);
}

static void what_was_freed_by_a_call_gains_no_free_node(void**) {
  const xpuStream_t stream = new_stream();
  const Kept k = kept_graph(1);
  const xpuGraphExec_t exec = instantiate(k.graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuFree(k.at));
  destroy(exec);
  xpuGraphNode_t node = nullptr;
  assert_code(xpuGraphAddMemFreeNode(&node, k.graph, &k.store, 1, k.at), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  destroy(instantiate(k.graph));
  destroy(k.graph);
  destroy(stream);
}

// ---- frees by flags

static void auto_free_lets_launches_follow_each_other(void**) {
  const xpuStream_t s = new_stream(), t = new_stream();
  const Kept k = kept_graph(3, kMiB);
  const xpuGraphExec_t exec = instantiate(k.graph, xpuGraphInstantiateFlagAutoFreeOnLaunch);
  unsigned long long flags = 0;
  assert_ok(xpuGraphExecGetFlags(exec, &flags));
  assert_int_equal(xpuGraphInstantiateFlagAutoFreeOnLaunch, flags);
  for (int i = 0; i < 4; i++) {
    assert_ok(xpuGraphLaunch(exec, i % 2 ? s : t));
    assert_true(used() >= kMiB);
  }
  assert_ok(xpuFreeAsync(k.at, t));  // by hand in between
  assert_ok(xpuGraphLaunch(exec, t));
  assert_ok(xpuGraphLaunch(exec, t));
  assert_ok(xpuDeviceSynchronize());
  destroy(exec);
  destroy(k.graph);
  // The last launch's allocation is the program's, as in CUDA.
  if (shown(executes)) assert_int_equal(3, fetch(k.at));
  assert_true(used() >= kMiB);
  assert_ok(xpuFree(k.at));
  assert_int_equal(0, used());
  destroy(s);
  destroy(t);
}

static void auto_free_changes_nothing_where_the_graph_frees(void**) {
  const xpuStream_t stream = new_stream();
  int* out = device_ints(1);
  const Closed c = closed_graph(out, 4);
  const xpuGraphExec_t exec = instantiate(c.graph, xpuGraphInstantiateFlagAutoFreeOnLaunch);
  for (int i = 0; i < 3; i++) assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(4, fetch(out));
  destroy(exec);
  destroy(c.graph);
  destroy(stream);
  assert_ok(xpuFree(out));
}

static void auto_free_on_destroy_leaves_nothing(void**) {
  const xpuStream_t stream = new_stream();
  const size_t before = reserved();
  const Kept k = kept_graph(3, kMiB);
  const xpuGraphExec_t exec = instantiate(k.graph, xpuGraphInstantiateFlagAutoFreeOnDestroy);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_code(xpuGraphLaunch(exec, stream), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  assert_ok(xpuStreamSynchronize(stream));
  destroy(exec);
  assert_code(xpuFree(k.at), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  destroy(k.graph);
  trim();
  assert_int_equal(before, reserved());
  destroy(stream);
}

static void both_auto_frees_go_together(void**) {
  const xpuStream_t stream = new_stream();
  const Kept k = kept_graph(3, kMiB);
  const xpuGraphExec_t exec = instantiate(
      k.graph, xpuGraphInstantiateFlagAutoFreeOnLaunch | xpuGraphInstantiateFlagAutoFreeOnDestroy);
  for (int i = 0; i < 3; i++) assert_ok(xpuGraphLaunch(exec, stream));
  destroy(exec);
  assert_ok(xpuStreamSynchronize(stream));
  assert_code(xpuFree(k.at), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  destroy(k.graph);
  assert_int_equal(0, used());
  destroy(stream);
}

int main(void) {
  const Test tests[] = {
      xpu_test(a_second_free_is_refused),
      xpu_test(a_free_before_the_first_launch_is_refused),
      xpu_test(a_free_of_what_the_graph_frees_is_refused),
      xpu_test(a_free_inside_an_allocation_is_refused),
      xpu_test(what_was_freed_by_a_call_gains_no_free_node),
      xpu_test(auto_free_lets_launches_follow_each_other, results(executes)),
      xpu_test(auto_free_changes_nothing_where_the_graph_frees, results(executes)),
      xpu_test(auto_free_on_destroy_leaves_nothing),
      xpu_test(both_auto_frees_go_together),
  };
  return run_all(tests, load_first);
}
