// SPDX-License-Identifier: Apache-2.0
// Whether two nodes, or two graphs, do the same.
#pragma once

#include "graph/params.h"

namespace xpu::graph {

// By value; of child graphs only whether they are one and the same.
bool same(const NodeParams& a, const NodeParams& b);
// Whether two graphs have the same form and their nodes, child graphs looked into, do the same.
bool same(const Graph& a, const Graph& b);

}  // namespace xpu::graph
