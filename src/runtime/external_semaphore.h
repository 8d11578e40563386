// SPDX-License-Identifier: Apache-2.0
// External semaphores: counters shared with other programs, which streams and graphs signal and
// wait for.
#pragma once

#include <xpugraph/external_semaphore.h>

#include <memory>
#include <span>
#include <vector>

#include "base/handle.h"
#include "base/status.h"
#include "runtime/external.h"

namespace xpu::runtime {

class Device;

class Semaphore : public std::enable_shared_from_this<Semaphore> {
 public:
  // Takes `fd` over if it succeeds. Lives until destroy, and as long as a use of it.
  static Result<Semaphore*> import(Device& device, xpuExternalSemaphoreHandleType type, int fd);
  // What is queued keeps what it needs.
  static bool destroy(uint64_t handle) noexcept;

  Device& device() const noexcept { return device_; }
  // Of HandleType::semaphore, naming `this`.
  uint64_t handle() const noexcept { return handle_.value(); }
  ze_external_semaphore_ext_handle_t native() const noexcept { return native_.get(); }

 private:
  explicit Semaphore(Device& device) noexcept : device_(device) {}

  Device& device_;
  ze::OwnSemaphore native_;
  OwnedHandle handle_;
  std::shared_ptr<Semaphore> self_;
};

// A command that signals semaphores or waits for them, in the form that the driver takes: made
// once, so that a launch allocates nothing.
class SemaphoreUse final : public External {
 public:
  enum class What : uint8_t { signal, wait };

  // As many values as semaphores, at least one, all of one device.
  SemaphoreUse(What what, std::span<Semaphore* const> semaphores, std::span<const uint64_t> values);

  Device& device() const noexcept override { return semaphores_[0]->device(); }
  Status append(ze::List& list, ze::Sync sync = {}) const override;

 private:
  std::vector<std::shared_ptr<Semaphore>> semaphores_;
  std::vector<ze_external_semaphore_ext_handle_t> natives_;
  // One of them, by what it does.
  std::vector<ze_external_semaphore_signal_params_ext_t> signals_;
  std::vector<ze_external_semaphore_wait_params_ext_t> waits_;
};

}  // namespace xpu::runtime
