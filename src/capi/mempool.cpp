// SPDX-License-Identifier: Apache-2.0
// Entry points of mempool.h that allocate and free, make and end pools, and choose them; what a
// pool is asked and told is in mempool_attributes.cpp.
#include <xpugraph/mempool.h>

#include "capi/capture_memory.h"
#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/guard.h"
#include "capture/rules.h"
#include "memory/graph_pool.h"
#include "memory/ledger.h"
#include "memory/pools.h"

using namespace xpu;
using namespace xpu::capi;
using memory::Pools;
using memory::StreamPool;

namespace {

// Devices besides its own that may use the memory.
std::vector<int> peers_of(const StreamPool& pool) {
  std::vector<int> devices;
  Result<runtime::Runtime*> runtime = runtime::Runtime::get();
  for (int i = 0; runtime.ok() && i < runtime.value()->device_count(); i++) {
    if (i != pool.device().index() && pool.grants(i)) devices.push_back(i);
  }
  return devices;
}

Status allocate_in_order(const char* call, void** out, size_t size, StreamPool& pool,
                         runtime::Stream& s) {
  if (size == 0) return invalid_value("size is 0", "size");
  XPU_TRY(capture::legacy_use(call, s));
  if (capture::View view(s); view)
    return capture_malloc(call, view, out, size, pool.device(), peers_of(pool));
  XPU_TRY_ASSIGN(*out, Pools::get().allocate(pool, size, s));
  return {};
}

Status check_props(const xpuMemPoolProps& props) {
  if (props.allocType == xpuMemAllocationTypeManaged)
    return Status::error(xpuErrorNotSupported, "pools hold pinned memory only",
                         "poolProps->allocType");
  if (props.allocType != xpuMemAllocationTypePinned)
    return invalid_value("allocType must be xpuMemAllocationTypePinned", "poolProps->allocType");
  if (props.handleTypes != xpuMemHandleTypeNone)
    return Status::error(xpuErrorNotSupported, "pools are not shared between processes",
                         "poolProps->handleTypes");
  if (props.location.type == xpuMemLocationTypeHost)
    return Status::error(xpuErrorNotSupported, "pools hold device memory only",
                         "poolProps->location.type");
  if (props.location.type != xpuMemLocationTypeDevice)
    return invalid_value("the location's type must be xpuMemLocationTypeDevice",
                         "poolProps->location.type");
  if (props.reserved) return invalid_value("reserved must be 0", "poolProps->reserved");
  return {};
}

// The device is part of a value here, and not a parameter.
Result<runtime::Device*> device_of(const xpuMemPoolProps& props) {
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  Result<runtime::Device*> found = runtime->device(props.location.id);
  if (found.ok()) return found;
  return invalid_value(found.status().sentence(), "poolProps->location.id");
}

}  // namespace

xpuError_t xpuMallocAsync(void** devPtr, size_t size, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(require(devPtr, "devPtr"));
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    XPU_TRY_ASSIGN(const std::shared_ptr<StreamPool> pool, Pools::get().current_of(s->device()));
    return allocate_in_order(call, devPtr, size, *pool, *s);
  });
}

xpuError_t xpuMallocFromPoolAsync(void** ptr, size_t size, xpuMemPool_t memPool,
                                  xpuStream_t stream) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(require(ptr, "ptr"));
    XPU_TRY_ASSIGN(StreamPool * pool, live_pool(memPool));
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    return allocate_in_order(call, ptr, size, *pool, *s);
  });
}

xpuError_t xpuFreeAsync(void* devPtr, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(require(devPtr, "devPtr"));
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    XPU_TRY(capture::legacy_use(call, *s));
    if (capture::View view(*s); view) return capture_free(call, view, devPtr);
    XPU_TRY_ASSIGN(const bool of_graph, memory::free_from_outside(devPtr, s));
    if (of_graph || memory::GraphPool::free_from_outside(devPtr)) return {};
    return Pools::get().free(devPtr, *s);
  });
}

xpuError_t xpuMemPoolCreate(xpuMemPool_t* memPool, const xpuMemPoolProps* poolProps) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(memPool, "memPool"));
    xpuMemPoolProps props;
    XPU_TRY(copy_in(props, poolProps, "poolProps"));
    XPU_TRY(check_props(props));
    XPU_TRY_ASSIGN(runtime::Device * device, device_of(props));
    XPU_TRY_ASSIGN(const StreamPool* pool, Pools::get().create(*device, props.maxSize));
    *memPool = to_public<xpuMemPool_t>(pool->handle());
    return {};
  });
}

xpuError_t xpuMemPoolDestroy(xpuMemPool_t memPool) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(StreamPool * pool, live_pool(memPool));
    return Pools::get().destroy(*pool);
  });
}

xpuError_t xpuDeviceGetDefaultMemPool(xpuMemPool_t* memPool, int device) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(memPool, "memPool"));
    XPU_TRY_ASSIGN(runtime::Device * d, find_device(device));
    XPU_TRY_ASSIGN(const StreamPool* pool, Pools::get().default_of(*d));
    *memPool = to_public<xpuMemPool_t>(pool->handle());
    return {};
  });
}

xpuError_t xpuDeviceGetMemPool(xpuMemPool_t* memPool, int device) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(memPool, "memPool"));
    XPU_TRY_ASSIGN(runtime::Device * d, find_device(device));
    XPU_TRY_ASSIGN(const std::shared_ptr<StreamPool> pool, Pools::get().current_of(*d));
    *memPool = to_public<xpuMemPool_t>(pool->handle());
    return {};
  });
}

xpuError_t xpuDeviceSetMemPool(int device, xpuMemPool_t memPool) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(runtime::Device * d, find_device(device));
    XPU_TRY_ASSIGN(StreamPool * pool, live_pool(memPool));
    return Pools::get().set_current(*d, *pool);
  });
}
