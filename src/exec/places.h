// SPDX-License-Identifier: Apache-2.0
// Where the nodes of an executable's graph are in its plan.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "plan/plan.h"

namespace xpu::exec {

class Places {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;  // a node that is nothing to run

  // `source` is the graph, or a copy of it, that the plan was made of. It must outlive this.
  static Result<Places> make(graph::Graph& source, const plan::Plan& plan);

  // The node of the source that is meant by a node of the graph that it is a copy of, or of a child
  // graph in that; nullptr if there is none.
  graph::Node* find(const graph::Node& original) const noexcept;
  // Index in plan::Plan::nodes of a node of the source or of a child graph in it.
  uint32_t in_plan(const graph::Node& node) const noexcept {
    return &node.graph() == source_ ? top_[node.slot()] : in_child(node);
  }

 private:
  explicit Places(graph::Graph& source) noexcept : source_(&source) {}
  uint32_t in_child(const graph::Node& node) const noexcept;
  Status walk(const graph::Graph& graph, const plan::Plan& plan, uint32_t& next);

  graph::Graph* source_;
  std::unordered_map<const graph::Graph*, std::vector<uint32_t>> by_slot_;
  const uint32_t* top_ = nullptr;  // the source's own, which is asked for most
};

}  // namespace xpu::exec
