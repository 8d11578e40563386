// SPDX-License-Identifier: Apache-2.0
// Which node of one graph stands for which node of another that was built the same way.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace xpu::graph {

// Why two graphs cannot be paired; the nodes are of the second one.
struct Mismatch {
  Node* node = nullptr;  // nullptr: there are more or fewer of them
  Node* from = nullptr;  // the end of an edge to `node` that does not match
  std::string why;       // empty: they can be paired
};

// CUDA's rule: the last nodes (those that nothing depends on) are paired in the order in which they
// were added, and then dependencies in the order in which the edges were, from there to the first
// nodes. Of this level only; what nodes do is not looked at. `partners` gets the node of `b`
// by slot of that of `a`. `a` has no cycle; `b` may have.
Mismatch pair(const Graph& a, const Graph& b, std::vector<Node*>& partners);

}  // namespace xpu::graph
