// SPDX-License-Identifier: Apache-2.0
// The calls about graphs that take structs or have default arguments in CUDA. Written by tools/gen;
// a program includes cuda_runtime_graphs.h, which includes this.
#pragma once

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

static inline xpuError_t cudaImportExternalSemaphore(xpuExternalSemaphore_t *extSem_out,
    const xpuExternalSemaphoreHandleDesc *semHandleDesc) {
  xpuExternalSemaphoreHandleDesc sized_semHandleDesc;
  if (semHandleDesc) {
    sized_semHandleDesc = *semHandleDesc;
    sized_semHandleDesc.struct_size = (uint32_t)sizeof(xpuExternalSemaphoreHandleDesc);
  }
  return xpuImportExternalSemaphore(extSem_out,
    semHandleDesc ? &sized_semHandleDesc : semHandleDesc);
}

static inline xpuError_t cudaGraphAddExternalSemaphoresSignalNode(xpuGraphNode_t *pGraphNode,
    xpuGraph_t graph, const xpuGraphNode_t *pDependencies, size_t numDependencies,
    const xpuExternalSemaphoreSignalNodeParams *nodeParams) {
  xpuExternalSemaphoreSignalNodeParams sized_nodeParams;
  if (nodeParams) {
    sized_nodeParams = *nodeParams;
    sized_nodeParams.struct_size = (uint32_t)sizeof(xpuExternalSemaphoreSignalNodeParams);
  }
  return xpuGraphAddExternalSemaphoresSignalNode(pGraphNode, graph, pDependencies, numDependencies,
    nodeParams ? &sized_nodeParams : nodeParams);
}

static inline xpuError_t cudaGraphAddExternalSemaphoresWaitNode(xpuGraphNode_t *pGraphNode,
    xpuGraph_t graph, const xpuGraphNode_t *pDependencies, size_t numDependencies,
    const xpuExternalSemaphoreWaitNodeParams *nodeParams) {
  xpuExternalSemaphoreWaitNodeParams sized_nodeParams;
  if (nodeParams) {
    sized_nodeParams = *nodeParams;
    sized_nodeParams.struct_size = (uint32_t)sizeof(xpuExternalSemaphoreWaitNodeParams);
  }
  return xpuGraphAddExternalSemaphoresWaitNode(pGraphNode, graph, pDependencies, numDependencies,
    nodeParams ? &sized_nodeParams : nodeParams);
}

static inline xpuError_t cudaGraphExternalSemaphoresSignalNodeGetParams(xpuGraphNode_t hNode,
    xpuExternalSemaphoreSignalNodeParams *params_out) {
  if (params_out) {
    params_out->struct_size = (uint32_t)sizeof(xpuExternalSemaphoreSignalNodeParams);
  }
  return xpuGraphExternalSemaphoresSignalNodeGetParams(hNode, params_out);
}

static inline xpuError_t cudaGraphExternalSemaphoresWaitNodeGetParams(xpuGraphNode_t hNode,
    xpuExternalSemaphoreWaitNodeParams *params_out) {
  if (params_out) {
    params_out->struct_size = (uint32_t)sizeof(xpuExternalSemaphoreWaitNodeParams);
  }
  return xpuGraphExternalSemaphoresWaitNodeGetParams(hNode, params_out);
}

static inline xpuError_t cudaGraphExternalSemaphoresSignalNodeSetParams(xpuGraphNode_t hNode,
    const xpuExternalSemaphoreSignalNodeParams *nodeParams) {
  xpuExternalSemaphoreSignalNodeParams sized_nodeParams;
  if (nodeParams) {
    sized_nodeParams = *nodeParams;
    sized_nodeParams.struct_size = (uint32_t)sizeof(xpuExternalSemaphoreSignalNodeParams);
  }
  return xpuGraphExternalSemaphoresSignalNodeSetParams(hNode,
    nodeParams ? &sized_nodeParams : nodeParams);
}

static inline xpuError_t cudaGraphExternalSemaphoresWaitNodeSetParams(xpuGraphNode_t hNode,
    const xpuExternalSemaphoreWaitNodeParams *nodeParams) {
  xpuExternalSemaphoreWaitNodeParams sized_nodeParams;
  if (nodeParams) {
    sized_nodeParams = *nodeParams;
    sized_nodeParams.struct_size = (uint32_t)sizeof(xpuExternalSemaphoreWaitNodeParams);
  }
  return xpuGraphExternalSemaphoresWaitNodeSetParams(hNode,
    nodeParams ? &sized_nodeParams : nodeParams);
}

static inline xpuError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(xpuGraphExec_t hGraphExec,
    xpuGraphNode_t hNode, const xpuExternalSemaphoreSignalNodeParams *nodeParams) {
  xpuExternalSemaphoreSignalNodeParams sized_nodeParams;
  if (nodeParams) {
    sized_nodeParams = *nodeParams;
    sized_nodeParams.struct_size = (uint32_t)sizeof(xpuExternalSemaphoreSignalNodeParams);
  }
  return xpuGraphExecExternalSemaphoresSignalNodeSetParams(hGraphExec, hNode,
    nodeParams ? &sized_nodeParams : nodeParams);
}

static inline xpuError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(xpuGraphExec_t hGraphExec,
    xpuGraphNode_t hNode, const xpuExternalSemaphoreWaitNodeParams *nodeParams) {
  xpuExternalSemaphoreWaitNodeParams sized_nodeParams;
  if (nodeParams) {
    sized_nodeParams = *nodeParams;
    sized_nodeParams.struct_size = (uint32_t)sizeof(xpuExternalSemaphoreWaitNodeParams);
  }
  return xpuGraphExecExternalSemaphoresWaitNodeSetParams(hGraphExec, hNode,
    nodeParams ? &sized_nodeParams : nodeParams);
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

static inline xpuError_t cudaGraphExecNodeSetParams(xpuGraphExec_t graphExec, xpuGraphNode_t node,
    xpuGraphNodeParams *nodeParams) {
  if (nodeParams) {
    nodeParams->struct_size = (uint32_t)sizeof(xpuGraphNodeParams);
  }
  return xpuGraphExecNodeSetParams(graphExec, node, nodeParams);
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
