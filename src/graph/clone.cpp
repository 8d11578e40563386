// SPDX-License-Identifier: Apache-2.0
// Deep copies of graphs, and the way from a node to its copy.
#include <new>
#include <vector>

#include "graph/graph.h"
#include "graph/well_formed.h"

namespace xpu::graph {
namespace {

// Versions are shared, but for those that have graphs in them, which programs can edit.
ParamsRef with_own_graphs(const Node& node) {
  if (auto* conditional = node.as<ConditionalParams>()) return conditional->clone();
  return ChildParams::make(node.as<ChildParams>()->graph()->clone()).take();
}

}  // namespace

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
  if (!nodes_.empty()) copy->grow(static_cast<uint32_t>(nodes_.size()));
  uint64_t id = Node::take_ids(nodes_.size());
  Graph* const to = copy.get();
  for (const Node* node : nodes_) {
    const bool has_graphs = holds_graphs(node->kind());
    ParamsRef params = has_graphs ? with_own_graphs(*node) : node->params_;
    Node* const twin = new (static_cast<void*>(to->fresh_))
        Node(to, std::move(params), id++, node->local_id_, to->slots_++);
    to->fresh_ += sizeof(Node);
    to->fresh_left_--;
    to->nodes_.push_back(twin);  // there is room
    if (has_graphs) copy->adopt(twin, twin);
    at_slot[node->slot_] = twin;
  }
  // Both directions are copied as they are: each list keeps its own order of insertion.
  Node* const* const twins = at_slot.data();
  const auto twin_of = [twins](const Node* node) { return twins[node->slot_]; };
  for (const Node* node : nodes_) {
    Node* const twin = twin_of(node);
    twin->in_.copy(node->in_, twin_of);
    twin->out_.copy(node->out_, twin_of);
  }
  copy->edges_ = edges_;
  check_after(*copy, "cloning");
  return copy;
}

}  // namespace xpu::graph
