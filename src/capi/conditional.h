// SPDX-License-Identifier: Apache-2.0
// Conditional nodes from the public struct, and what graphs that have them may not do.
#pragma once

#include <xpugraph/conditional.h>

#include "capi/new_node.h"

namespace xpu::capi {

// Writes phGraph_out. For xpuGraphAddNode, whose words the refusals have.
Status add_conditional(const Place& place, xpuConditionalNodeParams* params);

// A program may copy a graph unless it has memory nodes, conditional nodes or handles of these: "a
// graph with … cannot be <what>".
Status check_copyable(const graph::Graph& graph, const char* what, const char* argument);

}  // namespace xpu::capi
