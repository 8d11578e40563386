// SPDX-License-Identifier: Apache-2.0
// Which devices there are, and which one the calling thread works on.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include <c10/core/Device.h>
#include <c10/core/DispatchKey.h>

namespace xpugraph_torch {

/// For tests alone: to be PyTorch's device "xpu", so that its own code and programs for Intel GPUs
/// run as they are.
inline const bool claims_xpu = [] {
  const char* key = std::getenv("XPUGRAPH_TORCH_KEY");
  return key && std::string_view(key) == "xpu";
}();

/// The place that PyTorch keeps for devices from outside its tree, unless it is to be another's.
inline const c10::DeviceType device_type =
    claims_xpu ? c10::DeviceType::XPU : c10::DeviceType::PrivateUse1;
inline const c10::DispatchKey dispatch_key =
    claims_xpu ? c10::DispatchKey::XPU : c10::DispatchKey::PrivateUse1;

/// Devices beyond it are left out: tables are of fixed size, so that reading them needs no lock.
constexpr int most_devices = 16;

/// 0 where the library finds no device; device_error() says why.
c10::DeviceIndex device_count() noexcept;
std::string device_error();

c10::DeviceIndex current_device();
/// Checks the index.
void set_device(c10::DeviceIndex index);
inline c10::Device device(c10::DeviceIndex index) { return {device_type, index}; }

/// May the host read and write device memory? True of the CPU device alone: a GPU's own memory is
/// out of reach, also where both share the chips.
bool host_reaches(c10::DeviceIndex index);

/// The current device while it lives.
class OnDevice {
 public:
  explicit OnDevice(c10::DeviceIndex index) : before_(current_device()) {
    if (index != before_) set_device(index);
    changed_ = index != before_;
  }
  ~OnDevice() {
    if (changed_) set_device(before_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  c10::DeviceIndex before_;
  bool changed_ = false;
};

}  // namespace xpugraph_torch
