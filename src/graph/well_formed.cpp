// SPDX-License-Identifier: Apache-2.0
// Checks what the rest of the library takes for granted about a graph.
#include "graph/well_formed.h"

#include <cstdlib>
#include <vector>

#include "base/log.h"
#include "base/option.h"

namespace xpu::graph {
namespace {

std::string node_text(const Node& node) { return "node " + std::to_string(node.local_id()); }

// Each edge is known to both of its ends, once, with the same data.
std::string check_list(const Node& node, const EdgeList& list,
                       EdgeList const& (Node::*back)() const noexcept) {
  for (uint32_t i = 0; i < list.size(); i++) {
    const Edge& edge = list[i];
    if (!edge.node || &edge.node->graph() != &node.graph()) {
      return node_text(node) + " has an edge that leaves the graph";
    }
    if (edge.node == &node) return node_text(node) + " depends on itself";
    if (list.find(edge.node) != i) {
      return node_text(node) + " has two edges with " + node_text(*edge.node);
    }
    const EdgeList& other = (edge.node->*back)();
    const uint32_t at = other.find(&node);
    if (at == other.size()) {
      return node_text(*edge.node) + " does not know of its edge with " + node_text(node);
    }
    const Edge& twin = other[at];
    if (twin.from_port != edge.from_port || twin.to_port != edge.to_port ||
        twin.type != edge.type) {
      return "the two ends of an edge of " + node_text(node) + " disagree on its data";
    }
  }
  return {};
}

std::string check_node(const Graph& graph, const Node& node) {
  if (&node.graph() != &graph) return node_text(node) + " says it is of another graph";
  if (!node.params()) return node_text(node) + " has no parameters";
  if (node.slot() >= graph.slots()) return node_text(node) + " has a slot beyond the last";
  std::string why = check_list(node, node.in(), &Node::out);
  if (why.empty()) why = check_list(node, node.out(), &Node::in);
  if (!why.empty()) return why;
  if (auto* child = node.as<ChildParams>()) {
    if (child->graph()->owner() != &node) {
      return "the graph inside " + node_text(node) + " says it is of another node";
    }
    why = why_not_well_formed(*child->graph());
    if (!why.empty()) return "inside " + node_text(node) + ": " + why;
  }
  if (auto* conditional = node.as<ConditionalParams>()) {
    for (const std::shared_ptr<Graph>& body : conditional->bodies()) {
      if (body->owner() != &node) return "a body of " + node_text(node) + " says it is another's";
      why = why_not_well_formed(*body);
      if (!why.empty()) return "in a body of " + node_text(node) + ": " + why;
    }
  }
  return {};
}

}  // namespace

std::string why_not_well_formed(const Graph& graph) {
  std::vector<bool> taken(graph.slots());
  size_t edges = 0;
  const Node* before = nullptr;
  for (const Node* node : graph.nodes()) {
    std::string why = check_node(graph, *node);
    if (!why.empty()) return why;
    if (taken[node->slot()]) return "two nodes have slot " + std::to_string(node->slot());
    taken[node->slot()] = true;
    if (before && (before->local_id() >= node->local_id() || before->id() >= node->id())) {
      return node_text(*node) + " is out of its order of creation";
    }
    before = node;
    edges += node->out().size();
  }
  if (edges != graph.edge_count()) {
    return "the graph counts " + std::to_string(graph.edge_count()) + " edges and has " +
           std::to_string(edges);
  }
  return {};
}

void end_if_broken(const Graph& graph, const char* change) noexcept {
  const std::string why = why_not_well_formed(graph);
  if (why.empty()) return;
  log_line(LogLevel::error, "graph %llu is broken after %s: %s",
           static_cast<unsigned long long>(graph.id()), change, why.c_str());
  std::abort();
}

}  // namespace xpu::graph
