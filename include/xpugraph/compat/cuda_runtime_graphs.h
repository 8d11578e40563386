// SPDX-License-Identifier: Apache-2.0
// CUDA's names for this library: host code that was written for CUDA graphs compiles with this header
// in place of <cuda_runtime.h>. Kernels still come from modules (see docs/porting-from-cuda.md).
// Structs need no `struct_size` here: the calls set it. Written by tools/gen.
#pragma once

#include <xpugraph/compat/cuda_calls.h>
#include <xpugraph/compat/cuda_types.h>
#include <xpugraph/xpugraph.h>

#ifdef __cplusplus
#define XPU_COMPAT_OR_0 = {}
// As an xpuDim3, but what is not given is 1.
struct dim3 : xpuDim3 {
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : xpuDim3{vx, vy, vz} {}
  constexpr dim3(const xpuDim3& other) : xpuDim3(other) {}
};
#else
#define XPU_COMPAT_OR_0
typedef xpuDim3 dim3;
#endif

#define cudaGraphConditionalHandle xpuGraphConditionalHandle

static inline xpuExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  xpuExtent extent;
  extent.width = width;
  extent.height = height;
  extent.depth = depth;
  return extent;
}

static inline xpuPos make_cudaPos(size_t x, size_t y, size_t z) {
  xpuPos pos;
  pos.x = x;
  pos.y = y;
  pos.z = z;
  return pos;
}

static inline xpuPitchedPtr make_cudaPitchedPtr(void* ptr, size_t pitch, size_t xsize,
                                                size_t ysize) {
  xpuPitchedPtr pitched;
  pitched.ptr = ptr;
  pitched.pitch = pitch;
  pitched.xsize = xsize;
  pitched.ysize = ysize;
  return pitched;
}

static inline xpuError_t cudaGetDeviceProperties(xpuDeviceProp *prop, int device) {
  if (prop) {
    prop->struct_size = (uint32_t)sizeof(xpuDeviceProp);
  }
  return xpuGetDeviceProperties(prop, device);
}

static inline xpuError_t cudaStreamWaitEvent(xpuStream_t stream, xpuEvent_t event,
    unsigned int flags XPU_COMPAT_OR_0) {
  return xpuStreamWaitEvent(stream, event, flags);
}

static inline xpuError_t cudaEventRecord(xpuEvent_t event, xpuStream_t stream XPU_COMPAT_OR_0) {
  return xpuEventRecord(event, stream);
}

static inline xpuError_t cudaEventRecordWithFlags(xpuEvent_t event,
    xpuStream_t stream XPU_COMPAT_OR_0, unsigned int flags XPU_COMPAT_OR_0) {
  return xpuEventRecordWithFlags(event, stream, flags);
}

static inline xpuError_t cudaMallocManaged(void **devPtr, size_t size,
    unsigned int flags XPU_COMPAT_OR_0) {
  return xpuMallocManaged(devPtr, size, flags);
}

static inline xpuError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
    xpuMemcpyKind kind, xpuStream_t stream XPU_COMPAT_OR_0) {
  return xpuMemcpyAsync(dst, src, count, kind, stream);
}

static inline xpuError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
    size_t spitch, size_t width, size_t height, xpuMemcpyKind kind,
    xpuStream_t stream XPU_COMPAT_OR_0) {
  return xpuMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, stream);
}

static inline xpuError_t cudaMemcpy3D(const xpuMemcpy3DParms *p) {
  xpuMemcpy3DParms sized_p;
  if (p) {
    sized_p = *p;
    sized_p.struct_size = (uint32_t)sizeof(xpuMemcpy3DParms);
  }
  return xpuMemcpy3D(p ? &sized_p : p);
}

static inline xpuError_t cudaMemcpy3DAsync(const xpuMemcpy3DParms *p,
    xpuStream_t stream XPU_COMPAT_OR_0) {
  xpuMemcpy3DParms sized_p;
  if (p) {
    sized_p = *p;
    sized_p.struct_size = (uint32_t)sizeof(xpuMemcpy3DParms);
  }
  return xpuMemcpy3DAsync(p ? &sized_p : p, stream);
}

static inline xpuError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
    xpuStream_t stream XPU_COMPAT_OR_0) {
  return xpuMemsetAsync(devPtr, value, count, stream);
}

static inline xpuError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width,
    size_t height, xpuStream_t stream XPU_COMPAT_OR_0) {
  return xpuMemset2DAsync(devPtr, pitch, value, width, height, stream);
}

static inline xpuError_t cudaPointerGetAttributes(xpuPointerAttributes *attributes,
    const void *ptr) {
  if (attributes) {
    attributes->struct_size = (uint32_t)sizeof(xpuPointerAttributes);
  }
  return xpuPointerGetAttributes(attributes, ptr);
}

static inline xpuError_t cudaMemPoolCreate(xpuMemPool_t *memPool,
    const xpuMemPoolProps *poolProps) {
  xpuMemPoolProps sized_poolProps;
  if (poolProps) {
    sized_poolProps = *poolProps;
    sized_poolProps.struct_size = (uint32_t)sizeof(xpuMemPoolProps);
  }
  return xpuMemPoolCreate(memPool, poolProps ? &sized_poolProps : poolProps);
}

static inline xpuError_t cudaLaunchKernel(xpuKernel_t func, dim3 gridDim, dim3 blockDim,
    void **args, size_t sharedMem XPU_COMPAT_OR_0, xpuStream_t stream XPU_COMPAT_OR_0) {
  return xpuLaunchKernel(func, gridDim, blockDim, args, sharedMem, stream);
}

#ifdef __cplusplus
template <class T>
inline xpuError_t xpuMalloc(T** pointer, size_t size) {
  return xpuMalloc((void**)pointer, size);
}

template <class T>
inline xpuError_t xpuMallocHost(T** pointer, size_t size) {
  return xpuMallocHost((void**)pointer, size);
}

template <class T>
inline xpuError_t xpuMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return xpuMallocAsync((void**)pointer, size, stream);
}
#endif

#include <xpugraph/compat/cuda_graph_calls.h>

#undef XPU_COMPAT_OR_0
