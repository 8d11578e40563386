// SPDX-License-Identifier: Apache-2.0
// Events: what they stand for, when they are finished, the time between two.
#include <time.h>

#include "ground.h"

using namespace xpu::test;

static Gate gate;

static double seconds() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

static void an_event_that_was_never_recorded_is_finished(void**) {
  const xpuEvent_t e = new_event();
  const xpuStream_t s = new_stream();

  assert_ok(xpuEventQuery(e));
  assert_ok(xpuEventSynchronize(e));
  assert_ok(xpuStreamWaitEvent(s, e, 0));
  assert_ok(xpuStreamSynchronize(s));

  assert_ok(xpuEventDestroy(e));
  assert_ok(xpuStreamDestroy(s));
}

static void an_event_is_ready_when_the_work_before_it_is(void**) {
  const xpuEvent_t e = new_event();
  const xpuStream_t s = new_stream();

  gate.shut(s);
  assert_ok(xpuEventRecord(e, s));
  assert_code(xpuEventQuery(e), xpuErrorNotReady);
  assert_ok(xpuPeekAtLastError());
  gate.open = 1;
  assert_ok(xpuEventSynchronize(e));
  if (shown(polls)) assert_ok(xpuEventQuery(e));

  assert_ok(xpuEventDestroy(e));
  assert_ok(xpuStreamDestroy(s));
}

static void work_after_the_record_does_not_count(void**) {
  const xpuEvent_t e = new_event();
  const xpuStream_t s = new_stream();

  assert_ok(xpuEventRecord(e, s));
  gate.shut(s);
  assert_ok(xpuEventSynchronize(e));
  if (shown(polls)) assert_ok(xpuEventQuery(e));
  if (shown(waits)) assert_code(xpuStreamQuery(s), xpuErrorNotReady);
  gate.open = 1;

  assert_ok(xpuStreamSynchronize(s));
  assert_ok(xpuEventDestroy(e));
  assert_ok(xpuStreamDestroy(s));
}

static void recording_again_forgets_the_old_mark(void**) {
  const xpuEvent_t e = new_event();
  const xpuStream_t a = new_stream(), b = new_stream();

  gate.shut(a);
  assert_ok(xpuEventRecord(e, a));
  assert_ok(xpuEventRecord(e, b));
  assert_ok(xpuEventSynchronize(e));
  if (shown(waits)) assert_code(xpuStreamQuery(a), xpuErrorNotReady);
  gate.open = 1;

  assert_ok(xpuStreamSynchronize(a));
  assert_ok(xpuEventDestroy(e));
  assert_ok(xpuStreamDestroy(a));
  assert_ok(xpuStreamDestroy(b));
}

static void a_queued_wait_keeps_the_mark_it_was_given(void**) {
  const xpuEvent_t e = new_event(xpuEventDisableTiming);
  const xpuStream_t a = new_stream(), b = new_stream(), c = new_stream();
  int* p = device_ints(1, 1);

  gate.shut(a);
  launch_one(a, "step", p, 2, 1);
  assert_ok(xpuEventRecord(e, a));
  assert_ok(xpuStreamWaitEvent(b, e, 0));
  assert_ok(xpuEventRecord(e, c));
  launch_one(b, "step", p, 10, 5);
  assert_ok(xpuEventSynchronize(e));
  if (shown(waits)) assert_code(xpuStreamQuery(b), xpuErrorNotReady);
  assert_ok(xpuEventDestroy(e));
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(b));

  if (shown(executes)) assert_int_equal(35, fetch(p));
  assert_ok(xpuStreamDestroy(a));
  assert_ok(xpuStreamDestroy(b));
  assert_ok(xpuStreamDestroy(c));
  assert_ok(xpuFree(p));
}

static void one_event_recorded_many_times_under_way_orders_each_time(void**) {
  const xpuEvent_t e = new_event(xpuEventDisableTiming);
  const xpuStream_t a = new_stream(), b = new_stream();
  int* log = device_ints(101);
  int seen[101] = {};

  gate.shut(a);
  for (int i = 0; i < 50; i++) {
    launch_one(a, "note", log, 2 * i);
    assert_ok(xpuEventRecord(e, a));
    assert_ok(xpuStreamWaitEvent(b, e, 0));
    launch_one(b, "note", log, 2 * i + 1);
    assert_ok(xpuEventRecord(e, b));
    assert_ok(xpuStreamWaitEvent(a, e, 0));
  }
  gate.open = 1;
  assert_ok(xpuDeviceSynchronize());

  fetch(seen, log, sizeof seen);
  if (shown(executes)) assert_int_equal(100, seen[0]);
  if (shown(executes))
    for (int i = 0; i < 100; i++) assert_int_equal(i, seen[1 + i]);
  assert_ok(xpuEventDestroy(e));
  assert_ok(xpuStreamDestroy(a));
  assert_ok(xpuStreamDestroy(b));
  assert_ok(xpuFree(log));
}

static void the_time_between_two_records_is_that_of_the_work(void**) {
  const xpuEvent_t begin = new_event(), end = new_event();
  const xpuStream_t s = new_stream();
  float ms = -1;
  const double before = seconds();

  assert_ok(xpuEventRecord(begin, s));
  assert_ok(xpuLaunchHostFunc(
      s, [](void*) { sleep_ms(20); }, nullptr));
  assert_ok(xpuEventRecord(end, s));
  assert_ok(xpuEventSynchronize(end));
  const double wall = 1000 * (seconds() - before);

  if (shown(timestamps)) {
    assert_ok(xpuEventElapsedTime(&ms, begin, end));
    assert_true(ms >= 15 && static_cast<double>(ms) <= wall + 5);
    assert_ok(xpuEventElapsedTime(&ms, end, begin));
    assert_true(ms <= -15);
    assert_ok(xpuEventElapsedTime(&ms, end, end));
    assert_true(ms < 0.001f && ms > -0.001f);
  }
  assert_ok(xpuEventDestroy(begin));
  assert_ok(xpuEventDestroy(end));
  assert_ok(xpuStreamDestroy(s));
}

static void times_grow_along_a_stream_and_add_up(void**) {
  enum { kEvents = 12 };
  const xpuStream_t s = new_stream();
  xpuEvent_t e[kEvents];
  int* p = device_ints(1);
  for (int i = 0; i < kEvents; i++) e[i] = new_event();

  for (int i = 0; i < kEvents; i++) {
    launch_one(s, "slow_step", p, 3, 1, 20000);
    assert_ok(xpuEventRecord(e[i], s));
  }
  assert_ok(xpuStreamSynchronize(s));

  float total = 0, sum = 0;
  for (int i = 1; i < kEvents; i++) {
    float part = -1;
    assert_ok(xpuEventElapsedTime(&part, e[i - 1], e[i]));
    if (shown(timestamps)) assert_true(part > 0);
    sum += part;
  }
  assert_ok(xpuEventElapsedTime(&total, e[0], e[kEvents - 1]));
  if (shown(timestamps)) assert_true(total > 0.98f * sum - 0.01f && total < 1.02f * sum + 0.01f);
  for (int i = 0; i < kEvents; i++) assert_ok(xpuEventDestroy(e[i]));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

static void events_of_two_streams_share_a_clock(void**) {
  const xpuEvent_t first = new_event(), second = new_event();
  const xpuStream_t a = new_stream(), b = new_stream();
  float ms = -1;

  assert_ok(xpuEventRecord(first, a));
  assert_ok(xpuEventSynchronize(first));
  sleep_ms(5);
  assert_ok(xpuEventRecord(second, b));
  assert_ok(xpuEventSynchronize(second));

  if (shown(timestamps)) {
    assert_ok(xpuEventElapsedTime(&ms, first, second));
    assert_true(ms >= 4);
  }
  assert_ok(xpuEventDestroy(first));
  assert_ok(xpuEventDestroy(second));
  assert_ok(xpuStreamDestroy(a));
  assert_ok(xpuStreamDestroy(b));
}

static void there_is_no_time_without_two_timed_and_finished_records(void**) {
  static xpuEvent_t timed, untimed, never, pending;
  const xpuStream_t s = new_stream();
  timed = new_event();
  untimed = new_event(xpuEventDisableTiming);
  never = new_event();
  pending = new_event();
  assert_ok(xpuEventRecord(timed, s));
  assert_ok(xpuEventRecord(untimed, s));
  assert_ok(xpuStreamSynchronize(s));
  gate.shut(s);
  assert_ok(xpuEventRecord(pending, s));
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidResourceHandle, xpuEventElapsedTime, "end", "was never recorded",
              &outs.ms, timed, never),
      REFUSED(xpuErrorInvalidResourceHandle, xpuEventElapsedTime, "start", "was never recorded",
              &outs.ms, never, timed),
      REFUSED(xpuErrorInvalidResourceHandle, xpuEventElapsedTime, "end", "has no timing", &outs.ms,
              timed, untimed),
      REFUSED(xpuErrorInvalidResourceHandle, xpuEventElapsedTime, "start", "has no timing",
              &outs.ms, untimed, timed),
  };

  assert_all_refused(rows);
  assert_code(xpuEventElapsedTime(&outs.ms, timed, pending), xpuErrorNotReady);
  assert_code(xpuEventElapsedTime(&outs.ms, pending, timed), xpuErrorNotReady);
  assert_ok(xpuGetLastError());

  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));
  assert_ok(xpuEventDestroy(timed));
  assert_ok(xpuEventDestroy(untimed));
  assert_ok(xpuEventDestroy(never));
  assert_ok(xpuEventDestroy(pending));
  assert_ok(xpuStreamDestroy(s));
}

static void an_event_may_be_destroyed_while_it_is_pending(void**) {
  const xpuEvent_t e = new_event();
  const xpuStream_t s = new_stream();

  gate.shut(s);
  assert_ok(xpuEventRecord(e, s));
  assert_ok(xpuEventDestroy(e));
  assert_code(xpuEventQuery(e), xpuErrorInvalidResourceHandle);
  gate.open = 1;

  assert_ok(xpuStreamSynchronize(s));
  assert_ok(xpuStreamDestroy(s));
}

static void a_thousand_events_can_be_recorded_at_once(void**) {
  enum { kEvents = 1000 };
  static xpuEvent_t e[kEvents];
  const xpuStream_t s = new_stream();

  gate.shut(s);
  for (int i = 0; i < kEvents; i++) {
    e[i] = new_event(i % 2 ? xpuEventDisableTiming : xpuEventBlockingSync);
    assert_ok(xpuEventRecord(e[i], s));
  }
  gate.open = 1;
  for (int i = 0; i < kEvents; i++) {
    assert_ok(xpuEventSynchronize(e[i]));
    assert_ok(xpuEventDestroy(e[i]));
  }

  assert_ok(xpuStreamDestroy(s));
}

int main() {
  const Test tests[] = {
      xpu_test(an_event_that_was_never_recorded_is_finished),
      xpu_test(an_event_is_ready_when_the_work_before_it_is, results(polls)),
      xpu_test(work_after_the_record_does_not_count, results(polls | waits)),
      xpu_test(recording_again_forgets_the_old_mark, results(waits)),
      xpu_test(a_queued_wait_keeps_the_mark_it_was_given, results(executes | waits)),
      xpu_test(one_event_recorded_many_times_under_way_orders_each_time, results(executes)),
      xpu_test(the_time_between_two_records_is_that_of_the_work, results(timestamps)),
      xpu_test(times_grow_along_a_stream_and_add_up, results(timestamps)),
      xpu_test(events_of_two_streams_share_a_clock, results(timestamps)),
      xpu_test(there_is_no_time_without_two_timed_and_finished_records),
      xpu_test(an_event_may_be_destroyed_while_it_is_pending),
      xpu_test(a_thousand_events_can_be_recorded_at_once),
  };
  return run_all(tests);
}
