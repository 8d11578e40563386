// SPDX-License-Identifier: Apache-2.0
// Opens the runtime once, and finds streams.
#include "runtime/runtime.h"

#include <atomic>
#include <mutex>
#include <string>

#include "base/option.h"
#include "base/serial.h"

namespace xpu::runtime {
namespace {

std::atomic<Runtime*> the_runtime{nullptr};
thread_local int current_device = 0;

// Guards the opening; `failure` is what every later call gets.
struct Opening {
  std::mutex lock;
  Status failure;
};
Opening& opening() {
  static auto* made = new Opening;
  return *made;
}

}  // namespace

Runtime::Runtime(std::unique_ptr<ze::Driver> driver)
    : driver_(std::move(driver)), memory_(*driver_) {}

Result<std::unique_ptr<Runtime>> Runtime::open(Result<std::unique_ptr<ze::Driver>> driver) {
  if (!driver.ok()) return driver.take_status();
  start_serials();
  std::unique_ptr<Runtime> runtime(new Runtime(driver.take()));
  const auto& handles = runtime->driver_->devices();
  for (size_t i = 0; i < handles.size(); i++) {
    XPU_TRY_ASSIGN(
        std::unique_ptr<Device> device,
        Device::make(static_cast<int>(i), *runtime->driver_, handles[i], runtime->memory_));
    runtime->devices_.push_back(std::move(device));
  }
  return runtime;
}

Result<Runtime*> Runtime::get() {
  if (Runtime* open_already = the_runtime.load(std::memory_order_acquire)) [[likely]]
    return open_already;
  Opening& once = opening();
  std::lock_guard hold(once.lock);
  if (Runtime* open_already = the_runtime.load(std::memory_order_acquire)) return open_already;
  if (!once.failure.ok()) return once.failure.copy();
  auto opened = open(ze::Driver::open(options().driver));
  if (!opened.ok()) {
    once.failure = opened.take_status();
    return once.failure.copy();
  }
  the_runtime.store(opened.take().release(), std::memory_order_release);
  return the_runtime.load(std::memory_order_relaxed);
}

Status Runtime::adopt(const ze::NativeDriver& native) {
  Opening& once = opening();
  std::lock_guard hold(once.lock);
  if (the_runtime.load(std::memory_order_acquire))
    return Status::error(xpuErrorSetOnActiveProcess,
                         "the library has opened a driver already; xpuInitFromNative must come "
                         "before any call that needs a device");
  XPU_TRY_ASSIGN(std::unique_ptr<Runtime> opened, open(ze::Driver::adopt(native)));
  // An earlier failure to open one of our own does not matter any more.
  once.failure = Status();
  the_runtime.store(opened.release(), std::memory_order_release);
  return Status();
}

Result<Device*> Runtime::device(int index) {
  if (index < 0 || index >= device_count())
    return Status::error(
        xpuErrorInvalidDevice,
        "device " + std::to_string(index) + " is not in 0 to " + std::to_string(device_count() - 1),
        "device");
  return devices_[static_cast<size_t>(index)].get();
}

int Runtime::current_index() const noexcept { return current_device; }

Status Runtime::set_current(int index) {
  XPU_TRY_ASSIGN(const Device* found, device(index));
  current_device = found->index();
  return Status();
}

Result<Stream*> Runtime::stream(xpuStream_t handle) {
  const uint64_t word = from_public(handle);
  if (auto* found = static_cast<Stream*>(HandleTable::find(HandleType::stream, word))) [[likely]]
    return found;
  if (!handle || handle == xpuStreamLegacy) return current().legacy_stream();
  if (handle == xpuStreamPerThread) return current().per_thread_stream();
  return Status::error(xpuErrorInvalidResourceHandle,
                       "this is no live stream; was it destroyed already?", "stream");
}

}  // namespace xpu::runtime
