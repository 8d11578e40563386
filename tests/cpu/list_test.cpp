// SPDX-License-Identifier: Apache-2.0
// Regular lists: recording, executing, barriers, launches of every kind.
#include "world.h"

using namespace world;

static void a_closed_list_does_nothing_until_it_is_executed(void**) {
  uint32_t* data = words(4);
  ze_command_list_handle_t list = regular();
  ze_command_queue_handle_t q = queue();
  launch_add(list, data, 4, 5);
  GOOD(ze(CommandListClose)(list));
  assert_int_equal(data[3], 0);

  run(q, list);
  assert_int_equal(data[0], 5);
  assert_int_equal(data[3], 5);
  run(q, list);
  assert_int_equal(data[3], 10);

  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(data);
}

static void a_reset_list_is_empty_and_takes_commands_again(void**) {
  uint32_t* data = words(1);
  ze_command_list_handle_t list = regular();
  ze_command_queue_handle_t q = queue();
  launch_add(list, data, 1, 5);
  GOOD(ze(CommandListClose)(list));
  run(q, list);
  GOOD(ze(CommandListReset)(list));
  launch_add(list, data, 1, 100);
  GOOD(ze(CommandListClose)(list));

  run(q, list);

  assert_int_equal(data[0], 105);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(data);
}

// ((1 * 3 + 1) * 3 + 1) ...: any other order of kernels, copies and fills gives another value.
static void barriers_order_kernels_copies_and_fills(void**) {
  uint32_t* data = words(2);
  ze_command_list_handle_t list = regular();
  ze_command_queue_handle_t q = queue();
  const uint32_t one = 1;
  GOOD(ze(CommandListAppendMemoryFill)(list, data, &one, sizeof one, sizeof one, nullptr, 0,
                                       nullptr));
  uint32_t expected = 1;
  for (int i = 0; i < 5; ++i) {
    GOOD(ze(CommandListAppendBarrier)(list, nullptr, 0, nullptr));
    launch_times(list, data, 1, 3);
    GOOD(ze(CommandListAppendBarrier)(list, nullptr, 0, nullptr));
    GOOD(ze(CommandListAppendMemoryCopy)(list, data + 1, data, sizeof(uint32_t), nullptr, 0,
                                         nullptr));
    GOOD(ze(CommandListAppendMemoryRangesBarrier)(list, 0, nullptr, nullptr, nullptr, 0, nullptr));
    launch_add(list, data + 1, 1, 1);
    GOOD(ze(CommandListAppendBarrier)(list, nullptr, 0, nullptr));
    GOOD(ze(CommandListAppendMemoryCopyFromContext)(list, data, context(), data + 1,
                                                    sizeof(uint32_t), nullptr, 0, nullptr));
    expected = expected * 3 + 1;
  }
  GOOD(ze(CommandListClose)(list));

  run(q, list);

  assert_int_equal(data[0], expected);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(data);
}

static void an_in_order_list_needs_no_barriers(void**) {
  uint32_t* data = words(1, 1);
  ze_command_list_handle_t list = regular(ZE_COMMAND_LIST_FLAG_IN_ORDER);
  ze_command_queue_handle_t q = queue();
  uint32_t expected = 1;
  for (uint32_t i = 0; i < 40; ++i) {
    launch_times(list, data, 1, 3);
    launch_add(list, data, 1, i);
    expected = expected * 3 + i;
  }
  GOOD(ze(CommandListClose)(list));

  run(q, list);

  assert_int_equal(data[0], expected);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(data);
}

static void several_lists_run_in_the_order_of_the_array(void**) {
  uint32_t* data = words(1, 7);
  ze_command_list_handle_t lists[2] = {regular(), regular()};
  ze_command_queue_handle_t q = queue(1);
  launch_add(lists[0], data, 1, 1);
  launch_times(lists[1], data, 1, 10);
  GOOD(ze(CommandListClose)(lists[0]));
  GOOD(ze(CommandListClose)(lists[1]));

  GOOD(ze(CommandQueueExecuteCommandLists)(q, 2, lists, nullptr));
  GOOD(ze(CommandQueueSynchronize)(q, UINT64_MAX));

  assert_int_equal(data[0], 80);
  GOOD(ze(CommandListDestroy)(lists[0]));
  GOOD(ze(CommandListDestroy)(lists[1]));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(data);
}

static void a_launch_keeps_the_arguments_it_was_appended_with(void**) {
  uint32_t* data = words(2);
  ze_kernel_handle_t k = kernel("add");
  ze_command_list_handle_t list = regular();
  ze_command_queue_handle_t q = queue();
  set_pointer(k, 0, data);
  set_word(k, 1, 11);
  launch(list, k, 1);
  set_pointer(k, 0, data + 1);
  set_word(k, 1, 22);
  launch(list, k, 1);
  set_word(k, 1, 99);
  GOOD(ze(CommandListClose)(list));

  run(q, list);

  assert_int_equal(data[0], 11);
  assert_int_equal(data[1], 22);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  GOOD(ze(KernelDestroy)(k));
  give_back(data);
}

static void group_size_offset_and_local_memory_reach_the_kernel(void**) {
  uint32_t* data = words(8);
  uint32_t* source = words(8, 5);
  ze_kernel_handle_t where = kernel("where", 4);
  ze_kernel_handle_t sum = kernel("sum_local", 4);
  ze_command_list_handle_t list = immediate();
  set_pointer(where, 0, data);
  GOOD(ze(KernelSetGlobalOffsetExp)(where, 2, 0, 0));
  launch(list, where, 1);
  set_pointer(sum, 0, data);
  set_pointer(sum, 1, source);
  GOOD(ze(KernelSetArgumentValue)(sum, 2, 4 * sizeof(uint32_t), nullptr));
  launch(list, sum, 2);
  sync(list);

  assert_int_equal(data[2], 4002);
  assert_int_equal(data[5], 4002);
  assert_int_equal(data[6], 0);
  assert_int_equal(data[0], 20);
  assert_int_equal(data[1], 20);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(KernelDestroy)(where));
  GOOD(ze(KernelDestroy)(sum));
  give_back(data);
  give_back(source);
}

static void an_indirect_launch_reads_its_group_count_when_it_runs(void**) {
  uint32_t* data = words(8);
  auto* counts = reinterpret_cast<ze_group_count_t*>(words(6));
  ze_kernel_handle_t plan = kernel("plan_groups");
  ze_kernel_handle_t add = kernel("add");
  ze_command_list_handle_t list = regular(ZE_COMMAND_LIST_FLAG_IN_ORDER);
  ze_command_queue_handle_t q = queue();
  set_pointer(plan, 0, counts);
  set_word(plan, 1, 5);
  set_pointer(add, 0, data);
  set_word(add, 1, 1);
  launch(list, plan, 1);
  GOOD(ze(CommandListAppendLaunchKernelIndirect)(list, add, counts, nullptr, 0, nullptr));
  GOOD(ze(CommandListClose)(list));

  run(q, list);

  assert_int_equal(data[4], 1);
  assert_int_equal(data[5], 0);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  GOOD(ze(KernelDestroy)(plan));
  GOOD(ze(KernelDestroy)(add));
  give_back(data);
  give_back(counts);
}

static void of_several_indirect_launches_the_count_says_how_many_run(void**) {
  uint32_t* data = words(4);
  auto* counts = reinterpret_cast<ze_group_count_t*>(words(6, 1));
  uint32_t* limit = words(1, 1);
  ze_kernel_handle_t kernels[2] = {kernel("add"), kernel("add")};
  for (int i = 0; i < 2; ++i) {
    set_pointer(kernels[i], 0, data + i);
    set_word(kernels[i], 1, 6);
  }
  ze_command_list_handle_t list = regular();
  ze_command_queue_handle_t q = queue();
  GOOD(ze(CommandListAppendLaunchMultipleKernelsIndirect)(list, 2, kernels, limit, counts, nullptr,
                                                          0, nullptr));
  GOOD(ze(CommandListClose)(list));

  run(q, list);
  assert_int_equal(data[0], 6);
  assert_int_equal(data[1], 0);
  *limit = 2;
  counts[1].groupCountX = 0;
  run(q, list);
  assert_int_equal(data[0], 12);
  assert_int_equal(data[1], 0);

  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  GOOD(ze(KernelDestroy)(kernels[0]));
  GOOD(ze(KernelDestroy)(kernels[1]));
  give_back(data);
  give_back(counts);
  give_back(limit);
}

static void one_call_can_carry_sizes_and_arguments(void**) {
  uint32_t* data = words(8);
  uint32_t* source = words(8, 3);
  size_t scratch = 4 * sizeof(uint32_t);
  ze_kernel_handle_t sum = kernel("sum_local");
  ze_command_list_handle_t list = immediate();
  void* arguments[3] = {&data, &source, &scratch};
  ze_command_list_append_launch_kernel_param_cooperative_desc_t cooperative = {
      ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC, nullptr, true};
  GOOD(ze(CommandListAppendLaunchKernelWithArguments)(list, sum, {2, 1, 1}, {4, 1, 1}, arguments,
                                                      &cooperative, nullptr, 0, nullptr));
  sync(list);

  assert_int_equal(data[0], 12);
  assert_int_equal(data[1], 12);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(KernelDestroy)(sum));
  give_back(data);
  give_back(source);
}

static void a_list_says_what_it_is(void**) {
  ze_command_list_handle_t list = regular(ZE_COMMAND_LIST_FLAG_IN_ORDER, 1);
  ze_command_list_handle_t now = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER, 2);
  ze_device_handle_t d = nullptr;
  ze_context_handle_t c = nullptr;
  uint32_t ordinal = 9, index = 9, flags = 9;
  ze_bool_t is_immediate = 9;
  GOOD(ze(CommandListGetDeviceHandle)(list, &d));
  GOOD(ze(CommandListGetContextHandle)(list, &c));
  GOOD(ze(CommandListGetOrdinal)(list, &ordinal));
  GOOD(ze(CommandListGetFlags)(list, &flags));
  GOOD(ze(CommandListIsImmediate)(list, &is_immediate));
  assert_ptr_equal(d, device());
  assert_ptr_equal(c, context());
  assert_int_equal(ordinal, 1);
  assert_int_equal(flags, ZE_COMMAND_LIST_FLAG_IN_ORDER);
  assert_int_equal(is_immediate, 0);

  GOOD(ze(CommandListIsImmediate)(now, &is_immediate));
  GOOD(ze(CommandListImmediateGetIndex)(now, &index));
  assert_int_equal(is_immediate, 1);
  assert_int_equal(index, 2);
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandListDestroy)(now));
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_closed_list_does_nothing_until_it_is_executed),
      cmocka_unit_test(a_reset_list_is_empty_and_takes_commands_again),
      cmocka_unit_test(barriers_order_kernels_copies_and_fills),
      cmocka_unit_test(an_in_order_list_needs_no_barriers),
      cmocka_unit_test(several_lists_run_in_the_order_of_the_array),
      cmocka_unit_test(a_launch_keeps_the_arguments_it_was_appended_with),
      cmocka_unit_test(group_size_offset_and_local_memory_reach_the_kernel),
      cmocka_unit_test(an_indirect_launch_reads_its_group_count_when_it_runs),
      cmocka_unit_test(of_several_indirect_launches_the_count_says_how_many_run),
      cmocka_unit_test(one_call_can_carry_sizes_and_arguments),
      cmocka_unit_test(a_list_says_what_it_is),
  };
  return WORLD_RUN_TESTS(tests);
}
