// SPDX-License-Identifier: Apache-2.0
// Deals branches out to lanes.
#include "plan/lanes.h"

#include <algorithm>

#include "graph/external.h"
#include "plan/branches.h"
#include "plan/clock.h"

namespace xpu::plan {
namespace {

using graph::CopyParams;
using graph::NodeKind;

constexpr uint32_t kAnyLane = UINT32_MAX;
constexpr uint8_t kCopyLane = kMostComputeLanes, kHostLane = kMostComputeLanes + 1;
constexpr uint8_t kLaneOfDevice1 = kHostLane + 1;

bool crosses_to_host(const graph::CopyShape& shape, const DeviceFacts& facts) {
  if (shape.kind == xpuMemcpyHostToDevice || shape.kind == xpuMemcpyDeviceToHost) return true;
  if (shape.kind != xpuMemcpyDefault || !facts.where) return false;
  return facts.where->is_host_memory(shape.dst.base) != facts.where->is_host_memory(shape.src.base);
}

// The lane that a node must be on, or kAnyLane if any compute lane will do.
uint32_t fixed_lane(const PlanNode& node, const DeviceFacts& facts) {
  if (node.device) return kLaneOfDevice1 + node.device - 1;
  const NodeKind kind = node.params->kind();
  // A wait holds up the queue it is in, for as long as another program likes: not one that others
  // share.
  if (graph::ExternalParams::is(kind)) return kHostLane;
  if (kind == NodeKind::conditional) return kHostLane;
  if (kind == NodeKind::host && !facts.host_function_in_list) return kHostLane;
  auto* copy = node.params.as<CopyParams>();
  if (!copy || !facts.copy_engine || is_one_lane(facts.shape)) return kAnyLane;
  const bool to_host = node.part != PlanNode::Part::whole || crosses_to_host(copy->shape(), facts);
  const bool gains = to_host && copy->bytes() >= facts.copy_engine_bytes;
  return gains || facts.shape == Shape::lanes ? kCopyLane : kAnyLane;
}

// Short branches stay where they come from. Others go to the lane that would be free first if each
// node took as long as any other, and stay at home if that is as good.
void deal(const Branches& branches, const std::vector<uint32_t>& levels, uint32_t lanes,
          uint32_t shortest_branch, std::vector<uint8_t>& lane_of) {
  std::vector<uint32_t> free_at(lanes);
  std::vector<uint8_t> lane_of_branch;
  for (const Branch& branch : branches.all) {
    const bool root = branch.parent == Branches::kNone;
    const uint32_t home = root ? 0 : lane_of_branch[branches.of[branch.parent]];
    const uint32_t start = levels[branch.head];
    const auto begin = [&](uint32_t lane) { return std::max(free_at[lane], start); };
    uint32_t best = home;
    for (uint32_t lane = 0; lane < lanes && branch.length >= shortest_branch; lane++) {
      if (begin(lane) < begin(best)) best = lane;
    }
    lane_of_branch.push_back(static_cast<uint8_t>(best));
    free_at[best] = begin(best) + branch.length;
  }
  for (uint32_t item = 0; item < lane_of.size(); item++) {
    if (branches.of[item] != Branches::kNone) lane_of[item] = lane_of_branch[branches.of[item]];
  }
}

Lane lane_at(uint32_t number) noexcept {
  if (number >= kLaneOfDevice1)
    return {LaneKind::compute, static_cast<uint8_t>(number - kLaneOfDevice1 + 1)};
  if (number == kHostLane) return {LaneKind::host};
  return {number == kCopyLane ? LaneKind::copy : LaneKind::compute};
}

// Leaves out lanes that nothing is on and numbers the rest from 0.
void compact(const Flat& flat, Lanes& lanes) {
  bool used[kMostLanes] = {};
  for (uint32_t item = 0; item < flat.size(); item++) {
    if (!flat.is_join(item)) used[lanes.of[item]] = true;
  }
  uint8_t number[kMostLanes] = {};
  for (uint32_t lane = 0; lane < kMostLanes; lane++) {
    if (!used[lane]) continue;
    number[lane] = static_cast<uint8_t>(lanes.all.size());
    lanes.all.push_back(lane_at(lane));
  }
  for (uint8_t& lane : lanes.of) lane = number[lane];
}

}  // namespace

std::vector<uint32_t> levels_of(const Flat& flat) {
  std::vector<uint32_t> levels(flat.size());
  for (uint32_t item = 0; item < flat.size(); item++) {
    uint32_t level = 0;
    for (uint32_t d : flat.dependencies(item)) level = std::max(level, levels[d]);
    levels[item] = flat.is_join(item) ? level : level + 1;
  }
  return levels;
}

Lanes assign_lanes(const Flat& flat, const std::vector<uint32_t>& levels, const DeviceFacts& facts,
                   uint32_t compute_lanes, Dealing dealing) {
  Lanes lanes;
  lanes.of.assign(flat.size(), 0);
  std::vector<bool> free(flat.size());
  for (uint32_t item = 0; item < flat.size(); item++) {
    if (flat.is_join(item)) continue;
    const uint32_t fixed = fixed_lane(flat.node(item), facts);
    free[item] = fixed == kAnyLane;
    if (fixed != kAnyLane) lanes.of[item] = static_cast<uint8_t>(fixed);
  }
  if (compute_lanes > 1) {
    const uint32_t shortest = facts.shape == Shape::lanes ? 1 : facts.shortest_branch;
    const Branches branches =
        dealing == Dealing::chains ? chains_of(flat, levels, free) : islands_of(flat, levels, free);
    deal(branches, levels, compute_lanes, shortest, lanes.of);
  }
  compact(flat, lanes);
  return lanes;
}

}  // namespace xpu::plan
