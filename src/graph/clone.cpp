// SPDX-License-Identifier: Apache-2.0
// Deep copies of graphs, and the way from a node to its copy.
#include <vector>

#include "graph/graph.h"
#include "graph/well_formed.h"

namespace xpu::graph {

std::shared_ptr<Graph> Graph::clone() const {
  std::shared_ptr<Graph> copy = make();
  copy->cloned_from_ = id_;
  copy->cloned_below_ = copy->next_local_id_ = next_local_id_;
  copy->memory_ = memory_;
  copy->held_ = held_;
  copy->objects_ = objects_;
  copy->conditions_ = conditions_;
  copy->nodes_.reserve(nodes_.size());
  std::vector<Node*> at_slot(slots_);
  for (const Node* node : nodes_) {
    ParamsRef params = node->params_;
    if (auto* child = node->as<ChildParams>()) {
      Result<ParamsRef> inner = ChildParams::make(child->graph()->clone());
      params = inner.take();
    }
    if (auto* conditional = node->as<ConditionalParams>()) params = conditional->clone();
    at_slot[node->slot_] = copy->place(std::move(params), node->local_id_);
  }
  // Both directions are copied as they are: each list keeps its own order of insertion.
  for (size_t i = 0; i < nodes_.size(); i++) {
    Node* twin = copy->nodes_[i];
    const auto copy_list = [&](const EdgeList& from, EdgeList& to) {
      to.reserve_more(from.size());
      for (Edge edge : from) {
        edge.node = at_slot[edge.node->slot_];
        to.push(edge);
      }
    };
    copy_list(nodes_[i]->in_, twin->in_);
    copy_list(nodes_[i]->out_, twin->out_);
  }
  copy->edges_ = edges_;
  check_after(*copy, "cloning");
  return copy;
}

Node* Graph::find_clone_of(const Node& original) const noexcept {
  const bool ours = cloned_from_ == original.graph_->id_ && original.local_id_ < cloned_below_;
  return ours ? find(original.local_id_) : nullptr;
}

}  // namespace xpu::graph
