// SPDX-License-Identifier: Apache-2.0
// From which node of a graph to which each of its allocations lives, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "memory/graph_memory.h"
#include "memory/lower_bound.h"

namespace xpu::memory {

// A level of a graph: the nodes with equally many nodes before them on the longest way. What is
// before something is on a lower level.
struct Lifetime {
  static constexpr uint32_t kStays = UINT32_MAX;

  uint32_t begins = 0;     // the allocation node
  uint32_t ends = kStays;  // the free node in the same graph, if there is one
  uint32_t first_level = 0;
  uint32_t last_level = 0;  // of the free node, or the last one of the graph
  size_t bytes = 0;         // as asked for
  size_t rounded = 0;       // as placed
  int device = 0;
  uint32_t range = 0;  // on the device: the first one nearly always
  size_t offset = 0;   // in the range
  const void* address = nullptr;

  bool stays() const noexcept { return ends == kStays; }
};

struct Lifetimes {
  uint64_t graph = 0;
  uint32_t levels = 0;
  std::vector<Lifetime> all;  // in the order of their nodes

  // Fails where the graph has a cycle.
  static Result<Lifetimes> of(const graph::Graph& graph);
};

// Which of `some` begin only when others are over, by all edges that the graph has now.
Result<After> order_among(const graph::Graph& graph, const std::vector<Lifetime>& some);

// The most bytes that are alive on one level: can be alive at once, so no order needs less, but
// another one may need more.
size_t heaviest_level(const std::vector<Lifetime>& some, uint32_t levels);

}  // namespace xpu::memory
