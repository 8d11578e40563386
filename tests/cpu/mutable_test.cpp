// SPDX-License-Identifier: Apache-2.0
// Mutable lists: what can be changed after closing, and what is refused.
#include "world.h"

using namespace world;

static const uint32_t kInOrder = ZE_COMMAND_LIST_FLAG_IN_ORDER;

static uint64_t next_id(ze_command_list_handle_t list, uint32_t flags = 0) {
  ze_mutable_command_id_exp_desc_t desc = {ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC, nullptr,
                                           flags};
  uint64_t id = 0;
  GOOD(ze(CommandListGetNextCommandIdExp)(list, &desc, &id));
  return id;
}

static ze_result_t update(ze_command_list_handle_t list, const void* chain) {
  ze_mutable_commands_exp_desc_t desc = {ZE_STRUCTURE_TYPE_MUTABLE_COMMANDS_EXP_DESC, chain, 0};
  return ze(CommandListUpdateMutableCommandsExp)(list, &desc);
}

static void arguments_count_size_and_offset_change_together(void**) {
  uint32_t* data = words(16);
  uint32_t* other = words(16);
  ze_command_list_handle_t list = regular(kInOrder, 0, true);
  ze_command_queue_handle_t q = queue();
  ze_kernel_handle_t where = kernel("where", 2);
  const uint64_t add_id = next_id(list);
  launch_add(list, data, 4, 1);
  const uint64_t where_id = next_id(list);
  set_pointer(where, 0, other);
  launch(list, where, 1);
  GOOD(ze(CommandListClose)(list));
  run(q, list);
  assert_int_equal(data[3], 1);
  assert_int_equal(other[1], 2000);

  const uint32_t five = 5;
  uint32_t* pointer = data + 8;
  ze_group_count_t count = {2, 1, 1};
  ze_mutable_global_offset_exp_desc_t offset = {
      ZE_STRUCTURE_TYPE_MUTABLE_GLOBAL_OFFSET_EXP_DESC, nullptr, where_id, 3, 0, 0};
  ze_mutable_group_size_exp_desc_t size = {
      ZE_STRUCTURE_TYPE_MUTABLE_GROUP_SIZE_EXP_DESC, &offset, where_id, 4, 1, 1};
  ze_mutable_group_count_exp_desc_t groups = {ZE_STRUCTURE_TYPE_MUTABLE_GROUP_COUNT_EXP_DESC, &size,
                                              add_id, &count};
  ze_mutable_kernel_argument_exp_desc_t value = {
      ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC, &groups, add_id, 1, sizeof five, &five};
  ze_mutable_kernel_argument_exp_desc_t target = {
      ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC,
      &value,
      add_id,
      0,
      sizeof pointer,
      &pointer};
  GOOD(update(list, &target));
  assert_int_equal(ze(CommandQueueExecuteCommandLists)(q, 1, &list, nullptr),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
  GOOD(ze(CommandListClose)(list));
  run(q, list);

  assert_int_equal(data[0], 1);
  assert_int_equal(data[8], 5);
  assert_int_equal(data[9], 5);
  assert_int_equal(data[10], 0);
  assert_int_equal(other[3], 4003);
  assert_int_equal(other[6], 4003);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  GOOD(ze(KernelDestroy)(where));
  give_back(data);
  give_back(other);
}

static void a_refused_update_changes_nothing(void**) {
  uint32_t* data = words(2);
  ze_command_list_handle_t list = regular(kInOrder, 0, true);
  ze_command_queue_handle_t q = queue();
  const uint64_t id = next_id(list, ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS);
  launch_add(list, data, 1, 1);
  GOOD(ze(CommandListClose)(list));
  const uint32_t five = 5;
  const uint16_t narrow = 5;
  ze_group_count_t count = {2, 1, 1};
  ze_mutable_group_count_exp_desc_t groups = {ZE_STRUCTURE_TYPE_MUTABLE_GROUP_COUNT_EXP_DESC,
                                              nullptr, id, &count};
  ze_mutable_kernel_argument_exp_desc_t good_then_bad = {
      ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC, &groups, id, 1, sizeof five, &five};
  ze_mutable_kernel_argument_exp_desc_t wrong_size = {
      ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC, nullptr, id, 1, sizeof narrow, &narrow};
  ze_mutable_kernel_argument_exp_desc_t wrong_id = {
      ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC, nullptr, id + 7, 1, sizeof five, &five};
  assert_int_not_equal(update(list, &good_then_bad), ZE_RESULT_SUCCESS);
  assert_int_not_equal(update(list, &wrong_size), ZE_RESULT_SUCCESS);
  assert_int_not_equal(update(list, &wrong_id), ZE_RESULT_SUCCESS);
  run(q, list);
  assert_int_equal(data[0], 1);
  assert_int_equal(data[1], 0);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(data);
}

static void events_of_a_command_can_be_exchanged_and_removed(void**) {
  uint32_t* data = words(1);
  ze_event_handle_t gate = event(), other_gate = event(), done = event(), other_done = event();
  ze_command_list_handle_t list = regular(0, 0, true);
  ze_command_queue_handle_t q = queue();
  const uint64_t id = next_id(list);
  launch_add(list, data, 1, 1, done, 1, &gate);
  const uint64_t copy_id = next_id(list);
  GOOD(ze(CommandListAppendMemoryCopy)(list, data, data, 4, nullptr, 1, &done));
  GOOD(ze(CommandListClose)(list));

  GOOD(ze(CommandListUpdateMutableCommandSignalEventExp)(list, id, other_done));
  GOOD(ze(CommandListUpdateMutableCommandWaitEventsExp)(list, id, 1, &other_gate));
  GOOD(ze(CommandListUpdateMutableCommandWaitEventsExp)(list, copy_id, 0, nullptr));
  GOOD(ze(CommandListClose)(list));
  GOOD(ze(EventHostSignal)(other_gate));
  run(q, list);
  GOOD(ze(EventQueryStatus)(other_done));
  assert_int_equal(ze(EventQueryStatus)(done), ZE_RESULT_NOT_READY);

  ze_event_handle_t none = nullptr;
  GOOD(ze(EventHostReset)(other_gate));
  GOOD(ze(CommandListUpdateMutableCommandWaitEventsExp)(list, id, 1, &none));
  GOOD(ze(CommandListUpdateMutableCommandSignalEventExp)(list, id, nullptr));
  GOOD(ze(CommandListClose)(list));
  run(q, list);
  assert_int_equal(data[0], 2);
  ze_event_handle_t two[2] = {gate, gate};
  assert_int_equal(ze(CommandListUpdateMutableCommandWaitEventsExp)(list, id, 2, two),
                   ZE_RESULT_ERROR_INVALID_SIZE);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  destroy_event(gate);
  destroy_event(other_gate);
  destroy_event(done);
  destroy_event(other_done);
  give_back(data);
}

// The id names the barrier, which waits for nothing, and not the kernel behind it.
static void a_barrier_with_an_id_is_a_command_of_its_own(void**) {
  uint32_t* data = words(1);
  ze_event_handle_t gate = event(), other = event();
  ze_command_list_handle_t list = regular(0, 0, true);
  ze_command_queue_handle_t q = queue();
  launch_add(list, data, 1, 1);
  const uint64_t id = next_id(list);
  GOOD(ze(CommandListAppendBarrier)(list, nullptr, 0, nullptr));
  launch_add(list, data, 1, 1, nullptr, 1, &gate);
  GOOD(ze(CommandListClose)(list));
  assert_int_equal(ze(CommandListUpdateMutableCommandWaitEventsExp)(list, id, 1, &other),
                   ZE_RESULT_ERROR_INVALID_SIZE);
  GOOD(ze(EventHostSignal)(gate));
  run(q, list);
  assert_int_equal(data[0], 2);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  destroy_event(gate);
  destroy_event(other);
  give_back(data);
}

static void the_kernel_can_be_one_of_those_named_at_recording(void**) {
  uint32_t* data = words(1, 10);
  ze_kernel_handle_t kernels[2] = {kernel("add"), kernel("times")};
  ze_kernel_handle_t stranger = kernel("spin");
  ze_command_list_handle_t list = regular(kInOrder, 0, true);
  ze_command_queue_handle_t q = queue();
  ze_mutable_command_id_exp_desc_t desc = {ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC, nullptr,
                                           0x7f};
  uint64_t id = 0;
  GOOD(ze(CommandListGetNextCommandIdWithKernelsExp)(list, &desc, 2, kernels, &id));
  for (ze_kernel_handle_t k : kernels) {
    set_pointer(k, 0, data);
    set_word(k, 1, 3);
  }
  launch(list, kernels[0], 1);
  GOOD(ze(CommandListClose)(list));
  run(q, list);
  assert_int_equal(data[0], 13);

  assert_int_equal(ze(CommandListUpdateMutableCommandKernelsExp)(list, 1, &id, &stranger),
                   ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE);
  GOOD(ze(CommandListUpdateMutableCommandKernelsExp)(list, 1, &id, &kernels[1]));
  const uint32_t four = 4;
  ze_mutable_kernel_argument_exp_desc_t value = {
      ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC, nullptr, id, 1, sizeof four, &four};
  GOOD(update(list, &value));
  GOOD(ze(CommandListClose)(list));
  run(q, list);
  assert_int_equal(data[0], 52);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  for (ze_kernel_handle_t k : kernels) GOOD(ze(KernelDestroy)(k));
  GOOD(ze(KernelDestroy)(stranger));
  give_back(data);
}

static void what_the_real_driver_dies_of_is_an_error_here(void**) {
  uint32_t* data = words(1);
  ze_command_list_handle_t list = regular(0, 0, true), plain = regular();
  ze_bool_t is_mutable = 9;
  GOOD(ze(CommandListIsMutableExp)(list, &is_mutable));
  assert_int_equal(is_mutable, 1);
  (void)next_id(list);
  assert_int_equal(ze(CommandListAppendMemoryCopy)(list, data, data, 4, nullptr, 0, nullptr),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ze_mutable_command_id_exp_desc_t desc = {ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC, nullptr,
                                           0};
  uint64_t id = 0;
  assert_int_equal(ze(CommandListGetNextCommandIdExp)(plain, &desc, &id),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandListDestroy)(plain));
  give_back(data);
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(arguments_count_size_and_offset_change_together),
      cmocka_unit_test(a_refused_update_changes_nothing),
      cmocka_unit_test(events_of_a_command_can_be_exchanged_and_removed),
      cmocka_unit_test(a_barrier_with_an_id_is_a_command_of_its_own),
      cmocka_unit_test(the_kernel_can_be_one_of_those_named_at_recording),
      cmocka_unit_test(what_the_real_driver_dies_of_is_an_error_here),
  };
  return WORLD_RUN_TESTS(tests);
}
