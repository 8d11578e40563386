// SPDX-License-Identifier: Apache-2.0
// Entry points that tell numbers: those that pictures and error sentences show.
#include <xpugraph/exec.h>
#include <xpugraph/graph.h>

#include "capi/cast.h"
#include "capi/guard.h"

using namespace xpu;
using namespace xpu::capi;

xpuError_t xpuGraphGetId(xpuGraph_t hGraph, unsigned int* graphID) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(graphID, "graphID"));
    XPU_TRY_ASSIGN(const graph::Graph* graph, live_graph(hGraph, "hGraph"));
    *graphID = static_cast<unsigned int>(graph->id());
    return {};
  });
}

xpuError_t xpuGraphExecGetId(xpuGraphExec_t hGraphExec, unsigned int* graphID) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(graphID, "graphID"));
    XPU_TRY_ASSIGN(const exec::Exec* exec, live_exec(hGraphExec, "hGraphExec"));
    *graphID = static_cast<unsigned int>(exec->source().id());
    return {};
  });
}

xpuError_t xpuGraphNodeGetContainingGraph(xpuGraphNode_t hNode, xpuGraph_t* phGraph) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(phGraph, "phGraph"));
    XPU_TRY_ASSIGN(const graph::Node* node, live_node(hNode, "hNode"));
    const uint64_t handle = node->graph().handle();
    if (!handle)
      return Status::error(xpuErrorMemoryAllocation, "no memory is left for another handle");
    *phGraph = to_public<xpuGraph_t>(handle);
    return {};
  });
}

xpuError_t xpuGraphNodeGetLocalId(xpuGraphNode_t hNode, unsigned int* nodeId) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(nodeId, "nodeId"));
    XPU_TRY_ASSIGN(const graph::Node* node, live_node(hNode, "hNode"));
    *nodeId = node->local_id();
    return {};
  });
}

xpuError_t xpuGraphNodeGetToolsId(xpuGraphNode_t hNode, unsigned long long* toolsNodeId) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(toolsNodeId, "toolsNodeId"));
    XPU_TRY_ASSIGN(const graph::Node* node, live_node(hNode, "hNode"));
    *toolsNodeId = node->id();
    return {};
  });
}
