// SPDX-License-Identifier: Apache-2.0
// The process may end with anything under way: main returns while a list waits for an event that
// nobody signals, a callback does not return, and kernels run. That the program ends, and with 0,
// is the test.
#include <atomic>
#include <thread>

#include "world.h"

using namespace world;

static std::atomic<bool> inside{false};
static void never_returns(void*) {
  inside = true;
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

static void waiting_costs_no_processor_time(void**) {
  ze_event_handle_t gate = event();
  ze_command_list_handle_t list = immediate();
  GOOD(ze(CommandListAppendWaitOnEvents)(list, 1, &gate));
  timespec before{}, after{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  assert_int_equal(ze(CommandListHostSynchronize)(list, 300'000'000), ZE_RESULT_NOT_READY);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const int64_t used =
      (after.tv_sec - before.tv_sec) * 1'000'000'000 + after.tv_nsec - before.tv_nsec;
  // A thread that polled would use all 300 ms of it.
  assert_true(used < 100'000'000);
  GOOD(ze(EventHostSignal)(gate));
  sync(list);
  GOOD(ze(CommandListDestroy)(list));
  destroy_event(gate);
}

// The handles go at once: without strict mode work in flight keeps what it needs.
static void the_process_ends_with_work_under_way(void**) {
  uint32_t* data = words(2);
  ze_event_handle_t never = event();
  ze_command_list_handle_t lists[3] = {immediate(), immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER, 1),
                                       immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER, 2)};
  launch_add(lists[0], data, 1, 1, nullptr, 1, &never);
  GOOD(ze(CommandListAppendHostFunction)(lists[1], never_returns, nullptr, nullptr, nullptr, 0,
                                         nullptr));
  while (!inside) std::this_thread::yield();
  for (int i = 0; i < 10; ++i) launch_spin(lists[2], data + 1, 5);
  for (ze_command_list_handle_t list : lists) GOOD(ze(CommandListDestroy)(list));
  destroy_event(never);
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(waiting_costs_no_processor_time),
      cmocka_unit_test(the_process_ends_with_work_under_way),
  };
  return WORLD_RUN_TESTS(tests);
}
