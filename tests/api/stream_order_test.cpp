// SPDX-License-Identifier: Apache-2.0
// Streams: one runs in order, two do not wait for each other, events order them, destruction is
// late.
#include "ground.h"

using namespace xpu::test;

static Gate gate;

static void work_of_one_stream_runs_in_order(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(1, 1);
  unsigned expected = 1;

  for (int i = 0; i < 40; i++) {
    launch_one(s, "step", p, 3, i);
    expected = expected * 3 + static_cast<unsigned>(i);
  }
  assert_ok(xpuStreamSynchronize(s));

  if (shown(executes)) assert_int_equal(static_cast<int>(expected), fetch(p));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

static void copies_fills_kernels_and_host_functions_keep_their_order(void**) {
  static int seen[2];
  const xpuStream_t s = new_stream();
  int* p = device_ints(2, 5);
  void* memory = nullptr;
  assert_ok(xpuMallocHost(&memory, 2 * sizeof(int)));
  int* pinned = static_cast<int*>(memory);
  seen[0] = seen[1] = 0;
  const auto look = [](void* from) {
    seen[0] = static_cast<int*>(from)[0];
    seen[1] = static_cast<int*>(from)[1];
  };

  assert_ok(xpuMemsetAsync(p, 0, 2 * sizeof(int), s));
  launch_one(s, "store", p, 0, 7);
  assert_ok(xpuMemcpyAsync(p + 1, p, sizeof(int), xpuMemcpyDeviceToDevice, s));
  launch_one(s, "step", p, 10, 1);
  assert_ok(xpuMemcpyAsync(pinned, p, 2 * sizeof(int), xpuMemcpyDeviceToHost, s));
  assert_ok(xpuLaunchHostFunc(s, look, pinned));
  assert_ok(xpuMemsetAsync(p, 0, 2 * sizeof(int), s));
  assert_ok(xpuStreamSynchronize(s));

  if (shown(calls_back)) assert_int_equal(71, seen[0]);
  if (shown(calls_back)) assert_int_equal(7, seen[1]);
  if (shown(executes)) assert_int_equal(0, fetch(p));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
  assert_ok(xpuFreeHost(pinned));
}

static void a_stream_that_waits_does_not_hold_back_another(void**) {
  const xpuStream_t a = new_stream(), b = new_stream();
  int* p = device_ints(1);

  gate.shut(a);
  launch_one(b, "store", p, 0, 4);
  assert_ok(xpuStreamSynchronize(b));
  if (shown(waits)) assert_code(xpuStreamQuery(a), xpuErrorNotReady);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(a));
  assert_ok(xpuStreamQuery(a));

  if (shown(executes)) assert_int_equal(4, fetch(p));
  assert_ok(xpuStreamDestroy(a));
  assert_ok(xpuStreamDestroy(b));
  assert_ok(xpuFree(p));
}

static void not_ready_is_no_failure(void**) {
  const xpuStream_t s = new_stream();
  (void)xpuGetLastError();
  assert_code(xpuSetDevice(-1), xpuErrorInvalidDevice);
  (void)xpuGetLastError();

  gate.shut(s);
  assert_code(xpuStreamQuery(s), xpuErrorNotReady);

  assert_ok(xpuPeekAtLastError());
  assert_string_equal("xpuSetDevice", last_failure().function);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));
  assert_ok(xpuStreamDestroy(s));
}

static void an_event_orders_two_streams(void**) {
  const xpuStream_t a = new_stream(), b = new_stream();
  const xpuEvent_t e = new_event(xpuEventDisableTiming);
  int* p = device_ints(1, 1);

  gate.shut(a);
  launch_one(a, "step", p, 2, 1);
  assert_ok(xpuEventRecord(e, a));
  assert_ok(xpuStreamWaitEvent(b, e, 0));
  launch_one(b, "step", p, 10, 5);
  if (shown(waits)) assert_code(xpuStreamQuery(b), xpuErrorNotReady);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(b));

  if (shown(executes)) assert_int_equal(35, fetch(p));
  assert_ok(xpuEventDestroy(e));
  assert_ok(xpuStreamDestroy(a));
  assert_ok(xpuStreamDestroy(b));
  assert_ok(xpuFree(p));
}

static void a_chain_of_waits_crosses_many_streams(void**) {
  enum { kStreams = 8, kRounds = 4 };
  xpuStream_t s[kStreams];
  xpuEvent_t e[kStreams];
  int* log = device_ints(1 + kStreams * kRounds);
  int seen[1 + kStreams * kRounds] = {};
  for (int i = 0; i < kStreams; i++) {
    s[i] = new_stream();
    e[i] = new_event(xpuEventDisableTiming);
  }

  gate.shut(s[0]);
  for (int n = 0; n < kStreams * kRounds; n++) {
    const int at = n % kStreams;
    if (n) assert_ok(xpuStreamWaitEvent(s[at], e[(n - 1) % kStreams], 0));
    launch_one(s[at], "note", log, n);
    assert_ok(xpuEventRecord(e[at], s[at]));
  }
  gate.open = 1;
  assert_ok(xpuDeviceSynchronize());

  fetch(seen, log, sizeof seen);
  if (shown(executes)) assert_int_equal(kStreams * kRounds, seen[0]);
  if (shown(executes))
    for (int n = 0; n < kStreams * kRounds; n++) assert_int_equal(n, seen[1 + n]);
  for (int i = 0; i < kStreams; i++) {
    assert_ok(xpuEventDestroy(e[i]));
    assert_ok(xpuStreamDestroy(s[i]));
  }
  assert_ok(xpuFree(log));
}

static void work_of_a_destroyed_stream_still_runs(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(1);

  gate.shut(s);
  launch_one(s, "store", p, 0, 6);
  assert_ok(xpuStreamDestroy(s));
  assert_code(xpuStreamQuery(s), xpuErrorInvalidResourceHandle);
  gate.open = 1;
  assert_ok(xpuDeviceSynchronize());

  if (shown(executes)) assert_int_equal(6, fetch(p));
  assert_ok(xpuFree(p));
}

static void a_device_waits_for_all_of_its_streams(void**) {
  const xpuStream_t a = new_stream(), b = new_stream();
  int* p = device_ints(2);
  static std::atomic<int> done;
  const auto slow = [](void*) {
    sleep_ms(30);
    done++;
  };
  done = 0;

  assert_ok(xpuLaunchHostFunc(a, slow, nullptr));
  assert_ok(xpuLaunchHostFunc(b, slow, nullptr));
  assert_ok(xpuDeviceSynchronize());

  if (shown(calls_back)) assert_int_equal(2, done.load());
  assert_ok(xpuStreamQuery(a));
  assert_ok(xpuStreamQuery(b));
  assert_ok(xpuStreamDestroy(a));
  assert_ok(xpuStreamDestroy(b));
  assert_ok(xpuFree(p));
}

static void a_host_function_is_called_once_with_its_data(void**) {
  static std::atomic<int> calls;
  static void* got;
  const xpuStream_t s = new_stream();
  const auto remember = [](void* user) {
    got = user;
    calls++;
  };
  calls = 0;

  assert_ok(xpuLaunchHostFunc(s, remember, &calls));
  assert_ok(xpuStreamSynchronize(s));

  if (shown(calls_back)) assert_int_equal(1, calls.load());
  if (shown(calls_back)) assert_ptr_equal(&calls, got);
  assert_ok(xpuStreamDestroy(s));
}

static void a_stream_tells_what_it_was_made_with(void**) {
  xpuStream_t s = nullptr;
  unsigned flags = 77;
  int priority = 77, device = 77, least = 0, greatest = 0;
  assert_ok(xpuDeviceGetStreamPriorityRange(&least, &greatest));

  assert_ok(xpuStreamCreateWithPriority(&s, xpuStreamNonBlocking, -1000));
  assert_ok(xpuStreamGetFlags(s, &flags));
  assert_ok(xpuStreamGetPriority(s, &priority));
  assert_ok(xpuStreamGetDevice(s, &device));
  assert_int_equal(xpuStreamNonBlocking, flags);
  assert_int_equal(greatest, priority);
  assert_int_equal(0, device);
  assert_ok(xpuStreamDestroy(s));

  assert_ok(xpuStreamCreateWithPriority(&s, xpuStreamDefault, 1000));
  assert_ok(xpuStreamGetFlags(s, &flags));
  assert_ok(xpuStreamGetPriority(s, &priority));
  assert_int_equal(xpuStreamDefault, flags);
  assert_int_equal(least, priority);
  assert_ok(xpuStreamDestroy(s));
}

static void no_two_streams_have_the_same_number(void**) {
  unsigned long long id[4] = {}, of_null = 0, of_legacy = 1, of_thread = 0;
  xpuStream_t s = nullptr;
  for (int i = 0; i < 4; i++) {
    assert_ok(xpuStreamCreate(&s));
    assert_ok(xpuStreamGetId(s, &id[i]));
    assert_ok(xpuStreamDestroy(s));
  }
  assert_ok(xpuStreamGetId(nullptr, &of_null));
  assert_ok(xpuStreamGetId(xpuStreamLegacy, &of_legacy));
  assert_ok(xpuStreamGetId(xpuStreamPerThread, &of_thread));

  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++) assert_int_not_equal(id[i], id[j]);
  assert_int_equal(of_null, of_legacy);
  assert_int_not_equal(of_null, of_thread);
}

int main() {
  const Test tests[] = {
      xpu_test(work_of_one_stream_runs_in_order, results(executes)),
      xpu_test(copies_fills_kernels_and_host_functions_keep_their_order,
               results(calls_back | executes)),
      xpu_test(a_stream_that_waits_does_not_hold_back_another, results(executes | waits)),
      xpu_test(not_ready_is_no_failure, needs(waits)),
      xpu_test(an_event_orders_two_streams, results(executes | waits)),
      xpu_test(a_chain_of_waits_crosses_many_streams, results(executes)),
      xpu_test(work_of_a_destroyed_stream_still_runs, results(executes)),
      xpu_test(a_device_waits_for_all_of_its_streams, results(calls_back)),
      xpu_test(a_host_function_is_called_once_with_its_data, results(calls_back)),
      xpu_test(a_stream_tells_what_it_was_made_with),
      xpu_test(no_two_streams_have_the_same_number),
  };
  return run_all(tests);
}
