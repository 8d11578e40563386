// SPDX-License-Identifier: Apache-2.0
// Waits for values in memory, as Intel's driver has them by name.
#include "cpu/append.h"

namespace xpu::cpu {
namespace {

ze_result_t append_wait(Append& append, const ze_wait_on_memory_desc_t* desc, void* at,
                        uint64_t value, uint32_t bytes) {
  if (!append.ok()) return append.result();
  if (!desc || !at) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (reinterpret_cast<uintptr_t>(at) % bytes) return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  // One of the six.
  if (desc->action == 0 || desc->action > ZE_WAIT_ON_MEMORY_LESS_OR_EQUAL ||
      (desc->action & (desc->action - 1)) != 0)
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  append.memory("the value", at, bytes);
  return append.commit(op::WaitValue{at, value, bytes, desc->action}, kBeforeLater);
}

}  // namespace

ze_result_t zexCommandListAppendWaitOnMemory(ze_command_list_handle_t list,
                                             const ze_wait_on_memory_desc_t* desc, void* at,
                                             uint32_t value, ze_event_handle_t signal) {
  Append append(__func__, list, signal, 0, nullptr);
  return append_wait(append, desc, at, value, sizeof(uint32_t));
}

ze_result_t zexCommandListAppendWaitOnMemory64(ze_command_list_handle_t list,
                                               const ze_wait_on_memory_desc_t* desc, void* at,
                                               uint64_t value, ze_event_handle_t signal) {
  Append append(__func__, list, signal, 0, nullptr);
  return append_wait(append, desc, at, value, sizeof(uint64_t));
}

}  // namespace xpu::cpu
