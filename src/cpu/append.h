// SPDX-License-Identifier: Apache-2.0
// One append under way: checks what all appends have in common, then takes the operation.
#pragma once

#include "spec/levelzero.h"

#include <memory>
#include <mutex>
#include <utility>

#include "cpu/code.h"
#include "cpu/list.h"

namespace xpu::cpu {

class Append {
 public:
  Append(const char* function, ze_command_list_handle_t list, ze_event_handle_t signal,
         uint32_t wait_count, ze_event_handle_t* waits);

  // The first thing found wrong; SUCCESS so far otherwise.
  ze_result_t result() const noexcept { return result_; }
  bool ok() const noexcept { return result_ == ZE_RESULT_SUCCESS; }
  const char* function() const noexcept { return function_; }
  List& list() const noexcept { return *list_; }
  Submission& submission() noexcept { return *submission_; }

  // Refuses memory of another device where there is no peer access, and unless the range may be
  // used (strict mode; else it is looked at when it runs).
  Append& memory(const char* what, const void* pointer, size_t size);
  // Refuses unless the list's ordinal computes.
  Append& compute();
  // Refuses a kernel with an argument that was never set, or (strict mode) that points to dead
  // memory.
  Append& kernel(const KernelSnapshot& kernel);
  void refuse(ze_result_t result) noexcept {
    if (ok()) result_ = result;
  }

  // Appends it; returns the first refusal if there was one.
  ze_result_t commit(Operation operation, Ordering ordering = kUnordered);

 private:
  ze_result_t read_waits(uint32_t count, ze_event_handle_t* waits);
  ze_result_t check_signal();
  ze_result_t check_reach(const Event& event) const;
  bool can_reach(const void* pointer) const;

  const char* function_;
  ze_result_t result_ = ZE_RESULT_SUCCESS;
  std::shared_ptr<List> list_;
  std::shared_ptr<Event> signal_;
  std::unique_ptr<Submission> submission_;
  std::unique_lock<std::mutex> lock_;
};

// -- The appends ---------------------------------------------------------------------------------

ze_result_t zeCommandListAppendBarrier(ze_command_list_handle_t, ze_event_handle_t, uint32_t,
                                       ze_event_handle_t*);
ze_result_t zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t, uint32_t,
                                                   const size_t*, const void**, ze_event_handle_t,
                                                   uint32_t, ze_event_handle_t*);
ze_result_t zeCommandListAppendSignalEvent(ze_command_list_handle_t, ze_event_handle_t);
ze_result_t zeCommandListAppendWaitOnEvents(ze_command_list_handle_t, uint32_t, ze_event_handle_t*);
ze_result_t zeCommandListAppendEventReset(ze_command_list_handle_t, ze_event_handle_t);
ze_result_t zeCommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t, uint64_t*,
                                                    ze_event_handle_t, uint32_t,
                                                    ze_event_handle_t*);
ze_result_t zeCommandListAppendQueryKernelTimestamps(ze_command_list_handle_t, uint32_t,
                                                     ze_event_handle_t*, void*, const size_t*,
                                                     ze_event_handle_t, uint32_t,
                                                     ze_event_handle_t*);
ze_result_t zeCommandListAppendHostFunction(ze_command_list_handle_t, ze_host_function_callback_t,
                                            void*, const void*, ze_event_handle_t, uint32_t,
                                            ze_event_handle_t*);

ze_result_t zexCommandListAppendWaitOnMemory(ze_command_list_handle_t,
                                             const ze_wait_on_memory_desc_t*, void*, uint32_t,
                                             ze_event_handle_t);
ze_result_t zexCommandListAppendWaitOnMemory64(ze_command_list_handle_t,
                                               const ze_wait_on_memory_desc_t*, void*, uint64_t,
                                               ze_event_handle_t);
ze_result_t zeCommandListAppendSignalExternalSemaphoreExt(
    ze_command_list_handle_t, uint32_t, ze_external_semaphore_ext_handle_t*,
    ze_external_semaphore_signal_params_ext_t*, ze_event_handle_t, uint32_t, ze_event_handle_t*);
ze_result_t zeCommandListAppendWaitExternalSemaphoreExt(ze_command_list_handle_t, uint32_t,
                                                        ze_external_semaphore_ext_handle_t*,
                                                        ze_external_semaphore_wait_params_ext_t*,
                                                        ze_event_handle_t, uint32_t,
                                                        ze_event_handle_t*);

ze_result_t zeCommandListAppendMemoryCopy(ze_command_list_handle_t, void*, const void*, size_t,
                                          ze_event_handle_t, uint32_t, ze_event_handle_t*);
ze_result_t zeCommandListAppendMemoryCopyWithParameters(ze_command_list_handle_t, void*,
                                                        const void*, size_t, const void*,
                                                        ze_event_handle_t, uint32_t,
                                                        ze_event_handle_t*);
ze_result_t zeCommandListAppendMemoryCopyFromContext(ze_command_list_handle_t, void*,
                                                     ze_context_handle_t, const void*, size_t,
                                                     ze_event_handle_t, uint32_t,
                                                     ze_event_handle_t*);
ze_result_t zeCommandListAppendMemoryCopyRegion(ze_command_list_handle_t, void*,
                                                const ze_copy_region_t*, uint32_t, uint32_t,
                                                const void*, const ze_copy_region_t*, uint32_t,
                                                uint32_t, ze_event_handle_t, uint32_t,
                                                ze_event_handle_t*);
ze_result_t zeCommandListAppendMemoryFill(ze_command_list_handle_t, void*, const void*, size_t,
                                          size_t, ze_event_handle_t, uint32_t, ze_event_handle_t*);
ze_result_t zeCommandListAppendMemoryFillWithParameters(ze_command_list_handle_t, void*,
                                                        const void*, size_t, size_t, const void*,
                                                        ze_event_handle_t, uint32_t,
                                                        ze_event_handle_t*);
ze_result_t zeCommandListAppendMemoryPrefetch(ze_command_list_handle_t, const void*, size_t);
ze_result_t zeCommandListAppendMemAdvise(ze_command_list_handle_t, ze_device_handle_t, const void*,
                                         size_t, ze_memory_advice_t);

ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t, ze_kernel_handle_t,
                                            const ze_group_count_t*, ze_event_handle_t, uint32_t,
                                            ze_event_handle_t*);
ze_result_t zeCommandListAppendLaunchCooperativeKernel(ze_command_list_handle_t, ze_kernel_handle_t,
                                                       const ze_group_count_t*, ze_event_handle_t,
                                                       uint32_t, ze_event_handle_t*);
ze_result_t zeCommandListAppendLaunchKernelWithParameters(ze_command_list_handle_t,
                                                          ze_kernel_handle_t,
                                                          const ze_group_count_t*, const void*,
                                                          ze_event_handle_t, uint32_t,
                                                          ze_event_handle_t*);
ze_result_t zeCommandListAppendLaunchKernelWithArguments(ze_command_list_handle_t,
                                                         ze_kernel_handle_t, const ze_group_count_t,
                                                         const ze_group_size_t, void**, const void*,
                                                         ze_event_handle_t, uint32_t,
                                                         ze_event_handle_t*);
ze_result_t zeCommandListAppendLaunchKernelIndirect(ze_command_list_handle_t, ze_kernel_handle_t,
                                                    const ze_group_count_t*, ze_event_handle_t,
                                                    uint32_t, ze_event_handle_t*);
ze_result_t zeCommandListAppendLaunchMultipleKernelsIndirect(ze_command_list_handle_t, uint32_t,
                                                             ze_kernel_handle_t*, const uint32_t*,
                                                             const ze_group_count_t*,
                                                             ze_event_handle_t, uint32_t,
                                                             ze_event_handle_t*);

}  // namespace xpu::cpu
