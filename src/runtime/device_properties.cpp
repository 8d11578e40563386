// SPDX-License-Identifier: Apache-2.0
// Asks the driver what a device is.
#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/device.h"

namespace xpu::runtime {
namespace {

uint64_t mask_of(uint32_t bits) noexcept {
  return bits && bits < 64 ? (uint64_t{1} << bits) - 1 : ~uint64_t{0};
}

}  // namespace

Status Device::read_properties() {
  ze_device_properties_t p = {};
  // The 1.2 form gives the timer in cycles for each second; the older one in whole nanoseconds,
  // which is off by 0.2 % at Intel's 52.08 ns.
  p.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  ZE_TRY(ze_->table(), DeviceGetProperties, ze_->handle(), &p);
  DeviceProperties& to = properties_;
  to.name.assign(p.name, strnlen(p.name, sizeof p.name));
  to.type = static_cast<uint32_t>(p.type);
  to.integrated = p.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
  std::memcpy(to.uuid, p.uuid.id, std::min(sizeof to.uuid, sizeof p.uuid.id));
  to.vendor = p.vendorId;
  to.id = p.deviceId;
  to.core_clock_mhz = p.coreClockRate;
  to.max_allocation = p.maxMemAllocSize;
  to.compute_units = p.numSlices * p.numSubslicesPerSlice;
  to.threads_per_unit = p.numEUsPerSubslice * p.numThreadsPerEU;
  to.ticks_per_second = p.timerResolution ? static_cast<double>(p.timerResolution) : 1e9;
  to.tick_mask = mask_of(p.timestampValidBits);
  to.kernel_tick_mask = mask_of(p.kernelTimestampValidBits);
  return Status();
}

Status Device::read_limits() {
  ze_device_compute_properties_t c = {};
  c.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  ZE_TRY(ze_->table(), DeviceGetComputeProperties, ze_->handle(), &c);
  DeviceProperties& to = properties_;
  to.max_group_size = c.maxTotalGroupSize;
  to.max_group[0] = c.maxGroupSizeX;
  to.max_group[1] = c.maxGroupSizeY;
  to.max_group[2] = c.maxGroupSizeZ;
  to.max_groups[0] = c.maxGroupCountX;
  to.max_groups[1] = c.maxGroupCountY;
  to.max_groups[2] = c.maxGroupCountZ;
  to.local_memory = c.maxSharedLocalMemory;
  const uint32_t sizes = std::min<uint32_t>(c.numSubGroupSizes, ZE_SUBGROUPSIZE_COUNT);
  for (uint32_t i = 0; i < sizes; i++) to.subgroup = std::max(to.subgroup, c.subGroupSizes[i]);
  return Status();
}

Status Device::read_memory() {
  uint32_t count = 0;
  ZE_TRY(ze_->table(), DeviceGetMemoryProperties, ze_->handle(), &count, nullptr);
  std::vector<ze_device_memory_properties_t> memories(count);
  for (auto& m : memories) m.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  if (count)
    ZE_TRY(ze_->table(), DeviceGetMemoryProperties, ze_->handle(), &count, memories.data());
  DeviceProperties& to = properties_;
  for (const auto& m : memories) {
    to.memory += m.totalSize;
    to.memory_clock_mhz = std::max(to.memory_clock_mhz, m.maxClockRate);
    to.memory_bus_bits = std::max(to.memory_bus_bits, m.maxBusWidth);
  }
  ze_device_memory_access_properties_t access = {};
  access.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES;
  ZE_TRY(ze_->table(), DeviceGetMemoryAccessProperties, ze_->handle(), &access);
  const auto shared = access.sharedSingleDeviceAllocCapabilities;
  to.unified_memory = shared & ZE_MEMORY_ACCESS_CAP_FLAG_RW;
  to.concurrent_managed = shared & ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT;
  to.system_memory = access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW;
  return Status();
}

}  // namespace xpu::runtime
