// SPDX-License-Identifier: Apache-2.0
// The entry points of graph.h that return lists, and the protocol they share: without an array only
// the count is told; with one, as much as fits is written, room beyond the end becomes NULL and the
// count is lowered to what was written. Nothing is written by a call that fails.
#include <xpugraph/graph.h>

#include <algorithm>

#include "capi/cast.h"
#include "capi/guard.h"
#include "graph/dot.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

Status no_room(const char* argument) {
  return invalid_value(
      std::string(argument) + " has room for 0 entries; to learn the count, pass NULL arrays",
      argument);
}

Status lossy() {
  return Status::error(xpuErrorLossyQuery,
                       "an edge carries data, and edgeData is NULL; pass an array for it",
                       "edgeData");
}

Status out_of_handles() {
  return Status::error(xpuErrorMemoryAllocation, "no memory is left for another handle");
}

// `list(i)` is the i-th of `total` nodes.
template <class List>
Status write_nodes(size_t total, const List& list, xpuGraphNode_t* out, size_t* count,
                   const char* out_name) {
  if (out && *count == 0) return no_room(out_name);
  if (out) {
    const size_t room = *count;
    const size_t n = std::min(room, total);
    for (size_t i = 0; i < n; i++)
      if (!list(i)->handle()) return out_of_handles();
    for (size_t i = 0; i < n; i++) out[i] = to_public<xpuGraphNode_t>(list(i)->handle());
    std::fill(out + n, out + room, nullptr);
    total = n;
  }
  *count = total;
  return {};
}

// The ends of a node's edges, in or out.
Status write_ends(const graph::EdgeList& edges, xpuGraphNode_t* out, xpuGraphEdgeData* data,
                  size_t* count, const char* out_name) {
  if (!out && data)
    return invalid_value(std::string(out_name) + " is NULL but edgeData is not", out_name);
  const uint32_t n =
      out ? static_cast<uint32_t>(std::min<size_t>(*count, edges.size())) : edges.size();
  if (out && !data && std::any_of(edges.begin(), edges.begin() + n, [](const graph::Edge& e) {
        return !e.is_default();
      }))
    return lossy();
  XPU_TRY(write_nodes(
      edges.size(), [&](size_t i) { return edges[static_cast<uint32_t>(i)].node; }, out, count,
      out_name));
  if (data)
    for (uint32_t i = 0; i < n; i++) data[i] = edges[i].data();
  return {};
}

struct EdgeArrays {
  xpuGraphNode_t* from;
  xpuGraphNode_t* to;
  xpuGraphEdgeData* data;
};

// Calls `visit(from, edge)` for the first `n` edges, by source in order of creation.
template <class Visit>
void for_edges(const graph::Graph& g, size_t n, Visit visit) {
  for (graph::Node* node : g.nodes())
    for (const graph::Edge& edge : node->out()) {
      if (n-- == 0) return;
      visit(node, edge);
    }
}

Status write_edges(const graph::Graph& g, const EdgeArrays& out, size_t* count) {
  if (!out.from && !out.to && !out.data) {
    *count = g.edge_count();
    return {};
  }
  if (!out.from || !out.to)
    return invalid_value("from and to must both be given, or both be NULL without edgeData",
                         out.from ? "to" : "from");
  const size_t room = *count;
  if (room == 0) return no_room("from");
  const size_t n = std::min(room, g.edge_count());
  bool plain = true;
  for_edges(g, n, [&](graph::Node*, const graph::Edge& e) { plain = plain && e.is_default(); });
  if (!plain && !out.data) return lossy();
  size_t i = 0;
  for_edges(g, n, [&](graph::Node* from, const graph::Edge& e) {
    out.from[i] = to_public<xpuGraphNode_t>(from->handle());
    out.to[i] = to_public<xpuGraphNode_t>(e.node->handle());
    if (out.data) out.data[i] = e.data();
    i++;
  });
  std::fill(out.from + n, out.from + room, nullptr);
  std::fill(out.to + n, out.to + room, nullptr);
  if (out.data) std::fill(out.data + n, out.data + room, xpuGraphEdgeData{});
  *count = n;
  return {};
}

}  // namespace

xpuError_t xpuGraphGetNodes(xpuGraph_t graph, xpuGraphNode_t* nodes, size_t* numNodes) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(numNodes, "numNodes"));
    XPU_TRY_ASSIGN(const graph::Graph* g, live_graph(graph));
    const std::span<graph::Node* const> all = g->nodes();
    return write_nodes(
        all.size(), [&](size_t i) { return all[i]; }, nodes, numNodes, "nodes");
  });
}

xpuError_t xpuGraphGetRootNodes(xpuGraph_t graph, xpuGraphNode_t* pRootNodes,
                                size_t* pNumRootNodes) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pNumRootNodes, "pNumRootNodes"));
    XPU_TRY_ASSIGN(const graph::Graph* g, live_graph(graph));
    // The newest first, which is how CUDA lists them.
    std::vector<graph::Node*> roots;
    for (graph::Node* node : g->nodes())
      if (node->in().empty()) roots.push_back(node);
    std::reverse(roots.begin(), roots.end());
    return write_nodes(
        roots.size(), [&](size_t i) { return roots[i]; }, pRootNodes, pNumRootNodes, "pRootNodes");
  });
}

xpuError_t xpuGraphGetEdges(xpuGraph_t graph, xpuGraphNode_t* from, xpuGraphNode_t* to,
                            xpuGraphEdgeData* edgeData, size_t* numEdges) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(numEdges, "numEdges"));
    XPU_TRY_ASSIGN(const graph::Graph* g, live_graph(graph));
    return write_edges(*g, {from, to, edgeData}, numEdges);
  });
}

xpuError_t xpuGraphNodeGetDependencies(xpuGraphNode_t node, xpuGraphNode_t* pDependencies,
                                       xpuGraphEdgeData* edgeData, size_t* pNumDependencies) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pNumDependencies, "pNumDependencies"));
    XPU_TRY_ASSIGN(const graph::Node* n, live_node(node));
    return write_ends(n->in(), pDependencies, edgeData, pNumDependencies, "pDependencies");
  });
}

xpuError_t xpuGraphNodeGetDependentNodes(xpuGraphNode_t node, xpuGraphNode_t* pDependentNodes,
                                         xpuGraphEdgeData* edgeData, size_t* pNumDependentNodes) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pNumDependentNodes, "pNumDependentNodes"));
    XPU_TRY_ASSIGN(const graph::Node* n, live_node(node));
    return write_ends(n->out(), pDependentNodes, edgeData, pNumDependentNodes, "pDependentNodes");
  });
}

xpuError_t xpuGraphDebugDotPrint(xpuGraph_t graph, const char* path, unsigned int flags) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const graph::Graph* g, live_graph(graph));
    XPU_TRY(require(path, "path"));
    return graph::write_dot(*g, path, flags);
  });
}
