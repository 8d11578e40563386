// SPDX-License-Identifier: Apache-2.0
// The nodes of one graph as moments of an order, found out as they are asked for.
#pragma once

#include <span>
#include <vector>

#include "graph/graph.h"
#include "memory/order.h"

namespace xpu::memory {

// Edges that are added later, and nodes before a node that is known, make the order stricter than
// what was answered before, which errs on the safe side. No node and no edge may be removed.
class NodeOrder {
 public:
  // Nodes that nothing is before come after the moment `begin`, if there is one.
  explicit NodeOrder(Order& order) noexcept : order_(order) {}
  NodeOrder(Order& order, Moment begin) noexcept : order_(order), begin_(begin), has_begin_(true) {}

  // The moment of a node, after those of everything before it.
  Moment of(const graph::Node& node);
  // The point behind these nodes, which may be none.
  Moment behind(std::span<graph::Node* const> nodes);
  // The node goes again.
  void forget(const graph::Node& node) noexcept;

 private:
  Moment add(const graph::Node& node);
  std::span<const Moment> begin() const noexcept { return {&begin_, has_begin_ ? 1u : 0u}; }

  Order& order_;
  Moment begin_ = 0;
  bool has_begin_ = false;
  std::vector<Moment> moments_;  // by the node's slot
};

}  // namespace xpu::memory
