// SPDX-License-Identifier: Apache-2.0
// Entry points of any_node.h: each kind goes the way of its own call.
#include <xpugraph/any_node.h>

#include <algorithm>
#include <cstring>

#include "capi/conditional.h"
#include "capi/copy_in.h"
#include "capi/memop_params.h"
#include "capi/memory_node.h"
#include "capi/new_node.h"
#include "capi/node_params.h"
#include "capi/semaphore_params.h"
#include "capture/begin_end.h"
#include "memory/graph_memory.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

constexpr size_t kRoom = sizeof(xpuGraphNodeParams::reserved1);

bool all_zero(const void* first, size_t bytes) noexcept {
  const auto* at = static_cast<const unsigned char*>(first);
  return std::all_of(at, at + bytes, [](unsigned char byte) { return byte == 0; });
}

Status not_zero(const char* argument) {
  return invalid_value(
      "bytes that mean nothing for this type of node must be 0; zero the struct before filling it "
      "in",
      argument);
}

// The union with what is around it, and everything in it 0 that does not count.
class AnyParams {
 public:
  Status read(const xpuGraphNodeParams* user) {
    XPU_TRY(copy_in(params_, user, "nodeParams"));
    if (!all_zero(params_.reserved0, sizeof params_.reserved0) || params_.reserved2)
      return not_zero("nodeParams");
    const size_t bytes = used();
    if (bytes == kNoType)
      return invalid_value("type is " + std::to_string(static_cast<int>(params_.type)) +
                               ", which is no xpuGraphNodeType that this call takes",
                           "nodeParams->type");
    if (!fits_)
      return invalid_value(
          "the struct_size of the member that counts is larger than the room for it", "nodeParams");
    if (!all_zero(reinterpret_cast<const unsigned char*>(params_.reserved1) + bytes, kRoom - bytes))
      return not_zero("nodeParams");
    return check_reserved();
  }
  // The same, and it must be of the node's kind.
  Status read_for(const graph::Node& node, const xpuGraphNodeParams* user) {
    XPU_TRY(read(user));
    if (node.kind() == kind()) return {};
    return invalid_value(
        "type is that of " + graph::a_node(kind()) + ", but node is " + graph::a_node(node.kind()),
        "nodeParams->type");
  }
  graph::NodeKind kind() const noexcept { return static_cast<graph::NodeKind>(params_.type); }
  xpuGraphNodeParams& operator*() noexcept { return params_; }

  // What an executable complains about, as a member of the member that counts.
  Status spelled_as_member(Status status) const {
    switch (params_.type) {
      case xpuGraphNodeTypeKernel:
        return spelled_in(std::move(status), "nodeParams->kernel", {{"func", "func"}});
      case xpuGraphNodeTypeMemcpy:
        return spelled_in(std::move(status), "nodeParams->memcpy.copyParams", kCopyMembers);
      case xpuGraphNodeTypeMemset:
        return spelled_in(std::move(status), "nodeParams->memset", kFillMembers);
      case xpuGraphNodeTypeExtSemaphoreSignal:
      case xpuGraphNodeTypeExtSemaphoreWait:
        return spelled_in(std::move(status),
                          params_.type == xpuGraphNodeTypeExtSemaphoreWait
                              ? "nodeParams->extSemWait"
                              : "nodeParams->extSemSignal",
                          {{"extSemArray", "extSemArray"}, {"numExtSems", "numExtSems"}});
      case xpuGraphNodeTypeBatchMemOp:
        return spelled_in(std::move(status), "nodeParams->memOp", {{"paramArray", "paramArray"}});
      default:
        return status;
    }
  }

  // Kinds that are parameters and nothing else.
  Result<graph::ParamsRef> make() {
    switch (params_.type) {
      case xpuGraphNodeTypeKernel:
        return to_params(&params_.kernel, "nodeParams->kernel");
      case xpuGraphNodeTypeMemcpy:
        return to_params(&params_.memcpy.copyParams, "nodeParams->memcpy.copyParams");
      case xpuGraphNodeTypeMemset:
        return to_params(&params_.memset, "nodeParams->memset");
      case xpuGraphNodeTypeHost:
        return to_params(&params_.host, "nodeParams->host");
      case xpuGraphNodeTypeEmpty:
        return graph::EmptyParams::make();
      case xpuGraphNodeTypeWaitEvent:
      case xpuGraphNodeTypeEventRecord:
        return to_event_params(kind(), params_.eventWait.event,
                               params_.type == xpuGraphNodeTypeWaitEvent
                                   ? "nodeParams->eventWait.event"
                                   : "nodeParams->eventRecord.event");
      case xpuGraphNodeTypeExtSemaphoreSignal:
        return to_params(&params_.extSemSignal, "nodeParams->extSemSignal");
      case xpuGraphNodeTypeExtSemaphoreWait:
        return to_params(&params_.extSemWait, "nodeParams->extSemWait");
      case xpuGraphNodeTypeBatchMemOp:
        return to_params(&params_.memOp, "nodeParams->memOp");
      default:
        return Status::error(xpuErrorNotSupported,
                             "what " + graph::a_node(kind()) + " does cannot be replaced" +
                                 (kind() == graph::NodeKind::child
                                      ? "; edit the graph that xpuGraphChildGraphNodeGetGraph gives"
                                      : ""),
                             "nodeParams->type");
    }
  }

 private:
  static constexpr size_t kNoType = SIZE_MAX;

  // Where a member ends that is `before` bytes into the room; a size in it that was left 0 is
  // filled in. A larger one has members that this library does not know, which copy_in looks at;
  // beyond the room nothing can be meant.
  template <class T>
  size_t sized(T& member, size_t before = 0) noexcept {
    if (!member.struct_size) member.struct_size = sizeof member;
    fits_ = member.struct_size <= kRoom - before;
    return fits_ ? before + std::max<size_t>(member.struct_size, sizeof member) : kRoom;
  }
  size_t used() noexcept {
    switch (params_.type) {
      case xpuGraphNodeTypeKernel:
        return sized(params_.kernel);
      case xpuGraphNodeTypeMemcpy:
        return sized(params_.memcpy.copyParams, offsetof(xpuMemcpyNodeParams, copyParams));
      case xpuGraphNodeTypeMemset:
        return sized(params_.memset);
      case xpuGraphNodeTypeHost:
        return sized(params_.host);
      case xpuGraphNodeTypeGraph:
        return sizeof params_.graph;
      case xpuGraphNodeTypeEmpty:
        return 0;
      case xpuGraphNodeTypeWaitEvent:
        return sizeof params_.eventWait;
      case xpuGraphNodeTypeEventRecord:
        return sizeof params_.eventRecord;
      case xpuGraphNodeTypeExtSemaphoreSignal:
        return sized(params_.extSemSignal);
      case xpuGraphNodeTypeExtSemaphoreWait:
        return sized(params_.extSemWait);
      case xpuGraphNodeTypeBatchMemOp:
        return sized(params_.memOp);
      case xpuGraphNodeTypeMemAlloc:
        return sized(params_.alloc);
      case xpuGraphNodeTypeMemFree:
        return sizeof params_.free;
      case xpuGraphNodeTypeConditional:
        return sizeof params_.conditional;
    }
    return kNoType;
  }
  Status check_reserved() const {
    if (params_.type == xpuGraphNodeTypeMemcpy &&
        (params_.memcpy.flags ||
         !all_zero(params_.memcpy.reserved, sizeof params_.memcpy.reserved)))
      return not_zero("nodeParams->memcpy");
    if (params_.type == xpuGraphNodeTypeGraph && params_.graph.reserved)
      return not_zero("nodeParams->graph");
    return {};
  }

  xpuGraphNodeParams params_;
  bool fits_ = true;
};

// The graph goes into the node as it is. Handed back if there is no node in the end.
Status move_child(const Place& place, xpuGraph_t child) {
  XPU_TRY_ASSIGN(graph::Graph * inner, settled_graph(child, "nodeParams->graph.graph"));
  if (capture::is_captured_into(*inner))
    return Status::error(xpuErrorIllegalState,
                         "a graph cannot be moved into a node while it is being captured into",
                         "nodeParams->graph.graph");
  if (inner->is_conditional())
    return Status::error(xpuErrorNotSupported,
                         "a graph with conditional nodes cannot be moved into a node",
                         "nodeParams->graph.graph");
  return put_node(place, [&](graph::Graph& graph, std::span<graph::Node* const> dependencies) {
    return memory::add_moved(graph, inner->shared_from_this(), dependencies,
                             place.count ? place.data : nullptr);
  });
}

Status add_child(const Place& place, const xpuChildGraphNodeParams& params) {
  switch (params.ownership) {
    case xpuGraphChildGraphOwnershipClone:
      return add(place, [&] { return to_child_params(params.graph, "nodeParams->graph.graph"); });
    case xpuGraphChildGraphOwnershipMove:
      return move_child(place, params.graph);
  }
  return invalid_value("ownership is " + std::to_string(static_cast<int>(params.ownership)) +
                           "; it is 0 (clone) or 1 (move)",
                       "nodeParams->graph.ownership");
}

// An executable's child graph takes over what the nodes of another one do; neither moves.
Status take_child(exec::Exec& exec, const graph::Node& node,
                  const xpuChildGraphNodeParams& params) {
  if (params.ownership != xpuGraphChildGraphOwnershipClone)
    return invalid_value("ownership must be 0 (clone): the graph is only read",
                         "nodeParams->graph.ownership");
  XPU_TRY_ASSIGN(const graph::Graph* graph, settled_graph(params.graph, "nodeParams->graph.graph"));
  return spelled(exec.set_child(node, *graph), {{"childGraph", "nodeParams->graph.graph"}});
}

}  // namespace

xpuError_t xpuGraphAddNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                           const xpuGraphNode_t* pDependencies,
                           const xpuGraphEdgeData* dependencyData, size_t numDependencies,
                           xpuGraphNodeParams* nodeParams) {
  return guard(__func__, [&]() -> Status {
    const Place place = {pGraphNode, graph, pDependencies, numDependencies, dependencyData};
    AnyParams params;
    XPU_TRY(params.read(nodeParams));
    switch ((*params).type) {
      case xpuGraphNodeTypeGraph:
        return spelled(add_child(place, (*params).graph),
                       {{"childGraph", "nodeParams->graph.graph"}});
      case xpuGraphNodeTypeMemAlloc:
        XPU_TRY(add_alloc(place, &(*params).alloc, "nodeParams->alloc"));
        nodeParams->alloc.dptr = (*params).alloc.dptr;
        return {};
      case xpuGraphNodeTypeMemFree:
        return spelled(add_free(place, (*params).free.dptr), {{"dptr", "nodeParams->free.dptr"}});
      case xpuGraphNodeTypeConditional:
        XPU_TRY(add_conditional(place, &(*params).conditional));
        nodeParams->conditional.phGraph_out = (*params).conditional.phGraph_out;
        return {};
      default:
        return add(place, [&] { return params.make(); });
    }
  });
}

xpuError_t xpuGraphNodeSetParams(xpuGraphNode_t node, xpuGraphNodeParams* nodeParams) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(graph::Node * n, live_node(node));
    XPU_TRY(check_settled(n->graph(), "node"));
    AnyParams params;
    XPU_TRY(params.read_for(*n, nodeParams));
    XPU_TRY_ASSIGN(graph::ParamsRef made, params.make());
    n->set_params(graph::with_attributes_of(n->params(), std::move(made)));
    return {};
  });
}

xpuError_t xpuGraphExecNodeSetParams(xpuGraphExec_t graphExec, xpuGraphNode_t node,
                                     xpuGraphNodeParams* nodeParams) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(exec::Exec * exec, live_exec(graphExec));
    XPU_TRY_ASSIGN(const graph::Node* n, live_node(node));
    AnyParams params;
    XPU_TRY(params.read_for(*n, nodeParams));
    if (params.kind() == graph::NodeKind::child) return take_child(*exec, *n, (*params).graph);
    XPU_TRY_ASSIGN(graph::ParamsRef made, params.make());
    return params.spelled_as_member(exec->set_params(*n, std::move(made)));
  });
}
