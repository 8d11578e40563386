// SPDX-License-Identifier: Apache-2.0
// The frontier of a captured stream: the nodes that its next node will depend on, with edge data.
#pragma once

#include <xpugraph/graph.h>

#include <cstddef>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace xpu::capture {

class Frontier {
 public:
  // Room for one node from the start, so that advance() cannot fail.
  Frontier() { nodes_.reserve(1); }

  std::span<graph::Node* const> nodes() const noexcept { return nodes_; }
  // One entry for each node, or nullptr if all edges are default ones.
  const xpuGraphEdgeData* data() const noexcept { return data_.empty() ? nullptr : data_.data(); }
  bool contains(const graph::Node* node) const noexcept;

  // The stream has captured `node`: only that is in front now.
  void advance(graph::Node* node) noexcept {
    if (nodes_.size() != 1 || !data_.empty()) {
      nodes_.resize(1);
      data_.clear();
    }
    nodes_[0] = node;
  }
  // Adds what is not in it. A node that is in it keeps its edge data. All or nothing.
  void join(std::span<graph::Node* const> nodes, const xpuGraphEdgeData* data);
  void join(const Frontier& other) { join(other.nodes(), other.data()); }
  // Replaces it; `nodes` may name a node twice, which counts once. All or nothing.
  void set(std::span<graph::Node* const> nodes, const xpuGraphEdgeData* data);
  void clear() noexcept {
    nodes_.clear();
    data_.clear();
  }

 private:
  std::vector<graph::Node*> nodes_;
  std::vector<xpuGraphEdgeData> data_;  // empty: all default
};

}  // namespace xpu::capture
