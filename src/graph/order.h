// SPDX-License-Identifier: Apache-2.0
// An order in which a graph can run, or the cycle that forbids one.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"

namespace xpu::graph {

// The nodes of this level (not of child graphs), each after its dependencies; among nodes that are
// free to run, older ones first. xpuErrorInvalidValue if there is a cycle; the sentence names it.
Result<std::vector<Node*>> topological_order(const Graph& graph);

// "node 3 (kernel 'k_step')", for sentences.
std::string describe(const Node& node);

}  // namespace xpu::graph
