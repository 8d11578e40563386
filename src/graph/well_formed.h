// SPDX-License-Identifier: Apache-2.0
// The invariants of a graph as a predicate: for tests, fuzzers, and XPUGRAPH_CHECK=1.
#pragma once

#include <string>

#include "graph/graph.h"

namespace xpu::graph {

// Empty if all holds, otherwise a sentence that says what does not. Child graphs are looked into.
// Cost: each edge is looked up from its other end, so a hub makes it quadratic.
std::string why_not_well_formed(const Graph& graph);

inline bool well_formed(const Graph& graph) { return why_not_well_formed(graph).empty(); }

}  // namespace xpu::graph
