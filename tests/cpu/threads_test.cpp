// SPDX-License-Identifier: Apache-2.0
// Many threads at once: own lists on shared hardware queues, shared events, closed lists appended
// to one immediate list. Meant to be run under ThreadSanitizer too.
#include <array>
#include <thread>
#include <vector>

#include "world.h"

using namespace world;

static const uint32_t kInOrder = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
static const uint32_t kThreads = 6;
static const uint32_t kRounds = 40;

template <class Body>
static void in_threads(Body body) {
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i) threads.emplace_back([=] { body(i); });
  for (std::thread& t : threads) t.join();
}

static void each_thread_gets_the_result_of_its_own_list(void**) {
  uint32_t* data = words(kThreads, 1);
  in_threads([=](uint32_t me) {
    ze_kernel_handle_t add = kernel("add"), times = kernel("times");
    ze_command_list_handle_t list = immediate(kInOrder, me % 4);
    set_pointer(add, 0, data + me);
    set_pointer(times, 0, data + me);
    for (uint32_t i = 0; i < kRounds; ++i) {
      set_word(times, 1, 3);
      launch(list, times, 1);
      set_word(add, 1, me);
      launch(list, add, 1);
      if (i % 8 == 0) sync(list);
    }
    sync(list);
    GOOD(ze(CommandListDestroy)(list));
    GOOD(ze(KernelDestroy)(add));
    GOOD(ze(KernelDestroy)(times));
  });
  uint32_t wrong = 0;
  for (uint32_t me = 0; me < kThreads; ++me) {
    uint32_t expected = 1;
    for (uint32_t i = 0; i < kRounds; ++i) expected = expected * 3 + me;
    wrong += data[me] != expected;
  }
  assert_int_equal(wrong, 0);
  give_back(data);
}

// A ring: thread i adds after thread i - 1 of the same round, all through events and none through
// the host.
static void a_ring_of_events_runs_through_all_queues(void**) {
  uint32_t* data = words(1);
  std::array<std::array<ze_event_handle_t, kThreads>, kRounds> events{};
  for (auto& round : events) {
    for (auto& e : round) e = event();
  }
  in_threads([&events, data](uint32_t me) {
    ze_kernel_handle_t times = kernel("times"), add = kernel("add");
    ze_command_list_handle_t list = immediate(kInOrder, me % 4);
    set_pointer(add, 0, data);
    set_pointer(times, 0, data);
    set_word(times, 1, 3);
    set_word(add, 1, me);
    for (uint32_t i = 0; i < kRounds; ++i) {
      ze_event_handle_t* before = me      ? &events[i][me - 1]
                                  : i > 0 ? &events[i - 1][kThreads - 1]
                                          : nullptr;
      launch(list, times, 1, nullptr, before != nullptr, before);
      launch(list, add, 1, events[i][me]);
    }
    sync(list);
    GOOD(ze(CommandListDestroy)(list));
    GOOD(ze(KernelDestroy)(add));
    GOOD(ze(KernelDestroy)(times));
  });
  uint32_t expected = 0;
  for (uint32_t i = 0; i < kRounds; ++i) {
    for (uint32_t me = 0; me < kThreads; ++me) expected = expected * 3 + me;
  }
  assert_int_equal(data[0], expected);
  for (auto& round : events) {
    for (auto& e : round) destroy_event(e);
  }
  give_back(data);
}

static void closed_lists_come_from_several_threads_into_one_immediate_list(void**) {
  uint32_t* data = words(1);
  ze_command_list_handle_t list = immediate(kInOrder);
  in_threads([=](uint32_t) {
    ze_kernel_handle_t add = kernel("add");
    ze_event_handle_t done = counter_event();
    ze_command_list_handle_t closed = regular();
    set_pointer(add, 0, data);
    set_word(add, 1, 1);
    launch(closed, add, 1);
    GOOD(ze(CommandListClose)(closed));
    for (uint32_t i = 0; i < kRounds; ++i) {
      GOOD(ze(CommandListImmediateAppendCommandListsExp)(list, 1, &closed, done, 0, nullptr));
      GOOD(ze(EventHostSynchronize)(done, UINT64_MAX));
    }
    GOOD(ze(CommandListDestroy)(closed));
    GOOD(ze(EventDestroy)(done));
    GOOD(ze(KernelDestroy)(add));
  });
  sync(list);
  assert_int_equal(data[0], kThreads * kRounds);
  GOOD(ze(CommandListDestroy)(list));
  give_back(data);
}

static void many_threads_wait_for_one_event(void**) {
  ze_event_handle_t gate = event();
  std::array<ze_result_t, kThreads> results{};
  std::thread opener([gate] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    (void)ze(EventHostSignal)(gate);
  });
  in_threads(
      [&results, gate](uint32_t me) { results[me] = ze(EventHostSynchronize)(gate, UINT64_MAX); });
  opener.join();
  uint32_t wrong = 0;
  for (ze_result_t r : results) wrong += r != ZE_RESULT_SUCCESS;
  assert_int_equal(wrong, 0);
  destroy_event(gate);
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(each_thread_gets_the_result_of_its_own_list),
      cmocka_unit_test(a_ring_of_events_runs_through_all_queues),
      cmocka_unit_test(closed_lists_come_from_several_threads_into_one_immediate_list),
      cmocka_unit_test(many_threads_wait_for_one_event),
  };
  return WORLD_RUN_TESTS(tests);
}
