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

static inline xpuError_t cudaLaunchCooperativeKernel(xpuKernel_t func, dim3 gridDim, dim3 blockDim,
    void **args, size_t sharedMem XPU_COMPAT_OR_0, xpuStream_t stream XPU_COMPAT_OR_0) {
  return xpuLaunchCooperativeKernel(func, gridDim, blockDim, args, sharedMem, stream);
}

static inline xpuError_t cudaLaunchKernelExC(const xpuLaunchConfig_t *config, xpuKernel_t func,
    void **args) {
  xpuLaunchConfig_t sized_config;
  if (config) {
    sized_config = *config;
    sized_config.struct_size = (uint32_t)sizeof(xpuLaunchConfig_t);
  }
  return xpuLaunchKernelExC(config ? &sized_config : config, func, args);
}

static inline xpuError_t cudaGraphAddKernelNode(xpuGraphNode_t *pGraphNode, xpuGraph_t graph,
    const xpuGraphNode_t *pDependencies, size_t numDependencies,
    const xpuKernelNodeParams *pNodeParams) {
  xpuKernelNodeParams sized_pNodeParams;
  if (pNodeParams) {
    sized_pNodeParams = *pNodeParams;
    sized_pNodeParams.struct_size = (uint32_t)sizeof(xpuKernelNodeParams);
  }
  return xpuGraphAddKernelNode(pGraphNode, graph, pDependencies, numDependencies,
    pNodeParams ? &sized_pNodeParams : pNodeParams);
}

static inline xpuError_t cudaGraphAddMemcpyNode(xpuGraphNode_t *pGraphNode, xpuGraph_t graph,
    const xpuGraphNode_t *pDependencies, size_t numDependencies,
    const xpuMemcpy3DParms *pCopyParams) {
  xpuMemcpy3DParms sized_pCopyParams;
  if (pCopyParams) {
    sized_pCopyParams = *pCopyParams;
    sized_pCopyParams.struct_size = (uint32_t)sizeof(xpuMemcpy3DParms);
  }
  return xpuGraphAddMemcpyNode(pGraphNode, graph, pDependencies, numDependencies,
    pCopyParams ? &sized_pCopyParams : pCopyParams);
}

static inline xpuError_t cudaGraphAddMemsetNode(xpuGraphNode_t *pGraphNode, xpuGraph_t graph,
    const xpuGraphNode_t *pDependencies, size_t numDependencies,
    const xpuMemsetParams *pMemsetParams) {
  xpuMemsetParams sized_pMemsetParams;
  if (pMemsetParams) {
    sized_pMemsetParams = *pMemsetParams;
    sized_pMemsetParams.struct_size = (uint32_t)sizeof(xpuMemsetParams);
  }
  return xpuGraphAddMemsetNode(pGraphNode, graph, pDependencies, numDependencies,
    pMemsetParams ? &sized_pMemsetParams : pMemsetParams);
}

static inline xpuError_t cudaGraphAddHostNode(xpuGraphNode_t *pGraphNode, xpuGraph_t graph,
    const xpuGraphNode_t *pDependencies, size_t numDependencies,
    const xpuHostNodeParams *pNodeParams) {
  xpuHostNodeParams sized_pNodeParams;
  if (pNodeParams) {
    sized_pNodeParams = *pNodeParams;
    sized_pNodeParams.struct_size = (uint32_t)sizeof(xpuHostNodeParams);
  }
  return xpuGraphAddHostNode(pGraphNode, graph, pDependencies, numDependencies,
    pNodeParams ? &sized_pNodeParams : pNodeParams);
}

static inline xpuError_t cudaGraphKernelNodeGetParams(xpuGraphNode_t node,
    xpuKernelNodeParams *pNodeParams) {
  if (pNodeParams) {
    pNodeParams->struct_size = (uint32_t)sizeof(xpuKernelNodeParams);
  }
  return xpuGraphKernelNodeGetParams(node, pNodeParams);
}

static inline xpuError_t cudaGraphKernelNodeSetParams(xpuGraphNode_t node,
    const xpuKernelNodeParams *pNodeParams) {
  xpuKernelNodeParams sized_pNodeParams;
  if (pNodeParams) {
    sized_pNodeParams = *pNodeParams;
    sized_pNodeParams.struct_size = (uint32_t)sizeof(xpuKernelNodeParams);
  }
  return xpuGraphKernelNodeSetParams(node, pNodeParams ? &sized_pNodeParams : pNodeParams);
}

static inline xpuError_t cudaGraphMemcpyNodeGetParams(xpuGraphNode_t node,
    xpuMemcpy3DParms *pNodeParams) {
  if (pNodeParams) {
    pNodeParams->struct_size = (uint32_t)sizeof(xpuMemcpy3DParms);
  }
  return xpuGraphMemcpyNodeGetParams(node, pNodeParams);
}

static inline xpuError_t cudaGraphMemcpyNodeSetParams(xpuGraphNode_t node,
    const xpuMemcpy3DParms *pNodeParams) {
  xpuMemcpy3DParms sized_pNodeParams;
  if (pNodeParams) {
    sized_pNodeParams = *pNodeParams;
    sized_pNodeParams.struct_size = (uint32_t)sizeof(xpuMemcpy3DParms);
  }
  return xpuGraphMemcpyNodeSetParams(node, pNodeParams ? &sized_pNodeParams : pNodeParams);
}

static inline xpuError_t cudaGraphMemsetNodeGetParams(xpuGraphNode_t node,
    xpuMemsetParams *pNodeParams) {
  if (pNodeParams) {
    pNodeParams->struct_size = (uint32_t)sizeof(xpuMemsetParams);
  }
  return xpuGraphMemsetNodeGetParams(node, pNodeParams);
}

static inline xpuError_t cudaGraphMemsetNodeSetParams(xpuGraphNode_t node,
    const xpuMemsetParams *pNodeParams) {
  xpuMemsetParams sized_pNodeParams;
  if (pNodeParams) {
    sized_pNodeParams = *pNodeParams;
    sized_pNodeParams.struct_size = (uint32_t)sizeof(xpuMemsetParams);
  }
  return xpuGraphMemsetNodeSetParams(node, pNodeParams ? &sized_pNodeParams : pNodeParams);
}

static inline xpuError_t cudaGraphHostNodeGetParams(xpuGraphNode_t node,
    xpuHostNodeParams *pNodeParams) {
  if (pNodeParams) {
    pNodeParams->struct_size = (uint32_t)sizeof(xpuHostNodeParams);
  }
  return xpuGraphHostNodeGetParams(node, pNodeParams);
}

static inline xpuError_t cudaGraphHostNodeSetParams(xpuGraphNode_t node,
    const xpuHostNodeParams *pNodeParams) {
  xpuHostNodeParams sized_pNodeParams;
  if (pNodeParams) {
    sized_pNodeParams = *pNodeParams;
    sized_pNodeParams.struct_size = (uint32_t)sizeof(xpuHostNodeParams);
  }
  return xpuGraphHostNodeSetParams(node, pNodeParams ? &sized_pNodeParams : pNodeParams);
}

static inline xpuError_t cudaGraphAddMemAllocNode(xpuGraphNode_t *pGraphNode, xpuGraph_t graph,
    const xpuGraphNode_t *pDependencies, size_t numDependencies,
    xpuMemAllocNodeParams *nodeParams) {
  if (nodeParams) {
    nodeParams->struct_size = (uint32_t)sizeof(xpuMemAllocNodeParams);
    nodeParams->poolProps.struct_size = (uint32_t)sizeof(xpuMemPoolProps);
  }
  return xpuGraphAddMemAllocNode(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
}

static inline xpuError_t cudaGraphMemAllocNodeGetParams(xpuGraphNode_t node,
    xpuMemAllocNodeParams *params_out) {
  if (params_out) {
    params_out->struct_size = (uint32_t)sizeof(xpuMemAllocNodeParams);
    params_out->poolProps.struct_size = (uint32_t)sizeof(xpuMemPoolProps);
  }
  return xpuGraphMemAllocNodeGetParams(node, params_out);
}

static inline xpuError_t cudaGraphInstantiate(xpuGraphExec_t *pGraphExec, xpuGraph_t graph,
    unsigned long long flags XPU_COMPAT_OR_0) {
  return xpuGraphInstantiate(pGraphExec, graph, flags);
}

static inline xpuError_t cudaGraphInstantiateWithFlags(xpuGraphExec_t *pGraphExec,
    xpuGraph_t graph, unsigned long long flags XPU_COMPAT_OR_0) {
  return xpuGraphInstantiateWithFlags(pGraphExec, graph, flags);
}

static inline xpuError_t cudaGraphInstantiateWithParams(xpuGraphExec_t *pGraphExec,
    xpuGraph_t graph, xpuGraphInstantiateParams *instantiateParams) {
  if (instantiateParams) {
    instantiateParams->struct_size = (uint32_t)sizeof(xpuGraphInstantiateParams);
  }
  return xpuGraphInstantiateWithParams(pGraphExec, graph, instantiateParams);
}

static inline xpuError_t cudaGraphExecUpdate(xpuGraphExec_t hGraphExec, xpuGraph_t hGraph,
    xpuGraphExecUpdateResultInfo *resultInfo) {
  if (resultInfo) {
    resultInfo->struct_size = (uint32_t)sizeof(xpuGraphExecUpdateResultInfo);
  }
  return xpuGraphExecUpdate(hGraphExec, hGraph, resultInfo);
}

static inline xpuError_t cudaGraphExecKernelNodeSetParams(xpuGraphExec_t hGraphExec,
    xpuGraphNode_t node, const xpuKernelNodeParams *pNodeParams) {
  xpuKernelNodeParams sized_pNodeParams;
  if (pNodeParams) {
    sized_pNodeParams = *pNodeParams;
    sized_pNodeParams.struct_size = (uint32_t)sizeof(xpuKernelNodeParams);
  }
  return xpuGraphExecKernelNodeSetParams(hGraphExec, node,
    pNodeParams ? &sized_pNodeParams : pNodeParams);
}

static inline xpuError_t cudaGraphExecMemcpyNodeSetParams(xpuGraphExec_t hGraphExec,
    xpuGraphNode_t node, const xpuMemcpy3DParms *pNodeParams) {
  xpuMemcpy3DParms sized_pNodeParams;
  if (pNodeParams) {
    sized_pNodeParams = *pNodeParams;
    sized_pNodeParams.struct_size = (uint32_t)sizeof(xpuMemcpy3DParms);
  }
  return xpuGraphExecMemcpyNodeSetParams(hGraphExec, node,
    pNodeParams ? &sized_pNodeParams : pNodeParams);
}

static inline xpuError_t cudaGraphExecMemsetNodeSetParams(xpuGraphExec_t hGraphExec,
    xpuGraphNode_t node, const xpuMemsetParams *pNodeParams) {
  xpuMemsetParams sized_pNodeParams;
  if (pNodeParams) {
    sized_pNodeParams = *pNodeParams;
    sized_pNodeParams.struct_size = (uint32_t)sizeof(xpuMemsetParams);
  }
  return xpuGraphExecMemsetNodeSetParams(hGraphExec, node,
    pNodeParams ? &sized_pNodeParams : pNodeParams);
}

static inline xpuError_t cudaGraphExecHostNodeSetParams(xpuGraphExec_t hGraphExec,
    xpuGraphNode_t node, const xpuHostNodeParams *pNodeParams) {
  xpuHostNodeParams sized_pNodeParams;
  if (pNodeParams) {
    sized_pNodeParams = *pNodeParams;
    sized_pNodeParams.struct_size = (uint32_t)sizeof(xpuHostNodeParams);
  }
  return xpuGraphExecHostNodeSetParams(hGraphExec, node,
    pNodeParams ? &sized_pNodeParams : pNodeParams);
}

static inline xpuError_t cudaGraphAddNode(xpuGraphNode_t *pGraphNode, xpuGraph_t graph,
    const xpuGraphNode_t *pDependencies, const xpuGraphEdgeData *dependencyData,
    size_t numDependencies, xpuGraphNodeParams *nodeParams) {
  if (nodeParams) {
    nodeParams->struct_size = (uint32_t)sizeof(xpuGraphNodeParams);
  }
  return xpuGraphAddNode(pGraphNode, graph, pDependencies, dependencyData, numDependencies,
    nodeParams);
}

static inline xpuError_t cudaGraphNodeSetParams(xpuGraphNode_t node,
    xpuGraphNodeParams *nodeParams) {
  if (nodeParams) {
    nodeParams->struct_size = (uint32_t)sizeof(xpuGraphNodeParams);
  }
  return xpuGraphNodeSetParams(node, nodeParams);
}

static inline xpuError_t cudaStreamGetCaptureInfo(xpuStream_t stream,
    xpuStreamCaptureStatus *captureStatus_out, unsigned long long *id_out XPU_COMPAT_OR_0,
    xpuGraph_t *graph_out XPU_COMPAT_OR_0, const xpuGraphNode_t **dependencies_out XPU_COMPAT_OR_0,
    const xpuGraphEdgeData **edgeData_out XPU_COMPAT_OR_0,
    size_t *numDependencies_out XPU_COMPAT_OR_0) {
  return xpuStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out, dependencies_out,
    edgeData_out, numDependencies_out);
}

static inline xpuError_t cudaStreamUpdateCaptureDependencies(xpuStream_t stream,
    const xpuGraphNode_t *dependencies, const xpuGraphEdgeData *dependencyData,
    size_t numDependencies, unsigned int flags XPU_COMPAT_OR_0) {
  return xpuStreamUpdateCaptureDependencies(stream, dependencies, dependencyData, numDependencies,
    flags);
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

#undef XPU_COMPAT_OR_0
