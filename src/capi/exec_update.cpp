// SPDX-License-Identifier: Apache-2.0
// Entry points of exec.h that change what an executable's nodes do.
#include <xpugraph/exec.h>

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/guard.h"
#include "capi/node_params.h"
#include "capi/spelling.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

using graph::NodeKind;

// `make()` gives the new version, a Result<graph::ParamsRef>.
template <class Make>
Status set(xpuGraphExec_t exec, xpuGraphNode_t node, NodeKind kind, Make&& make,
           const char* argument = "node") {
  XPU_TRY_ASSIGN(exec::Exec * e, live_exec(exec, "hGraphExec"));
  XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(node, kind, argument));
  XPU_TRY_ASSIGN(graph::ParamsRef params, make());
  Status status = e->set_params(*n, std::move(params));
  if (status.ok()) [[likely]]
    return status;
  return respelled(std::move(status), {{"node", argument}});
}

Status set_child(xpuGraphExec_t exec, xpuGraphNode_t node, xpuGraph_t child) {
  XPU_TRY_ASSIGN(exec::Exec * e, live_exec(exec, "hGraphExec"));
  XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(node, NodeKind::child));
  XPU_TRY_ASSIGN(const graph::Graph* g, settled_graph(child, "childGraph"));
  return e->set_child(*n, *g);
}

Result<graph::Node*> node_to_enable(xpuGraphNode_t node) {
  XPU_TRY_ASSIGN(graph::Node * n, live_node(node, "hNode"));
  if (exec::can_be_disabled(n->kind())) return n;
  return invalid_value("node is " + graph::a_node(n->kind()) +
                           "; only kernel, memcpy and memset nodes can be disabled",
                       "hNode");
}

xpuGraphNode_t handle_of(graph::Node* node) {
  return to_public<xpuGraphNode_t>(node ? node->handle() : 0);
}

Status update(xpuGraphExec_t exec, xpuGraph_t graph, xpuGraphExecUpdateResultInfo* info) {
  XPU_TRY_ASSIGN(exec::Exec * e, live_exec(exec, "hGraphExec"));
  XPU_TRY_ASSIGN(const graph::Graph* g, settled_graph(graph, "hGraph"));
  XPU_TRY(check_out_size(info, sizeof *info, "resultInfo"));
  exec::Exec::Refused refused;
  Status status = e->update(*g, refused);
  xpuGraphExecUpdateResultInfo told = {};
  told.struct_size = sizeof told;
  told.result = static_cast<xpuGraphExecUpdateResult>(refused.outcome);
  if (!status.ok() && !told.result) told.result = xpuGraphExecUpdateError;
  told.errorNode = handle_of(refused.node);
  told.errorFromNode = handle_of(refused.from);
  copy_out(info, told);
  return status;
}

}  // namespace

xpuError_t xpuGraphExecUpdate(xpuGraphExec_t hGraphExec, xpuGraph_t hGraph,
                              xpuGraphExecUpdateResultInfo* resultInfo) {
  return guard(__func__, [&] { return update(hGraphExec, hGraph, resultInfo); });
}

xpuError_t xpuGraphExecKernelNodeSetParams(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                           const xpuKernelNodeParams* pNodeParams) {
  return guard(__func__, [&] {
    return spelled_in(set(hGraphExec, node, NodeKind::kernel,
                          [&] { return to_params(pNodeParams, "pNodeParams"); }),
                      "pNodeParams", {{"func", "func"}});
  });
}

xpuError_t xpuGraphExecMemcpyNodeSetParams(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                           const xpuMemcpy3DParms* pNodeParams) {
  return guard(__func__, [&] {
    return spelled_in(set(hGraphExec, node, NodeKind::copy,
                          [&] { return to_params(pNodeParams, "pNodeParams"); }),
                      "pNodeParams", kCopyMembers);
  });
}

xpuError_t xpuGraphExecMemcpyNodeSetParams1D(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                             void* dst, const void* src, size_t count,
                                             xpuMemcpyKind kind) {
  return guard(__func__, [&] {
    return set(hGraphExec, node, NodeKind::copy,
               [&] { return to_linear_copy(dst, src, count, kind); });
  });
}

xpuError_t xpuGraphExecMemsetNodeSetParams(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                           const xpuMemsetParams* pNodeParams) {
  return guard(__func__, [&] {
    return spelled_in(set(hGraphExec, node, NodeKind::fill,
                          [&] { return to_params(pNodeParams, "pNodeParams"); }),
                      "pNodeParams", kFillMembers);
  });
}

xpuError_t xpuGraphExecHostNodeSetParams(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                         const xpuHostNodeParams* pNodeParams) {
  return guard(__func__, [&] {
    return set(hGraphExec, node, NodeKind::host,
               [&] { return to_params(pNodeParams, "pNodeParams"); });
  });
}

xpuError_t xpuGraphExecChildGraphNodeSetParams(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                               xpuGraph_t childGraph) {
  return guard(__func__, [&] { return set_child(hGraphExec, node, childGraph); });
}

xpuError_t xpuGraphExecEventRecordNodeSetEvent(xpuGraphExec_t hGraphExec, xpuGraphNode_t hNode,
                                               xpuEvent_t event) {
  return guard(__func__, [&] {
    return set(
        hGraphExec, hNode, NodeKind::event_record,
        [&] { return to_event_params(NodeKind::event_record, event); }, "hNode");
  });
}

xpuError_t xpuGraphExecEventWaitNodeSetEvent(xpuGraphExec_t hGraphExec, xpuGraphNode_t hNode,
                                             xpuEvent_t event) {
  return guard(__func__, [&] {
    return set(
        hGraphExec, hNode, NodeKind::event_wait,
        [&] { return to_event_params(NodeKind::event_wait, event); }, "hNode");
  });
}

xpuError_t xpuGraphNodeSetEnabled(xpuGraphExec_t hGraphExec, xpuGraphNode_t hNode,
                                  unsigned int isEnabled) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(exec::Exec * e, live_exec(hGraphExec, "hGraphExec"));
    XPU_TRY_ASSIGN(const graph::Node* n, node_to_enable(hNode));
    return spelled(e->enable(*n, isEnabled), {{"node", "hNode"}});
  });
}

xpuError_t xpuGraphNodeGetEnabled(xpuGraphExec_t hGraphExec, xpuGraphNode_t hNode,
                                  unsigned int* isEnabled) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const exec::Exec* e, live_exec(hGraphExec, "hGraphExec"));
    XPU_TRY_ASSIGN(const graph::Node* n, node_to_enable(hNode));
    XPU_TRY(require(isEnabled, "isEnabled"));
    XPU_TRY_ASSIGN(const bool on, spelled(e->is_enabled(*n), {{"node", "hNode"}}));
    *isEnabled = on;
    return {};
  });
}
