// SPDX-License-Identifier: Apache-2.0
// Events: what a record stands for, waits, times, and that old marks are used again.
#include "runtime_world.h"

namespace xpu::test {
namespace {

using runtime::Event;
using runtime::Stream;

void an_event_never_recorded_is_done_and_holds_nothing(void**) {
  Stream& s = new_stream();
  Event& e = new_event();

  const bool query = e.query().ok(), wait = e.wait(s).ok(), sync = e.synchronize().ok();
  const bool done = s.synchronize().ok();
  const bool none = e.native() == nullptr;

  assert_true(query && wait && sync && done);
  assert_true(none);
  destroy(e);
  destroy(s);
}

void an_event_is_done_when_the_work_before_it_is(void**) {
  Stream& s = new_stream();
  Event& e = new_event();
  Gate gate;

  gate.hold(s);
  must(e.record(s), "recording");
  const xpuError_t held = e.query().code();
  gate.open = true;
  const bool done = e.synchronize().ok();
  const bool query = e.query().ok();

  assert_int_equal(held, xpuErrorNotReady);
  assert_true(done && query);
  assert_int_equal(gate.passed.load(), 1);
  destroy(e);
  destroy(s);
}

void another_stream_waits_for_a_record(void**) {
  uint32_t* word = managed<uint32_t>(2);
  Stream& a = new_stream();
  Stream& b = new_stream();
  Event& e = new_event();
  Gate gate;

  gate.hold(a);
  fill_words(a, word, 11, 1);
  must(e.record(a), "recording");
  must(e.wait(b), "waiting");
  copy_words(b, word + 1, word, 1);
  const xpuError_t held = b.query().code();
  gate.open = true;
  const bool done = b.synchronize().ok();

  assert_int_equal(held, xpuErrorNotReady);
  assert_true(done);
  assert_int_equal(word[1], 11);
  destroy(e);
  destroy(a);
  destroy(b);
  free_managed(word);
}

// The wait keeps the moment it was made for: b waits for a's first record, not for c's work.
void recording_again_does_not_change_earlier_waits(void**) {
  uint32_t* word = managed<uint32_t>(2);
  Stream& a = new_stream();
  Stream& b = new_stream();
  Stream& c = new_stream();
  Event& e = new_event();
  Gate first, second;

  first.hold(a);
  fill_words(a, word, 21, 1);
  must(e.record(a), "recording");
  must(e.wait(b), "waiting");
  copy_words(b, word + 1, word, 1);
  second.hold(c);
  must(e.record(c), "recording again");
  first.open = true;
  const bool done = b.synchronize().ok();
  const xpuError_t held = e.query().code();
  second.open = true;
  const bool all = e.synchronize().ok() && c.synchronize().ok();

  assert_true(done);
  assert_int_equal(word[1], 21);
  assert_int_equal(held, xpuErrorNotReady);
  assert_true(all);
  destroy(e);
  destroy(a);
  destroy(b);
  destroy(c);
  free_managed(word);
}

void destroying_an_event_keeps_the_waits_for_it(void**) {
  uint32_t* word = managed<uint32_t>(2);
  Stream& a = new_stream();
  Stream& b = new_stream();
  Event& e = new_event();
  Gate gate;

  gate.hold(a);
  fill_words(a, word, 31, 1);
  must(e.record(a), "recording");
  must(e.wait(b), "waiting");
  destroy(e);
  // Events made now must not be the one that b still waits for.
  Event& other = new_event();
  must(other.record(b), "recording");
  copy_words(b, word + 1, word, 1);
  const xpuError_t held = b.query().code();
  gate.open = true;
  const bool done = b.synchronize().ok();

  assert_int_equal(held, xpuErrorNotReady);
  assert_true(done);
  assert_int_equal(word[1], 31);
  destroy(other);
  destroy(a);
  destroy(b);
  free_managed(word);
}

void many_records_and_waits_make_few_events(void**) {
  Stream& a = new_stream();
  Stream& b = new_stream();
  Event& e = new_event();
  Event& timed = new_event(xpuEventDefault);
  auto round = [&](int times) {
    for (int i = 0; i < times; i++) {
      must(e.record(a), "recording");
      must(e.wait(b), "waiting");
      must(timed.record(b), "recording");
      if (i % 16 == 0) must(b.synchronize(), "synchronising");
    }
    must(device().synchronize(), "synchronising");
  };

  round(100);
  recorder().clear();
  round(1000);
  const uint64_t events =
      recorder().of(Call::EventCreate) + recorder().of(Call::EventCounterBasedCreate);
  const uint64_t allocations = recorder().of(Call::MemAllocHost);

  // A pool of 64 more is chance; one for each record would be 2,000.
  assert_true(events <= 192);
  assert_true(allocations <= 1);
  destroy(e);
  destroy(timed);
  destroy(a);
  destroy(b);
}

void elapsed_time_is_the_time_between(void**) {
  Stream& s = new_stream();
  Event& start = new_event(xpuEventDefault);
  Event& end = new_event(xpuEventDefault);

  must(start.record(s), "recording");
  must(runtime::host_function(
           s,
           [](void*) {
             const timespec pause = {0, 30'000'000};
             nanosleep(&pause, nullptr);
           },
           nullptr),
       "a pause");
  must(end.record(s), "recording");
  const xpuError_t early = Event::elapsed(start, end).status().code();
  must(end.synchronize(), "waiting");
  const float ms = must(Event::elapsed(start, end), "elapsed");
  const float back = must(Event::elapsed(end, start), "elapsed backwards");

  assert_true(early == xpuErrorNotReady || early == xpuSuccess);
  assert_true(ms >= 29.0f && ms < 3000.0f);
  assert_true(back == -ms);
  destroy(start);
  destroy(end);
  destroy(s);
}

void events_without_a_time_have_no_elapsed_time(void**) {
  Stream& s = new_stream();
  Event& timed = new_event(xpuEventDefault);
  Event& plain = new_event(xpuEventDisableTiming);
  Event& never = new_event(xpuEventDefault);
  must(timed.record(s), "recording");
  must(plain.record(s), "recording");
  must(s.synchronize(), "waiting");

  const xpuError_t a = Event::elapsed(timed, plain).status().code();
  const xpuError_t b = Event::elapsed(never, timed).status().code();

  assert_int_equal(a, xpuErrorInvalidResourceHandle);
  assert_int_equal(b, xpuErrorInvalidResourceHandle);
  destroy(timed);
  destroy(plain);
  destroy(never);
  destroy(s);
}

void a_clock_may_wrap_between_two_readings(void**) {
  constexpr uint64_t mask32 = 0xffffffff;

  const double plain = runtime::ticks_to_ms(1000, 3000, ~uint64_t{0}, 1e6);
  const double wrapped = runtime::ticks_to_ms(0xfffffff0, 0x10, mask32, 1e3);
  const double dirty = runtime::ticks_to_ms(0xabc0000000000010, 0xdef0000000000030, mask32, 1e3);
  const double back = runtime::ticks_to_ms(0x10, 0xfffffff0, mask32, 1e3);
  const double full = runtime::ticks_to_ms(~uint64_t{0}, 1, ~uint64_t{0}, 1e3);

  assert_true(plain == 2.0);
  assert_true(wrapped == 32.0);
  assert_true(dirty == 32.0);
  assert_true(back == -32.0);
  assert_true(full == 2.0);
}

void unknown_flags_are_refused(void**) {
  const xpuError_t code = Event::create(device(), 0x80).status().code();

  assert_int_equal(code, xpuErrorInvalidValue);
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  const CMUnitTest tests[] = {
      cmocka_unit_test(an_event_never_recorded_is_done_and_holds_nothing),
      cmocka_unit_test(an_event_is_done_when_the_work_before_it_is),
      cmocka_unit_test(another_stream_waits_for_a_record),
      cmocka_unit_test(recording_again_does_not_change_earlier_waits),
      cmocka_unit_test(destroying_an_event_keeps_the_waits_for_it),
      cmocka_unit_test(many_records_and_waits_make_few_events),
      cmocka_unit_test(elapsed_time_is_the_time_between),
      cmocka_unit_test(events_without_a_time_have_no_elapsed_time),
      cmocka_unit_test(a_clock_may_wrap_between_two_readings),
      cmocka_unit_test(unknown_flags_are_refused),
  };
  return finish(XPU_RUN_TESTS(tests));
}
