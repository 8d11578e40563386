// SPDX-License-Identifier: Apache-2.0
// Private pools: what captures allocate comes from the pool, is used again in the order of the
// capture, and is shared by graphs captured one after another.
#include "graph_pool.h"

using namespace xpu::test;

// ---- what is captured

static void allocations_come_from_the_pool_and_are_no_nodes(void**) {
  const xpuGraphPool pool = new_pool();
  int* out = device_ints(1);
  begin_in(s, pool);
  int* const a = allocate(s, kMiB);
  launch_one(s, "store", a, 0, 5);
  launch_one(s, "copy_one", out, 0, a, 0);
  give_back(s, a);
  const xpuGraph_t graph = end(s);
  assert_int_equal(2, node_count(graph));
  assert_int_equal(0, usage(pool).liveBytes);
  assert_int_equal(kMiB, usage(pool).peakBytes);
  assert_true(usage(pool).reservedBytes >= kMiB);
  assert_int_equal(0, reserved());  // which is about nodes
  run(graph, 3);
  if (shown(executes)) assert_int_equal(5, fetch(out));
  // No memory nodes, so nothing is refused.
  xpuGraph_t clone = nullptr;
  assert_ok(xpuGraphClone(&clone, graph));
  run_and_destroy(clone);
  const xpuGraphExec_t first = instantiate(graph), second = instantiate(graph);
  destroy(first);
  destroy(second);
  destroy(graph);
  release(pool);
  assert_ok(xpuFree(out));
}

static void what_is_freed_is_used_again_by_what_follows(void**) {
  const xpuGraphPool pool = new_pool();
  begin_in(s, pool);
  int* const a = allocate(s, 4096);
  launch_one(s, "store", a, 0, 1);
  give_back(s, a);
  int* const b = allocate(s, 4096);
  launch_one(s, "store", b, 0, 2);
  assert_ptr_equal(a, b);
  assert_int_equal(4096, usage(pool).liveBytes);
  int* const c = allocate(s, 4096);
  assert_false(overlap(b, 4096, c, 4096));
  const xpuGraph_t graph = end(s);
  assert_int_equal(8192, usage(pool).peakBytes);
  destroy(graph);
  release(pool);
}

static void a_chain_reserves_what_is_alive_at_once(void**) {
  const xpuGraphPool pool = new_pool();
  int* a[16];
  begin_in(s, pool);
  for (int i = 0; i < 16; i++) {
    a[i] = allocate(s, 2 * kMiB);
    launch_one(s, "store", a[i], 0, i);
    if (i >= 2) give_back(s, a[i - 2]);
  }
  give_back(s, a[14]);
  give_back(s, a[15]);
  const xpuGraph_t graph = end(s);
  assert_int_equal(6 * kMiB, usage(pool).peakBytes);
  if (can_map()) assert_int_equal(6 * kMiB, usage(pool).reservedBytes);
  destroy(graph);
  release(pool);
}

// Nothing has been captured yet that could order two streams: a fork without a node before it.
static void forked_streams_allocate_from_the_pool_and_do_not_share(void**) {
  const xpuGraphPool pool = new_pool();
  int* out = device_ints(1);
  begin_in(s, pool);
  order(s, t);
  int* const left = allocate(s, kMiB);
  launch_one(s, "store", left, 0, 3);
  give_back(s, left);
  int* const right = allocate(t, kMiB);
  launch_one(t, "store", right, 0, 4);
  assert_false(overlap(left, kMiB, right, kMiB));
  order(t, s);
  int* const joined = allocate(s, kMiB);  // the left is free behind the join
  launch_one(s, "store", joined, 0, 5);
  assert_ptr_equal(left, joined);
  launch_one(s, "vector_add", out, right, joined, 1);
  give_back(s, right);
  give_back(s, joined);
  const xpuGraph_t graph = end(s);
  assert_int_equal(2 * kMiB, usage(pool).peakBytes);
  run_and_destroy(graph, 2);
  if (shown(executes)) assert_int_equal(9, fetch(out));
  release(pool);
  assert_ok(xpuFree(out));
}

static void a_stream_outside_the_capture_does_not_use_the_pool(void**) {
  const xpuGraphPool pool = new_pool();
  xpuStreamCaptureParams params = in_pool(pool);
  params.mode = xpuStreamCaptureModeRelaxed;
  assert_ok(xpuStreamBeginCaptureWithParams(s, &params));
  int* const eager = allocate(t, kMiB);
  assert_int_equal(0, usage(pool).peakBytes);
  destroy(end(s));
  give_back(t, eager);
  assert_ok(xpuStreamSynchronize(t));
  release(pool);
}

static void without_a_pool_allocations_become_nodes(void**) {
  const xpuGraphPool none = {};
  begin_in(s, none);
  give_back(s, allocate(s, 4096));
  const xpuGraph_t graph = end(s);
  assert_int_equal(2, node_count(graph));
  assert_int_equal(xpuGraphNodeTypeMemAlloc, type_of(node_at(graph, 0)));
  destroy(graph);
}

static void other_memory_is_freed_as_by_any_capture(void**) {
  const xpuGraphPool pool = new_pool();
  const Kept k = kept_graph(1);
  begin_in(s, pool);
  give_back(s, k.at);  // a node: the pool does not know it
  const xpuGraph_t graph = end(s);
  assert_int_equal(1, node_count(graph));
  assert_int_equal(xpuGraphNodeTypeMemFree, type_of(node_at(graph, 0)));
  destroy(graph);
  destroy(k.graph);
  release(pool);
}

static void a_second_free_is_refused(void**) {
  const xpuGraphPool pool = new_pool();
  begin_in(s, pool);
  int* const a = allocate(s, 4096);
  give_back(s, a);
  assert_code(xpuFreeAsync(a, s), xpuErrorInvalidValue);
  xpuGraph_t graph = nullptr;
  (void)xpuStreamEndCapture(s, &graph);
  if (graph) destroy(graph);
  (void)xpuGetLastError();
  release(pool);
}

static void too_much_is_refused_and_the_capture_goes_on(void**) {
  const xpuGraphPool pool = new_pool();
  void* at = nullptr;
  begin_in(s, pool);
  assert_code(xpuMallocAsync(&at, size_t{1} << 50, s), xpuErrorMemoryAllocation);
  assert_null(at);
  (void)xpuGetLastError();
  assert_status(Active, s);
  give_back(s, allocate(s, 4096));
  destroy(end(s));
  assert_int_equal(4096, usage(pool).peakBytes);
  release(pool);
}

// ---- graphs one after another

static void consecutive_graphs_share(void**) {
  const xpuGraphPool pool = new_pool();
  int* out = device_ints(2);
  xpuGraph_t graphs[3];
  int* at[3];
  for (int i = 0; i < 3; i++) {
    begin_in(s, pool);
    at[i] = allocate(s, kMiB);
    launch_one(s, "store", at[i], 0, 10 + i);
    launch_one(s, "add", at[i], 0, 1);
    launch_one(s, "copy_one", out, i % 2, at[i], 0);
    give_back(s, at[i]);
    graphs[i] = end(s);
  }
  assert_ptr_equal(at[0], at[1]);
  assert_ptr_equal(at[0], at[2]);
  assert_int_equal(kMiB, usage(pool).peakBytes);
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 3; i++) {
      run(graphs[i]);
      if (shown(executes)) assert_int_equal(11 + i, fetch(out + i % 2));
    }
  }
  for (const xpuGraph_t graph : graphs) destroy(graph);
  release(pool);
  assert_ok(xpuFree(out));
}

static void what_is_kept_is_left_alone_by_later_graphs(void**) {
  const xpuGraphPool pool = new_pool();
  begin_in(s, pool);
  int* const kept = allocate(s, kMiB);
  int* const scratch = allocate(s, kMiB);
  launch_one(s, "store", kept, 0, 7);
  launch_one(s, "store", scratch, 0, 1);
  give_back(s, scratch);
  const xpuGraph_t first = end(s);
  begin_in(t, pool);
  int* const next = allocate(t, kMiB);
  assert_ptr_equal(scratch, next);
  launch_one(t, "copy_one", next, 0, kept, 0);
  launch_one(t, "add", next, 0, 1);
  const xpuGraph_t second = end(t);
  assert_int_equal(2 * kMiB, usage(pool).liveBytes);
  run(first);
  run(second);
  if (shown(executes)) assert_int_equal(7, fetch(kept));
  if (shown(executes)) assert_int_equal(8, fetch(next));
  // Freed by calls, for later captures.
  assert_ok(xpuFree(kept));
  give_back(s, next);
  assert_int_equal(0, usage(pool).liveBytes);
  assert_code(xpuFree(kept), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  begin_in(s, pool);
  int* const again = allocate(s, 2 * kMiB);
  assert_ptr_equal(kept, again);
  destroy(end(s));
  assert_int_equal(2 * kMiB, usage(pool).peakBytes);
  destroy(first);
  destroy(second);
  release(pool);
}

// A capture must not take what is freed only at the end of an earlier graph's branch.
static void a_free_on_a_branch_serves_the_next_capture(void**) {
  const xpuGraphPool pool = new_pool();
  begin_in(s, pool);
  order(s, t);
  int* const a = allocate(t, kMiB);
  launch_one(t, "store", a, 0, 1);
  give_back(t, a);
  order(t, s);
  destroy(end(s));
  begin_in(t, pool);
  assert_ptr_equal(a, allocate(t, kMiB));
  destroy(end(t));
  release(pool);
}

// ---- many, at random

static void hundreds_of_captures_share_one_pool(void**) {
  enum { kCaptures = 120, kLive = 6 };
  const xpuGraphPool pool = new_pool();
  int* out = device_ints(1);
  uint32_t random = 1;
  size_t most = 0;
  for (int i = 0; i < kCaptures; i++) {
    int* at[kLive] = {};
    size_t bytes[kLive] = {}, sum = 0;
    begin_in(s, pool);
    for (int k = 0; k < kLive; k++) {
      random = random * 1664525u + 1013904223u;
      bytes[k] = 512 * (1 + (random >> 16) % 500);
      sum += bytes[k];
      at[k] = allocate(s, bytes[k]);
      for (int j = 0; j < k; j++) assert_false(overlap(at[k], bytes[k], at[j], bytes[j]));
      launch_one(s, "store", at[k], 0, k ? at[k - 1] == at[k] : i);
    }
    launch_one(s, "copy_one", out, 0, at[0], 0);
    for (int k = 0; k < kLive; k++) give_back(s, at[(k + i) % kLive]);
    const xpuGraph_t graph = end(s);
    most = sum > most ? sum : most;
    run_and_destroy(graph);
    if (shown(executes)) assert_int_equal(i, fetch(out));
  }
  assert_int_equal(0, usage(pool).liveBytes);
  assert_true(usage(pool).peakBytes <= most);
  release(pool);
  assert_false(is_there(pool));
  assert_ok(xpuFree(out));
}

static void memory_of_each_device_is_apart(void**) {
  int devices = 0;
  assert_ok(xpuGetDeviceCount(&devices));
  if (devices < 2) skip();
  const xpuGraphPool pool = new_pool();
  assert_ok(xpuSetDevice(1));
  const xpuStream_t there = new_stream();
  assert_ok(xpuSetDevice(0));
  begin_in(s, pool);
  order(s, there);
  int* const a = allocate(s, kMiB);
  int* const b = allocate(there, kMiB);
  assert_false(overlap(a, kMiB, b, kMiB));
  xpuPointerAttributes known = {};
  known.struct_size = sizeof known;
  assert_ok(xpuPointerGetAttributes(&known, b));
  assert_int_equal(1, known.device);
  assert_ok(xpuSetDevice(1));
  order(there, s);
  assert_ok(xpuSetDevice(0));
  const xpuGraph_t graph = end(s);
  assert_int_equal(2 * kMiB, usage(pool).peakBytes);
  destroy(graph);
  release(pool);
  destroy(there);
}

int main(void) {
  const Test tests[] = {
      xpu_test(allocations_come_from_the_pool_and_are_no_nodes, results(executes)),
      xpu_test(what_is_freed_is_used_again_by_what_follows),
      xpu_test(a_chain_reserves_what_is_alive_at_once),
      xpu_test(forked_streams_allocate_from_the_pool_and_do_not_share, results(executes)),
      xpu_test(a_stream_outside_the_capture_does_not_use_the_pool),
      xpu_test(without_a_pool_allocations_become_nodes),
      xpu_test(other_memory_is_freed_as_by_any_capture),
      xpu_test(a_second_free_is_refused),
      xpu_test(too_much_is_refused_and_the_capture_goes_on),
      xpu_test(consecutive_graphs_share, results(executes)),
      xpu_test(what_is_kept_is_left_alone_by_later_graphs, results(executes)),
      xpu_test(a_free_on_a_branch_serves_the_next_capture),
      xpu_test(hundreds_of_captures_share_one_pool, results(executes)),
      xpu_test(memory_of_each_device_is_apart),
  };
  return run_all(tests, make_streams, end_streams);
}
