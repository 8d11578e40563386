// SPDX-License-Identifier: Apache-2.0
// Stream-ordered memory: what an allocation is, when memory is used again and given back, which
// pool is whose, and what captures refuse.
#include "capturing.h"
#include "pooled.h"

using namespace xpu::test;

static Gate gate;

static xpuPointerAttributes ask(const void* pointer) {
  xpuPointerAttributes a = {};
  a.struct_size = sizeof a;
  assert_ok(xpuPointerGetAttributes(&a, pointer));
  return a;
}

static void later_work_of_the_stream_uses_the_memory(void**) {
  const xpuStream_t s = new_stream();
  int* out = device_ints(1);

  int* p = ints(1000, s);
  launch(s, "fill_range", dim(16), dim(64), p, 1000, 3);
  launch_one(s, "sum", out, p, 1000);
  assert_ok(xpuFreeAsync(p, s));
  assert_ok(xpuStreamSynchronize(s));

  if (shown(executes)) assert_int_equal(3000, fetch(out));
  assert_int_equal(0, reinterpret_cast<uintptr_t>(p) % 512);
  assert_ok(xpuFree(out));
  assert_ok(xpuStreamDestroy(s));
}

static void the_default_streams_allocate_too(void**) {
  for (xpuStream_t s : {xpuStream_t{nullptr}, xpuStreamLegacy, xpuStreamPerThread}) {
    int* p = ints(4, s);
    launch_one(s, "store", p, 2, 8);
    assert_ok(xpuStreamSynchronize(s));
    if (shown(executes)) assert_int_equal(8, fetch(p + 2));
    assert_ok(xpuFreeAsync(p, s));
  }
  assert_ok(xpuDeviceSynchronize());
  assert_int_equal(0, reserved(default_pool()));
}

// Work of the legacy stream comes before a free in a blocking stream, though no event says so.
static void a_free_in_a_blocking_stream_comes_after_the_legacy_streams_work(void**) {
  xpuStream_t blocking = nullptr;
  const xpuStream_t other = new_stream();
  assert_ok(xpuStreamCreate(&blocking));
  int* p = ints(1, blocking);
  int* out = device_ints(1);
  assert_ok(xpuStreamSynchronize(blocking));

  gate.shut(nullptr);
  launch_one(nullptr, "store", p, 0, 5);
  launch_one(nullptr, "copy_one", out, 0, p, 0);
  assert_ok(xpuFreeAsync(p, blocking));
  int* q = ints(1, other);
  launch_one(other, "store", q, 0, 77);
  assert_ok(xpuStreamSynchronize(other));
  gate.open = 1;
  assert_ok(xpuDeviceSynchronize());

  assert_ptr_not_equal(p, q);
  if (shown(executes)) assert_int_equal(5, fetch(out));
  assert_ok(xpuFree(q));
  assert_ok(xpuFree(out));
  assert_ok(xpuStreamDestroy(blocking));
  assert_ok(xpuStreamDestroy(other));
}

static void memory_is_used_again_in_the_order_of_the_stream(void**) {
  const xpuStream_t s = new_stream();
  int* out = device_ints(20);
  int* first = nullptr;
  int different = 0;
  gate.shut(s);
  for (int i = 0; i < 20; i++) {
    int* p = ints(64, s);
    if (i == 0) first = p;
    different += p != first;
    launch(s, "fill_range", dim(1), dim(64), p, 64, i);
    launch_one(s, "copy_one", out, i, p, 63);
    assert_ok(xpuFreeAsync(p, s));
  }
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  assert_int_equal(0, different);
  if (shown(executes))
    for (int i = 0; i < 20; i++) assert_int_equal(i, fetch(out + i));
  assert_ok(xpuFree(out));
  assert_ok(xpuStreamDestroy(s));
}

static void an_address_belongs_to_its_allocation(void**) {
  const xpuStream_t s = new_stream();
  int* p = ints(250, s);
  int* q = ints(250, s);

  assert_int_equal(xpuMemoryTypeDevice, ask(p + 249).type);
  assert_int_equal(0, ask(p + 249).device);
  assert_int_equal(xpuMemoryTypeDevice, ask(q).type);
  assert_code(xpuMemsetAsync(p, 0, 1025, s), xpuErrorInvalidValue);
  assert_code(xpuMemcpyAsync(p, q + 1, 1024, xpuMemcpyDefault, s), xpuErrorInvalidValue);
  assert_ok(xpuMemsetAsync(p, 0, 1000, s));
  assert_ok(xpuFreeAsync(q, s));
  assert_int_equal(xpuMemoryTypeUnregistered, ask(q).type);
  assert_code(xpuMemsetAsync(q, 0, 4, s), xpuErrorInvalidValue);
  assert_ok(xpuFreeAsync(p, s));
  assert_ok(xpuStreamSynchronize(s));
  assert_ok(xpuStreamDestroy(s));
}

static void freeing_at_once_waits(void**) {
  static std::atomic<int> done;
  const xpuStream_t s = new_stream();
  int* p = ints(16, s);
  done = 0;
  assert_ok(xpuLaunchHostFunc(
      s, [](void*) { sleep_ms(30); }, nullptr));
  launch_one(s, "store", p, 0, 1);
  assert_ok(xpuLaunchHostFunc(
      s, [](void*) { done = 1; }, nullptr));

  assert_ok(xpuFree(p));

  if (shown(calls_back)) assert_int_equal(1, done.load());
  assert_int_equal(0, used(default_pool()));
  assert_int_equal(0, reserved(default_pool()));
  assert_ok(xpuStreamDestroy(s));
}

static void a_stream_frees_memory_of_malloc(void**) {
  const xpuStream_t s = new_stream();
  const size_t before = device_bytes_used();
  void* p = nullptr;
  assert_ok(xpuMalloc(&p, 3 * kMiB));
  gate.shut(s);
  launch_one(s, "store", p, 0, 1);

  assert_ok(xpuFreeAsync(p, s));
  assert_int_equal(before + 3 * kMiB, device_bytes_used());
  assert_code(xpuFree(p), xpuErrorInvalidValue);
  assert_code(xpuFreeAsync(p, s), xpuErrorInvalidValue);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  assert_int_equal(before, device_bytes_used());
  assert_ok(xpuStreamDestroy(s));
}

// Each kind of wait; the threshold is 0.
static void memory_goes_back_when_the_program_waits(void**) {
  const xpuStream_t s = new_stream();
  const xpuEvent_t e = new_event();
  const xpuMemPool_t pool = new_pool();
  for (int way = 0; way < 3; way++) {
    assert_ok(xpuFreeAsync(bytes_from(pool, 5 * kMiB, s), s));
    assert_ok(xpuEventRecord(e, s));
    assert_int_equal(5 * kMiB, reserved(pool));
    if (way == 0) assert_ok(xpuStreamSynchronize(s));
    if (way == 1) assert_ok(xpuEventSynchronize(e));
    if (way == 2) assert_ok(xpuDeviceSynchronize());
    assert_int_equal(0, reserved(pool));
  }
  assert_ok(xpuMemPoolDestroy(pool));
  assert_ok(xpuEventDestroy(e));
  assert_ok(xpuStreamDestroy(s));
}

static void a_threshold_holds_memory_back(void**) {
  const xpuStream_t s = new_stream();
  const xpuMemPool_t pool = new_pool();
  set_number(pool, xpuMemPoolAttrReleaseThreshold, UINT64_MAX);
  assert_ok(xpuFreeAsync(bytes_from(pool, 5 * kMiB, s), s));
  assert_ok(xpuStreamSynchronize(s));
  assert_int_equal(5 * kMiB, reserved(pool));

  assert_ok(xpuMemPoolTrimTo(pool, 5 * kMiB));
  assert_int_equal(5 * kMiB, reserved(pool));
  assert_ok(xpuMemPoolTrimTo(pool, 1));
  assert_int_equal(5 * kMiB, reserved(pool));
  assert_ok(xpuMemPoolTrimTo(pool, 0));
  assert_int_equal(0, reserved(pool));
  assert_ok(xpuMemPoolDestroy(pool));
  assert_ok(xpuStreamDestroy(s));
}

static void the_numbers_of_a_pool(void**) {
  const xpuStream_t s = new_stream();
  const xpuMemPool_t pool = new_pool();
  void* p = bytes_from(pool, 100, s);
  void* q = bytes_from(pool, 3 * kMiB, s);

  assert_int_equal(512 + 3 * kMiB, used(pool));
  assert_int_equal(5 * kMiB, reserved(pool));
  assert_ok(xpuFreeAsync(q, s));
  assert_ok(xpuStreamSynchronize(s));
  assert_int_equal(512, used(pool));
  assert_int_equal(2 * kMiB, reserved(pool));
  assert_int_equal(512 + 3 * kMiB, number(pool, xpuMemPoolAttrUsedMemHigh));
  assert_int_equal(5 * kMiB, number(pool, xpuMemPoolAttrReservedMemHigh));
  set_number(pool, xpuMemPoolAttrUsedMemHigh, 0);
  assert_int_equal(512, number(pool, xpuMemPoolAttrUsedMemHigh));
  assert_int_equal(5 * kMiB, number(pool, xpuMemPoolAttrReservedMemHigh));
  set_number(pool, xpuMemPoolAttrReservedMemHigh, 0);
  assert_int_equal(2 * kMiB, number(pool, xpuMemPoolAttrReservedMemHigh));
  assert_ok(xpuFree(p));
  assert_ok(xpuMemPoolDestroy(pool));
  assert_ok(xpuStreamDestroy(s));
}

static void the_settings_of_a_pool(void**) {
  static const xpuMemPoolAttr switches[] = {xpuMemPoolReuseFollowEventDependencies,
                                            xpuMemPoolReuseAllowOpportunistic,
                                            xpuMemPoolReuseAllowInternalDependencies};
  const xpuMemPool_t pool = new_pool();
  for (const xpuMemPoolAttr which : switches) {
    for (const xpuMemPoolAttr each : switches) assert_int_equal(1, setting(pool, each));
    set_setting(pool, which, 0);
    for (const xpuMemPoolAttr each : switches) assert_int_equal(each != which, setting(pool, each));
    set_setting(pool, which, 1);
  }
  assert_int_equal(0, number(pool, xpuMemPoolAttrReleaseThreshold));
  set_number(pool, xpuMemPoolAttrReleaseThreshold, 12345);
  assert_int_equal(12345, number(pool, xpuMemPoolAttrReleaseThreshold));
  assert_ok(xpuMemPoolDestroy(pool));
}

static void streams_allocate_from_the_current_pool(void**) {
  const xpuStream_t s = new_stream();
  const xpuMemPool_t pool = new_pool();
  assert_ptr_equal(default_pool(), current_pool());

  assert_ok(xpuDeviceSetMemPool(0, pool));
  assert_ptr_equal(pool, current_pool());
  int* p = ints(128, s);
  assert_int_equal(512, used(pool));
  assert_int_equal(0, used(default_pool()));
  assert_ok(xpuDeviceSetMemPool(0, default_pool()));
  // The pool that gave it takes it back.
  assert_ok(xpuFreeAsync(p, s));

  assert_int_equal(0, used(pool));
  assert_ok(xpuMemPoolDestroy(pool));
  assert_ok(xpuStreamDestroy(s));
}

static void a_destroyed_pool_goes_with_its_last_allocation(void**) {
  const xpuStream_t s = new_stream();
  const size_t before = device_bytes_used();
  const xpuMemPool_t pool = new_pool();
  assert_ok(xpuDeviceSetMemPool(0, pool));
  int* p = ints(kMiB, s);

  assert_ok(xpuMemPoolDestroy(pool));
  assert_ptr_equal(default_pool(), current_pool());
  assert_code(xpuMemPoolDestroy(pool), xpuErrorInvalidValue);
  launch_one(s, "store", p, 1000, 6);
  assert_ok(xpuStreamSynchronize(s));
  if (shown(executes)) assert_int_equal(6, fetch(p + 1000));
  assert_int_equal(before + 4 * kMiB, device_bytes_used());
  assert_ok(xpuFreeAsync(p, s));
  assert_ok(xpuStreamSynchronize(s));

  assert_int_equal(before, device_bytes_used());
  assert_ok(xpuStreamDestroy(s));
}

static void a_pool_is_destroyed_while_a_free_is_on_its_way(void**) {
  const xpuStream_t s = new_stream();
  const size_t before = device_bytes_used();
  const xpuMemPool_t pool = new_pool();
  gate.shut(s);
  void* p = bytes_from(pool, 4 * kMiB, s);
  launch_one(s, "store", p, 1000, 6);
  assert_ok(xpuFreeAsync(p, s));

  assert_ok(xpuMemPoolDestroy(pool));
  assert_int_equal(before + 4 * kMiB, device_bytes_used());
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  assert_int_equal(before, device_bytes_used());
  assert_ok(xpuStreamDestroy(s));
}

static void memory_outlives_the_stream_it_came_from(void**) {
  const xpuStream_t a = new_stream(), b = new_stream();
  int* p = ints(16, a);
  gate.shut(a);
  launch_one(a, "store", p, 3, 9);
  order(a, b);
  assert_ok(xpuStreamDestroy(a));
  gate.open = 1;
  int* out = device_ints(1);
  launch_one(b, "copy_one", out, 0, p, 3);
  assert_ok(xpuFreeAsync(p, b));
  assert_ok(xpuStreamSynchronize(b));

  if (shown(executes)) assert_int_equal(9, fetch(out));
  assert_ok(xpuFree(out));
  assert_ok(xpuStreamDestroy(b));
}

static void a_capture_frees_no_memory_of_a_pool(void**) {
  const xpuStream_t s = new_stream(), other = new_stream();
  int* p = ints(16, other);
  begin(s);
  assert_code(xpuFreeAsync(p, s), xpuErrorInvalidValue);
  end_lost(s, xpuErrorStreamCaptureInvalidated);

  assert_int_equal(512, used(default_pool()));
  // Streams that are not captured go on, whatever the mode: nothing of theirs is in the graph.
  begin(s);
  assert_ok(xpuFreeAsync(p, other));
  p = ints(16, other);
  assert_ok(xpuFreeAsync(p, other));
  assert_ok(xpuGraphDestroy(end(s)));
  assert_ok(xpuStreamSynchronize(other));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuStreamDestroy(other));
}

static void the_legacy_stream_does_neither_while_a_blocking_one_is_captured(void**) {
  xpuStream_t blocking = nullptr;
  void* p = nullptr;
  assert_ok(xpuStreamCreate(&blocking));
  begin(blocking, xpuStreamCaptureModeRelaxed);
  assert_code(xpuMallocAsync(&p, 64, nullptr), xpuErrorStreamCaptureImplicit);
  end_lost(blocking, xpuErrorStreamCaptureInvalidated);
  assert_ok(xpuMallocAsync(&p, 64, nullptr));
  begin(blocking, xpuStreamCaptureModeRelaxed);
  assert_code(xpuFreeAsync(p, nullptr), xpuErrorStreamCaptureImplicit);
  end_lost(blocking, xpuErrorStreamCaptureInvalidated);
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(blocking));
}

int main() {
  const Test tests[] = {
      xpu_test(later_work_of_the_stream_uses_the_memory, results(executes)),
      xpu_test(the_default_streams_allocate_too, results(executes)),
      xpu_test(a_free_in_a_blocking_stream_comes_after_the_legacy_streams_work, results(executes)),
      xpu_test(memory_is_used_again_in_the_order_of_the_stream, results(executes)),
      xpu_test(an_address_belongs_to_its_allocation),
      xpu_test(freeing_at_once_waits, results(calls_back)),
      xpu_test(a_stream_frees_memory_of_malloc),
      xpu_test(memory_goes_back_when_the_program_waits),
      xpu_test(a_threshold_holds_memory_back),
      xpu_test(the_numbers_of_a_pool),
      xpu_test(the_settings_of_a_pool),
      xpu_test(streams_allocate_from_the_current_pool),
      xpu_test(a_destroyed_pool_goes_with_its_last_allocation, results(executes)),
      xpu_test(a_pool_is_destroyed_while_a_free_is_on_its_way),
      xpu_test(memory_outlives_the_stream_it_came_from, results(executes)),
      xpu_test(a_capture_frees_no_memory_of_a_pool),
      xpu_test(the_legacy_stream_does_neither_while_a_blocking_one_is_captured),
  };
  return run_all(tests);
}
