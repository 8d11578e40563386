// SPDX-License-Identifier: Apache-2.0
// Events: binary ones from pools, counter-based ones, and timestamps.
#include "world.h"

using namespace world;

static const uint32_t kInOrder = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
static const uint32_t kTimed =
    ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;

static void the_host_signals_resets_and_waits_with_a_limit(void**) {
  ze_event_handle_t e = event();
  assert_int_equal(ze(EventQueryStatus)(e), ZE_RESULT_NOT_READY);
  const uint64_t before = now_ns();
  assert_int_equal(ze(EventHostSynchronize)(e, 20'000'000), ZE_RESULT_NOT_READY);
  const uint64_t waited = now_ns() - before;
  assert_true(waited >= 20'000'000 && waited < 2'000'000'000);
  GOOD(ze(EventHostSignal)(e));
  GOOD(ze(EventQueryStatus)(e));
  GOOD(ze(EventHostSynchronize)(e, 0));
  GOOD(ze(EventHostReset)(e));
  assert_int_equal(ze(EventQueryStatus)(e), ZE_RESULT_NOT_READY);
  destroy_event(e);
}

static void events_order_commands_of_two_queues(void**) {
  uint32_t* data = words(1, 1);
  ze_event_handle_t first = event(), second = event();
  ze_command_list_handle_t a = immediate(0, 0), b = immediate(0, 1);
  // Appended in the wrong order on purpose: only the events make it (1 * 3 + 2) * 5.
  launch_times(b, data, 1, 5, nullptr, 1, &second);
  launch_add(a, data, 1, 2, second, 1, &first);
  launch_times(b, data, 1, 3, first);
  sync(a);
  sync(b);
  assert_int_equal(data[0], 25);
  GOOD(ze(CommandListDestroy)(a));
  GOOD(ze(CommandListDestroy)(b));
  destroy_event(first);
  destroy_event(second);
  give_back(data);
}

static void signal_wait_and_reset_are_commands_too(void**) {
  uint32_t* data = words(1, 1);
  ze_event_handle_t e = event();
  ze_command_list_handle_t producer = regular(), consumer = regular();
  ze_command_queue_handle_t p = queue(0), c = queue(1);
  launch_add(producer, data, 1, 4);
  GOOD(ze(CommandListAppendSignalEvent)(producer, e));
  GOOD(ze(CommandListClose)(producer));
  GOOD(ze(CommandListAppendWaitOnEvents)(consumer, 1, &e));
  launch_times(consumer, data, 1, 2);
  GOOD(ze(CommandListAppendEventReset)(consumer, e));
  GOOD(ze(CommandListClose)(consumer));
  for (int i = 0; i < 50; ++i) {
    GOOD(ze(CommandQueueExecuteCommandLists)(c, 1, &consumer, nullptr));
    GOOD(ze(CommandQueueExecuteCommandLists)(p, 1, &producer, nullptr));
    GOOD(ze(CommandQueueSynchronize)(c, UINT64_MAX));
    GOOD(ze(CommandQueueSynchronize)(p, UINT64_MAX));
    assert_int_equal(ze(EventQueryStatus)(e), ZE_RESULT_NOT_READY);
  }
  uint32_t expected = 1;
  for (int i = 0; i < 50; ++i) expected = (expected + 4) * 2;
  assert_int_equal(data[0], expected);
  GOOD(ze(CommandListDestroy)(producer));
  GOOD(ze(CommandListDestroy)(consumer));
  GOOD(ze(CommandQueueDestroy)(p));
  GOOD(ze(CommandQueueDestroy)(c));
  destroy_event(e);
  give_back(data);
}

static void a_barrier_can_wait_for_events_and_signal_one(void**) {
  uint32_t* data = words(1);
  ze_event_handle_t gate = event(), passed = event();
  ze_command_list_handle_t list = immediate(0);
  GOOD(ze(CommandListAppendBarrier)(list, passed, 1, &gate));
  launch_add(list, data, 1, 1);
  assert_int_equal(ze(CommandListHostSynchronize)(list, 5'000'000), ZE_RESULT_NOT_READY);
  assert_int_equal(ze(EventQueryStatus)(passed), ZE_RESULT_NOT_READY);
  GOOD(ze(EventHostSignal)(gate));
  sync(list);
  GOOD(ze(EventQueryStatus)(passed));
  assert_int_equal(data[0], 1);
  GOOD(ze(CommandListDestroy)(list));
  destroy_event(gate);
  destroy_event(passed);
  give_back(data);
}

static void a_counter_event_starts_signalled_and_follows_its_last_signal(void**) {
  uint32_t* data = words(1);
  ze_event_handle_t gate = event(), e = counter_event();
  ze_command_list_handle_t list = immediate(kInOrder);
  GOOD(ze(EventQueryStatus)(e));
  launch_add(list, data, 1, 1, e);
  GOOD(ze(EventHostSynchronize)(e, UINT64_MAX));
  assert_int_equal(data[0], 1);
  launch_add(list, data, 1, 1, e, 1, &gate);
  assert_int_equal(ze(EventQueryStatus)(e), ZE_RESULT_NOT_READY);
  GOOD(ze(EventHostSignal)(gate));
  GOOD(ze(EventHostSynchronize)(e, UINT64_MAX));
  assert_int_equal(data[0], 2);
  GOOD(ze(CommandListDestroy)(list));
  destroy_event(e);
  destroy_event(gate);
  give_back(data);
}

// B waits for what the event meant when B was appended, not for the later signal that never comes.
static void a_wait_sees_a_counter_event_as_it_was_at_append(void**) {
  uint32_t* data = words(2);
  ze_event_handle_t gate = event(), e = counter_event();
  ze_command_list_handle_t a = immediate(kInOrder, 0), b = immediate(kInOrder, 1);
  launch_add(a, data, 1, 1, e);
  launch_add(b, data + 1, 1, 7, nullptr, 1, &e);
  launch_add(a, data, 1, 1, e, 1, &gate);
  destroy_event(e);
  sync(b);
  assert_int_equal(data[1], 7);
  assert_int_equal(ze(CommandListHostSynchronize)(a, 0), ZE_RESULT_NOT_READY);
  GOOD(ze(EventHostSignal)(gate));
  sync(a);
  GOOD(ze(CommandListDestroy)(a));
  GOOD(ze(CommandListDestroy)(b));
  destroy_event(gate);
  give_back(data);
}

static void a_regular_in_order_list_counts_anew_each_time_it_runs(void**) {
  uint32_t* data = words(2);
  ze_event_handle_t gate = event(), e = counter_event();
  ze_command_list_handle_t closed = regular(ZE_COMMAND_LIST_FLAG_IN_ORDER);
  ze_command_list_handle_t a = immediate(kInOrder, 0), b = immediate(kInOrder, 1);
  launch_add(closed, data, 1, 1, e, 1, &gate);
  GOOD(ze(CommandListClose)(closed));
  uint64_t value = 0, address = 0;
  GOOD(ze(EventCounterBasedGetDeviceAddress)(e, &value, &address));
  assert_int_equal(value, 1);
  for (uint32_t i = 1; i <= 3; ++i) {
    GOOD(ze(CommandListImmediateAppendCommandListsExp)(a, 1, &closed, nullptr, 0, nullptr));
    assert_int_equal(ze(EventQueryStatus)(e), ZE_RESULT_NOT_READY);
    assert_int_equal(*reinterpret_cast<uint64_t*>(address), 0);
    launch_add(b, data + 1, 1, 1, nullptr, 1, &e);
    GOOD(ze(EventHostSignal)(gate));
    sync(b);
    assert_int_equal(data[0], i);
    sync(a);
    GOOD(ze(EventHostReset)(gate));
  }
  GOOD(ze(CommandListDestroy)(a));
  GOOD(ze(CommandListDestroy)(b));
  GOOD(ze(CommandListDestroy)(closed));
  destroy_event(e);
  destroy_event(gate);
  give_back(data);
}

static void a_pool_can_hold_counter_events(void**) {
  uint32_t* data = words(1);
  ze_event_pool_counter_based_exp_desc_t counting = {
      ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC, nullptr,
      ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE};
  ze_event_pool_desc_t desc = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, &counting,
                               ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 2};
  ze_event_pool_handle_t pool = nullptr;
  GOOD(ze(EventPoolCreate)(context(), &desc, 0, nullptr, &pool));
  ze_event_desc_t event_desc = {ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 1, 0, 0};
  ze_event_handle_t e = nullptr;
  GOOD(ze(EventCreate)(pool, &event_desc, &e));
  GOOD(ze(EventQueryStatus)(e));
  ze_command_list_handle_t list = immediate(kInOrder);
  launch_add(list, data, 1, 1, e);
  GOOD(ze(EventHostSynchronize)(e, UINT64_MAX));
  assert_int_equal(data[0], 1);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(EventDestroy)(e));
  GOOD(ze(EventPoolDestroy)(pool));
  give_back(data);
}

static void timestamps_enclose_the_command_and_nothing_before_it(void**) {
  uint32_t* data = words(1);
  auto* read = reinterpret_cast<ze_kernel_timestamp_result_t*>(words(32));
  auto* clock = reinterpret_cast<uint64_t*>(words(4));
  ze_event_handle_t e = event(kTimed);
  ze_event_handle_t counting = counter_event(ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE |
                                             ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP);
  ze_command_list_handle_t list = immediate(kInOrder);
  ze_kernel_timestamp_result_t t = {};
  assert_int_equal(ze(EventQueryKernelTimestamp)(e, &t), ZE_RESULT_NOT_READY);
  uint64_t host = 0, before = 0;
  GOOD(ze(DeviceGetGlobalTimestamps)(device(), &host, &before));
  launch_spin(list, data, 30);
  GOOD(ze(CommandListAppendWriteGlobalTimestamp)(list, clock, nullptr, 0, nullptr));
  launch_spin(list, data, 10, e);
  launch_add(list, data, 1, 1, counting);
  GOOD(ze(CommandListAppendWriteGlobalTimestamp)(list, clock + 1, nullptr, 0, nullptr));
  ze_event_handle_t both[2] = {e, counting};
  GOOD(ze(CommandListAppendQueryKernelTimestamps)(list, 2, both, read, nullptr, nullptr, 0,
                                                  nullptr));
  sync(list);
  GOOD(ze(EventQueryKernelTimestamp)(e, &t));

  assert_true(before < clock[0]);
  assert_true(clock[0] <= t.global.kernelStart);
  assert_true(t.global.kernelStart < t.global.kernelEnd);
  assert_true(t.global.kernelEnd <= read[1].global.kernelStart);
  assert_true(read[1].global.kernelEnd <= clock[1]);
  assert_true(t.context.kernelStart == t.global.kernelStart);
  assert_memory_equal(&t, &read[0], sizeof t);
  assert_true(t.global.kernelEnd - t.global.kernelStart > 1'000'000);
  GOOD(ze(CommandListDestroy)(list));
  destroy_event(e);
  destroy_event(counting);
  give_back(data);
  give_back(read);
  give_back(clock);
}

static void timestamps_come_through_the_newer_queries_too(void**) {
  ze_event_handle_t e = event(kTimed);
  ze_command_list_handle_t list = immediate(kInOrder);
  GOOD(ze(CommandListAppendBarrier)(list, e, 0, nullptr));
  sync(list);
  uint32_t count = 0;
  GOOD(ze(EventQueryKernelTimestampsExt)(e, device(), &count, nullptr));
  assert_int_equal(count, 1);
  ze_kernel_timestamp_result_t kernel = {};
  ze_synchronized_timestamp_result_ext_t synchronized = {};
  ze_event_query_kernel_timestamps_results_ext_properties_t results = {
      ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_RESULTS_EXT_PROPERTIES, nullptr, &kernel,
      &synchronized};
  GOOD(ze(EventQueryKernelTimestampsExt)(e, device(), &count, &results));
  ze_kernel_timestamp_result_t old = {};
  GOOD(ze(EventQueryTimestampsExp)(e, device(), &count, &old));
  assert_true(kernel.global.kernelStart != 0);
  assert_true(synchronized.global.kernelEnd == kernel.global.kernelEnd);
  assert_memory_equal(&old, &kernel, sizeof old);
  GOOD(ze(CommandListDestroy)(list));
  destroy_event(e);
}

static void an_event_says_what_it_is(void**) {
  ze_event_handle_t e = event();
  ze_event_pool_handle_t pool = nullptr;
  ze_event_scope_flags_t signal = 0, wait = 0;
  uint32_t flags = 9;
  ze_context_handle_t c = nullptr;
  GOOD(ze(EventGetEventPool)(e, &pool));
  GOOD(ze(EventGetSignalScope)(e, &signal));
  GOOD(ze(EventGetWaitScope)(e, &wait));
  GOOD(ze(EventPoolGetContextHandle)(pool, &c));
  assert_ptr_equal(c, context());
  assert_int_equal(signal, ZE_EVENT_SCOPE_FLAG_HOST);
  assert_int_equal(wait, ZE_EVENT_SCOPE_FLAG_HOST);
  GOOD(ze(EventPoolGetFlags)(pool, &flags));
  assert_int_equal(flags, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  GOOD(ze(EventGetCounterBasedFlags)(e, &flags));
  assert_int_equal(flags, 0);
  destroy_event(e);
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_host_signals_resets_and_waits_with_a_limit),
      cmocka_unit_test(events_order_commands_of_two_queues),
      cmocka_unit_test(signal_wait_and_reset_are_commands_too),
      cmocka_unit_test(a_barrier_can_wait_for_events_and_signal_one),
      cmocka_unit_test(a_counter_event_starts_signalled_and_follows_its_last_signal),
      cmocka_unit_test(a_wait_sees_a_counter_event_as_it_was_at_append),
      cmocka_unit_test(a_regular_in_order_list_counts_anew_each_time_it_runs),
      cmocka_unit_test(a_pool_can_hold_counter_events),
      cmocka_unit_test(timestamps_enclose_the_command_and_nothing_before_it),
      cmocka_unit_test(timestamps_come_through_the_newer_queries_too),
      cmocka_unit_test(an_event_says_what_it_is),
  };
  return WORLD_RUN_TESTS(tests);
}
