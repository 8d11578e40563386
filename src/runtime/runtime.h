// SPDX-License-Identifier: Apache-2.0
// The process's one runtime: the driver, the devices, each thread's current device, and how public
// handles are found.
#pragma once

#include <xpugraph/xpugraph.h>

#include <memory>
#include <vector>

#include "base/handle.h"
#include "base/status.h"
#include "runtime/device.h"
#include "runtime/event.h"
#include "runtime/kernel.h"
#include "runtime/memory.h"
#include "runtime/module.h"
#include "ze/driver.h"

namespace xpu::runtime {

class Runtime {
 public:
  // Opened at first use. If that failed, every call gives the same Status. Never destroyed: drivers
  // have threads of their own that outlive any owner.
  static Result<Runtime*> get();
  // Adopts the program's own driver. xpuErrorSetOnActiveProcess if the runtime is open already.
  static Status adopt(const ze::NativeDriver& native);

  const ze::Driver& driver() const noexcept { return *driver_; }
  Memory& memory() noexcept { return memory_; }
  int device_count() const noexcept { return static_cast<int>(devices_.size()); }
  // xpuErrorInvalidDevice outside 0 .. device_count()-1.
  Result<Device*> device(int index);
  // This thread's, 0 until set.
  int current_index() const noexcept;
  Device& current() noexcept { return *devices_[static_cast<size_t>(current_index())]; }
  Status set_current(int index);

  // NULL, xpuStreamLegacy and xpuStreamPerThread mean the current device's. A dead or foreign
  // handle gives xpuErrorInvalidResourceHandle.
  Result<Stream*> stream(xpuStream_t handle);

 private:
  explicit Runtime(std::unique_ptr<ze::Driver> driver);
  static Result<std::unique_ptr<Runtime>> open(Result<std::unique_ptr<ze::Driver>> driver);

  std::unique_ptr<ze::Driver> driver_;
  Memory memory_;
  std::vector<std::unique_ptr<Device>> devices_;
};

// Objects behind public handles; nullptr for what is not a live handle of that type.
inline Event* find_event(xpuEvent_t handle) noexcept {
  return static_cast<Event*>(HandleTable::find(HandleType::event, from_public(handle)));
}
inline Module* find_module(xpuModule_t handle) noexcept {
  return static_cast<Module*>(HandleTable::find(HandleType::module, from_public(handle)));
}
inline Kernel* find_kernel(xpuKernel_t handle) noexcept {
  return static_cast<Kernel*>(HandleTable::find(HandleType::kernel, from_public(handle)));
}

}  // namespace xpu::runtime
