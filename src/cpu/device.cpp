// SPDX-License-Identifier: Apache-2.0
// Devices: enumeration, peers, status, clock. What they are is in device_properties.cpp.
#include "cpu/device.h"

#include <algorithm>

#include "cpu/clock.h"
#include "cpu/driver.h"
#include "cpu/settings.h"

namespace xpu::cpu {

ze_result_t zeDeviceGet(ze_driver_handle_t driver, uint32_t* count, ze_device_handle_t* devices) {
  const Driver* d = cast<Driver>(driver);
  if (!d) return refused(driver);
  if (!count) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const auto available = static_cast<uint32_t>(d->devices().size());
  if (!devices || *count == 0) {
    *count = available;
    return ZE_RESULT_SUCCESS;
  }
  *count = std::min(*count, available);
  for (uint32_t i = 0; i < *count; ++i)
    devices[i] = static_cast<ze_device_handle_t>(d->devices()[i]->handle());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetSubDevices(ze_device_handle_t device, uint32_t* count, ze_device_handle_t*) {
  if (!cast<Device>(device)) return refused(device);
  if (!count) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *count = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetRootDevice(ze_device_handle_t device, ze_device_handle_t* root) {
  if (!cast<Device>(device)) return refused(device);
  if (!root) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *root = nullptr;  // it is a root device itself
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceCanAccessPeer(ze_device_handle_t device, ze_device_handle_t peer,
                                  ze_bool_t* value) {
  if (!cast<Device>(device)) return refused(device);
  if (!cast<Device>(peer)) return refused(peer);
  if (!value) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *value = device == peer || has(Feature::peer_access);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetStatus(ze_device_handle_t device) {
  return cast<Device>(device) ? ZE_RESULT_SUCCESS : refused(device);
}

ze_result_t zeDeviceGetGlobalTimestamps(ze_device_handle_t device, uint64_t* host,
                                        uint64_t* ticks) {
  if (!cast<Device>(device)) return refused(device);
  if (!host || !ticks) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *host = *ticks = clock_now();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceReserveCacheExt(ze_device_handle_t device, size_t, size_t) {
  return cast<Device>(device) ? ZE_RESULT_ERROR_UNSUPPORTED_FEATURE : refused(device);
}

ze_result_t zeDeviceSetCacheAdviceExt(ze_device_handle_t device, void*, size_t,
                                      ze_cache_ext_region_t) {
  return cast<Device>(device) ? ZE_RESULT_ERROR_UNSUPPORTED_FEATURE : refused(device);
}

}  // namespace xpu::cpu
