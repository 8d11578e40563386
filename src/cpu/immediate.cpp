// SPDX-License-Identifier: Apache-2.0
// What only immediate lists do: take closed lists as one unit, and say what they were created with.
#include "cpu/append.h"
#include "cpu/strict.h"

namespace xpu::cpu {

namespace {

ze_result_t append_lists(Append& append, uint32_t count, ze_command_list_handle_t* lists) {
  if (!append.ok()) return append.result();
  if (!append.list().immediate()) {
    return misuse(append.function(), ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
                  Handles::describe(append.list().handle()), " is not an immediate list");
  }
  if (!lists) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (count == 0) return ZE_RESULT_ERROR_INVALID_SIZE;
  append.refuse(
      gather_lists(append.function(), append.list().shape(), count, lists, &append.submission()));
  return append.commit(op::Nothing{});
}

template <class T>
ze_result_t answer(const char* function, ze_command_list_handle_t handle, T QueueShape::*member,
                   T* out) {
  List* list = cast<List>(handle);
  if (!list) return refused(handle);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (!list->immediate()) {
    return misuse(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(handle),
                  " is not an immediate list");
  }
  *out = list->shape().*member;
  return ZE_RESULT_SUCCESS;
}

}  // namespace

ze_result_t zeCommandListImmediateAppendCommandListsExp(
    ze_command_list_handle_t list, uint32_t count, ze_command_list_handle_t* lists,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  return append_lists(append, count, lists);
}

ze_result_t zeCommandListImmediateAppendCommandListsWithParameters(
    ze_command_list_handle_t list, uint32_t count, ze_command_list_handle_t* lists,
    const void* next, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (next) append.refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return append_lists(append, count, lists);
}

ze_result_t zeCommandListImmediateGetIndex(ze_command_list_handle_t list, uint32_t* out) {
  return answer(__func__, list, &QueueShape::index, out);
}
ze_result_t zeCommandListImmediateGetFlags(ze_command_list_handle_t list,
                                           ze_command_queue_flags_t* out) {
  return answer(__func__, list, &QueueShape::flags, out);
}
ze_result_t zeCommandListImmediateGetMode(ze_command_list_handle_t list,
                                          ze_command_queue_mode_t* out) {
  return answer(__func__, list, &QueueShape::mode, out);
}
ze_result_t zeCommandListImmediateGetPriority(ze_command_list_handle_t list,
                                              ze_command_queue_priority_t* out) {
  return answer(__func__, list, &QueueShape::priority, out);
}

}  // namespace xpu::cpu
