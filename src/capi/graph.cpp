// SPDX-License-Identifier: Apache-2.0
// Entry points of graph.h: graphs, edges and removal; the queries are in query.cpp.
#include <xpugraph/graph.h>

#include "capi/cast.h"
#include "capi/conditional.h"
#include "capi/guard.h"
#include "capi/memory_place.h"
#include "capi/node_list.h"
#include "capture/begin_end.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

// A graph that the program holds by handle from here on.
Status hand_out(const std::shared_ptr<graph::Graph>& graph, xpuGraph_t* out) {
  if (!graph->handle())
    return Status::error(xpuErrorMemoryAllocation, "no memory is left for another handle");
  graph->keep();
  *out = to_public<xpuGraph_t>(graph->handle());
  return {};
}

Status under_capture(const char* what, const char* argument) {
  return Status::error(
      xpuErrorIllegalState,
      std::string(what) + " while the graph is being captured into; end the capture first",
      argument);
}

}  // namespace

xpuError_t xpuGraphCreate(xpuGraph_t* pGraph, unsigned int flags) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pGraph, "pGraph"));
    if (flags) return invalid_value("flags must be 0", "flags");
    return hand_out(graph::Graph::make(), pGraph);
  });
}

xpuError_t xpuGraphDestroy(xpuGraph_t graph) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(graph::Graph * g, any_graph(graph));
    if (g->owner()) return invalid_value("the graph belongs to a node and dies with it", "graph");
    if (capture::is_captured_into(*g)) return under_capture("a graph cannot be destroyed", "graph");
    (void)g->let_go();
    return {};
  });
}

xpuError_t xpuGraphClone(xpuGraph_t* pGraphClone, xpuGraph_t originalGraph) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pGraphClone, "pGraphClone"));
    XPU_TRY_ASSIGN(const graph::Graph* original, settled_graph(originalGraph, "originalGraph"));
    XPU_TRY(check_copyable(*original, "cloned", "originalGraph"));
    return hand_out(original->clone(), pGraphClone);
  });
}

xpuError_t xpuGraphNodeFindInClone(xpuGraphNode_t* pNode, xpuGraphNode_t originalNode,
                                   xpuGraph_t clonedGraph) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pNode, "pNode"));
    XPU_TRY_ASSIGN(const graph::Node* original, live_node(originalNode, "originalNode"));
    XPU_TRY_ASSIGN(const graph::Graph* clone, live_graph(clonedGraph, "clonedGraph"));
    graph::Node* copy = clone->find_clone_of(*original);
    if (!copy)
      return invalid_value(
          "clonedGraph has no copy of the node: it is no clone of the node's graph, or the node "
          "came "
          "after it was cloned, or the copy was removed",
          "clonedGraph");
    *pNode = to_public<xpuGraphNode_t>(copy->handle());
    return {};
  });
}

xpuError_t xpuGraphAddDependencies(xpuGraph_t graph, const xpuGraphNode_t* from,
                                   const xpuGraphNode_t* to, const xpuGraphEdgeData* edgeData,
                                   size_t numDependencies) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(graph::Graph * g, settled_graph(graph));
    NodeList before, after;
    XPU_TRY(before.read(from, numDependencies, "from"));
    XPU_TRY(after.read(to, numDependencies, "to"));
    return g->add_edges(before.nodes(), after.nodes(), edgeData);
  });
}

xpuError_t xpuGraphRemoveDependencies(xpuGraph_t graph, const xpuGraphNode_t* from,
                                      const xpuGraphNode_t* to,
                                      const xpuGraphEdgeData* /*edgeData*/,
                                      size_t numDependencies) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(graph::Graph * g, settled_graph(graph));
    NodeList before, after;
    XPU_TRY(before.read(from, numDependencies, "from"));
    XPU_TRY(after.read(to, numDependencies, "to"));
    if (numDependencies) XPU_TRY(check_no_memory(*g, "edited by removing edges", "graph"));
    return g->remove_edges(before.nodes(), after.nodes());
  });
}

xpuError_t xpuGraphDestroyNode(xpuGraphNode_t node) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(graph::Node * n, live_node(node));
    if (capture::is_captured_into(*n)) return under_capture("no node can be removed", "node");
    XPU_TRY(check_settled(n->graph(), "node"));
    XPU_TRY(check_no_memory(n->graph(), "edited by removing nodes", "node"));
    n->graph().remove(n);
    return {};
  });
}

xpuError_t xpuGraphNodeGetType(xpuGraphNode_t node, xpuGraphNodeType* pType) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pType, "pType"));
    XPU_TRY_ASSIGN(const graph::Node* n, live_node(node));
    *pType = static_cast<xpuGraphNodeType>(n->kind());
    return {};
  });
}
