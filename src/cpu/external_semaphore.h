// SPDX-License-Identifier: Apache-2.0
// External semaphores (ZE_extension_external_semaphores): counters that programs, also other
// processes, share with the device by a file descriptor.
#pragma once

#include "spec/levelzero.h"

#include <cstdint>
#include <memory>

#include "cpu/handle.h"

namespace xpu::cpu {

// What a descriptor stands for. Kept by what was appended, so that it outlives the handle.
class SharedCounter {
 public:
  virtual ~SharedCounter() = default;
  virtual void signal(uint64_t value) noexcept = 0;
  // On a thread that may block. Returns early when the process ends.
  virtual void wait(uint64_t value) noexcept = 0;
};

// One semaphore of a command, with its value.
struct SemaphorePoint {
  std::shared_ptr<SharedCounter> counter;
  uint64_t value;
};

class Semaphore final : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::semaphore;
  explicit Semaphore(std::shared_ptr<SharedCounter> counter) noexcept
      : Object(kType), counter_(std::move(counter)) {}

  const std::shared_ptr<SharedCounter>& counter() const noexcept { return counter_; }

 private:
  std::shared_ptr<SharedCounter> counter_;
};

ze_result_t zeDeviceImportExternalSemaphoreExt(ze_device_handle_t,
                                               const ze_external_semaphore_ext_desc_t*,
                                               ze_external_semaphore_ext_handle_t*);
ze_result_t zeDeviceReleaseExternalSemaphoreExt(ze_external_semaphore_ext_handle_t);

}  // namespace xpu::cpu
