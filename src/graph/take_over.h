// SPDX-License-Identifier: Apache-2.0
// A graph takes over what the nodes of another one of its form do.
#pragma once

#include "graph/graph.h"

namespace xpu::graph {

// Whether both have the same edges between nodes of the same kinds, and so have their child graphs.
bool same_form(const Graph& a, const Graph& b);

// For graphs of the same form. Nodes and child graphs of `to` stay; it keeps alive what `from` did,
// and the other way around.
void take_over(Graph& to, Graph& from);

}  // namespace xpu::graph
