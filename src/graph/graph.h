// SPDX-License-Identifier: Apache-2.0
// The graph as a plain value: nodes, edges, ids. It knows no driver and takes no lock: calls on one
// graph must not overlap, as in CUDA.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/handle.h"
#include "base/status.h"
#include "graph/conditional.h"
#include "graph/node.h"
#include "graph/object_references.h"

namespace xpu::graph {

// A graph inside a graph inside a graph: deeper than this is refused, because cloning, destroying
// and flattening walk down by recursion.
inline constexpr uint32_t kDeepestNesting = 256;

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  static std::shared_ptr<Graph> make();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  // Unique in the process and never used again.
  uint64_t id() const noexcept { return id_; }
  // The public handle, made at the first call; 0 if the table is full. It does not keep the graph
  // alive: see keep().
  uint64_t handle() noexcept {
    if (!handle_.value()) handle_ = OwnedHandle(HandleType::graph, this);
    return handle_.value();
  }
  // A graph that a program holds only by handle holds itself, from keep() until let_go().
  void keep() { self_ = shared_from_this(); }
  // The graph is dead to the program from here on: its handle, and those of its nodes, at the
  // latest when the returned owner is dropped. Empty if keep() was not called: a child graph of a
  // node.
  std::shared_ptr<Graph> let_go() noexcept {
    handle_.reset();
    return std::move(self_);
  }
  // The graph is inside a child-graph or conditional node now, which owns it; its handle stays.
  void moved() noexcept {
    self_.reset();
    moved_ = true;
  }
  // By moved(), and not as a copy: it may not be used as a graph of its own any more.
  bool is_moved() const noexcept { return moved_; }
  // The child-graph or conditional node that this graph belongs to, nullptr for a graph of its own.
  Node* owner() const noexcept { return owner_; }

  // A recapture of it has failed, and what its nodes do is known to nobody: all that is left is to
  // destroy it. So it is with the graphs inside of it. Any thread may give a capture up.
  void ruin() noexcept { ruined_.store(true, std::memory_order_release); }
  bool is_ruined() const noexcept;

  // What the memory floor keeps with the graph, opaque here. Not null: there have been memory
  // nodes, and from then on no node and no edge may be removed, because addresses were decided by
  // them.
  const std::shared_ptr<void>& memory() const noexcept { return memory_; }
  void set_memory(std::shared_ptr<void> memory) noexcept { memory_ = std::move(memory); }

  ObjectReferences& objects() noexcept { return objects_; }
  // Whether it or a graph inside it has any.
  bool has_objects() const noexcept;

  // What the values of conditional nodes in it, or in bodies of these, are.
  std::span<const std::shared_ptr<Condition>> conditions() const noexcept { return conditions_; }
  void add_condition(std::shared_ptr<Condition> condition) {
    conditions_.push_back(std::move(condition));
  }
  // Of this graph or of one around it; nullptr if none has that handle.
  std::shared_ptr<Condition> find_condition(uint64_t handle) const noexcept;
  // Has conditions or conditional nodes: such a graph cannot be copied by programs.
  bool is_conditional() const noexcept;
  // The innermost node of that kind that this graph is inside of, nullptr if there is none.
  const Node* around(NodeKind kind) const noexcept;

  // What lives as long as the graph and its copies do, opaque here.
  void hold(std::shared_ptr<void> thing) { held_.push_back(std::move(thing)); }

  // All that the graph keeps alive, without child graphs: of another one in exchange for its own.
  struct Kept {
    std::vector<std::shared_ptr<void>> held;
    ObjectReferences objects;
  };
  bool keeps_anything() const noexcept { return !held_.empty() || !objects_.empty(); }
  Kept kept() const { return {held_, objects_}; }
  void exchange(Kept& kept) noexcept {
    held_.swap(kept.held);
    std::swap(objects_, kept.objects);
  }

  // ---- nodes

  // In order of creation.
  std::span<Node* const> nodes() const noexcept { return nodes_; }
  size_t size() const noexcept { return nodes_.size(); }
  // Every node's slot() is below this.
  uint32_t slots() const noexcept { return slots_; }

  // Adds a node that depends on `dependencies`. `data` is NULL (all edges default) or has one entry
  // for each. Refuses a null, foreign or repeated dependency and edge data that does not fit.
  Result<Node*> add(ParamsRef params, std::span<Node* const> dependencies = {},
                    const xpuGraphEdgeData* data = nullptr);
  // With its edges. The node must be of this graph; its handle is dead afterwards.
  void remove(Node* node) noexcept;

  // ---- edges

  size_t edge_count() const noexcept { return edges_; }
  // All or nothing. Refuses null and foreign nodes, self edges, edges that exist and edge data that
  // does not fit. Cycles are allowed until instantiation.
  Status add_edges(std::span<Node* const> from, std::span<Node* const> to,
                   const xpuGraphEdgeData* data = nullptr);
  // All or nothing. Refuses what is not an edge. There is one edge at most between two nodes, so
  // edge data is not needed to name it, and CUDA 13 ignores it here.
  Status remove_edges(std::span<Node* const> from, std::span<Node* const> to);

  // ---- copies

  // Deep: child graphs too. Parameters are shared versions; local ids stay.
  std::shared_ptr<Graph> clone() const;
  // The node of this graph that was made from `original` when this graph was cloned from its graph;
  // nullptr if there is none (any more). Only the direct source counts.
  Node* find_clone_of(const Node& original) const noexcept {
    const bool ours = cloned_from_ == original.graph_->id_ && original.local_id_ < cloned_below_;
    return ours ? find(original.local_id_) : nullptr;
  }
  // This level's node with that local id, or nullptr.
  Node* find(uint32_t local_id) const noexcept {
    const size_t at = position(local_id);
    return at < nodes_.size() && nodes_[at]->local_id_ == local_id ? nodes_[at] : nullptr;
  }

 private:
  // A removed node's place: it keeps its slot number until another node moves in.
  struct Vacant {
    Vacant* next;
    uint32_t slot;
  };
  struct Key {};

 public:
  explicit Graph(Key) noexcept;  // for make(); Key is private

 private:
  Node* place(ParamsRef&& params, uint32_t local_id);
  Node* add_kernel_behind(Node* before, ParamsRef&& params);
  // A chunk with room for so many nodes.
  void grow(uint32_t count);
  void displace(Node* node) noexcept;
  void adopt(Node* node, Node* owner) noexcept;
  Status check_dependencies(const NodeParams& params, std::span<Node* const> dependencies,
                            const xpuGraphEdgeData* data) const;
  Status check_nesting(const NodeParams& params) const;
  Status check_place(const NodeParams& params) const;
  Status check_ends(std::span<Node* const> from, std::span<Node* const> to) const;
  uint32_t nesting_below() const noexcept;
  size_t position(uint32_t local_id) const noexcept {
    // Mostly nothing was ever removed, and then ids are positions.
    if (local_id < nodes_.size() && nodes_[local_id]->local_id_ == local_id) [[likely]]
      return local_id;
    return position_after_removals(local_id);
  }
  size_t position_after_removals(uint32_t local_id) const noexcept;

  uint64_t id_;
  uint64_t cloned_from_ = 0;   // id of the source, 0 if this graph is no clone
  uint32_t cloned_below_ = 0;  // local ids below this came from the source
  uint32_t next_local_id_ = 0;
  uint32_t slots_ = 0;
  size_t edges_ = 0;
  Node* owner_ = nullptr;
  bool moved_ = false;
  std::atomic<bool> ruined_{false};
  std::vector<Node*> nodes_;  // creation order, which is that of local ids
  // Where nodes lie: chunks of growing size, so that a small graph is small and addresses are
  // stable.
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* fresh_ = nullptr;  // the next place never used, in the last chunk
  uint32_t fresh_left_ = 0;
  Vacant* vacant_ = nullptr;
  std::shared_ptr<void> memory_;
  std::vector<std::shared_ptr<void>> held_;
  ObjectReferences objects_;
  std::vector<std::shared_ptr<Condition>> conditions_;
  OwnedHandle handle_;
  std::shared_ptr<Graph> self_;
};

// Whether an edge from a node of kind `from` to one of kind `to` may have this data (CUDA 13's
// rule).
Status check_edge_data(const xpuGraphEdgeData& data, NodeKind from, NodeKind to);

}  // namespace xpu::graph
