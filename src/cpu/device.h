// SPDX-License-Identifier: Apache-2.0
// Devices: this machine's CPU, shown ZE_CPU_DEVICES times.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <memory>

#include "cpu/handle.h"

namespace xpu::cpu {

// Command queue groups: the ordinal is the index here.
inline constexpr uint32_t kComputeOrdinal = 0;
inline constexpr uint32_t kCopyOrdinal = 1;
inline constexpr uint32_t kQueueGroupCount = 2;
inline constexpr uint32_t kComputeQueues = 4;
inline constexpr uint32_t kCopyQueues = 1;

inline constexpr uint32_t queue_count(uint32_t ordinal) noexcept {
  return ordinal == kComputeOrdinal ? kComputeQueues : ordinal == kCopyOrdinal ? kCopyQueues : 0;
}

// Limits of a launch. The engine's own are never lower on the runtimes we know (PoCL: 4096
// work-items), and a kernel's may be: zeKernelSetGroupSize checks both.
inline constexpr uint32_t kMaxGroupSize = 1024;
inline constexpr uint32_t kMaxLocalMemory = 64 << 10;
inline constexpr uint32_t kMaxArgumentBytes = 1024;

class Device : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::device;
  explicit Device(uint32_t index) : Object(kType), index_(index) {}
  uint32_t index() const noexcept { return index_; }

 private:
  uint32_t index_;
};

ze_result_t zeDeviceGet(ze_driver_handle_t, uint32_t*, ze_device_handle_t*);
ze_result_t zeDeviceGetSubDevices(ze_device_handle_t, uint32_t*, ze_device_handle_t*);
ze_result_t zeDeviceGetRootDevice(ze_device_handle_t, ze_device_handle_t*);
ze_result_t zeDeviceGetProperties(ze_device_handle_t, ze_device_properties_t*);
ze_result_t zeDeviceGetComputeProperties(ze_device_handle_t, ze_device_compute_properties_t*);
ze_result_t zeDeviceGetModuleProperties(ze_device_handle_t, ze_device_module_properties_t*);
ze_result_t zeDeviceGetCommandQueueGroupProperties(ze_device_handle_t, uint32_t*,
                                                   ze_command_queue_group_properties_t*);
ze_result_t zeDeviceGetMemoryProperties(ze_device_handle_t, uint32_t*,
                                        ze_device_memory_properties_t*);
ze_result_t zeDeviceGetMemoryAccessProperties(ze_device_handle_t,
                                              ze_device_memory_access_properties_t*);
ze_result_t zeDeviceGetCacheProperties(ze_device_handle_t, uint32_t*,
                                       ze_device_cache_properties_t*);
ze_result_t zeDeviceGetImageProperties(ze_device_handle_t, ze_device_image_properties_t*);
ze_result_t zeDeviceGetExternalMemoryProperties(ze_device_handle_t,
                                                ze_device_external_memory_properties_t*);
ze_result_t zeDeviceGetP2PProperties(ze_device_handle_t, ze_device_handle_t,
                                     ze_device_p2p_properties_t*);
ze_result_t zeDeviceCanAccessPeer(ze_device_handle_t, ze_device_handle_t, ze_bool_t*);
ze_result_t zeDeviceGetStatus(ze_device_handle_t);
ze_result_t zeDeviceGetGlobalTimestamps(ze_device_handle_t, uint64_t*, uint64_t*);
ze_result_t zeDeviceReserveCacheExt(ze_device_handle_t, size_t, size_t);
ze_result_t zeDeviceSetCacheAdviceExt(ze_device_handle_t, void*, size_t, ze_cache_ext_region_t);

}  // namespace xpu::cpu
