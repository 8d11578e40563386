// SPDX-License-Identifier: Apache-2.0
// Strict mode: each misuse is answered with an error, counted, and written down by name.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "world.h"

using namespace world;

static const uint32_t kInOrder = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;

// Standard error goes to a file between begin() and the question.
static struct {
  FILE* file;
  int saved;
  uint32_t reports;
} record;

static void begin() {
  record.reports = strict_reports();
  fflush(stderr);
  record.file = tmpfile();
  record.saved = dup(2);
  dup2(fileno(record.file), 2);
}

// Was there one report more, by that function, with these words?
static bool reported(const char* function, const char* words_of_it) {
  char text[4096] = {};
  fflush(stderr);
  dup2(record.saved, 2);
  close(record.saved);
  rewind(record.file);
  (void)!fread(text, 1, sizeof text - 1, record.file);
  fclose(record.file);
  fputs(text, stderr);
  char start[160];
  snprintf(start, sizeof start, "ze_cpu strict: %s: ", function);
  return strict_reports() == record.reports + 1 && strstr(text, start) && strstr(text, words_of_it);
}

#define MISUSE(call, function, words_of_it)                       \
  do {                                                            \
    begin();                                                      \
    const ze_result_t misuse_result = (call);                     \
    const bool misuse_reported = reported(function, words_of_it); \
    assert_int_not_equal(misuse_result, ZE_RESULT_SUCCESS);       \
    assert_true(misuse_reported);                                 \
  } while (false)

// A list in flight behind a gate, with all that hangs on it.
struct Flight {
  uint32_t* data;
  ze_event_handle_t gate, done;
  ze_kernel_handle_t kernel;
  ze_command_list_handle_t closed, list;
};

static Flight take_off() {
  Flight f = {words(1), event(), event(), kernel("add"), regular(0, 0, true), immediate(kInOrder)};
  set_pointer(f.kernel, 0, f.data);
  set_word(f.kernel, 1, 1);
  launch(f.closed, f.kernel, 1, f.done, 1, &f.gate);
  GOOD(ze(CommandListClose)(f.closed));
  GOOD(ze(CommandListImmediateAppendCommandListsExp)(f.list, 1, &f.closed, nullptr, 0, nullptr));
  return f;
}

static void land(const Flight& f) {
  GOOD(ze(EventHostSignal)(f.gate));
  sync(f.list);
  GOOD(ze(CommandListDestroy)(f.closed));
  GOOD(ze(CommandListDestroy)(f.list));
  GOOD(ze(KernelDestroy)(f.kernel));
  destroy_event(f.gate);
  destroy_event(f.done);
  give_back(f.data);
}

static void a_list_in_flight_is_not_submitted_changed_or_destroyed(void**) {
  Flight f = take_off();
  MISUSE(ze(CommandListImmediateAppendCommandListsExp)(f.list, 1, &f.closed, nullptr, 0, nullptr),
         "zeCommandListImmediateAppendCommandListsExp", "submitted again while it is in flight");
  MISUSE(ze(CommandListReset)(f.closed), "zeCommandListReset", "reset while it is in flight");
  MISUSE(ze(CommandListDestroy)(f.closed), "zeCommandListDestroy", "destroyed while");
  MISUSE(ze(CommandListDestroy)(f.list), "zeCommandListDestroy", "destroyed while");
  ze_mutable_commands_exp_desc_t nothing = {ZE_STRUCTURE_TYPE_MUTABLE_COMMANDS_EXP_DESC, nullptr,
                                            0};
  MISUSE(ze(CommandListUpdateMutableCommandsExp)(f.closed, &nothing),
         "zeCommandListUpdateMutableCommandsExp", "updated while it is in flight");
  land(f);
}

static void what_a_list_in_flight_uses_is_not_destroyed(void**) {
  Flight f = take_off();
  ze_event_pool_handle_t pool = nullptr;
  GOOD(ze(EventGetEventPool)(f.done, &pool));
  MISUSE(ze(EventDestroy)(f.gate), "zeEventDestroy", "1 commands in flight wait for it");
  MISUSE(ze(EventDestroy)(f.done), "zeEventDestroy", "1 signal or reset it");
  MISUSE(ze(EventPoolDestroy)(pool), "zeEventPoolDestroy", "still has 1 events");
  MISUSE(ze(EventHostReset)(f.done), "zeEventHostReset", "is reset while");
  MISUSE(ze(KernelDestroy)(f.kernel), "zeKernelDestroy", "");
  land(f);
}

static void a_list_is_closed_before_it_runs_and_takes_nothing_after(void**) {
  uint32_t* data = words(1);
  ze_command_list_handle_t open = regular(), list = immediate(kInOrder);
  ze_command_queue_handle_t q = queue();
  MISUSE(ze(CommandListImmediateAppendCommandListsExp)(list, 1, &open, nullptr, 0, nullptr),
         "zeCommandListImmediateAppendCommandListsExp", "is not closed");
  MISUSE(ze(CommandQueueExecuteCommandLists)(q, 1, &open, nullptr),
         "zeCommandQueueExecuteCommandLists", "is not closed");
  GOOD(ze(CommandListClose)(open));
  MISUSE(ze(CommandListAppendBarrier)(open, nullptr, 0, nullptr), "zeCommandListAppendBarrier",
         "is closed; reset it");
  ze_command_list_handle_t twice[2] = {open, open};
  MISUSE(ze(CommandQueueExecuteCommandLists)(q, 2, twice, nullptr),
         "zeCommandQueueExecuteCommandLists", "submitted twice");
  MISUSE(ze(CommandQueueExecuteCommandLists)(q, 1, &list, nullptr),
         "zeCommandQueueExecuteCommandLists", "is immediate");
  GOOD(ze(CommandListDestroy)(open));
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(data);
}

static void lists_go_to_queues_of_their_ordinal(void**) {
  ze_command_list_handle_t copies = regular(0, 1), list = immediate(kInOrder);
  ze_kernel_handle_t k = kernel("add");
  uint32_t* data = words(1);
  set_pointer(k, 0, data);
  set_word(k, 1, 1);
  const ze_group_count_t count = {1, 1, 1};
  MISUSE(ze(CommandListAppendLaunchKernel)(copies, k, &count, nullptr, 0, nullptr),
         "zeCommandListAppendLaunchKernel", "cannot run kernels");
  GOOD(ze(CommandListClose)(copies));
  MISUSE(ze(CommandListImmediateAppendCommandListsExp)(list, 1, &copies, nullptr, 0, nullptr),
         "zeCommandListImmediateAppendCommandListsExp", "ordinal 1 is submitted to");
  GOOD(ze(CommandListDestroy)(copies));
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(KernelDestroy)(k));
  give_back(data);
}

static void a_counter_event_is_signalled_by_in_order_lists_only(void**) {
  ze_event_handle_t e = counter_event(ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE);
  ze_command_list_handle_t plain = immediate(0), ordered = regular(ZE_COMMAND_LIST_FLAG_IN_ORDER);
  MISUSE(ze(CommandListAppendBarrier)(plain, e, 0, nullptr), "zeCommandListAppendBarrier",
         "which is not in-order");
  MISUSE(ze(CommandListAppendBarrier)(ordered, e, 0, nullptr), "zeCommandListAppendBarrier",
         "was not created to be signalled by regular lists");
  MISUSE(ze(EventHostSignal)(e), "zeEventHostSignal", "is counter-based");
  MISUSE(ze(EventHostReset)(e), "zeEventHostReset", "is counter-based");
  MISUSE(ze(CommandListAppendEventReset)(ordered, e), "zeCommandListAppendEventReset",
         "is counter-based");
  destroy_event(e);
  GOOD(ze(CommandListDestroy)(plain));
  GOOD(ze(CommandListDestroy)(ordered));
}

static void freed_memory_is_not_used_by_appends(void**) {
  uint32_t* data = words(4);
  uint32_t* gone = words(4);
  ze_command_list_handle_t list = immediate(kInOrder);
  ze_kernel_handle_t k = kernel("add");
  give_back(gone);
  MISUSE(ze(CommandListAppendMemoryCopy)(list, data, gone, 16, nullptr, 0, nullptr),
         "zeCommandListAppendMemoryCopy", "the source");
  MISUSE(ze(CommandListAppendMemoryFill)(list, data, data, 4, 64, nullptr, 0, nullptr),
         "zeCommandListAppendMemoryFill", "the target");
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(KernelDestroy)(k));
  give_back(data);
}

static void memory_freed_after_the_append_is_reported_when_the_command_runs(void**) {
  uint32_t* data = words(4);
  uint32_t* gone = words(4);
  ze_command_list_handle_t closed = regular(ZE_COMMAND_LIST_FLAG_IN_ORDER);
  ze_command_queue_handle_t q = queue();
  launch_add(closed, gone, 1, 1);
  launch_add(closed, data, 1, 1);
  GOOD(ze(CommandListClose)(closed));
  give_back(gone);
  begin();
  GOOD(ze(CommandQueueExecuteCommandLists)(q, 1, &closed, nullptr));
  const ze_result_t result = ze(CommandQueueSynchronize)(q, UINT64_MAX);
  const bool said = reported("zeCommandListAppendLaunchKernel", "argument 0 of kernel add");
  assert_int_equal(result, ZE_RESULT_ERROR_DEVICE_LOST);
  assert_true(said);
  // What does not touch it has run, and the failure is told once.
  assert_int_equal(data[0], 1);
  GOOD(ze(CommandQueueSynchronize)(q, UINT64_MAX));
  GOOD(ze(CommandListDestroy)(closed));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(data);
}

static void a_list_with_a_destroyed_kernel_or_event_is_not_submitted(void**) {
  uint32_t* data = words(1);
  ze_kernel_handle_t k = kernel("add");
  ze_event_handle_t e = event();
  ze_command_list_handle_t with_kernel = regular(), with_event = regular();
  ze_command_queue_handle_t q = queue();
  set_pointer(k, 0, data);
  set_word(k, 1, 1);
  launch(with_kernel, k, 1);
  GOOD(ze(CommandListAppendSignalEvent)(with_event, e));
  GOOD(ze(CommandListClose)(with_kernel));
  GOOD(ze(CommandListClose)(with_event));
  GOOD(ze(KernelDestroy)(k));
  destroy_event(e);
  MISUSE(ze(CommandQueueExecuteCommandLists)(q, 1, &with_kernel, nullptr),
         "zeCommandQueueExecuteCommandLists", "was destroyed since");
  MISUSE(ze(CommandQueueExecuteCommandLists)(q, 1, &with_event, nullptr),
         "zeCommandQueueExecuteCommandLists", "was destroyed since");
  MISUSE(ze(CommandListAppendSignalEvent)(with_event, e), "zeCommandListAppendSignalEvent", "");
  GOOD(ze(CommandListDestroy)(with_kernel));
  GOOD(ze(CommandListDestroy)(with_event));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(data);
}

// A's second run resets the event before B, submitted in between, has seen the first signal.
static void an_event_reset_while_an_earlier_command_waits_is_reported(void**) {
  ze_event_handle_t e = event(), gate = event();
  ze_command_list_handle_t a = immediate(kInOrder, 0), b = immediate(kInOrder, 1);
  ze_event_handle_t both[2] = {e, gate};
  GOOD(ze(CommandListAppendSignalEvent)(a, e));
  GOOD(ze(CommandListAppendBarrier)(b, nullptr, 2, both));
  sync(a);
  begin();
  GOOD(ze(CommandListAppendEventReset)(a, e));
  const ze_result_t result = ze(CommandListHostSynchronize)(a, UINT64_MAX);
  const bool said = reported("zeCommandListAppendEventReset", "still wait for it");
  assert_int_equal(result, ZE_RESULT_ERROR_UNKNOWN);
  assert_true(said);
  GOOD(ze(EventHostSignal)(e));
  GOOD(ze(EventHostSignal)(gate));
  sync(b);
  GOOD(ze(CommandListDestroy)(a));
  GOOD(ze(CommandListDestroy)(b));
  destroy_event(e);
  destroy_event(gate);
}

// Two lists on one hardware queue, the wait submitted before the signal: a device's ring stops at
// the wait. Here it goes on, and says so.
static void a_wait_for_a_later_submission_on_the_same_hardware_queue_is_reported(void**) {
  ze_event_handle_t e = event();
  ze_command_list_handle_t a = immediate(kInOrder, 2), b = immediate(kInOrder, 2);
  GOOD(ze(CommandListAppendWaitOnEvents)(a, 1, &e));
  begin();
  GOOD(ze(CommandListAppendSignalEvent)(b, e));
  const ze_result_t result = ze(CommandListHostSynchronize)(b, UINT64_MAX);
  const bool said = reported("hardware queue", "a device would never get there");
  assert_int_equal(result, ZE_RESULT_ERROR_UNKNOWN);
  assert_true(said);
  sync(a);
  GOOD(ze(CommandListDestroy)(a));
  GOOD(ze(CommandListDestroy)(b));
  destroy_event(e);
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_list_in_flight_is_not_submitted_changed_or_destroyed),
      cmocka_unit_test(what_a_list_in_flight_uses_is_not_destroyed),
      cmocka_unit_test(a_list_is_closed_before_it_runs_and_takes_nothing_after),
      cmocka_unit_test(lists_go_to_queues_of_their_ordinal),
      cmocka_unit_test(a_counter_event_is_signalled_by_in_order_lists_only),
      cmocka_unit_test(freed_memory_is_not_used_by_appends),
      cmocka_unit_test(memory_freed_after_the_append_is_reported_when_the_command_runs),
      cmocka_unit_test(a_list_with_a_destroyed_kernel_or_event_is_not_submitted),
      cmocka_unit_test(a_wait_for_a_later_submission_on_the_same_hardware_queue_is_reported),
      cmocka_unit_test(an_event_reset_while_an_earlier_command_waits_is_reported),
  };
  return WORLD_RUN_TESTS(tests);
}
