// SPDX-License-Identifier: Apache-2.0
// Finds nodes by walking the graph as the planner did.
#include "exec/places.h"

#include "graph/order.h"
#include "plan/flat.h"

namespace xpu::exec {

// The planner numbers the nodes that run in the order in which it expands the graph.
Status Places::walk(const graph::Graph& graph, const plan::Plan& plan, uint32_t& next) {
  XPU_TRY_ASSIGN(const std::vector<graph::Node*> order, graph::topological_order(graph));
  std::vector<uint32_t> places(graph.slots(), kNone);
  for (const graph::Node* node : order) {
    if (const auto* child = node->as<graph::ChildParams>()) {
      XPU_TRY(walk(*child->graph(), plan, next));
    } else if (plan::does_nothing(node->kind())) {
      continue;
    } else if (next < plan.nodes.size() && plan.nodes[next].local_id == node->local_id()) {
      places[node->slot()] = next++;
      if (plan.nodes[next - 1].part != plan::PlanNode::Part::whole) next++;
    } else {
      return Status::error(xpuErrorUnknown,
                           "the plan does not have the nodes of its graph; this is a defect of "
                           "the library");
    }
  }
  by_slot_.emplace(&graph, std::move(places));
  return Status();
}

Result<Places> Places::make(graph::Graph& source, const plan::Plan& plan) {
  Places places(source);
  uint32_t next = 0;
  XPU_TRY(places.walk(source, plan, next));
  places.top_ = places.by_slot_.find(&source)->second.data();
  return places;
}

graph::Node* Places::find(const graph::Node& original) const noexcept {
  const graph::Node* const owner = original.graph().owner();
  if (!owner) return source_->find_clone_of(original);
  const graph::Node* const around = find(*owner);
  const auto* child = around ? around->as<graph::ChildParams>() : nullptr;
  return child ? child->graph()->find_clone_of(original) : nullptr;
}

uint32_t Places::in_child(const graph::Node& node) const noexcept {
  const auto found = by_slot_.find(&node.graph());
  return found == by_slot_.end() ? kNone : found->second[node.slot()];
}

}  // namespace xpu::exec
