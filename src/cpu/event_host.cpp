// SPDX-License-Identifier: Apache-2.0
// What the host does with an event: signal, reset, wait, query, and read its timestamps.
#include "cpu/bell.h"
#include "cpu/device.h"
#include "cpu/event.h"
#include "cpu/strict.h"
#include "cpu/worker.h"

namespace xpu::cpu {

namespace {

ze_kernel_timestamp_result_t to_result(const Ticks& ticks) noexcept {
  return {{ticks.start, ticks.end}, {ticks.start, ticks.end}};
}

// The event, if its timestamps can be read now.
ze_result_t with_ticks(const char* function, ze_event_handle_t handle, Event** out) {
  Event* event = cast<Event>(handle);
  if (!event) return refused(handle);
  if (!event->shape().has_ticks) {
    return misuse(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(handle),
                  " has no timestamps: its pool was made without KERNEL_TIMESTAMP");
  }
  if (!event->ready()) return ZE_RESULT_NOT_READY;
  *out = event;
  return ZE_RESULT_SUCCESS;
}

}  // namespace

ze_result_t zeEventHostSignal(ze_event_handle_t handle) {
  Event* event = cast<Event>(handle);
  if (!event) return refused(handle);
  if (event->counter_based()) {
    return misuse(__func__, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(handle),
                  " is counter-based: only an in-order list can signal it");
  }
  event->state()->signal(ZE_RESULT_SUCCESS);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostReset(ze_event_handle_t handle) {
  Event* event = cast<Event>(handle);
  if (!event) return refused(handle);
  if (event->counter_based()) {
    return misuse(__func__, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(handle),
                  " is counter-based: it has no reset, the next signal replaces it");
  }
  EventState& state = *event->state();
  if (strict()) {
    const uint32_t waits = state.signalled() ? state.waits_before(UINT64_MAX) : 0;
    const uint32_t uses = state.uses();
    if (waits + uses) {
      return misuse(__func__, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, Handles::describe(handle),
                    " is reset while ", waits, " commands in flight wait for it and ", uses,
                    " signal or reset it");
    }
  }
  state.reset();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostSynchronize(ze_event_handle_t handle, uint64_t timeout) {
  auto event = share<Event>(handle);
  if (!event) return refused(handle);
  const Wait wait = event->wait();
  const void* key = wait.counter ? static_cast<const void*>(wait.counter.get())
                                 : static_cast<const void*>(wait.event.get());
  const bool ready = wait_for(
      key, timeout, [&] { return wait.ready() || Workers::stopped(); }, [] {});
  if (!ready) return ZE_RESULT_NOT_READY;
  return wait.ready() ? wait.event->failure() : ZE_RESULT_ERROR_DEVICE_LOST;
}

ze_result_t zeEventQueryStatus(ze_event_handle_t handle) {
  return cpu::zeEventHostSynchronize(handle, 0);
}

ze_result_t zeEventCounterBasedGetDeviceAddress(ze_event_handle_t handle, uint64_t* value,
                                                uint64_t* address) {
  Event* event = cast<Event>(handle);
  if (!event) return refused(handle);
  if (!value || !address) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const Wait wait = event->wait();
  if (!wait.counter) {
    return misuse(__func__, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(handle),
                  " has no counter: it is not counter-based or no list has signalled it yet");
  }
  *value = wait.value;
  *address = reinterpret_cast<uint64_t>(&wait.counter->word());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventQueryKernelTimestamp(ze_event_handle_t handle,
                                        ze_kernel_timestamp_result_t* out) {
  Event* event = nullptr;
  if (!out && cast<Event>(handle)) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const ze_result_t result = with_ticks(__func__, handle, &event);
  if (result != ZE_RESULT_SUCCESS) return result;
  *out = to_result(event->state()->ticks());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventQueryTimestampsExp(ze_event_handle_t handle, ze_device_handle_t device,
                                      uint32_t* count, ze_kernel_timestamp_result_t* results) {
  Event* event = nullptr;
  const ze_result_t result = with_ticks(__func__, handle, &event);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (!cast<Device>(device)) return refused(device);
  if (!count) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  // A device without sub-devices gives one result per event.
  if (results && *count) results[0] = to_result(event->state()->ticks());
  if (*count == 0 || *count > 1) *count = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventQueryKernelTimestampsExt(
    ze_event_handle_t handle, ze_device_handle_t device, uint32_t* count,
    ze_event_query_kernel_timestamps_results_ext_properties_t* results) {
  Event* event = nullptr;
  const ze_result_t result = with_ticks(__func__, handle, &event);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (!cast<Device>(device)) return refused(device);
  if (!count) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (results && *count) {
    const Ticks ticks = event->state()->ticks();
    if (results->pKernelTimestampsBuffer) results->pKernelTimestampsBuffer[0] = to_result(ticks);
    // The device clock is the host's, so the synchronised values are the same.
    if (results->pSynchronizedTimestampsBuffer) {
      results->pSynchronizedTimestampsBuffer[0] = {{ticks.start, ticks.end},
                                                   {ticks.start, ticks.end}};
    }
  }
  if (*count == 0 || *count > 1) *count = 1;
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
