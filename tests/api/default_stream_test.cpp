// SPDX-License-Identifier: Apache-2.0
// The default streams: the legacy one is ordered with every blocking stream in both directions and
// with no other; the per-thread one is a blocking stream of its thread.
#include <pthread.h>

#include "ground.h"

using namespace xpu::test;

static Gate gate;

static xpuStream_t blocking_stream() {
  xpuStream_t s = nullptr;
  assert_ok(xpuStreamCreate(&s));
  return s;
}

// `first` is held back. Checks whether what `second` gets after it is held back too.
static void check_order(xpuStream_t first, xpuStream_t second, bool expected) {
  int* p = device_ints(1, 1);
  gate.shut(first);
  if (shown(calls_back)) gate.await();
  launch_one(first, "step", p, 2, 1);
  launch_one(second, "step", p, 10, 5);
  // Seeing that nothing happens takes a while, seeing that something does takes as long as it must.
  const int patience = !shown(waits) ? 0 : expected ? 20 : 10000;
  for (int i = 0; i < patience && xpuStreamQuery(second) == xpuErrorNotReady; i++) sleep_ms(1);
  const bool held = xpuStreamQuery(second) == xpuErrorNotReady;
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(first));
  assert_ok(xpuStreamSynchronize(second));
  // (1 * 2 + 1) * 10 + 5, or (1 * 10 + 5) * 2 + 1.
  if (shown(executes)) assert_int_equal(held ? 35 : 31, fetch(p));
  if (shown(waits)) assert_int_equal(expected, held);
  assert_ok(xpuFree(p));
}

static void the_legacy_stream_waits_for_a_blocking_one(void**) {
  const xpuStream_t s = blocking_stream();
  check_order(s, nullptr, true);
  check_order(s, xpuStreamLegacy, true);
  assert_ok(xpuStreamDestroy(s));
}

static void a_blocking_stream_waits_for_the_legacy_one(void**) {
  const xpuStream_t s = blocking_stream();
  check_order(nullptr, s, true);
  check_order(xpuStreamLegacy, s, true);
  assert_ok(xpuStreamDestroy(s));
}

static void a_non_blocking_stream_has_no_order_with_the_legacy_one(void**) {
  const xpuStream_t s = new_stream();
  check_order(s, nullptr, false);
  check_order(nullptr, s, false);
  assert_ok(xpuStreamDestroy(s));
}

static void two_blocking_streams_have_no_order(void**) {
  const xpuStream_t a = blocking_stream(), b = blocking_stream();
  check_order(a, b, false);
  assert_ok(xpuStreamDestroy(a));
  assert_ok(xpuStreamDestroy(b));
}

static void the_stream_of_a_thread_is_a_blocking_one(void**) {
  const xpuStream_t s = blocking_stream();
  unsigned flags = 77;
  check_order(nullptr, xpuStreamPerThread, true);
  check_order(xpuStreamPerThread, nullptr, true);
  check_order(xpuStreamPerThread, s, false);
  assert_ok(xpuStreamGetFlags(xpuStreamPerThread, &flags));
  assert_int_equal(xpuStreamDefault, flags);
  assert_ok(xpuStreamDestroy(s));
}

static void the_legacy_stream_carries_order_from_one_blocking_stream_to_another(void**) {
  const xpuStream_t a = blocking_stream(), b = blocking_stream();
  int* p = device_ints(1, 1);

  gate.shut(a);
  launch_one(a, "step", p, 2, 1);
  launch_one(nullptr, "step", p, 10, 5);
  launch_one(b, "step", p, 3, 2);
  if (shown(waits)) assert_code(xpuStreamQuery(b), xpuErrorNotReady);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(b));

  if (shown(executes)) assert_int_equal(107, fetch(p));
  assert_ok(xpuStreamDestroy(a));
  assert_ok(xpuStreamDestroy(b));
  assert_ok(xpuFree(p));
}

static void a_plain_copy_waits_for_blocking_streams(void**) {
  const xpuStream_t s = blocking_stream();
  int* p = device_ints(1);
  static const auto open_later = [](void*) -> void* {
    sleep_ms(30);
    gate.open = 1;
    return nullptr;
  };
  pthread_t thread;

  gate.shut(s);
  launch_one(s, "store", p, 0, 9);
  assert_int_equal(0, pthread_create(&thread, nullptr, open_later, nullptr));
  const int seen = fetch(p);
  assert_int_equal(0, pthread_join(thread, nullptr));

  if (shown(executes)) assert_int_equal(9, seen);
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

static void an_event_of_the_legacy_stream_covers_blocking_streams(void**) {
  const xpuStream_t s = blocking_stream();
  const xpuEvent_t e = new_event();

  gate.shut(s);
  assert_ok(xpuEventRecord(e, nullptr));
  assert_code(xpuEventQuery(e), xpuErrorNotReady);
  gate.open = 1;
  assert_ok(xpuEventSynchronize(e));
  assert_soon(xpuStreamQuery(s));

  assert_ok(xpuEventDestroy(e));
  assert_ok(xpuStreamDestroy(s));
}

struct OfThread {
  unsigned long long id;
  int* p;
  xpuError_t got;
};

static void* use_own_stream(void* user) {
  OfThread* mine = static_cast<OfThread*>(user);
  mine->got = xpuStreamGetId(xpuStreamPerThread, &mine->id);
  if (mine->got == xpuSuccess)
    mine->got = xpuMemsetAsync(mine->p, 1, sizeof(int), xpuStreamPerThread);
  return nullptr;
}

// Its work is finished, although nobody waited for it and the thread has ended.
static void each_thread_has_its_own_stream(void**) {
  OfThread other = {0, device_ints(1), xpuErrorUnknown};
  unsigned long long id = 0;
  pthread_t thread;
  assert_ok(xpuStreamGetId(xpuStreamPerThread, &id));

  assert_int_equal(0, pthread_create(&thread, nullptr, use_own_stream, &other));
  assert_int_equal(0, pthread_join(thread, nullptr));
  assert_ok(other.got);
  assert_ok(xpuDeviceSynchronize());

  assert_int_not_equal(id, other.id);
  if (shown(executes)) assert_int_equal(0x01010101, fetch(other.p));
  assert_ok(xpuFree(other.p));
}

static void destroying_a_blocking_stream_leaves_its_order(void**) {
  const xpuStream_t s = blocking_stream();
  int* p = device_ints(1, 1);

  gate.shut(s);
  launch_one(s, "step", p, 2, 1);
  assert_ok(xpuStreamDestroy(s));
  launch_one(nullptr, "step", p, 10, 5);
  gate.open = 1;
  assert_ok(xpuDeviceSynchronize());

  if (shown(executes)) assert_int_equal(35, fetch(p));
  assert_ok(xpuFree(p));
}

int main() {
  const Test tests[] = {
      xpu_test(the_legacy_stream_waits_for_a_blocking_one, results(calls_back | executes | waits)),
      xpu_test(a_blocking_stream_waits_for_the_legacy_one, results(calls_back | executes | waits)),
      xpu_test(a_non_blocking_stream_has_no_order_with_the_legacy_one,
               results(calls_back | executes | waits)),
      xpu_test(two_blocking_streams_have_no_order, results(calls_back | executes | waits)),
      xpu_test(the_stream_of_a_thread_is_a_blocking_one, results(calls_back | executes | waits)),
      xpu_test(the_legacy_stream_carries_order_from_one_blocking_stream_to_another,
               results(executes | waits)),
      xpu_test(a_plain_copy_waits_for_blocking_streams, results(executes)),
      xpu_test(an_event_of_the_legacy_stream_covers_blocking_streams),
      xpu_test(each_thread_has_its_own_stream, results(executes)),
      xpu_test(destroying_a_blocking_stream_leaves_its_order, results(executes)),
  };
  return run_all(tests);
}
