// SPDX-License-Identifier: Apache-2.0
// Fences: the completion of one submission to a command queue, seen by the host.
#pragma once

#include <level_zero/ze_api.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "cpu/handle.h"

namespace xpu::cpu {

class Queue;

class Fence : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::fence;
  Fence(std::shared_ptr<Queue> queue, bool signalled)
      : Object(kType), queue_(std::move(queue)), signalled_(signalled) {}

  const std::shared_ptr<Queue>& queue() const noexcept { return queue_; }
  bool signalled() const noexcept { return signalled_.load(std::memory_order_seq_cst); }
  ze_result_t failure() const noexcept { return failure_.load(std::memory_order_acquire); }
  void signal(ze_result_t failure) noexcept;
  void reset() noexcept;
  // Submissions in flight that will signal it.
  std::atomic<uint32_t> in_flight{0};

 private:
  const std::shared_ptr<Queue> queue_;
  std::atomic<bool> signalled_;
  std::atomic<ze_result_t> failure_{ZE_RESULT_SUCCESS};
};

ze_result_t zeFenceCreate(ze_command_queue_handle_t, const ze_fence_desc_t*, ze_fence_handle_t*);
ze_result_t zeFenceDestroy(ze_fence_handle_t);
ze_result_t zeFenceHostSynchronize(ze_fence_handle_t, uint64_t);
ze_result_t zeFenceQueryStatus(ze_fence_handle_t);
ze_result_t zeFenceReset(ze_fence_handle_t);

}  // namespace xpu::cpu
