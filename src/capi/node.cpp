// SPDX-License-Identifier: Apache-2.0
// Entry points of node.h that add nodes; reading and replacing them is in node_params.cpp.
#include <xpugraph/node.h>

#include "capi/cast.h"
#include "capi/guard.h"
#include "capi/memory_place.h"
#include "capi/node_list.h"
#include "capi/node_params.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

// Where a new node goes.
struct Place {
  xpuGraphNode_t* out;
  xpuGraph_t graph;
  const xpuGraphNode_t* dependencies;
  size_t count;
};

// `make()` gives the parameters, a Result<graph::ParamsRef>; it is called when the place is good.
template <class Make>
Status add(const Place& place, Make&& make) {
  XPU_TRY(require(place.out, "pGraphNode"));
  XPU_TRY_ASSIGN(graph::Graph * g, live_graph(place.graph));
  NodeList dependencies;
  XPU_TRY(dependencies.read(place.dependencies, place.count, "pDependencies"));
  XPU_TRY_ASSIGN(graph::ParamsRef params, make());
  XPU_TRY_ASSIGN(graph::Node * node, g->add(std::move(params), dependencies.nodes()));
  const uint64_t handle = node->handle();
  if (!handle) {
    g->remove(node);
    return Status::error(xpuErrorMemoryAllocation, "no memory is left for another handle");
  }
  *place.out = to_public<xpuGraphNode_t>(handle);
  return {};
}

}  // namespace

xpuError_t xpuGraphAddKernelNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                 const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                 const xpuKernelNodeParams* pNodeParams) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_params(pNodeParams); });
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
               [&] { return to_params(pNodeParams); });
  });
}

xpuError_t xpuGraphAddChildGraphNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                     const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                     xpuGraph_t childGraph) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&]() -> Result<graph::ParamsRef> {
                 XPU_TRY_ASSIGN(const graph::Graph* child, live_graph(childGraph, "childGraph"));
                 XPU_TRY(check_no_memory(*child, "a child graph", "childGraph"));
                 return graph::ChildParams::make(child->clone());
               });
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
