// SPDX-License-Identifier: Apache-2.0
// Entry points of memory.h that allocate, free and tell; copies and fills are in transfer.cpp.
#include <xpugraph/memory.h>

#include "capi/copy_in.h"
#include "capi/guard.h"
#include "capture/rules.h"
#include "memory/graph_pool.h"
#include "memory/ledger.h"
#include "memory/pools.h"
#include "runtime/runtime.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

// Rows begin on what every engine and every cache likes.
constexpr size_t kPitchUnit = 256;

Status allocate(const char* call, void** out, const char* name, size_t size,
                Result<void*> (runtime::Memory::*how)(runtime::Device&, size_t)) {
  XPU_TRY(require(out, name));
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  XPU_TRY(capture::unsafe_call(call));
  XPU_TRY_ASSIGN(void* memory, (runtime->memory().*how)(runtime->current(), size));
  *out = memory;
  return {};
}

// Memory of graphs and of private pools, after waiting for all that may use it. False: it is none.
Result<bool> free_of_graphs(runtime::Memory& memory, void* pointer) {
  if (!memory::is_graph_allocation(pointer) && !memory::GraphPool::has(pointer)) return false;
  XPU_TRY(memory.wait_for_devices());
  XPU_TRY_ASSIGN(const bool freed, memory::free_from_outside(pointer));
  return freed || memory::GraphPool::free_from_outside(pointer);
}

Status pitch_of(size_t width, size_t height, size_t* pitch, size_t* bytes) {
  if (width == 0 || height == 0) {
    *pitch = *bytes = 0;
    return {};
  }
  if (__builtin_add_overflow(width, kPitchUnit - 1, pitch))
    return Status::error(xpuErrorMemoryAllocation, "a row has more bytes than an address can hold",
                         "width");
  if (__builtin_mul_overflow(*pitch &= ~(kPitchUnit - 1), height, bytes))
    return Status::error(xpuErrorMemoryAllocation,
                         "width and height describe more bytes than an address can hold", "height");
  return {};
}

xpuPointerAttributes describe(const runtime::Allocation& found, void* pointer) {
  xpuPointerAttributes known = {};
  known.struct_size = sizeof known;
  known.type = static_cast<xpuMemoryType>(found.kind);
  known.device = found.device;
  const bool registered = found.kind != runtime::MemoryKind::unregistered;
  known.devicePointer = registered ? pointer : nullptr;
  known.hostPointer = found.kind == runtime::MemoryKind::device ? nullptr : pointer;
  return known;
}

}  // namespace

xpuError_t xpuMalloc(void** devPtr, size_t size) {
  return guard(__func__, [&](const char* call) {
    return allocate(call, devPtr, "devPtr", size, &runtime::Memory::allocate_device);
  });
}

xpuError_t xpuMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(require(pitch, "pitch"));
    size_t step = 0, bytes = 0;
    XPU_TRY(pitch_of(width, height, &step, &bytes));
    XPU_TRY(allocate(call, devPtr, "devPtr", bytes, &runtime::Memory::allocate_device));
    *pitch = step;
    return {};
  });
}

xpuError_t xpuMallocHost(void** ptr, size_t size) {
  return guard(__func__, [&](const char* call) {
    return allocate(call, ptr, "ptr", size, &runtime::Memory::allocate_host);
  });
}

xpuError_t xpuHostAlloc(void** pHost, size_t size, unsigned int flags) {
  return guard(__func__, [&](const char* call) -> Status {
    constexpr unsigned known =
        xpuHostAllocPortable | xpuHostAllocMapped | xpuHostAllocWriteCombined;
    if (flags & ~known)
      return invalid_value("flags has bits that are no xpuHostAllocFlags", "flags");
    return allocate(call, pHost, "pHost", size, &runtime::Memory::allocate_host);
  });
}

xpuError_t xpuHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pDevice, "pDevice"));
    if (flags) return invalid_value("flags must be 0", "flags");
    XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
    if (runtime->memory().kind(pHost) != runtime::MemoryKind::host)
      return invalid_value("pHost is not inside memory of xpuMallocHost or xpuHostAlloc", "pHost");
    *pDevice = pHost;
    return {};
  });
}

xpuError_t xpuMallocManaged(void** devPtr, size_t size, unsigned int flags) {
  return guard(__func__, [&](const char* call) -> Status {
    if (flags != xpuMemAttachGlobal && flags != xpuMemAttachHost)
      return invalid_value("flags must be xpuMemAttachGlobal or xpuMemAttachHost", "flags");
    if (size == 0) return invalid_value("size is 0", "size");
    return allocate(call, devPtr, "devPtr", size, &runtime::Memory::allocate_managed);
  });
}

xpuError_t xpuFree(void* devPtr) {
  return guard(__func__, [&](const char* call) -> Status {
    if (!devPtr) return {};
    XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
    XPU_TRY(capture::unsafe_call(call));
    XPU_TRY_ASSIGN(const bool of_graph, free_of_graphs(runtime->memory(), devPtr));
    if (of_graph) return {};
    XPU_TRY_ASSIGN(const bool pooled,
                   memory::Pools::get().free_after_waiting(devPtr, runtime->memory()));
    return pooled ? Status() : runtime->memory().free(devPtr);
  });
}

xpuError_t xpuFreeHost(void* ptr) {
  return guard(__func__, [&](const char* call) -> Status {
    if (!ptr) return {};
    XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
    XPU_TRY(capture::unsafe_call(call));
    return runtime->memory().free_host(ptr);
  });
}

xpuError_t xpuMemGetInfo(size_t* free, size_t* total) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(free, "free"));
    XPU_TRY(require(total, "total"));
    XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
    const size_t all = runtime->current().properties().memory;
    const size_t used = runtime->memory().allocated(runtime->current_index());
    *total = all;
    *free = all > used ? all - used : 0;
    return {};
  });
}

xpuError_t xpuPointerGetAttributes(xpuPointerAttributes* attributes, const void* ptr) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(check_out_size(attributes, sizeof(xpuPointerAttributes), "attributes"));
    XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
    copy_out(attributes, describe(runtime->memory().find(ptr), const_cast<void*>(ptr)));
    return {};
  });
}
