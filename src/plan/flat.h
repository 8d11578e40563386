// SPDX-License-Identifier: Apache-2.0
// A graph without levels: child graphs expanded in place, empty and memory nodes turned into joins.
//
// A join is an item that orders and does nothing. Dissolving an empty node into edges from each of
// its m dependencies to each of its n dependents would make m * n edges out of m + n; joins keep
// everything that follows linear in the size of the graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "plan/plan.h"

namespace xpu::plan {

struct Flat {
  static constexpr uint32_t kJoin = uint32_t{1} << 31;

  std::vector<PlanNode> work;
  // Items in an order in which they can run. The value is an index in `work`, or kJoin | number.
  std::vector<uint32_t> items;
  // Dependencies of item i are before[first[i]] to before[first[i + 1]], all smaller than i.
  std::vector<uint32_t> first{0};
  std::vector<uint32_t> before;
  uint32_t joins = 0;
  uint32_t child_graphs = 0;

  uint32_t size() const noexcept { return static_cast<uint32_t>(items.size()); }
  bool is_join(uint32_t item) const noexcept { return items[item] & kJoin; }
  uint32_t join(uint32_t item) const noexcept { return items[item] & ~kJoin; }
  const PlanNode& node(uint32_t item) const noexcept { return work[items[item]]; }
  std::span<const uint32_t> dependencies(uint32_t item) const noexcept {
    return {before.data() + first[item], before.data() + first[item + 1]};
  }
};

inline bool is_cooperative(const PlanNode& node) noexcept {
  const auto* kernel = node.params.as<graph::KernelParams>();
  return kernel && kernel->cooperative();
}

// Memory is given and taken by the library; on the device, such a node has nothing to do.
inline bool does_nothing(graph::NodeKind kind) noexcept {
  return kind == graph::NodeKind::empty || kind == graph::NodeKind::mem_alloc ||
         kind == graph::NodeKind::mem_free;
}

// Fails with xpuErrorInvalidValue if the graph or one inside it has a cycle, and where `where`
// (which may be NULL) does.
Result<Flat> flatten(const graph::Graph& graph, Whereabouts* where);

}  // namespace xpu::plan
