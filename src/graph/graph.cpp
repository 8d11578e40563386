// SPDX-License-Identifier: Apache-2.0
// Nodes come and go: the life of a graph. Edges are in edges.cpp, copies in clone.cpp.
#include "graph/graph.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <string>

#include "graph/well_formed.h"

namespace xpu::graph {
namespace {

uint64_t next_id() noexcept {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

uint64_t next_node_id() noexcept {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

constexpr uint32_t kSmallestChunk = 8, kLargestChunk = 256;

Status check_distinct(std::span<Node* const> nodes) {
  const auto repeated = [](const Node* node) {
    return invalid_value("node " + std::to_string(node->local_id()) +
                             " is named twice; each dependency may be given once",
                         "pDependencies");
  };
  if (nodes.size() <= 16) {
    for (size_t i = 1; i < nodes.size(); i++) {
      for (size_t j = 0; j < i; j++) {
        if (nodes[i] == nodes[j]) return repeated(nodes[i]);
      }
    }
    return {};
  }
  std::vector<Node*> sorted(nodes.begin(), nodes.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  return twice == sorted.end() ? Status() : repeated(*twice);
}

}  // namespace

std::shared_ptr<Graph> Graph::make() { return std::make_shared<Graph>(Key{}); }

Graph::Graph(Key) noexcept : id_(next_id()) {}

Graph::~Graph() {
  for (Node* node : nodes_) {
    adopt(node, nullptr);
    node->~Node();
  }
}

// Tells the graph inside a child-graph node whose it is.
void Graph::adopt(Node* node, Node* owner) noexcept {
  if (auto* child = node->as<ChildParams>()) child->graph()->owner_ = owner;
}

Node* Graph::place(ParamsRef params, uint32_t local_id) {
  if (!vacant_ && !fresh_left_) {
    const uint32_t count = std::clamp(slots_, kSmallestChunk, kLargestChunk);
    chunks_.emplace_back();
    try {
      chunks_.back().reset(new std::byte[count * sizeof(Node)]);
    } catch (...) {
      chunks_.pop_back();
      throw;
    }
    fresh_ = chunks_.back().get();
    fresh_left_ = count;
  }
  nodes_.push_back(nullptr);
  void* at = vacant_;
  uint32_t slot = 0;
  if (at) {
    slot = vacant_->slot;
    vacant_ = vacant_->next;
  } else {
    at = fresh_;
    slot = slots_++;
    fresh_ += sizeof(Node);
    fresh_left_--;
  }
  Node* node = new (at) Node(this, std::move(params), next_node_id(), local_id, slot);
  nodes_.back() = node;
  adopt(node, node);
  return node;
}

void Graph::displace(Node* node) noexcept {
  nodes_.erase(nodes_.begin() + static_cast<ptrdiff_t>(position(node->local_id_)));
  adopt(node, nullptr);
  const uint32_t slot = node->slot_;
  node->~Node();
  static_assert(sizeof(Vacant) <= sizeof(Node) && alignof(Vacant) <= alignof(Node));
  vacant_ = new (static_cast<void*>(node)) Vacant{vacant_, slot};
}

size_t Graph::position(uint32_t local_id) const noexcept {
  // Mostly nothing was ever removed, and then ids are positions.
  if (local_id < nodes_.size() && nodes_[local_id]->local_id_ == local_id) return local_id;
  const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), local_id,
                                   [](const Node* n, uint32_t id) { return n->local_id_ < id; });
  return static_cast<size_t>(at - nodes_.begin());
}

Node* Graph::find(uint32_t local_id) const noexcept {
  const size_t at = position(local_id);
  return at < nodes_.size() && nodes_[at]->local_id_ == local_id ? nodes_[at] : nullptr;
}

bool Graph::has_objects() const noexcept {
  if (!objects_.empty()) return true;
  return std::any_of(nodes_.begin(), nodes_.end(), [](const Node* node) {
    const auto* child = node->as<ChildParams>();
    return child && child->graph()->has_objects();
  });
}

uint32_t Graph::nesting_below() const noexcept {
  uint32_t deepest = 0;
  for (const Node* node : nodes_) {
    if (auto* child = node->as<ChildParams>()) {
      deepest = std::max(deepest, 1 + child->graph()->nesting_below());
    }
  }
  return deepest;
}

Status Graph::check_nesting(const NodeParams& params) const {
  const Graph& child = *static_cast<const ChildParams&>(params).graph();
  uint32_t levels = 1 + child.nesting_below();
  const Graph* top = this;
  while (top->owner_) {
    top = top->owner_->graph_;
    levels++;
  }
  if (child.owner_ || &child == top) {
    return invalid_value("a graph can be inside one node only; clone it first", "childGraph");
  }
  if (levels > kDeepestNesting) {
    return invalid_value("child graphs would be nested " + std::to_string(levels) +
                             " levels deep; the limit is " + std::to_string(kDeepestNesting),
                         "childGraph");
  }
  return {};
}

Status Graph::check_dependencies(const NodeParams& params, std::span<Node* const> dependencies,
                                 const xpuGraphEdgeData* data) const {
  for (size_t i = 0; i < dependencies.size(); i++) {
    const Node* from = dependencies[i];
    if (!from || from->graph_ != this) [[unlikely]] {
      return invalid_value("entry " + std::to_string(i) +
                               (from ? " is a node of another graph" : " is no live node"),
                           "pDependencies");
    }
    if (data) XPU_TRY(check_edge_data(data[i], from->kind(), params.kind()));
  }
  return dependencies.size() > 1 ? check_distinct(dependencies) : Status();
}

Result<Node*> Graph::add(ParamsRef params, std::span<Node* const> dependencies,
                         const xpuGraphEdgeData* data) {
  XPU_TRY(check_dependencies(*params, dependencies, data));
  if (params->kind() == NodeKind::child) XPU_TRY(check_nesting(*params));
  if (next_local_id_ == UINT32_MAX) [[unlikely]] {
    return Status::error(xpuErrorMemoryAllocation, "the graph has given out all its node numbers");
  }
  for (Node* from : dependencies) from->out_.reserve_more(1);
  Node* node = place(std::move(params), next_local_id_);
  try {
    node->in_.reserve_more(static_cast<uint32_t>(dependencies.size()));
  } catch (...) {
    displace(node);
    throw;
  }
  // From here on nothing can fail.
  next_local_id_++;
  for (size_t i = 0; i < dependencies.size(); i++) {
    Edge edge;
    if (data) {
      edge.from_port = data[i].from_port;
      edge.to_port = data[i].to_port;
      edge.type = data[i].type;
    }
    edge.node = dependencies[i];
    node->in_.push(edge);
    edge.node = node;
    dependencies[i]->out_.push(edge);
  }
  edges_ += dependencies.size();
  check_after(*this, "adding a node");
  return node;
}

void Graph::remove(Node* node) noexcept {
  for (const Edge& e : node->in_) e.node->out_.erase(e.node->out_.find(node));
  for (const Edge& e : node->out_) e.node->in_.erase(e.node->in_.find(node));
  edges_ -= node->in_.size() + node->out_.size();
  displace(node);
  check_after(*this, "removing a node");
}

}  // namespace xpu::graph
