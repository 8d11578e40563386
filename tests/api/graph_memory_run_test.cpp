// SPDX-License-Identifier: Apache-2.0
// Launching graphs with memory: results, what stays allocated behind a launch, and when the next
// launch is refused.
#include "graph_memory.h"

using namespace xpu::test;

// ---- running

static void a_graph_uses_its_memory_and_frees_it(void**) {
  int* out = device_ints(1);
  const Closed c = closed_graph(out, 5);
  run_and_destroy(c.graph, 5);
  if (shown(executes)) assert_int_equal(5, fetch(out));
  assert_ok(xpuFree(out));
}

static void an_allocation_that_nothing_uses_runs(void**) {
  const xpuGraph_t graph = new_graph();
  const Alloc a = add_alloc(graph, nullptr, 4096);
  (void)add_free(graph, a.node, a.at);
  run_and_destroy(graph, 2);
}

static void a_large_allocation_runs(void**) {
  int* out = device_ints(1);
  run_and_destroy(closed_graph(out, 6, 256 * kMiB).graph, 2);
  if (shown(executes)) assert_int_equal(6, fetch(out));
  assert_ok(xpuFree(out));
}

static void two_allocations_are_joined(void**) {
  int* out = device_ints(1);
  const xpuGraph_t graph = new_graph();
  const Alloc a = add_alloc(graph, nullptr, kMiB), b = add_alloc(graph, nullptr, kMiB);
  const xpuGraphNode_t both[] = {add_one(graph, a.node, "store", a.at, 0, 3),
                                 add_one(graph, b.node, "store", b.at, 0, 4)};
  xpuGraphNode_t join = nullptr;
  assert_ok(xpuGraphAddEmptyNode(&join, graph, both, 2));
  const xpuGraphNode_t sum = add_one(graph, join, "vector_add", out, a.at, b.at, 1);
  (void)add_free(graph, sum, a.at);
  (void)add_free(graph, sum, b.at);
  run_and_destroy(graph, 3);
  if (shown(executes)) assert_int_equal(7, fetch(out));
  assert_ok(xpuFree(out));
}

static void copies_and_fills_use_graph_memory(void**) {
  const xpuGraph_t graph = new_graph();
  const Alloc a = add_alloc(graph, nullptr, 4096);
  int result[4] = {};
  xpuMemsetParams fill = {};
  fill.struct_size = sizeof fill;
  fill.dst = a.at;
  fill.value = 42;
  fill.elementSize = 4;
  fill.width = 4;
  fill.height = 1;
  xpuGraphNode_t filled = nullptr, copied = nullptr;
  assert_ok(xpuGraphAddMemsetNode(&filled, graph, &a.node, 1, &fill));
  assert_ok(xpuGraphAddMemcpyNode1D(&copied, graph, &filled, 1, result, a.at, sizeof result,
                                    xpuMemcpyDeviceToHost));
  (void)add_free(graph, copied, a.at);
  run_and_destroy(graph, 2);
  if (shown(executes))
    for (const int each : result) assert_int_equal(42, each);
}

static void launches_alternate_between_streams(void**) {
  const xpuStream_t s = new_stream(), t = new_stream();
  int* out = device_ints(1);
  const Closed c = closed_graph(out, 8);
  const xpuGraphExec_t exec = instantiate(c.graph);
  for (int i = 0; i < 6; i++) assert_ok(xpuGraphLaunch(exec, i % 2 ? s : t));
  assert_ok(xpuDeviceSynchronize());
  if (shown(executes)) assert_int_equal(8, fetch(out));
  destroy(exec);
  destroy(c.graph);
  destroy(s);
  destroy(t);
  assert_ok(xpuFree(out));
}

static void an_upload_in_one_stream_serves_a_launch_in_another(void**) {
  const xpuStream_t s = new_stream(), t = new_stream();
  int* out = device_ints(1);
  const Closed c = closed_graph(out, 8);
  const xpuGraphExec_t exec = instantiate(c.graph);
  assert_ok(xpuGraphUpload(exec, s));
  assert_ok(xpuGraphLaunch(exec, t));
  assert_ok(xpuGraphLaunch(exec, nullptr));
  assert_ok(xpuDeviceSynchronize());
  if (shown(executes)) assert_int_equal(8, fetch(out));
  destroy(exec);
  destroy(c.graph);
  destroy(s);
  destroy(t);
  assert_ok(xpuFree(out));
}

static void a_destroyed_graph_leaves_its_executable_whole(void**) {
  const xpuStream_t stream = new_stream();
  int* out = device_ints(1);
  const Closed c = closed_graph(out, 9);
  const xpuGraphExec_t exec = instantiate(c.graph);
  destroy(c.graph);
  for (int i = 0; i < 3; i++) assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(9, fetch(out));
  destroy(exec);
  destroy(stream);
  assert_ok(xpuFree(out));
}

// ---- what stays allocated

static void data_stay_behind_the_launch_at_the_same_address(void**) {
  const xpuStream_t stream = new_stream();
  const Kept k = kept_graph(11);
  const xpuGraphExec_t exec = instantiate(k.graph);
  for (int i = 0; i < 3; i++) {
    assert_ok(xpuGraphLaunch(exec, stream));
    assert_ok(xpuStreamSynchronize(stream));
    if (shown(executes)) assert_int_equal(11, fetch(k.at));
    assert_ok(xpuFreeAsync(k.at, stream));
  }
  destroy(exec);
  destroy(k.graph);
  destroy(stream);
}

static void work_behind_the_launch_reads_it(void**) {
  const xpuStream_t stream = new_stream();
  int* out = device_ints(1);
  const Kept k = kept_graph(12);
  const xpuGraphExec_t exec = instantiate(k.graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  launch_one(stream, "copy_one", out, 0, k.at, 0);
  assert_ok(xpuFreeAsync(k.at, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(12, fetch(out));
  destroy(exec);
  destroy(k.graph);
  destroy(stream);
  assert_ok(xpuFree(out));
}

static void a_launch_over_unfreed_memory_is_refused_until_it_is_freed(void**) {
  const xpuStream_t stream = new_stream();
  const Kept k = kept_graph(1);
  const xpuGraphExec_t exec = instantiate(k.graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_code(xpuGraphLaunch(exec, stream), xpuErrorInvalidValue);
  assert_string_equal("graphExec", last_failure().argument);
  assert_ok(xpuStreamSynchronize(stream));
  assert_code(xpuGraphLaunch(exec, stream), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  assert_ok(xpuFreeAsync(k.at, stream));
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(1, fetch(k.at));
  assert_ok(xpuFree(k.at));
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuFree(k.at));
  destroy(exec);
  destroy(k.graph);
  destroy(stream);
}

static void another_graph_frees_it_again_and_again(void**) {
  const xpuStream_t stream = new_stream();
  const Kept k = kept_graph(1);
  const xpuGraph_t freeing = freeing_graph(k.at);
  const xpuGraphExec_t exec = instantiate(k.graph), ending = instantiate(freeing);
  for (int i = 0; i < 3; i++) {
    assert_ok(xpuGraphLaunch(exec, stream));
    assert_ok(xpuGraphLaunch(ending, stream));
  }
  assert_ok(xpuStreamSynchronize(stream));
  destroy(ending);
  destroy(exec);
  destroy(freeing);
  destroy(k.graph);
  destroy(stream);
}

static void a_graph_that_frees_what_is_not_allocated_is_refused(void**) {
  const xpuStream_t stream = new_stream();
  const Kept k = kept_graph(1);
  const xpuGraph_t freeing = freeing_graph(k.at);
  const xpuGraphExec_t exec = instantiate(k.graph), ending = instantiate(freeing);
  assert_code(xpuGraphLaunch(ending, stream), xpuErrorInvalidValue);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuGraphLaunch(ending, stream));
  assert_code(xpuGraphLaunch(ending, stream), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  assert_ok(xpuStreamSynchronize(stream));
  destroy(ending);
  destroy(exec);
  destroy(freeing);
  destroy(k.graph);
  destroy(stream);
}

static void a_captured_free_of_another_graphs_memory_frees_at_each_launch(void**) {
  const xpuStream_t stream = new_stream();
  int* out = device_ints(1);
  const Kept k = kept_graph(4);
  begin(stream);
  launch_one(stream, "copy_one", out, 0, k.at, 0);
  assert_ok(xpuFreeAsync(k.at, stream));
  const xpuGraph_t reader = end(stream);
  const xpuGraphExec_t exec = instantiate(k.graph), reading = instantiate(reader);
  for (int i = 0; i < 2; i++) {
    assert_ok(xpuGraphLaunch(exec, stream));
    assert_ok(xpuGraphLaunch(reading, stream));
  }
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(4, fetch(out));
  destroy(reading);
  destroy(reader);
  destroy(exec);
  destroy(k.graph);
  destroy(stream);
  assert_ok(xpuFree(out));
}

static void memory_is_freed_in_another_stream(void**) {
  const xpuStream_t s = new_stream(), t = new_stream();
  const Kept k = kept_graph(1);
  const xpuGraphExec_t exec = instantiate(k.graph);
  assert_ok(xpuGraphLaunch(exec, s));
  order(s, t);
  assert_ok(xpuFreeAsync(k.at, t));
  order(t, s);
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuDeviceSynchronize());
  assert_ok(xpuFree(k.at));
  destroy(exec);
  destroy(k.graph);
  destroy(s);
  destroy(t);
}

int main(void) {
  const Test tests[] = {
      xpu_test(a_graph_uses_its_memory_and_frees_it, results(executes)),
      xpu_test(an_allocation_that_nothing_uses_runs),
      xpu_test(a_large_allocation_runs, results(executes)),
      xpu_test(two_allocations_are_joined, results(executes)),
      xpu_test(copies_and_fills_use_graph_memory, results(executes)),
      xpu_test(launches_alternate_between_streams, results(executes)),
      xpu_test(an_upload_in_one_stream_serves_a_launch_in_another, results(executes)),
      xpu_test(a_destroyed_graph_leaves_its_executable_whole, results(executes)),
      xpu_test(data_stay_behind_the_launch_at_the_same_address, results(executes)),
      xpu_test(work_behind_the_launch_reads_it, results(executes)),
      xpu_test(a_launch_over_unfreed_memory_is_refused_until_it_is_freed, results(executes)),
      xpu_test(another_graph_frees_it_again_and_again),
      xpu_test(a_graph_that_frees_what_is_not_allocated_is_refused),
      xpu_test(a_captured_free_of_another_graphs_memory_frees_at_each_launch, results(executes)),
      xpu_test(memory_is_freed_in_another_stream),
  };
  return run_all(tests, load_first);
}
