// SPDX-License-Identifier: Apache-2.0
// Parts of a graph that are worth a lane of their own, found in two ways.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/flat.h"

namespace xpu::plan {

struct Branch {
  uint32_t head = 0;    // its first item
  uint32_t parent = 0;  // the deepest item of another branch before the head; kNone for a root
  uint32_t length = 0;  // nodes
};

struct Branches {
  static constexpr uint32_t kNone = UINT32_MAX;

  std::vector<Branch> all;   // by head, so that a parent's branch comes before
  std::vector<uint32_t> of;  // branch of each item, kNone for joins and items that are not free
};

// Runs of nodes, each continuing the one before. `free` marks the items that may be on any lane.
Branches chains_of(const Flat& flat, const std::vector<uint32_t>& levels,
                   const std::vector<bool>& free);

// What hangs together when joins, and nodes that are alone on their level, are left out: these are
// where a graph forks and joins. A node left out is a branch by itself.
Branches islands_of(const Flat& flat, const std::vector<uint32_t>& levels,
                    const std::vector<bool>& free);

}  // namespace xpu::plan
