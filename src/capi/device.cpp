// SPDX-License-Identifier: Apache-2.0
// Entry points of device.h.
#include <xpugraph/device.h>

#include <algorithm>
#include <climits>
#include <cstring>

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/guard.h"
#include "capi/spelling.h"
#include "capture/rules.h"
#include "exec/retire.h"
#include "memory/pools.h"
#include "runtime/runtime.h"
#include "ze/result.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

template <class Number>
int to_int(Number value) noexcept {
  return static_cast<int>(std::min<unsigned long long>(value, INT_MAX));
}

int compute_engines(const runtime::Device& device) noexcept {
  return to_int(device.ze().engines().compute_queues);
}
int copy_engines(const runtime::Device& device) noexcept {
  return to_int(device.ze().engines().copy_queues);
}

xpuDeviceProp describe(const runtime::Device& device) {
  const runtime::DeviceProperties& from = device.properties();
  xpuDeviceProp prop = {};
  prop.struct_size = sizeof prop;
  prop.type = from.type == xpuDeviceTypeGpu || from.type == xpuDeviceTypeCpu
                  ? static_cast<xpuDeviceType>(from.type)
                  : xpuDeviceTypeOther;
  from.name.copy(prop.name, sizeof prop.name - 1);
  static_assert(sizeof prop.uuid == sizeof from.uuid);
  std::memcpy(prop.uuid, from.uuid, sizeof prop.uuid);
  prop.vendorId = from.vendor;
  prop.deviceId = from.id;
  prop.totalGlobalMem = from.memory;
  prop.maxMemAllocSize = from.max_allocation;
  prop.sharedMemPerBlock = from.local_memory;
  prop.maxThreadsPerBlock = to_int(from.max_group_size);
  for (int i = 0; i < 3; i++) {
    prop.maxThreadsDim[i] = to_int(from.max_group[i]);
    prop.maxGridSize[i] = to_int(from.max_groups[i]);
  }
  prop.warpSize = to_int(from.subgroup);
  prop.multiProcessorCount = to_int(from.compute_units);
  prop.clockRate = to_int(from.core_clock_mhz * 1000ull);
  prop.integrated = from.integrated;
  prop.managedMemory = from.unified_memory;
  prop.computeEngineCount = compute_engines(device);
  prop.asyncEngineCount = copy_engines(device);
  return prop;
}

// False for an attribute that there is not.
bool attribute(const runtime::Device& device, xpuDeviceAttr attr, int* value) {
  const runtime::DeviceProperties& from = device.properties();
  switch (attr) {
    case xpuDevAttrMaxThreadsPerBlock:
      return *value = to_int(from.max_group_size), true;
    case xpuDevAttrMaxBlockDimX:
      return *value = to_int(from.max_group[0]), true;
    case xpuDevAttrMaxBlockDimY:
      return *value = to_int(from.max_group[1]), true;
    case xpuDevAttrMaxBlockDimZ:
      return *value = to_int(from.max_group[2]), true;
    case xpuDevAttrMaxGridDimX:
      return *value = to_int(from.max_groups[0]), true;
    case xpuDevAttrMaxGridDimY:
      return *value = to_int(from.max_groups[1]), true;
    case xpuDevAttrMaxGridDimZ:
      return *value = to_int(from.max_groups[2]), true;
    case xpuDevAttrMaxSharedMemoryPerBlock:
      return *value = to_int(from.local_memory), true;
    case xpuDevAttrWarpSize:
      return *value = to_int(from.subgroup), true;
    case xpuDevAttrClockRate:
      return *value = to_int(from.core_clock_mhz * 1000ull), true;
    case xpuDevAttrMultiProcessorCount:
      return *value = to_int(from.compute_units), true;
    case xpuDevAttrIntegrated:
      return *value = from.integrated, true;
    case xpuDevAttrCanMapHostMemory:
      return *value = 1, true;
    case xpuDevAttrConcurrentKernels:
      return *value = compute_engines(device) > 1, true;
    case xpuDevAttrAsyncEngineCount:
      return *value = copy_engines(device), true;
    case xpuDevAttrUnifiedAddressing:
      return *value = 1, true;
    case xpuDevAttrStreamPrioritiesSupported:
      return *value = device.least_priority() != device.greatest_priority(), true;
    case xpuDevAttrManagedMemory:
      return *value = from.unified_memory, true;
    case xpuDevAttrConcurrentManagedAccess:
      return *value = from.concurrent_managed, true;
    case xpuDevAttrCooperativeLaunch:
      return *value = device.ze().engines().cooperative, true;
  }
  return false;
}

}  // namespace

xpuError_t xpuRuntimeGetVersion(int* runtimeVersion) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(runtimeVersion, "runtimeVersion"));
    *runtimeVersion = XPUGRAPH_VERSION;
    return {};
  });
}

xpuError_t xpuDriverGetVersion(int* driverVersion) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(driverVersion, "driverVersion"));
    Result<runtime::Runtime*> runtime = runtime::Runtime::get();
    *driverVersion = runtime.ok() ? 1000 + 10 * to_int(runtime.value()->driver().api_minor()) : 0;
    return {};
  });
}

xpuError_t xpuGetDeviceCount(int* count) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(count, "count"));
    XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
    *count = runtime->device_count();
    return {};
  });
}

xpuError_t xpuGetDevice(int* device) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(device, "device"));
    XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
    *device = runtime->current_index();
    return {};
  });
}

xpuError_t xpuSetDevice(int device) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
    return runtime->set_current(device);
  });
}

xpuError_t xpuGetDeviceProperties(xpuDeviceProp* prop, int device) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(check_out_size(prop, sizeof(xpuDeviceProp), "prop"));
    XPU_TRY_ASSIGN(const runtime::Device* d, find_device(device));
    copy_out(prop, describe(*d));
    return {};
  });
}

xpuError_t xpuDeviceGetAttribute(int* value, xpuDeviceAttr attr, int device) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(value, "value"));
    XPU_TRY_ASSIGN(const runtime::Device* d, find_device(device));
    if (attribute(*d, attr, value)) return {};
    return invalid_value(
        "attr is " + std::to_string(static_cast<int>(attr)) + ", which is no xpuDeviceAttr",
        "attr");
  });
}

xpuError_t xpuDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(canAccessPeer, "canAccessPeer"));
    XPU_TRY_ASSIGN(const runtime::Device* d, find_device(device));
    XPU_TRY_ASSIGN(const runtime::Device* peer,
                   spelled(find_device(peerDevice), {{"device", "peerDevice"}}));
    if (d == peer) {
      *canAccessPeer = 0;
      return {};
    }
    XPU_TRY_ASSIGN(*canAccessPeer, d->can_reach(*peer));
    return {};
  });
}

xpuError_t xpuDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
    const runtime::Device& device = runtime->current();
    if (leastPriority) *leastPriority = device.least_priority();
    if (greatestPriority) *greatestPriority = device.greatest_priority();
    return {};
  });
}

xpuError_t xpuDeviceSynchronize(void) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
    XPU_TRY(capture::wait_for_device(call, runtime->current()));
    Status status = runtime->current().synchronize();
    // What ran for destroyed executables is over now.
    exec::free_retired();
    memory::Pools::get().synchronised();
    return status;
  });
}
