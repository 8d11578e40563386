// SPDX-License-Identifier: Apache-2.0
// A node: its parameters and its edges. It lives in one graph, at one address, until it is removed.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/handle.h"
#include "graph/edge.h"
#include "graph/params.h"

namespace xpu::graph {

class Graph;

class Node {
 public:
  NodeKind kind() const noexcept { return params_->kind(); }
  Graph& graph() const noexcept { return *graph_; }
  // Unique in the process and never used again.
  uint64_t id() const noexcept { return id_; }
  // Counts from 0 within the graph, never used again there, kept by clones: the number that
  // pictures and error sentences show.
  uint32_t local_id() const noexcept { return local_id_; }
  // Where the node lies in its graph: below Graph::slots(), and free for another node once this one
  // is removed. For tables beside a graph that live only as long as it does not change.
  uint32_t slot() const noexcept { return slot_; }

  const ParamsRef& params() const noexcept { return params_; }
  template <class T>
  const T* as() const noexcept {
    return params_.as<T>();
  }
  // Installs a new version, of the same kind (the caller has checked); not for child-graph nodes,
  // whose graph is edited instead.
  void set_params(ParamsRef params) noexcept { params_ = std::move(params); }

  // In order of insertion.
  const EdgeList& in() const noexcept { return in_; }    // dependencies
  const EdgeList& out() const noexcept { return out_; }  // dependents

  // The public handle, made at the first call: captured nodes and snapshots mostly never need one,
  // and it is a locked table entry. 0 if the table is full.
  uint64_t handle() noexcept {
    if (!handle_.value()) handle_ = OwnedHandle(HandleType::node, this);
    return handle_.value();
  }

 private:
  friend class Graph;
  // The first of so many new ids.
  static uint64_t take_ids(uint64_t count) noexcept {
    return next_id_.fetch_add(count, std::memory_order_relaxed);
  }
  Node(Graph* graph, ParamsRef params, uint64_t id, uint32_t local_id, uint32_t slot) noexcept
      : graph_(graph), params_(std::move(params)), id_(id), local_id_(local_id), slot_(slot) {}
  ~Node() = default;

  static inline constinit std::atomic<uint64_t> next_id_{1};

  Graph* graph_;
  ParamsRef params_;
  uint64_t id_;
  uint32_t local_id_, slot_;
  OwnedHandle handle_;
  EdgeList in_, out_;
};

}  // namespace xpu::graph
