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

// CUDA's list. The others act when a launch is submitted, or on the host, and not once a turn.
bool may_be_in_body(const NodeParams& params) noexcept {
  switch (params.kind()) {
    case NodeKind::kernel:
    case NodeKind::copy:
    case NodeKind::fill:
    case NodeKind::empty:
    case NodeKind::conditional:
      return true;
    case NodeKind::child: {
      const std::span<Node* const> nodes = static_cast<const ChildParams&>(params).graph()->nodes();
      return std::all_of(nodes.begin(), nodes.end(),
                         [](const Node* node) { return may_be_in_body(*node->params()); });
    }
    default:
      return false;
  }
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

// Tells the graphs inside a node whose they are.
void Graph::adopt(Node* node, Node* owner) noexcept {
  if (auto* child = node->as<ChildParams>()) child->graph()->owner_ = owner;
  if (auto* conditional = node->as<ConditionalParams>()) {
    for (const std::shared_ptr<Graph>& body : conditional->bodies()) body->owner_ = owner;
    if (!owner) conditional->condition()->drop_node(node);
  }
}

void Graph::grow(uint32_t count) {
  chunks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[count * sizeof(Node)]));
  fresh_ = chunks_.back().get();
  fresh_left_ = count;
}

Node* Graph::place(ParamsRef&& params, uint32_t local_id) {
  if (!vacant_ && !fresh_left_) grow(std::clamp(slots_, kSmallestChunk, kLargestChunk));
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
  Node* node = new (at) Node(this, std::move(params), Node::take_ids(1), local_id, slot);
  nodes_.back() = node;
  if (holds_graphs(node->kind())) [[unlikely]]
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

size_t Graph::position_after_removals(uint32_t local_id) const noexcept {
  const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), local_id,
                                   [](const Node* n, uint32_t id) { return n->local_id_ < id; });
  return static_cast<size_t>(at - nodes_.begin());
}

bool Graph::has_objects() const noexcept {
  if (!objects_.empty()) return true;
  return std::any_of(nodes_.begin(), nodes_.end(), [](const Node* node) {
    if (const auto* child = node->as<ChildParams>()) return child->graph()->has_objects();
    const auto* conditional = node->as<ConditionalParams>();
    return conditional && std::any_of(conditional->bodies().begin(), conditional->bodies().end(),
                                      [](const auto& body) { return body->has_objects(); });
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

const Node* Graph::around(NodeKind kind) const noexcept {
  const Node* node = owner_;
  while (node && node->kind() != kind) node = node->graph_->owner_;
  return node;
}

bool Graph::is_ruined() const noexcept {
  const Graph* graph = this;
  while (!graph->ruined_.load(std::memory_order_acquire)) {
    if (!graph->owner_) return false;
    graph = graph->owner_->graph_;
  }
  return true;
}

std::shared_ptr<Condition> Graph::find_condition(uint64_t handle) const noexcept {
  for (const Graph* graph = this; graph; graph = graph->owner_ ? graph->owner_->graph_ : nullptr) {
    for (const std::shared_ptr<Condition>& condition : graph->conditions_) {
      if (condition->handle() == handle) return condition;
    }
  }
  return nullptr;
}

bool Graph::is_conditional() const noexcept {
  return !conditions_.empty() || std::any_of(nodes_.begin(), nodes_.end(), [](const Node* node) {
    return node->kind() == NodeKind::conditional;
  });
}

Status Graph::check_nesting(const NodeParams& params) const {
  uint32_t levels = 1;
  const Graph* top = this;
  while (top->owner_) {
    top = top->owner_->graph_;
    levels++;
  }
  if (params.kind() == NodeKind::child) {
    const Graph& child = *static_cast<const ChildParams&>(params).graph();
    levels += child.nesting_below();
    if (&child == top)
      return invalid_value("a graph cannot be inside itself; clone it first", "childGraph");
    if (child.owner_)
      return invalid_value(
          "the graph belongs to a node, and can be inside one only; clone it first", "childGraph");
  }
  if (levels <= kDeepestNesting) return {};
  return invalid_value("graphs would be nested " + std::to_string(levels) +
                           " levels deep; the limit is " + std::to_string(kDeepestNesting),
                       params.kind() == NodeKind::child ? "childGraph" : "graph");
}

// What may be in bodies of conditional nodes, and where conditional nodes may be.
Status Graph::check_place(const NodeParams& params) const {
  if (around(NodeKind::conditional) && !may_be_in_body(params))
    return Status::error(xpuErrorNotSupported,
                         std::string("a body of a conditional node can have kernels, copies, "
                                     "fills, empty nodes, child graphs of such, and conditional "
                                     "nodes; this is ") +
                             a_node(params.kind()),
                         "graph");
  if (params.kind() != NodeKind::conditional) return {};
  if (around(NodeKind::child))
    return Status::error(xpuErrorNotSupported,
                         "conditional nodes cannot be in a child graph; add it to the graph around "
                         "it, or to a body of a conditional node",
                         "graph");
  if (static_cast<const ConditionalParams&>(params).condition()->node())
    return invalid_value(
        "the handle has a conditional node already; make a handle for each of them", "handle");
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

// What nearly every captured node is; as add() does it, a third of that would be loops.
inline Node* Graph::add_kernel_behind(Node* before, ParamsRef&& params) {
  before->out_.reserve_more(1);
  Node* const node = place(std::move(params), next_local_id_++);
  node->in_.push_reserved({before});
  before->out_.push_reserved({node});
  edges_++;
  check_after(*this, "adding a node");
  return node;
}

Result<Node*> Graph::add(ParamsRef params, std::span<Node* const> dependencies,
                         const xpuGraphEdgeData* data) {
  const bool is_next_in_chain = dependencies.size() == 1 && dependencies[0] &&
                                dependencies[0]->graph_ == this && !data &&
                                params->kind() == NodeKind::kernel;
  if (is_next_in_chain && !owner_ && next_local_id_ != UINT32_MAX) [[likely]]
    return add_kernel_behind(dependencies[0], std::move(params));
  XPU_TRY(check_dependencies(*params, dependencies, data));
  if (holds_graphs(params->kind())) XPU_TRY(check_nesting(*params));
  if (owner_ || params->kind() == NodeKind::conditional) [[unlikely]]
    XPU_TRY(check_place(*params));
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
  if (auto* conditional = node->as<ConditionalParams>()) conditional->condition()->set_node(node);
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
