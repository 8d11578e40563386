// SPDX-License-Identifier: Apache-2.0
// Where a new node goes, and how it gets there: what all calls share that add one.
#pragma once

#include "base/handle.h"
#include "capi/guard.h"
#include "capi/node_list.h"
#include "capi/spelling.h"

namespace xpu::capi {

struct Place {
  xpuGraphNode_t* out;
  xpuGraph_t graph;
  const xpuGraphNode_t* dependencies;
  size_t count;
  const xpuGraphEdgeData* data = nullptr;
};

// `put(graph, dependencies)` adds the node, a Result<graph::Node*>; it is called when the place is
// good.
template <class Put>
Status put_node(const Place& place, Put&& put) {
  XPU_TRY(require(place.out, "pGraphNode"));
  XPU_TRY_ASSIGN(graph::Graph * graph, settled_graph(place.graph));
  NodeList dependencies;
  XPU_TRY(dependencies.read(place.dependencies, place.count, "pDependencies"));
  XPU_TRY_ASSIGN(graph::Node * node,
                 spelled(put(*graph, dependencies.nodes()), {{"edgeData", "dependencyData"}}));
  const uint64_t handle = node->handle();
  if (!handle) {
    graph->remove(node);
    return Status::error(xpuErrorMemoryAllocation, "no memory is left for another handle");
  }
  *place.out = xpu::to_public<xpuGraphNode_t>(handle);
  return {};
}

// `make()` gives the parameters, a Result<graph::ParamsRef>.
template <class Make>
Status add(const Place& place, Make&& make) {
  return put_node(
      place,
      [&](graph::Graph& graph, std::span<graph::Node* const> dependencies) -> Result<graph::Node*> {
        XPU_TRY_ASSIGN(graph::ParamsRef params, make());
        return graph.add(std::move(params), dependencies, place.count ? place.data : nullptr);
      });
}

}  // namespace xpu::capi
