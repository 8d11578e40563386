// SPDX-License-Identifier: Apache-2.0
// Entry points of node.h that add nodes; reading and replacing them is in node_params.cpp.
#include <xpugraph/node.h>

#include "capi/cast.h"
#include "capi/guard.h"
#include "capi/memory_place.h"
#include "capi/new_node.h"
#include "capi/node_params.h"

using namespace xpu;
using namespace xpu::capi;

xpuError_t xpuGraphAddKernelNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                 const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                 const xpuKernelNodeParams* pNodeParams) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_params(pNodeParams, "pNodeParams"); });
  });
}

xpuError_t xpuGraphAddMemcpyNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                 const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                 const xpuMemcpy3DParms* pCopyParams) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_params(pCopyParams, "pCopyParams"); });
  });
}

xpuError_t xpuGraphAddMemcpyNode1D(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                   const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                   void* dst, const void* src, size_t count, xpuMemcpyKind kind) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_linear_copy(dst, src, count, kind); });
  });
}

xpuError_t xpuGraphAddMemsetNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                 const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                 const xpuMemsetParams* pMemsetParams) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_params(pMemsetParams, "pMemsetParams"); });
  });
}

xpuError_t xpuGraphAddHostNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                               const xpuGraphNode_t* pDependencies, size_t numDependencies,
                               const xpuHostNodeParams* pNodeParams) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_params(pNodeParams, "pNodeParams"); });
  });
}

xpuError_t xpuGraphAddChildGraphNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                     const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                     xpuGraph_t childGraph) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_child_params(childGraph, "childGraph"); });
  });
}

xpuError_t xpuGraphAddEmptyNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                const xpuGraphNode_t* pDependencies, size_t numDependencies) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               []() -> Result<graph::ParamsRef> { return graph::EmptyParams::make(); });
  });
}

xpuError_t xpuGraphAddEventRecordNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                      const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                      xpuEvent_t event) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_event_params(graph::NodeKind::event_record, event); });
  });
}

xpuError_t xpuGraphAddEventWaitNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                    const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                    xpuEvent_t event) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_event_params(graph::NodeKind::event_wait, event); });
  });
}
