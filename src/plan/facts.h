// SPDX-License-Identifier: Apache-2.0
// What the planner needs to know of a device, and the thresholds it decides by.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xpu::plan {

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
  // Tells host memory from device memory for copies of kind xpuMemcpyDefault. NULL: such copies
  // count as device to device.
  bool (*is_host_memory)(const void* pointer) = nullptr;
};

inline constexpr uint32_t kMostComputeLanes = 4;

}  // namespace xpu::plan
