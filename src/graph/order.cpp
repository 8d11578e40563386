// SPDX-License-Identifier: Apache-2.0
// Topological order, and the search for a cycle when there is none.
#include "graph/order.h"

#include <algorithm>

namespace xpu::graph {
namespace {

// A cycle longer than this is named by its beginning and its end.
constexpr size_t kNamesInASentence = 8;

// Every node that is left waits for one that is left: walking from dependency to dependency must
// come back to a node seen before.
Status name_cycle(const Graph& graph, const std::vector<uint32_t>& waits) {
  const Node* node = nullptr;
  for (const Node* n : graph.nodes()) {
    if (waits[n->slot()]) node = n;
  }
  std::vector<const Node*> walk;
  std::vector<bool> seen(graph.slots());
  while (!seen[node->slot()]) {
    seen[node->slot()] = true;
    walk.push_back(node);
    const auto left = std::find_if(node->in().begin(), node->in().end(),
                                   [&](const Edge& e) { return waits[e.node->slot()] > 0; });
    node = left->node;
  }
  // The walk went against the edges; it is told along them, from the oldest node of the cycle.
  walk.erase(walk.begin(), std::find(walk.begin(), walk.end(), node));
  std::reverse(walk.begin(), walk.end());
  std::rotate(walk.begin(),
              std::min_element(walk.begin(), walk.end(),
                               [](auto* a, auto* b) { return a->local_id() < b->local_id(); }),
              walk.end());
  std::string names;
  for (size_t i = 0; i < walk.size(); i++) {
    const bool left_out =
        walk.size() > kNamesInASentence && i >= kNamesInASentence - 2 && i + 2 < walk.size();
    if (left_out) {
      if (i == kNamesInASentence - 2) {
        names += "(" + std::to_string(walk.size() - kNamesInASentence) + " more) -> ";
      }
      continue;
    }
    names += describe(*walk[i]) + " -> ";
  }
  names += "node " + std::to_string(walk[0]->local_id());
  return invalid_value("the graph has a cycle: " + names + "; remove one of these edges", "graph")
      .of_node(walk[0]->id());
}

}  // namespace

std::string describe(const Node& node) {
  std::string text = "node " + std::to_string(node.local_id()) + " (" + kind_name(node.kind());
  if (auto* kernel = node.as<KernelParams>()) text += " '" + kernel->signature().name() + "'";
  return text + ")";
}

Result<std::vector<Node*>> topological_order(const Graph& graph) {
  const std::span<Node* const> nodes = graph.nodes();
  if (std::all_of(nodes.begin(), nodes.end(), [](const Node* node) {
        return std::all_of(node->in().begin(), node->in().end(),
                           [&](const Edge& e) { return e.node->local_id() < node->local_id(); });
      }))
    return std::vector<Node*>(nodes.begin(), nodes.end());
  std::vector<uint32_t> waits(graph.slots());
  std::vector<Node*> order;
  order.reserve(graph.size());
  for (Node* node : graph.nodes()) {
    waits[node->slot()] = node->in().size();
    if (node->in().empty()) order.push_back(node);
  }
  for (size_t i = 0; i < order.size(); i++) {
    for (const Edge& e : order[i]->out()) {
      if (--waits[e.node->slot()] == 0) order.push_back(e.node);
    }
  }
  if (order.size() < graph.size()) return name_cycle(graph, waits);
  return order;
}

}  // namespace xpu::graph
