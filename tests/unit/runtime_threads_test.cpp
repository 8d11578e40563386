// SPDX-License-Identifier: Apache-2.0
// Many threads on one device: streams, events, the default stream, memory, all at once.
#include <thread>
#include <vector>

#include "random_dag.h"
#include "runtime_world.h"

namespace xpu::test {
namespace {

using runtime::Event;
using runtime::Stream;

constexpr int kThreads = 4, kRounds = 40;

template <class Body>
void in_threads(Body body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++) threads.emplace_back([body, t] { body(t); });
  for (std::thread& thread : threads) thread.join();
}

void threads_share_streams_events_and_memory(void**) {
  Stream& shared = new_stream(xpuStreamDefault);
  Stream& legacy = *must(device().legacy_stream(), "the legacy stream");
  Event& event = new_event(xpuEventDefault);
  static std::atomic<int> wrong;
  wrong = 0;

  in_threads([&](int t) {
    Random random(static_cast<uint64_t>(t) + 1);
    for (int i = 0; i < kRounds; i++) {
      Stream& mine = new_stream(random.one_in(2) ? xpuStreamDefault : xpuStreamNonBlocking);
      uint32_t* words = managed<uint32_t>(64);
      const auto value = static_cast<uint32_t>(t * 1000 + i);
      fill_words(mine, words, value, 32);
      switch (random.below(4)) {
        case 0:
          must(event.record(mine), "recording");
          must(event.wait(shared), "waiting");
          break;
        case 1:
          must(event.record(shared), "recording");
          break;
        case 2:
          fill_words(legacy, words + 63, 1, 1);
          break;
        default:
          (void)event.query();
          break;
      }
      copy_words(mine, words + 32, words, 31);
      must(mine.synchronize(), "waiting");
      for (int w = 32; w < 63; w++) wrong += words[w] != value;
      destroy(mine);
      free_managed(words);
    }
  });
  const bool done = device().synchronize().ok();

  assert_true(done);
  assert_int_equal(wrong.load(), 0);
  destroy(event);
  destroy(shared);
}

// Each thread's work on the legacy stream reads what the same thread wrote on its own stream.
void the_default_order_holds_between_threads(void**) {
  Stream& legacy = *must(device().legacy_stream(), "the legacy stream");
  uint32_t* words = managed<uint32_t>(3 * kThreads);

  in_threads([&](int t) {
    Stream& mine = new_stream(xpuStreamDefault);
    uint32_t* at = words + 3 * t;
    for (uint32_t i = 1; i <= kRounds; i++) {
      fill_words(mine, at, i, 1);
      copy_words(legacy, at + 1, at, 1);
      copy_words(mine, at + 2, at + 1, 1);
      fill_words(mine, at, 0, 1);
    }
    must(mine.synchronize(), "waiting");
    destroy(mine);
  });

  for (int t = 0; t < kThreads; t++) assert_int_equal(words[3 * t + 2], kRounds);
  free_managed(words);
}

void a_threads_default_stream_outlives_the_thread_until_its_work_is_done(void**) {
  uint32_t* words = managed<uint32_t>(kThreads);
  static Gate gate;
  gate.open = false;

  in_threads([&](int t) {
    Stream& mine = *must(device().per_thread_stream(), "the thread's stream");
    must(runtime::host_function(mine, Gate::wait, &gate), "holding");
    fill_words(mine, words + t, 5, 1);
  });
  gate.open = true;
  const bool done = device().synchronize().ok();

  assert_true(done);
  for (int t = 0; t < kThreads; t++) assert_int_equal(words[t], 5);
  free_managed(words);
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  (void)device();
  const CMUnitTest tests[] = {
      cmocka_unit_test(threads_share_streams_events_and_memory),
      cmocka_unit_test(the_default_order_holds_between_threads),
      cmocka_unit_test(a_threads_default_stream_outlives_the_thread_until_its_work_is_done),
  };
  return finish(XPU_RUN_TESTS(tests));
}
