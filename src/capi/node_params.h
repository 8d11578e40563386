// SPDX-License-Identifier: Apache-2.0
// The public parameter structs of nodes as checked parameter versions.
#pragma once

#include <xpugraph/node.h>

#include "capi/kernel_params.h"
#include "graph/graph.h"

namespace xpu::capi {

Result<graph::ParamsRef> to_params(const xpuMemcpy3DParms* params, const char* argument);
Result<graph::ParamsRef> to_linear_copy(void* dst, const void* src, size_t count,
                                        xpuMemcpyKind kind);
Result<graph::ParamsRef> to_params(const xpuMemsetParams* params, const char* argument);
Result<graph::ParamsRef> to_params(const xpuHostNodeParams* params, const char* argument);
xpuHostNodeParams to_public(const graph::HostParams& params) noexcept;
// `kind` is event_record or event_wait.
Result<graph::ParamsRef> to_event_params(graph::NodeKind kind, xpuEvent_t event,
                                         const char* argument = "event");
// A copy of the graph.
Result<graph::ParamsRef> to_child_params(xpuGraph_t child, const char* argument);

// A live node of that kind.
Result<graph::Node*> node_of_kind(xpuGraphNode_t handle, graph::NodeKind kind,
                                  const char* argument = "node");
// The same, for calls that set anew what it does.
Result<graph::Node*> node_to_set(xpuGraphNode_t handle, graph::NodeKind kind,
                                 const char* argument = "node");

}  // namespace xpu::capi
