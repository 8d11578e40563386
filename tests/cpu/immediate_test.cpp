// SPDX-License-Identifier: Apache-2.0
// Immediate lists and queues: asynchrony, order, closed lists as one unit, waiting with a time
// limit.
#include <atomic>
#include <thread>

#include "world.h"

using namespace world;

static const uint32_t kInOrder = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;

static void an_in_order_immediate_list_keeps_the_order_of_appends(void**) {
  uint32_t* data = words(2, 1);
  ze_command_list_handle_t list = immediate(kInOrder);
  uint32_t expected = 1;
  for (uint32_t i = 0; i < 60; ++i) {
    launch_times(list, data, 1, 3);
    GOOD(ze(CommandListAppendMemoryCopy)(list, data + 1, data, sizeof *data, nullptr, 0, nullptr));
    launch_add(list, data + 1, 1, i);
    GOOD(ze(CommandListAppendMemoryCopy)(list, data, data + 1, sizeof *data, nullptr, 0, nullptr));
    expected = expected * 3 + i;
  }
  sync(list);

  assert_int_equal(data[0], expected);
  GOOD(ze(CommandListDestroy)(list));
  give_back(data);
}

static void a_synchronous_list_returns_with_the_result(void**) {
  uint32_t* data = words(1, 1);
  ze_command_list_handle_t list = immediate(0, 0, 0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  launch_times(list, data, 1, 6);
  assert_int_equal(data[0], 6);
  launch_add(list, data, 1, 1);
  assert_int_equal(data[0], 7);
  GOOD(ze(CommandListDestroy)(list));
  give_back(data);
}

static void an_asynchronous_append_returns_before_the_work_is_done(void**) {
  uint32_t* data = words(1);
  ze_event_handle_t gate = event();
  ze_command_list_handle_t list = immediate(kInOrder);
  launch_add(list, data, 1, 3, nullptr, 1, &gate);
  const uint64_t before = now_ns();
  assert_int_equal(ze(CommandListHostSynchronize)(list, 0), ZE_RESULT_NOT_READY);
  assert_int_equal(ze(CommandListHostSynchronize)(list, 30'000'000), ZE_RESULT_NOT_READY);
  const uint64_t waited = now_ns() - before;
  assert_int_equal(data[0], 0);
  assert_true(waited >= 30'000'000 && waited < 2'000'000'000);
  GOOD(ze(EventHostSignal)(gate));
  sync(list);
  assert_int_equal(data[0], 3);
  GOOD(ze(CommandListDestroy)(list));
  destroy_event(gate);
  give_back(data);
}

// B can only run while A is blocked if they really are independent; both orders are tried.
static void a_blocked_queue_does_not_block_another(void**) {
  uint32_t* data = words(2);
  ze_event_handle_t gate = event();
  ze_command_list_handle_t a = immediate(kInOrder, 0);
  ze_command_list_handle_t b = immediate(kInOrder, 1);
  ze_command_list_handle_t copy = immediate(kInOrder, 0, 1);
  launch_add(a, data, 1, 1, nullptr, 1, &gate);
  launch_add(b, data + 1, 1, 1);
  sync(b);
  assert_int_equal(data[1], 1);
  const uint32_t seven = 7;
  GOOD(ze(CommandListAppendMemoryFill)(copy, data + 1, &seven, 4, 4, gate, 0, nullptr));
  sync(a);
  assert_int_equal(data[0], 1);
  assert_int_equal(data[1], 7);
  GOOD(ze(CommandListDestroy)(a));
  GOOD(ze(CommandListDestroy)(b));
  GOOD(ze(CommandListDestroy)(copy));
  destroy_event(gate);
  give_back(data);
}

static void closed_lists_run_as_one_unit_between_waits_and_signal(void**) {
  uint32_t* data = words(1, 2);
  ze_event_handle_t gate = event(), done = event();
  ze_command_list_handle_t lists[2] = {regular(), regular(ZE_COMMAND_LIST_FLAG_IN_ORDER)};
  ze_command_list_handle_t list = immediate(kInOrder);
  launch_add(lists[0], data, 1, 1);
  launch_times(lists[1], data, 1, 5);
  launch_add(lists[1], data, 1, 2);
  GOOD(ze(CommandListClose)(lists[0]));
  GOOD(ze(CommandListClose)(lists[1]));
  launch_times(list, data, 1, 10);
  GOOD(ze(CommandListImmediateAppendCommandListsExp)(list, 2, lists, done, 1, &gate));
  launch_add(list, data, 1, 1000);
  assert_int_equal(ze(EventHostSynchronize)(done, 5'000'000), ZE_RESULT_NOT_READY);
  GOOD(ze(EventHostSignal)(gate));
  GOOD(ze(EventHostSynchronize)(done, UINT64_MAX));
  sync(list);

  assert_int_equal(data[0], (2 * 10 + 1) * 5 + 2 + 1000);
  GOOD(ze(CommandListImmediateAppendCommandListsWithParameters)(list, 1, lists, nullptr, nullptr, 0,
                                                                nullptr));
  sync(list);
  assert_int_equal(data[0], 1108);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandListDestroy)(lists[0]));
  GOOD(ze(CommandListDestroy)(lists[1]));
  destroy_event(gate);
  destroy_event(done);
  give_back(data);
}

// Whoever sees the signal may submit the list again at once; strict mode would object if the list
// counted as in flight a moment longer.
static void a_list_may_be_submitted_again_once_its_signal_is_seen(void**) {
  uint32_t* data = words(1);
  ze_event_handle_t done = event();
  ze_command_list_handle_t closed = regular();
  ze_command_list_handle_t list = immediate(kInOrder);
  launch_add(closed, data, 1, 1);
  GOOD(ze(CommandListClose)(closed));
  for (uint32_t i = 0; i < 300; ++i) {
    GOOD(ze(CommandListImmediateAppendCommandListsExp)(list, 1, &closed, done, 0, nullptr));
    GOOD(ze(EventHostSynchronize)(done, UINT64_MAX));
    GOOD(ze(EventHostReset)(done));
  }
  assert_int_equal(data[0], 300);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandListDestroy)(closed));
  destroy_event(done);
  give_back(data);
}

static void a_fence_tells_when_its_submission_is_complete(void**) {
  uint32_t* data = words(1);
  ze_event_handle_t gate = event();
  ze_command_list_handle_t list = regular();
  ze_command_queue_handle_t q = queue(2);
  ze_fence_desc_t desc = {ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
  ze_fence_handle_t fence = nullptr;
  GOOD(ze(FenceCreate)(q, &desc, &fence));
  launch_add(list, data, 1, 4, nullptr, 1, &gate);
  GOOD(ze(CommandListClose)(list));

  GOOD(ze(CommandQueueExecuteCommandLists)(q, 1, &list, fence));
  assert_int_equal(ze(FenceQueryStatus)(fence), ZE_RESULT_NOT_READY);
  assert_int_equal(ze(FenceHostSynchronize)(fence, 3'000'000), ZE_RESULT_NOT_READY);
  assert_int_equal(ze(CommandQueueSynchronize)(q, 3'000'000), ZE_RESULT_NOT_READY);
  GOOD(ze(EventHostSignal)(gate));
  GOOD(ze(FenceHostSynchronize)(fence, UINT64_MAX));
  assert_int_equal(data[0], 4);
  GOOD(ze(FenceQueryStatus)(fence));
  GOOD(ze(FenceReset)(fence));
  assert_int_equal(ze(FenceQueryStatus)(fence), ZE_RESULT_NOT_READY);
  GOOD(ze(FenceDestroy)(fence));

  desc.flags = ZE_FENCE_FLAG_SIGNALED;
  GOOD(ze(FenceCreate)(q, &desc, &fence));
  GOOD(ze(FenceQueryStatus)(fence));
  GOOD(ze(FenceDestroy)(fence));
  GOOD(ze(CommandQueueSynchronize)(q, UINT64_MAX));
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  destroy_event(gate);
  give_back(data);
}

static void a_queue_says_what_it_is(void**) {
  ze_command_queue_handle_t q = queue(3);
  uint32_t ordinal = 9, index = 9;
  ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_DEFAULT;
  GOOD(ze(CommandQueueGetOrdinal)(q, &ordinal));
  GOOD(ze(CommandQueueGetIndex)(q, &index));
  GOOD(ze(CommandQueueGetMode)(q, &mode));
  assert_int_equal(ordinal, 0);
  assert_int_equal(index, 3);
  assert_int_equal(mode, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  GOOD(ze(CommandQueueDestroy)(q));
}

// What a callback may do: take its time, while other queues, and other callbacks, go on.
static std::atomic<int> entered{0};
static std::atomic<int> left{0};
static void wait_for_the_other(void*) {
  entered.fetch_add(1);
  while (entered.load() < 2) std::this_thread::yield();
  left.fetch_add(1);
}

static void callbacks_of_two_lists_run_at_the_same_time(void**) {
  ze_command_list_handle_t a = immediate(kInOrder, 0), b = immediate(kInOrder, 0);
  GOOD(ze(CommandListAppendHostFunction)(a, wait_for_the_other, nullptr, nullptr, nullptr, 0,
                                         nullptr));
  GOOD(ze(CommandListAppendHostFunction)(b, wait_for_the_other, nullptr, nullptr, nullptr, 0,
                                         nullptr));
  sync(a);
  sync(b);
  assert_int_equal(left.load(), 2);
  GOOD(ze(CommandListDestroy)(a));
  GOOD(ze(CommandListDestroy)(b));
}

static void double_it(void* data) { *static_cast<uint32_t*>(data) *= 2; }

static void a_host_function_runs_between_the_commands_around_it(void**) {
  uint32_t* data = words(1, 1);
  ze_event_handle_t done = event();
  ze_command_list_handle_t closed = regular(ZE_COMMAND_LIST_FLAG_IN_ORDER);
  launch_add(closed, data, 1, 4);
  GOOD(ze(CommandListAppendHostFunction)(closed, double_it, data, nullptr, done, 0, nullptr));
  launch_add(closed, data, 1, 1);
  GOOD(ze(CommandListAppendHostFunction)(closed, double_it, data, nullptr, nullptr, 1, &done));
  GOOD(ze(CommandListClose)(closed));
  ze_command_list_handle_t list = immediate(kInOrder);
  GOOD(ze(CommandListImmediateAppendCommandListsExp)(list, 1, &closed, nullptr, 0, nullptr));
  launch_add(list, data, 1, 100);
  sync(list);

  assert_int_equal(data[0], 122);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandListDestroy)(closed));
  destroy_event(done);
  give_back(data);
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(an_in_order_immediate_list_keeps_the_order_of_appends),
      cmocka_unit_test(a_synchronous_list_returns_with_the_result),
      cmocka_unit_test(an_asynchronous_append_returns_before_the_work_is_done),
      cmocka_unit_test(a_blocked_queue_does_not_block_another),
      cmocka_unit_test(closed_lists_run_as_one_unit_between_waits_and_signal),
      cmocka_unit_test(a_list_may_be_submitted_again_once_its_signal_is_seen),
      cmocka_unit_test(a_fence_tells_when_its_submission_is_complete),
      cmocka_unit_test(a_queue_says_what_it_is),
      cmocka_unit_test(callbacks_of_two_lists_run_at_the_same_time),
      cmocka_unit_test(a_host_function_runs_between_the_commands_around_it),
  };
  return WORLD_RUN_TESTS(tests);
}
