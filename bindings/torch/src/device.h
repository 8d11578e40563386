// SPDX-License-Identifier: Apache-2.0
// Which devices there are, and which one the calling thread works on.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/DispatchKey.h>

namespace xpugraph_torch {

/// The place that PyTorch keeps for devices from outside its tree.
constexpr c10::DeviceType device_type = c10::DeviceType::PrivateUse1;
constexpr c10::DispatchKey dispatch_key = c10::DispatchKey::PrivateUse1;

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
