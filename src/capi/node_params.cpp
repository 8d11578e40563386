// SPDX-License-Identifier: Apache-2.0
// Node parameters in and out: the structs as parameter versions, and the Get and Set entry points.
#include "capi/node_params.h"

#include "capi/cast.h"
#include "capi/conditional.h"
#include "capi/copy_in.h"
#include "capi/guard.h"
#include "capi/range.h"
#include "capi/shapes.h"
#include "capi/spelling.h"

using namespace xpu;
using namespace xpu::capi;

namespace xpu::capi {
namespace {

Status check_reserved(uint32_t reserved, const char* argument) {
  if (reserved == 0) return {};
  return invalid_value("reserved must be 0; zero the struct before filling it in", argument);
}

// A checked version whose memory is where it says.
template <class Params>
Result<graph::ParamsRef> in_range(Result<graph::ParamsRef> made) {
  if (!made.ok()) return made;
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  XPU_TRY(check_range(runtime->memory(), made.value().template as<Params>()->shape()));
  return made;
}

}  // namespace

Result<graph::ParamsRef> to_params(const xpuMemcpy3DParms* user, const char* argument) {
  xpuMemcpy3DParms params;
  XPU_TRY(copy_in(params, user, argument));
  return spelled_in(in_range<graph::CopyParams>(graph::CopyParams::make(to_shape(params))),
                    argument, kCopyMembers);
}

Result<graph::ParamsRef> to_linear_copy(void* dst, const void* src, size_t count,
                                        xpuMemcpyKind kind) {
  return in_range<graph::CopyParams>(graph::CopyParams::make_linear(dst, src, count, kind));
}

Result<graph::ParamsRef> to_params(const xpuMemsetParams* user, const char* argument) {
  xpuMemsetParams params;
  XPU_TRY(copy_in(params, user, argument));
  XPU_TRY(check_reserved(params.reserved, argument));
  return spelled_in(in_range<graph::FillParams>(graph::FillParams::make(to_shape(params))),
                    argument, kFillMembers);
}

Result<graph::ParamsRef> to_params(const xpuHostNodeParams* user, const char* argument) {
  xpuHostNodeParams params;
  XPU_TRY(copy_in(params, user, argument));
  XPU_TRY(check_reserved(params.reserved, argument));
  return spelled_in(graph::HostParams::make(params.fn, params.userData), argument, {{"fn", "fn"}});
}

xpuHostNodeParams to_public(const graph::HostParams& params) noexcept {
  xpuHostNodeParams known = {};
  known.struct_size = sizeof known;
  known.fn = params.function();
  known.userData = params.user_data();
  return known;
}

Result<graph::ParamsRef> to_event_params(graph::NodeKind kind, xpuEvent_t event,
                                         const char* argument) {
  XPU_TRY_ASSIGN(runtime::Event * e, live_event(event, argument, xpuErrorInvalidValue));
  return kind == graph::NodeKind::event_record
             ? graph::EventParams::make_record(e->shared_from_this(), e->handle())
             : graph::EventParams::make_wait(e->shared_from_this(), e->handle());
}

Result<graph::ParamsRef> to_child_params(xpuGraph_t child, const char* argument) {
  XPU_TRY_ASSIGN(const graph::Graph* graph, settled_graph(child, argument));
  if (graph->is_moved())
    return invalid_value(
        "the graph is part of a node and cannot be given to another; clone it "
        "first",
        argument);
  XPU_TRY(check_copyable(*graph, "a child graph", argument));
  return graph::ChildParams::make(graph->clone());
}

Result<graph::Node*> node_of_kind(xpuGraphNode_t handle, graph::NodeKind kind,
                                  const char* argument) {
  XPU_TRY_ASSIGN(graph::Node * node, live_node(handle, argument));
  if (node->kind() == kind) return node;
  return invalid_value(
      "node is " + graph::a_node(node->kind()) + "; this call needs " + graph::a_node(kind),
      argument);
}

Result<graph::Node*> node_to_set(xpuGraphNode_t handle, graph::NodeKind kind,
                                 const char* argument) {
  XPU_TRY_ASSIGN(graph::Node * node, node_of_kind(handle, kind, argument));
  XPU_TRY(check_settled(node->graph(), argument));
  return node;
}

}  // namespace xpu::capi

namespace {

// `show(params)` is the public struct of a node's parameters.
template <class Params, class Struct, class Show>
Status get(xpuGraphNode_t node, graph::NodeKind kind, Struct* out, Show&& show) {
  XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(node, kind));
  XPU_TRY(check_out_size(out, sizeof(Struct), "pNodeParams"));
  copy_out(out, show(*n->as<Params>()));
  return {};
}

// `make()` gives the new version, a Result<graph::ParamsRef>.
template <class Make>
Status set(xpuGraphNode_t node, graph::NodeKind kind, Make&& make) {
  XPU_TRY_ASSIGN(graph::Node * n, node_to_set(node, kind));
  XPU_TRY_ASSIGN(graph::ParamsRef params, make());
  n->set_params(graph::with_attributes_of(n->params(), std::move(params)));
  return {};
}

Status get_event(xpuGraphNode_t node, graph::NodeKind kind, xpuEvent_t* out) {
  XPU_TRY(require(out, "event_out"));
  XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(node, kind));
  *out = to_public<xpuEvent_t>(n->as<graph::EventParams>()->handle());
  return {};
}

}  // namespace

xpuError_t xpuGraphKernelNodeGetParams(xpuGraphNode_t node, xpuKernelNodeParams* pNodeParams) {
  return guard(__func__, [&] {
    return get<graph::KernelParams>(
        node, graph::NodeKind::kernel, pNodeParams,
        [](const graph::KernelParams& params) { return to_public(params); });
  });
}

xpuError_t xpuGraphKernelNodeSetParams(xpuGraphNode_t node,
                                       const xpuKernelNodeParams* pNodeParams) {
  return guard(__func__, [&] {
    return set(node, graph::NodeKind::kernel,
               [&] { return to_params(pNodeParams, "pNodeParams"); });
  });
}

xpuError_t xpuGraphMemcpyNodeGetParams(xpuGraphNode_t node, xpuMemcpy3DParms* pNodeParams) {
  return guard(__func__, [&] {
    return get<graph::CopyParams>(
        node, graph::NodeKind::copy, pNodeParams,
        [](const graph::CopyParams& params) { return to_public(params.shape()); });
  });
}

xpuError_t xpuGraphMemcpyNodeSetParams(xpuGraphNode_t node, const xpuMemcpy3DParms* pNodeParams) {
  return guard(__func__, [&] {
    return set(node, graph::NodeKind::copy, [&] { return to_params(pNodeParams, "pNodeParams"); });
  });
}

xpuError_t xpuGraphMemcpyNodeSetParams1D(xpuGraphNode_t node, void* dst, const void* src,
                                         size_t count, xpuMemcpyKind kind) {
  return guard(__func__, [&] {
    return set(node, graph::NodeKind::copy, [&] { return to_linear_copy(dst, src, count, kind); });
  });
}

xpuError_t xpuGraphMemsetNodeGetParams(xpuGraphNode_t node, xpuMemsetParams* pNodeParams) {
  return guard(__func__, [&] {
    return get<graph::FillParams>(
        node, graph::NodeKind::fill, pNodeParams,
        [](const graph::FillParams& params) { return to_public(params.shape()); });
  });
}

xpuError_t xpuGraphMemsetNodeSetParams(xpuGraphNode_t node, const xpuMemsetParams* pNodeParams) {
  return guard(__func__, [&] {
    return set(node, graph::NodeKind::fill, [&] { return to_params(pNodeParams, "pNodeParams"); });
  });
}

xpuError_t xpuGraphHostNodeGetParams(xpuGraphNode_t node, xpuHostNodeParams* pNodeParams) {
  return guard(__func__, [&] {
    return get<graph::HostParams>(
        node, graph::NodeKind::host, pNodeParams,
        [](const graph::HostParams& params) { return to_public(params); });
  });
}

xpuError_t xpuGraphHostNodeSetParams(xpuGraphNode_t node, const xpuHostNodeParams* pNodeParams) {
  return guard(__func__, [&] {
    return set(node, graph::NodeKind::host, [&] { return to_params(pNodeParams, "pNodeParams"); });
  });
}

xpuError_t xpuGraphChildGraphNodeGetGraph(xpuGraphNode_t node, xpuGraph_t* pGraph) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pGraph, "pGraph"));
    XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(node, graph::NodeKind::child));
    const uint64_t handle = n->as<graph::ChildParams>()->graph()->handle();
    if (!handle)
      return Status::error(xpuErrorMemoryAllocation, "no memory is left for another handle");
    *pGraph = to_public<xpuGraph_t>(handle);
    return {};
  });
}

xpuError_t xpuGraphEventRecordNodeGetEvent(xpuGraphNode_t node, xpuEvent_t* event_out) {
  return guard(__func__, [&] { return get_event(node, graph::NodeKind::event_record, event_out); });
}

xpuError_t xpuGraphEventRecordNodeSetEvent(xpuGraphNode_t node, xpuEvent_t event) {
  return guard(__func__, [&] {
    return set(node, graph::NodeKind::event_record,
               [&] { return to_event_params(graph::NodeKind::event_record, event); });
  });
}

xpuError_t xpuGraphEventWaitNodeGetEvent(xpuGraphNode_t node, xpuEvent_t* event_out) {
  return guard(__func__, [&] { return get_event(node, graph::NodeKind::event_wait, event_out); });
}

xpuError_t xpuGraphEventWaitNodeSetEvent(xpuGraphNode_t node, xpuEvent_t event) {
  return guard(__func__, [&] {
    return set(node, graph::NodeKind::event_wait,
               [&] { return to_event_params(graph::NodeKind::event_wait, event); });
  });
}
