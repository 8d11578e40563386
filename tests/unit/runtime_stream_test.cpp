// SPDX-License-Identifier: Apache-2.0
// Streams: order, the legacy default stream's rule, kept errors, destruction.
#include "runtime_world.h"

namespace xpu::test {
namespace {

using runtime::Stream;

Stream& legacy() { return *must(device().legacy_stream(), "the legacy stream"); }

void work_in_a_stream_runs_in_order(void**) {
  constexpr uint32_t words = 1024;
  uint32_t* a = managed<uint32_t>(words);
  uint32_t* b = managed<uint32_t>(words);
  Stream& s = new_stream();

  for (uint32_t i = 1; i <= 50; i++) {
    fill_words(s, a, i, words);
    copy_words(s, b, a, words);
    fill_words(s, a, 0, words);
  }
  const bool done = s.synchronize().ok();

  assert_true(done);
  for (uint32_t i = 0; i < words; i++) assert_int_equal(b[i], 50);
  destroy(s);
  free_managed(a);
  free_managed(b);
}

void a_query_is_not_ready_until_the_work_is_done(void**) {
  Stream& s = new_stream();
  Gate gate;

  const bool idle = s.query().ok();
  gate.hold(s);
  const xpuError_t held = s.query().code();
  const xpuError_t again = s.query().code();
  gate.open = true;
  const bool waited = s.synchronize().ok();
  const bool after = s.query().ok();

  assert_true(idle);
  assert_int_equal(held, xpuErrorNotReady);
  assert_int_equal(again, xpuErrorNotReady);
  assert_true(waited);
  assert_int_equal(gate.passed.load(), 1);
  assert_true(after);
  destroy(s);
}

void a_host_function_is_between_what_came_before_and_after(void**) {
  struct Seen {
    uint32_t* word;
    uint32_t before;
  };
  uint32_t* word = managed<uint32_t>(1);
  Seen seen = {word, 0};
  Stream& s = new_stream();

  fill_words(s, word, 7, 1);
  must(runtime::host_function(
           s,
           [](void* at) {
             auto* it = static_cast<Seen*>(at);
             it->before = *it->word;
             *it->word = 8;
           },
           &seen),
       "a host function");
  uint32_t* copy = managed<uint32_t>(1);
  copy_words(s, copy, word, 1);
  const bool done = s.synchronize().ok();

  assert_true(done);
  assert_int_equal(seen.before, 7);
  assert_int_equal(copy[0], 8);
  destroy(s);
  free_managed(word);
  free_managed(copy);
}

// Nothing orders the two streams, so the first function may wait for the second's.
void a_host_function_that_waits_for_another_streams_lets_it_run(void**) {
  Stream& a = new_stream();
  Stream& b = new_stream();
  Gate gate;

  gate.hold(a);
  must(runtime::host_function(
           b, [](void* at) { static_cast<Gate*>(at)->open = true; }, &gate),
       "a host function");
  const bool done = a.synchronize().ok() && b.synchronize().ok();

  assert_true(done);
  assert_int_equal(gate.passed.load(), 1);
  destroy(a);
  destroy(b);
}

void the_legacy_stream_waits_for_blocking_streams(void**) {
  uint32_t* word = managed<uint32_t>(2);
  Stream& blocking = new_stream(xpuStreamDefault);
  Gate gate;

  gate.hold(blocking);
  fill_words(blocking, word, 5, 1);
  copy_words(legacy(), word + 1, word, 1);
  const xpuError_t held = legacy().query().code();
  gate.open = true;
  const bool done = legacy().synchronize().ok();

  assert_int_equal(held, xpuErrorNotReady);
  assert_true(done);
  assert_int_equal(word[1], 5);
  destroy(blocking);
  free_managed(word);
}

void blocking_streams_wait_for_the_legacy_stream(void**) {
  uint32_t* word = managed<uint32_t>(3);
  Stream& one = new_stream(xpuStreamDefault);
  Stream& two = new_stream(xpuStreamDefault);
  Gate gate;

  gate.hold(legacy());
  fill_words(legacy(), word, 6, 1);
  copy_words(one, word + 1, word, 1);
  copy_words(two, word + 2, word, 1);
  const xpuError_t held = one.query().code();
  gate.open = true;
  const bool done = one.synchronize().ok() && two.synchronize().ok();

  assert_int_equal(held, xpuErrorNotReady);
  assert_true(done);
  assert_int_equal(word[1], 6);
  assert_int_equal(word[2], 6);
  destroy(one);
  destroy(two);
  free_managed(word);
}

void a_non_blocking_stream_passes_the_legacy_stream(void**) {
  uint32_t* word = managed<uint32_t>(1);
  Stream& s = new_stream(xpuStreamNonBlocking);
  Gate gate;

  gate.hold(legacy());
  fill_words(s, word, 9, 1);
  const bool done = s.synchronize().ok();
  const xpuError_t held = legacy().query().code();
  gate.open = true;
  const bool legacy_done = legacy().synchronize().ok();

  assert_true(done);
  assert_int_equal(word[0], 9);
  assert_int_equal(held, xpuErrorNotReady);
  assert_true(legacy_done);
  destroy(s);
  free_managed(word);
}

void the_per_thread_stream_is_a_blocking_one(void**) {
  uint32_t* word = managed<uint32_t>(2);
  Stream& mine = *must(device().per_thread_stream(), "the thread's stream");
  Stream& again = *must(device().per_thread_stream(), "the thread's stream");
  Gate gate;

  gate.hold(mine);
  fill_words(mine, word, 3, 1);
  copy_words(legacy(), word + 1, word, 1);
  gate.open = true;
  const bool done = legacy().synchronize().ok();

  assert_ptr_equal(&mine, &again);
  assert_true(done);
  assert_int_equal(word[1], 3);
  free_managed(word);
}

// What the rule costs while only one kind of stream is in use: no event command at all.
void streams_of_one_kind_append_no_waits(void**) {
  uint32_t* word = managed<uint32_t>(1);
  Stream& blocking = new_stream(xpuStreamDefault);
  must(device().synchronize(), "synchronising");
  fill_words(blocking, word, 1, 1);

  recorder().clear();
  for (uint32_t i = 0; i < 10; i++) fill_words(blocking, word, i, 1);
  const uint64_t waits = recorder().of(Call::CommandListAppendWaitOnEvents);
  const uint64_t signals = recorder().of(Call::CommandListAppendSignalEvent);
  must(device().synchronize(), "synchronising");

  assert_int_equal(waits, 0);
  assert_int_equal(signals, 0);
  destroy(blocking);
  free_managed(word);
}

void destroying_a_stream_lets_its_work_finish(void**) {
  uint32_t* word = managed<uint32_t>(1);
  Stream& s = new_stream();
  const uint64_t handle = s.handle();
  Gate gate;

  gate.hold(s);
  fill_words(s, word, 4, 1);
  const bool destroyed = Stream::destroy(handle);
  const bool twice = Stream::destroy(handle);
  gate.open = true;
  const bool done = device().synchronize().ok();

  assert_true(destroyed);
  assert_false(twice);
  assert_true(done);
  assert_int_equal(word[0], 4);
  free_managed(word);
}

void a_kept_error_comes_back_once(void**) {
  Stream& s = new_stream();

  s.keep_error(Status::error(xpuErrorLaunchFailure, "first"));
  s.keep_error(Status::error(xpuErrorUnknown, "second"));
  const xpuError_t first = s.synchronize().code();
  const xpuError_t second = s.synchronize().code();

  assert_int_equal(first, xpuErrorLaunchFailure);
  assert_int_equal(second, xpuSuccess);
  destroy(s);
}

void unknown_flags_are_refused(void**) {
  const xpuError_t code = Stream::create(device(), 2, 0).status().code();

  assert_int_equal(code, xpuErrorInvalidValue);
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  const CMUnitTest tests[] = {
      cmocka_unit_test(work_in_a_stream_runs_in_order),
      cmocka_unit_test(a_query_is_not_ready_until_the_work_is_done),
      cmocka_unit_test(a_host_function_is_between_what_came_before_and_after),
      cmocka_unit_test(a_host_function_that_waits_for_another_streams_lets_it_run),
      cmocka_unit_test(the_legacy_stream_waits_for_blocking_streams),
      cmocka_unit_test(blocking_streams_wait_for_the_legacy_stream),
      cmocka_unit_test(a_non_blocking_stream_passes_the_legacy_stream),
      cmocka_unit_test(the_per_thread_stream_is_a_blocking_one),
      cmocka_unit_test(streams_of_one_kind_append_no_waits),
      cmocka_unit_test(destroying_a_stream_lets_its_work_finish),
      cmocka_unit_test(a_kept_error_comes_back_once),
      cmocka_unit_test(unknown_flags_are_refused),
  };
  return finish(XPU_RUN_TESTS(tests));
}
