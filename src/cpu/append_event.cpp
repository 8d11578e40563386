// SPDX-License-Identifier: Apache-2.0
// Barriers, events, timestamps and host functions: commands that order and observe others.
#include "cpu/append.h"
#include "cpu/strict.h"

namespace xpu::cpu {

namespace {

// With events a barrier waits for those only, not for the commands before it; it always holds back
// the commands after it.
Ordering barrier_ordering(uint32_t wait_count) noexcept {
  return wait_count ? kBeforeLater : kFullyOrdered;
}

// In a list without order, a kernel that signals an event and a reset of it race unless something
// comes between them; the reset waits for the kernel here, and would not on a device.
void report_unordered_reset(const char* function, const List& list, const EventState* event) {
  if (!strict() || list.immediate() || list.in_order()) return;
  const std::vector<Instruction>& all = list.code()->instructions;
  for (auto i = all.rbegin(); i != all.rend() && i->ordering == kUnordered; ++i) {
    if (i->signal.event.get() != event) continue;
    strict_report(function, event->describe() + " is reset without a barrier after " + i->function +
                                ", which signals it");
    return;
  }
}

}  // namespace

ze_result_t zeCommandListAppendBarrier(ze_command_list_handle_t list, ze_event_handle_t signal,
                                       uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  return append.commit(op::Nothing{}, barrier_ordering(wait_count));
}

ze_result_t zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t list, uint32_t count,
                                                   const size_t* sizes, const void** ranges,
                                                   ze_event_handle_t signal, uint32_t wait_count,
                                                   ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (append.ok() && count && (!sizes || !ranges)) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  for (uint32_t i = 0; append.ok() && i < count; ++i) {
    append.memory("a range", ranges[i], sizes[i]);
  }
  return append.commit(op::Nothing{}, barrier_ordering(wait_count));
}

ze_result_t zeCommandListAppendSignalEvent(ze_command_list_handle_t list, ze_event_handle_t event) {
  Append append(__func__, list, event, 0, nullptr);
  if (append.ok() && !event) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  return append.commit(op::Nothing{}, kAfterEarlier);
}

ze_result_t zeCommandListAppendWaitOnEvents(ze_command_list_handle_t list, uint32_t count,
                                            ze_event_handle_t* events) {
  Append append(__func__, list, nullptr, count, events);
  if (append.ok() && !events) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return append.commit(op::Nothing{}, kBeforeLater);
}

ze_result_t zeCommandListAppendEventReset(ze_command_list_handle_t list, ze_event_handle_t handle) {
  Append append(__func__, list, nullptr, 0, nullptr);
  if (!append.ok()) return append.result();
  Event* event = cast<Event>(handle);
  if (!event) return refused(handle);
  if (event->counter_based()) {
    return misuse(__func__, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(handle),
                  " is counter-based: it has no reset, the next signal replaces it");
  }
  report_unordered_reset(__func__, append.list(), event->state().get());
  return append.commit(op::Reset{event->state()}, kFullyOrdered);
}

ze_result_t zeCommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t list, uint64_t* target,
                                                    ze_event_handle_t signal, uint32_t wait_count,
                                                    ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (!append.ok()) return append.result();
  if (!target) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (reinterpret_cast<uintptr_t>(target) % sizeof *target) {
    return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  }
  append.memory("the target", target, sizeof *target);
  return append.commit(op::WriteClock{target});
}

ze_result_t zeCommandListAppendQueryKernelTimestamps(ze_command_list_handle_t list, uint32_t count,
                                                     ze_event_handle_t* events, void* target,
                                                     const size_t* offsets,
                                                     ze_event_handle_t signal, uint32_t wait_count,
                                                     ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (!append.ok()) return append.result();
  if (!events || !target) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  op::WriteTicks write;
  for (uint32_t i = 0; i < count; ++i) {
    Event* event = cast<Event>(events[i]);
    if (!event) return refused(events[i]);
    if (!event->shape().has_ticks) {
      return misuse(__func__, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(events[i]),
                    " has no timestamps: its pool was made without KERNEL_TIMESTAMP");
    }
    const size_t offset = offsets ? offsets[i] : i * sizeof(ze_kernel_timestamp_result_t);
    write.events.push_back(event->state());
    write.targets.push_back(static_cast<std::byte*>(target) + offset);
    append.memory("the target", write.targets.back(), sizeof(ze_kernel_timestamp_result_t));
  }
  return append.commit(std::move(write));
}

ze_result_t zeCommandListAppendHostFunction(ze_command_list_handle_t list,
                                            ze_host_function_callback_t function, void* data,
                                            const void* next, ze_event_handle_t signal,
                                            uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (!append.ok()) return append.result();
  if (!function) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (next) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  return append.commit(op::HostCall{function, data});
}

}  // namespace xpu::cpu
