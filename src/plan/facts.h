// SPDX-License-Identifier: Apache-2.0
// What the planner needs to know of a device, and the thresholds it decides by.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.h"

namespace xpu::plan {

struct PlanNode;

// The most devices that the nodes of one graph may be on.
inline constexpr uint32_t kMostDevices = 8;

// The devices that run a node, by their number in the plan: 0 is the one that launches.
struct Site {
  static constexpr uint8_t kNone = UINT8_MAX;
  uint8_t device = 0;
  // Of a copy between devices that cannot reach each other: `device` brings it to host memory, and
  // this one fetches it from there.
  uint8_t fetches = kNone;
};

// Where memory and code are, asked while a graph is planned.
class Whereabouts {
 public:
  virtual bool is_host_memory(const void* pointer) const = 0;
  // Of each node that runs, in the order of Plan::nodes; `index` is the place there.
  virtual Result<Site> site(const PlanNode& node, uint32_t index) = 0;

 protected:
  ~Whereabouts() = default;
};

// How the work is spread. All but `automatic` are forced by tests, with XPUGRAPH_PLAN.
enum class Shape : uint8_t {
  automatic,  // lanes if there are engines and the graph gains by them
  chain,      // one lane, each step after the one before
  levels,     // one lane, barriers where the graph needs one; bodies of conditional nodes, too
  lanes,      // lanes wherever the graph branches at all, and every copy on the copy engine
};

constexpr bool is_one_lane(Shape shape) noexcept {
  return shape == Shape::chain || shape == Shape::levels;
}

// Of device 0. The others have one compute lane each.
struct DeviceFacts {
  // Compute queues that really run at the same time; 1 means everything is one lane. Capped at
  // kMostComputeLanes.
  uint32_t compute_lanes = 1;
  // A copy-only engine beside them.
  bool copy_engine = false;
  // Copies between host and device of at least this many bytes go to the copy engine. Below it the
  // event between the engines costs more than the overlap brings.
  size_t copy_engine_bytes = 256 * 1024;
  // The driver takes host functions inside a command list. If not, a host node stands alone.
  bool host_function_in_list = false;
  // A branch of fewer nodes stays on the lane it comes from.
  uint32_t shortest_branch = 4;
  // Below this many steps per segment on average the graph is too entangled for lanes, and one lane
  // with barriers is taken.
  uint32_t fewest_steps_per_segment = 4;
  Shape shape = Shape::automatic;
  // NULL: every node is of device 0, and copies of kind xpuMemcpyDefault are inside of it.
  Whereabouts* where = nullptr;
};

inline constexpr uint32_t kMostComputeLanes = 4;

}  // namespace xpu::plan
