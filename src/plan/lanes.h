// SPDX-License-Identifier: Apache-2.0
// Which node runs where: branches of the graph are dealt out to the engines of the device.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/flat.h"

namespace xpu::plan {

struct Lanes {
  std::vector<Lane> all;
  std::vector<uint8_t> of;  // lane of each item; of a join: not meaningful
};

// Longest way from a root, in nodes: 1 for a root; a join has that of its deepest dependency.
std::vector<uint32_t> levels_of(const Flat& flat);

// What goes to a lane as one.
enum class Dealing : uint8_t {
  chains,   // runs of nodes: finds all concurrency there is
  islands,  // parts of the graph that have no edges with each other: coarser, hardly any waits
};

// At most `compute_lanes` compute lanes of device 0; lanes that nothing is on are left out.
Lanes assign_lanes(const Flat& flat, const std::vector<uint32_t>& levels, const DeviceFacts& facts,
                   uint32_t compute_lanes, Dealing dealing);

}  // namespace xpu::plan
