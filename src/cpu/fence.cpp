// SPDX-License-Identifier: Apache-2.0
// Fences.
#include "cpu/fence.h"

#include "cpu/bell.h"
#include "cpu/queue.h"
#include "cpu/strict.h"
#include "cpu/worker.h"

namespace xpu::cpu {

void Fence::signal(ze_result_t failure) noexcept {
  failure_.store(failure, std::memory_order_release);
  signalled_.store(true, std::memory_order_seq_cst);
  Bell::ring(this);
}

void Fence::reset() noexcept {
  failure_.store(ZE_RESULT_SUCCESS, std::memory_order_release);
  signalled_.store(false, std::memory_order_seq_cst);
}

ze_result_t zeFenceCreate(ze_command_queue_handle_t handle, const ze_fence_desc_t* desc,
                          ze_fence_handle_t* out) {
  auto queue = share<Queue>(handle);
  if (!queue) return refused(handle);
  if (!desc || !out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (desc->flags & ~static_cast<uint32_t>(ZE_FENCE_FLAG_SIGNALED)) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  return publish(std::make_shared<Fence>(std::move(queue), desc->flags != 0), out);
}

ze_result_t zeFenceDestroy(ze_fence_handle_t handle) {
  Fence* fence = cast<Fence>(handle);
  if (!fence) return refused(handle);
  if (strict() && fence->in_flight.load(std::memory_order_acquire)) {
    return misuse(__func__, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, Handles::describe(handle),
                  " is destroyed while a submission in flight will signal it");
  }
  (void)retire<Fence>(handle);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeFenceHostSynchronize(ze_fence_handle_t handle, uint64_t timeout) {
  auto fence = share<Fence>(handle);
  if (!fence) return refused(handle);
  Worker& worker = fence->queue()->worker();
  const bool ready = wait_for(
      fence.get(), timeout, [&] { return fence->signalled() || Workers::stopped(); },
      [&] { worker.hurry(); });
  if (ready) return fence->signalled() ? fence->failure() : ZE_RESULT_ERROR_DEVICE_LOST;
  if (timeout == 0) worker.hurry();
  return ZE_RESULT_NOT_READY;
}

ze_result_t zeFenceQueryStatus(ze_fence_handle_t handle) {
  return cpu::zeFenceHostSynchronize(handle, 0);
}

ze_result_t zeFenceReset(ze_fence_handle_t handle) {
  Fence* fence = cast<Fence>(handle);
  if (!fence) return refused(handle);
  if (strict() && fence->in_flight.load(std::memory_order_acquire)) {
    return misuse(__func__, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, Handles::describe(handle),
                  " is reset while a submission in flight will signal it");
  }
  fence->reset();
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
