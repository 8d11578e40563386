// SPDX-License-Identifier: Apache-2.0
// What a device is: this CPU, told in Level Zero's terms without flattery. One core is one subslice
// with one "EU" of one thread, its SIMD width that of the vector unit in 4-byte lanes.
#include "spec/levelzero.h"

#include <algorithm>
#include <cstring>

#include "cpu/clock.h"
#include "cpu/device.h"
#include "cpu/machine.h"
#include "cpu/settings.h"

namespace xpu::cpu {
namespace {

// Everything but stype and pNext, which are the caller's.
template <class T>
void clear(T* out) {
  std::memset(reinterpret_cast<char*>(out) + offsetof(T, pNext) + sizeof(void*), 0,
              sizeof(T) - offsetof(T, pNext) - sizeof(void*));
}

template <class T>
ze_result_t begin(ze_device_handle_t device, T* out) {
  if (!cast<Device>(device)) return refused(device);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  clear(out);
  return ZE_RESULT_SUCCESS;
}

template <class T, class Fill>
ze_result_t list(ze_device_handle_t device, uint32_t* count, T* out, uint32_t available,
                 Fill fill) {
  if (!cast<Device>(device)) return refused(device);
  if (!count) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (!out || *count == 0) {
    *count = available;
    return ZE_RESULT_SUCCESS;
  }
  *count = std::min(*count, available);
  for (uint32_t i = 0; i < *count; ++i) {
    clear(&out[i]);
    fill(i, out[i]);
  }
  return ZE_RESULT_SUCCESS;
}

constexpr ze_memory_access_cap_flags_t kEverything =
    ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC |
    ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;

void fill_extensions(void* chain) {
  for (auto* next = static_cast<ze_base_properties_t*>(chain); next;
       next = static_cast<ze_base_properties_t*>(next->pNext)) {
    if (next->stype != ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_PROPERTIES) continue;
    auto* p = reinterpret_cast<ze_mutable_command_list_exp_properties_t*>(next);
    p->mutableCommandListFlags = 0;
    p->mutableCommandFlags = has(Feature::mutable_lists)
                                 ? ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS |
                                       ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_COUNT |
                                       ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_SIZE |
                                       ZE_MUTABLE_COMMAND_EXP_FLAG_GLOBAL_OFFSET |
                                       ZE_MUTABLE_COMMAND_EXP_FLAG_SIGNAL_EVENT |
                                       ZE_MUTABLE_COMMAND_EXP_FLAG_WAIT_EVENTS |
                                       ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_INSTRUCTION
                                 : 0;
  }
}

}  // namespace

ze_result_t zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t* out) {
  if (const ze_result_t r = begin(device, out); r != ZE_RESULT_SUCCESS) return r;
  const Machine& m = machine();
  const uint32_t index = cast<Device>(device)->index();
  // Honest by default; ZE_CPU_TYPE=gpu is for programs that pass over everything but GPUs.
  out->type = settings().show_as_gpu ? ZE_DEVICE_TYPE_GPU : ZE_DEVICE_TYPE_CPU;
  out->vendorId = m.vendor;
  out->deviceId = index;
  out->flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED | ZE_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING;
  out->coreClockRate = m.mhz;
  out->maxMemAllocSize = m.memory;
  out->maxHardwareContexts = 1024;
  out->maxCommandQueuePriority = 0;
  out->numThreadsPerEU = 1;
  out->physicalEUSimdWidth = m.simd_bytes / 4;
  out->numEUsPerSubslice = 1;
  out->numSubslicesPerSlice = m.cores;
  out->numSlices = 1;
  out->timerResolution =
      out->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 ? 1'000'000'000u : kClockResolution;
  out->timestampValidBits = kClockValidBits;
  out->kernelTimestampValidBits = kClockValidBits;
  std::memcpy(out->uuid.id, "xpugraph-cpu", 12);
  out->uuid.id[15] = static_cast<uint8_t>(index + 1);
  std::strncpy(out->name, m.name.c_str(), sizeof out->name - 1);
  fill_extensions(out->pNext);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetComputeProperties(ze_device_handle_t device,
                                         ze_device_compute_properties_t* out) {
  if (const ze_result_t r = begin(device, out); r != ZE_RESULT_SUCCESS) return r;
  out->maxTotalGroupSize = kMaxGroupSize;
  out->maxGroupSizeX = out->maxGroupSizeY = out->maxGroupSizeZ = kMaxGroupSize;
  out->maxGroupCountX = out->maxGroupCountY = out->maxGroupCountZ = UINT32_MAX;
  out->maxSharedLocalMemory = kMaxLocalMemory;
  out->numSubGroupSizes = 1;
  out->subGroupSizes[0] = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetModuleProperties(ze_device_handle_t device,
                                        ze_device_module_properties_t* out) {
  if (const ze_result_t r = begin(device, out); r != ZE_RESULT_SUCCESS) return r;
  constexpr ze_device_fp_flags_t kIeee =
      ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN | ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST |
      ZE_DEVICE_FP_FLAG_FMA | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
  out->spirvVersionSupported = ZE_MAKE_VERSION(1, 4);
  out->flags = ZE_DEVICE_MODULE_FLAG_FP64 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
  out->fp32flags = kIeee;
  out->fp64flags = kIeee;
  out->maxArgumentsSize = kMaxArgumentBytes;
  std::memcpy(out->nativeKernelSupported.id, "xpugraph-cpu-1", 14);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetCommandQueueGroupProperties(ze_device_handle_t device, uint32_t* count,
                                                   ze_command_queue_group_properties_t* out) {
  return list(device, count, out, kQueueGroupCount,
              [](uint32_t ordinal, ze_command_queue_group_properties_t& group) {
                group.flags = ordinal == kComputeOrdinal
                                  ? ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
                                        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY |
                                        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS
                                  : ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
                group.maxMemoryFillPatternSize = SIZE_MAX;
                group.numQueues = queue_count(ordinal);
              });
}

ze_result_t zeDeviceGetMemoryProperties(ze_device_handle_t device, uint32_t* count,
                                        ze_device_memory_properties_t* out) {
  return list(device, count, out, 1, [](uint32_t, ze_device_memory_properties_t& memory) {
    memory.totalSize = machine().memory;
    std::strncpy(memory.name, "system memory", sizeof memory.name - 1);
  });
}

ze_result_t zeDeviceGetMemoryAccessProperties(ze_device_handle_t device,
                                              ze_device_memory_access_properties_t* out) {
  if (const ze_result_t r = begin(device, out); r != ZE_RESULT_SUCCESS) return r;
  out->hostAllocCapabilities = out->deviceAllocCapabilities = kEverything;
  out->sharedSingleDeviceAllocCapabilities = out->sharedCrossDeviceAllocCapabilities = kEverything;
  out->sharedSystemAllocCapabilities = kEverything;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetCacheProperties(ze_device_handle_t device, uint32_t* count,
                                       ze_device_cache_properties_t* out) {
  return list(device, count, out, 1, [](uint32_t, ze_device_cache_properties_t& cache) {
    cache.cacheSize = machine().cache;
  });
}

// All zeros: there are no images.
ze_result_t zeDeviceGetImageProperties(ze_device_handle_t device,
                                       ze_device_image_properties_t* out) {
  return begin(device, out);
}

ze_result_t zeDeviceGetExternalMemoryProperties(ze_device_handle_t device,
                                                ze_device_external_memory_properties_t* out) {
  return begin(device, out);
}

ze_result_t zeDeviceGetP2PProperties(ze_device_handle_t device, ze_device_handle_t peer,
                                     ze_device_p2p_properties_t* out) {
  if (const ze_result_t r = begin(device, out); r != ZE_RESULT_SUCCESS) return r;
  if (!cast<Device>(peer)) return refused(peer);
  if (device == peer || has(Feature::peer_access))
    out->flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
