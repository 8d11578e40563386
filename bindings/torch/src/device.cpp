// SPDX-License-Identifier: Apache-2.0
// Devices by number, asked from the C library.
#include "device.h"

#include <array>
#include <cstdlib>

#include <c10/util/Exception.h>

#include <xpugraph/device.h>

#include "status.h"

namespace xpugraph_torch {
namespace {

struct Devices {
  int count = 0;
  std::string error;
  std::array<bool, most_devices> host_reaches = {};

  Devices() noexcept {
    if (xpuGetDeviceCount(&count) != xpuSuccess) {
      count = 0;
      error = last_sentence();
      xpuGetLastError();
      return;
    }
    count = std::min<int>(count, most_devices);
    const char* stage = std::getenv("XPUGRAPH_TORCH_STAGE");
    if (stage && std::string(stage) == "1") return;
    for (int i = 0; i < count; ++i) {
      xpuDeviceProp prop = {};
      prop.struct_size = sizeof prop;
      host_reaches[i] =
          xpuGetDeviceProperties(&prop, i) == xpuSuccess && prop.type == xpuDeviceTypeCpu;
    }
  }
};

const Devices& devices() noexcept {
  static const Devices found;
  return found;
}

}  // namespace

c10::DeviceIndex device_count() noexcept { return static_cast<c10::DeviceIndex>(devices().count); }

std::string device_error() { return devices().error; }

c10::DeviceIndex current_device() {
  int index = 0;
  check(xpuGetDevice(&index));
  return static_cast<c10::DeviceIndex>(index);
}

void set_device(c10::DeviceIndex index) {
  TORCH_CHECK(index >= 0 && index < device_count(), "there is no device ", int(index),
              ": there are ", int(device_count()), ", counted from 0. ", device_error());
  check(xpuSetDevice(index));
}

bool host_reaches(c10::DeviceIndex index) { return devices().host_reaches.at(index); }

}  // namespace xpugraph_torch
