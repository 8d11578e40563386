// SPDX-License-Identifier: Apache-2.0
// The order of commands that nothing orders, under the ZE_CPU_SCHEDULE of this run.
#include <cstdlib>
#include <cstring>

#include "world.h"

using namespace world;

static const uint32_t kCommands = 24;

static const char* schedule() {
  const char* text = std::getenv("ZE_CPU_SCHEDULE");
  return text ? text : "program";
}

// Appends kCommands that take a ticket each; `taken[i]` becomes when the i-th one ran.
// There is a barrier behind each of the first `barriers`. Returns the kernel, to be destroyed once
// they have run.
static ze_kernel_handle_t append_tickets(ze_command_list_handle_t list, uint32_t* next,
                                         uint32_t* taken, uint32_t barriers) {
  ze_kernel_handle_t k = kernel("ticket");
  set_pointer(k, 0, next);
  set_pointer(k, 1, taken);
  for (uint32_t i = 0; i < kCommands; ++i) {
    set_word(k, 2, i);
    launch(list, k, 1);
    if (i < barriers) GOOD(ze(CommandListAppendBarrier)(list, nullptr, 0, nullptr));
  }
  return k;
}

struct Counts {
  uint32_t in_place;    // ran when it was appended
  uint32_t in_reverse;  // ran as far from the end
  uint32_t distinct;    // tickets that one command took
};

static Counts count(const uint32_t* taken) {
  Counts c = {0, 0, 0};
  uint32_t seen = 0;
  for (uint32_t i = 0; i < kCommands; ++i) {
    c.in_place += taken[i] == i;
    c.in_reverse += taken[i] == kCommands - 1 - i;
    if (taken[i] < kCommands && !(seen >> taken[i] & 1)) {
      seen |= 1u << taken[i];
      c.distinct++;
    }
  }
  return c;
}

static void a_plain_list_runs_in_the_chosen_order(void**) {
  uint32_t* next = words(1);
  uint32_t* taken = words(kCommands, 99);
  ze_command_list_handle_t list = regular();
  ze_command_queue_handle_t q = queue();
  ze_kernel_handle_t k = append_tickets(list, next, taken, 0);
  GOOD(ze(CommandListClose)(list));
  run(q, list);
  const Counts c = count(taken);
  GOOD(ze(KernelDestroy)(k));
  assert_int_equal(c.distinct, kCommands);
  if (strncmp(schedule(), "shuffle", 7) == 0) {
    assert_true(c.in_place < kCommands && c.in_reverse < kCommands);
  } else if (strcmp(schedule(), "reverse") == 0) {
    assert_int_equal(c.in_reverse, kCommands);
  } else {
    assert_int_equal(c.in_place, kCommands);
  }
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(next);
  give_back(taken);
}

static uint32_t in_place(uint32_t list_flags, uint32_t barriers) {
  uint32_t* next = words(1);
  uint32_t* taken = words(kCommands, 99);
  ze_command_list_handle_t list = regular(list_flags);
  ze_command_queue_handle_t q = queue();
  ze_kernel_handle_t k = append_tickets(list, next, taken, barriers);
  GOOD(ze(CommandListClose)(list));
  run(q, list);
  const Counts c = count(taken);
  GOOD(ze(KernelDestroy)(k));
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(next);
  give_back(taken);
  return c.in_place;
}

static void barriers_and_in_order_lists_leave_no_choice(void**) {
  assert_int_equal(in_place(0, kCommands), kCommands);
  assert_int_equal(in_place(ZE_COMMAND_LIST_FLAG_IN_ORDER, 0), kCommands);
}

// A list may begin as a chain and go on without order.
static void the_choice_begins_where_the_barriers_end(void**) {
  const uint32_t kept = in_place(0, kCommands / 2);
  assert_true(kept >= kCommands / 2);
  assert_int_equal(kept == kCommands, strcmp(schedule(), "program") == 0);
}

// A wait in the middle of an unordered window: chosen first or not, it must not block the others.
static void events_inside_a_window_are_respected_and_never_block_it(void**) {
  uint32_t* data = words(1, 1);
  ze_event_handle_t e[3] = {event(), event(), event()};
  ze_command_list_handle_t list = regular();
  ze_command_queue_handle_t q = queue();
  launch_add(list, data, 1, 1, e[2], 1, &e[1]);
  launch_times(list, data, 1, 5, e[1], 1, &e[0]);
  launch_add(list, data, 1, 2, e[0]);
  GOOD(ze(CommandListAppendBarrier)(list, nullptr, 0, nullptr));
  for (ze_event_handle_t each : e) GOOD(ze(CommandListAppendEventReset)(list, each));
  GOOD(ze(CommandListClose)(list));
  run(q, list);
  assert_int_equal(data[0], 16);
  run(q, list);
  assert_int_equal(data[0], 91);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  for (ze_event_handle_t each : e) destroy_event(each);
  give_back(data);
}

// With wait events a barrier waits for those only; the commands before it need a barrier without.
static void a_barrier_with_events_does_not_wait_for_earlier_commands(void**) {
  uint32_t* data = words(2);
  ze_event_handle_t open = event(), gate = event();
  ze_command_list_handle_t list = regular();
  ze_command_queue_handle_t q = queue();
  GOOD(ze(EventHostSignal)(open));
  launch_add(list, data, 1, 1, nullptr, 1, &gate);
  GOOD(ze(CommandListAppendBarrier)(list, nullptr, 1, &open));
  launch_add(list, data + 1, 1, 1, gate);
  GOOD(ze(CommandListClose)(list));
  run(q, list);
  assert_int_equal(data[0], 1);
  assert_int_equal(data[1], 1);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  destroy_event(open);
  destroy_event(gate);
  give_back(data);
}

static void a_burst_into_an_immediate_list_without_order_is_reordered_too(void**) {
  if (strcmp(schedule(), "reverse") != 0) return;
  uint32_t* next = words(1);
  uint32_t* taken = words(kCommands, 99);
  ze_event_handle_t gate = event();
  ze_command_list_handle_t list = immediate(0);
  GOOD(ze(CommandListAppendWaitOnEvents)(list, 1, &gate));
  ze_kernel_handle_t k = append_tickets(list, next, taken, false);
  GOOD(ze(EventHostSignal)(gate));
  sync(list);
  const Counts c = count(taken);
  GOOD(ze(KernelDestroy)(k));
  assert_int_equal(c.in_reverse, kCommands);
  GOOD(ze(CommandListDestroy)(list));
  destroy_event(gate);
  give_back(next);
  give_back(taken);
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_plain_list_runs_in_the_chosen_order),
      cmocka_unit_test(barriers_and_in_order_lists_leave_no_choice),
      cmocka_unit_test(the_choice_begins_where_the_barriers_end),
      cmocka_unit_test(events_inside_a_window_are_respected_and_never_block_it),
      cmocka_unit_test(a_barrier_with_events_does_not_wait_for_earlier_commands),
      cmocka_unit_test(a_burst_into_an_immediate_list_without_order_is_reordered_too),
  };
  return WORLD_RUN_TESTS(tests);
}
