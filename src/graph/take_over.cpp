// SPDX-License-Identifier: Apache-2.0
// Both walks go along the pairs of nodes, and down into child graphs.
#include "graph/take_over.h"

#include <vector>

#include "graph/pairing.h"

namespace xpu::graph {

bool same_form(const Graph& a, const Graph& b) {
  std::vector<Node*> partners;
  if (!pair(a, b, partners).why.empty()) return false;
  for (const Node* node : a.nodes()) {
    const Node& partner = *partners[node->slot()];
    if (node->kind() != partner.kind()) return false;
    const auto* child = node->as<ChildParams>();
    if (child && !same_form(*child->graph(), *partner.as<ChildParams>()->graph())) return false;
  }
  return true;
}

void take_over(Graph& to, Graph& from) {
  std::vector<Node*> partners;
  (void)pair(to, from, partners);
  for (Node* node : to.nodes()) {
    const Node& partner = *partners[node->slot()];
    if (const auto* child = node->as<ChildParams>())
      take_over(*child->graph(), *partner.as<ChildParams>()->graph());
    else
      node->set_params(partner.params());
  }
  Graph::Kept kept = from.kept();
  to.exchange(kept);
  from.exchange(kept);
}

}  // namespace xpu::graph
