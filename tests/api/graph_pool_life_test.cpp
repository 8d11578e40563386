// SPDX-License-Identifier: Apache-2.0
// Captures into private pools that fail, and who holds a pool.
#include "graph_pool.h"

using namespace xpu::test;

// ---- captures that fail

static xpuGraphPool shared_pool;
static xpuStreamCaptureParams capture_params;

static void two_captures_at_once_are_refused(void**) {
  const xpuGraphPool pool = new_pool();
  begin_in(s, pool);
  give_back(s, allocate(s, 4096));
  capture_params = in_pool(pool);
  assert_code(xpuStreamBeginCaptureWithParams(t, &capture_params), xpuErrorIllegalState);
  (void)xpuGetLastError();
  assert_status(None, t);
  assert_status(Active, s);
  destroy(end(s));
  begin_in(t, pool);
  destroy(end(t));
  release(pool);
}

// The ways in which a capture can be lost.
static void wait_for_itself() {
  assert_code(xpuStreamSynchronize(s), xpuErrorStreamCaptureUnsupported);
  end_lost(s, xpuErrorStreamCaptureInvalidated);
}
static void do_not_join() {
  order(s, t);
  launch_one(t, "noop");
  end_lost(s, xpuErrorStreamCaptureUnjoined);
}
static void destroy_the_stream() {
  (void)xpuStreamDestroy(s);
  (void)xpuGetLastError();
  s = new_stream();
}

static void a_lost_capture_leaves_the_pool_as_it_was(void**) {
  const xpuGraphPool pool = new_pool();
  begin_in(s, pool);
  int* const kept = allocate(s, kMiB);
  int* const gap = allocate(s, kMiB);
  launch_one(s, "store", kept, 0, 21);
  give_back(s, gap);
  const xpuGraph_t graph = end(s);
  const xpuGraphPoolUsage before = usage(pool);
  void (*const ways[])() = {wait_for_itself, do_not_join, destroy_the_stream};
  for (const auto way : ways) {
    begin_in(s, pool);
    give_back(s, kept);  // of the graph before
    (void)allocate(s, 8 * kMiB);
    launch_one(s, "noop");
    give_back(s, allocate(s, 3 * kMiB));
    way();
    (void)xpuGetLastError();
    const xpuGraphPoolUsage after = usage(pool);
    assert_int_equal(before.liveBytes, after.liveBytes);
    assert_int_equal(before.peakBytes, after.peakBytes);
    if (can_map()) assert_int_equal(before.reservedBytes, after.reservedBytes);
    begin_in(t, pool);  // another one may begin, and finds the same places
    assert_ptr_equal(gap, allocate(t, kMiB));
    give_back(t, gap);
    destroy(end(t));
  }
  run(graph);
  if (shown(executes)) assert_int_equal(21, fetch(kept));
  assert_ok(xpuFree(kept));
  destroy(graph);
  release(pool);
}

static void what_calls_freed_meanwhile_stays_freed(void**) {
  const xpuGraphPool pool = new_pool();
  xpuStreamCaptureParams params = in_pool(pool);
  params.mode = xpuStreamCaptureModeRelaxed;
  begin_in(s, pool);
  int* const kept = allocate(s, kMiB);
  destroy(end(s));
  begin_in(s, pool);  // the graph that held it is gone, the pool is not
  destroy(end(s));
  assert_ok(xpuStreamBeginCaptureWithParams(s, &params));
  int* const other = allocate(s, kMiB);
  give_back(t, kept);  // an eager stream
  assert_false(overlap(kept, kMiB, allocate(s, kMiB), kMiB));
  assert_code(xpuFreeAsync(kept, t), xpuErrorInvalidValue);
  assert_code(xpuStreamSynchronize(s), xpuErrorStreamCaptureUnsupported);
  end_lost(s, xpuErrorStreamCaptureInvalidated);
  assert_int_equal(0, usage(pool).liveBytes);
  assert_code(xpuFreeAsync(kept, t), xpuErrorInvalidValue);
  assert_code(xpuFreeAsync(other, t), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  begin_in(s, pool);
  assert_ptr_equal(kept, allocate(s, kMiB));
  destroy(end(s));
  release(pool);
}

// ---- holders

static void the_last_holder_takes_the_pool_with_it(void**) {
  const xpuGraphPool pool = new_pool();
  int* out = device_ints(1);
  begin_in(s, pool);
  int* const a = allocate(s, 4096);
  launch_one(s, "store", a, 0, 9);
  launch_one(s, "copy_one", out, 0, a, 0);
  const xpuGraph_t graph = end(s);
  xpuGraph_t clone = nullptr;
  assert_ok(xpuGraphClone(&clone, graph));
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphPoolRetain(pool));
  release(pool);
  release(pool);
  assert_true(is_there(pool));
  assert_code(xpuGraphPoolRelease(pool), xpuErrorInvalidValue);  // nobody but graphs holds it
  (void)xpuGetLastError();
  assert_ok(xpuGraphPoolRetain(pool));
  release(pool);
  destroy(graph);
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));
  if (shown(executes)) assert_int_equal(9, fetch(out));
  destroy(exec);
  assert_true(is_there(pool));
  run(clone);
  destroy(clone);
  assert_ok(xpuDeviceSynchronize());
  assert_false(is_there(pool));
  assert_code(xpuGraphPoolRetain(pool), xpuErrorInvalidValue);
  assert_code(xpuFree(a), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  assert_ok(xpuFree(out));
}

static void a_capture_holds_its_pool(void**) {
  const xpuGraphPool pool = new_pool();
  begin_in(s, pool);
  release(pool);
  (void)allocate(s, 4096);
  assert_true(is_there(pool));
  const xpuGraph_t graph = end(s);
  assert_true(is_there(pool));
  destroy(graph);
  assert_false(is_there(pool));
}

static void an_executable_destroyed_in_flight_keeps_the_memory_until_it_is_over(void**) {
  const xpuGraphPool pool = new_pool();
  int* out = device_ints(1);
  Gate gate;
  begin_in(s, pool);
  int* const a = allocate(s, kMiB);
  launch_one(s, "store", a, 0, 31);
  launch_one(s, "copy_one", out, 0, a, 0);
  const xpuGraph_t graph = end(s);
  const xpuGraphExec_t exec = instantiate(graph);
  gate.shut(s);
  assert_ok(xpuGraphLaunch(exec, s));
  destroy(graph);
  release(pool);
  destroy(exec);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));
  if (shown(executes)) assert_int_equal(31, fetch(out));
  assert_ok(xpuFree(out));
  assert_ok(xpuDeviceSynchronize());
  assert_false(is_there(pool));
}

static xpuGraphPoolUsage small_usage;

static void pools_that_are_not_there_are_refused(void**) {
  shared_pool = new_pool();
  release(shared_pool);
  capture_params = in_pool(shared_pool);
  small_usage.struct_size = sizeof small_usage;
  const Refusal rows[] = {
      REFUSED(xpuErrorInvalidValue, xpuGraphPoolCreate, "pool", "is NULL", nullptr),
      REFUSED(xpuErrorInvalidValue, xpuGraphPoolRetain, "pool", "was released", shared_pool),
      REFUSED(xpuErrorInvalidValue, xpuGraphPoolRelease, "pool", "was released", shared_pool),
      REFUSED(xpuErrorInvalidValue, xpuGraphPoolRetain, "pool", "is none", {0, 0}),
      REFUSED(xpuErrorInvalidValue, xpuGraphPoolRelease, "pool", "never was", {5, 123456}),
      REFUSED(xpuErrorInvalidValue, xpuGraphPoolGetUsage, "pool", "was released", shared_pool,
              &small_usage),
      REFUSED(xpuErrorInvalidValue, xpuGraphPoolGetUsage, "usage", "is NULL", new_pool(), nullptr),
  };
  assert_all_refused(rows);
  const xpuError_t code = xpuStreamBeginCaptureWithParams(s, &capture_params);
  assert_code(code, xpuErrorInvalidValue);
  assert_code(xpuStreamBeginCaptureWithParams(s, nullptr), xpuErrorInvalidValue);
  capture_params.struct_size = 1;
  assert_code(xpuStreamBeginCaptureWithParams(s, &capture_params), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  assert_status(None, s);
}

int main(void) {
  const Test tests[] = {
      xpu_test(two_captures_at_once_are_refused),
      xpu_test(a_lost_capture_leaves_the_pool_as_it_was, results(executes)),
      xpu_test(what_calls_freed_meanwhile_stays_freed),
      xpu_test(the_last_holder_takes_the_pool_with_it, results(executes)),
      xpu_test(a_capture_holds_its_pool),
      xpu_test(an_executable_destroyed_in_flight_keeps_the_memory_until_it_is_over,
               results(executes)),
      xpu_test(pools_that_are_not_there_are_refused),
  };
  return run_all(tests, make_streams, end_streams);
}
