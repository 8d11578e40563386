// SPDX-License-Identifier: Apache-2.0
// Where memory is asked for and who may use it: properties and access descriptions, checked.
#pragma once

#include <xpugraph/mempool.h>

#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "runtime/device.h"

namespace xpu::capi {

// The device that the properties name. `argument` is the parameter they came in.
Result<runtime::Device*> place_of(const xpuMemPoolProps& props, const char* argument);
// Devices besides `device` that may read and write the memory.
Result<std::vector<int>> access_of(const xpuMemAccessDesc* descs, size_t count,
                                   const runtime::Device& device, const char* argument);

// For what is refused to graphs with memory nodes: "a graph with memory nodes cannot be <what>".
Status check_no_memory(const graph::Graph& graph, const char* what, const char* argument);

}  // namespace xpu::capi
