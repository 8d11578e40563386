// SPDX-License-Identifier: Apache-2.0
// A plan as a picture: a cluster per segment, its steps in order, and the waits between segments.
#pragma once

#include <string>

#include "base/status.h"
#include "plan/plan.h"

namespace xpu::plan {

// In Graphviz's DOT language. `flags` are those of graph/dot.h, for what stands in a node.
std::string to_dot(const Plan& plan, unsigned flags);

// For XPUGRAPH_DUMP: DIR/graph_<id>.dot and DIR/graph_<id>.plan.dot. Existing files are replaced.
Status dump(const std::string& folder, const graph::Graph& graph, const Plan& plan);

}  // namespace xpu::plan
