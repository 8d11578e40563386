// SPDX-License-Identifier: Apache-2.0
// Chains of nodes, and which lane each gets.
#include "plan/lanes.h"

#include <algorithm>

namespace xpu::plan {
namespace {

using graph::CopyParams;
using graph::NodeKind;

constexpr uint32_t kNone = UINT32_MAX;
constexpr uint8_t kCopyLane = kMostComputeLanes, kHostLane = kMostComputeLanes + 1;

bool crosses_to_host(const graph::CopyShape& shape, const DeviceFacts& facts) {
  if (shape.kind == xpuMemcpyHostToDevice || shape.kind == xpuMemcpyDeviceToHost) return true;
  if (shape.kind != xpuMemcpyDefault || !facts.is_host_memory) return false;
  return facts.is_host_memory(shape.dst.base) != facts.is_host_memory(shape.src.base);
}

// The lane that a node must be on, or kNone if any compute lane will do.
uint32_t fixed_lane(const PlanNode& node, const DeviceFacts& facts) {
  if (node.params->kind() == NodeKind::host && !facts.host_function_in_list) return kHostLane;
  auto* copy = node.params.as<CopyParams>();
  if (copy && facts.copy_engine && facts.shape != Shape::one_lane &&
      copy->bytes() >= facts.copy_engine_bytes && crosses_to_host(copy->shape(), facts)) {
    return kCopyLane;
  }
  return kNone;
}

// A run of nodes of which each continues the one before.
struct Chain {
  uint32_t head = 0;        // item
  uint32_t parent = kNone;  // item the head depends on most deeply, of a compute lane
  uint32_t length = 0;
  uint8_t lane = 0;
};

class Dealer {
 public:
  Dealer(const Flat& flat, const std::vector<uint32_t>& levels, std::vector<uint8_t>& lane_of)
      : flat_(flat),
        levels_(levels),
        lane_of_(lane_of),
        chain_of_(flat.size(), kNone),
        deepest_(flat.size(), kNone),
        open_(flat.size(), kNone) {}

  void deal(uint32_t lanes, uint32_t shortest_branch) {
    for (uint32_t item = 0; item < flat_.size(); item++) follow(item);
    std::vector<uint32_t> free_at(lanes);
    for (Chain& chain : chains_) choose(chain, shortest_branch, free_at);
    for (uint32_t item = 0; item < flat_.size(); item++) {
      if (chain_of_[item] != kNone) lane_of_[item] = chains_[chain_of_[item]].lane;
    }
  }

 private:
  // Continues the deepest dependency that nobody continues yet, else begins a chain. Deepest first,
  // because the critical path should stay on one lane.
  void follow(uint32_t item) {
    uint32_t deepest = kNone, open = kNone;
    const auto deeper = [&](uint32_t a, uint32_t b) {
      return b == kNone || levels_[a] > levels_[b];
    };
    for (uint32_t d : flat_.dependencies(item)) {
      const uint32_t seen = deepest_[d];
      if (seen != kNone && deeper(seen, deepest)) deepest = seen;
      const uint32_t end = open_[d];
      if (end != kNone && open_[end] != kNone && deeper(end, open)) open = end;
    }
    if (flat_.is_join(item) || lane_of_[item] >= kMostComputeLanes) {
      deepest_[item] = deepest;
      open_[item] = open;
      return;
    }
    if (open == kNone) {
      chain_of_[item] = static_cast<uint32_t>(chains_.size());
      chains_.push_back({item, deepest, 0, 0});
    } else {
      chain_of_[item] = chain_of_[open];
      open_[open] = kNone;
    }
    Chain& chain = chains_[chain_of_[item]];
    chain.length++;
    deepest_[item] = open_[item] = item;
  }

  // Short branches stay where they come from. Others go to the lane that would be free first if
  // each node took as long as any other, and stay at home if that is as good.
  void choose(Chain& chain, uint32_t shortest_branch, std::vector<uint32_t>& free_at) const {
    const uint32_t home = chain.parent == kNone ? 0 : chains_[chain_of_[chain.parent]].lane;
    const uint32_t start = levels_[chain.head];
    uint32_t best = home;
    if (chain.length >= shortest_branch) {
      const auto begin = [&](uint32_t lane) { return std::max(free_at[lane], start); };
      for (uint32_t lane = 0; lane < free_at.size(); lane++) {
        if (begin(lane) < begin(best)) best = lane;
      }
    }
    chain.lane = static_cast<uint8_t>(best);
    free_at[best] = std::max(free_at[best], start) + chain.length;
  }

  const Flat& flat_;
  const std::vector<uint32_t>& levels_;
  std::vector<uint8_t>& lane_of_;
  std::vector<Chain> chains_;
  std::vector<uint32_t> chain_of_;
  std::vector<uint32_t> deepest_;  // deepest compute item that this one is or directly follows
  std::vector<uint32_t> open_;  // an end of a chain to continue; of an item: itself until continued
};

// Leaves out lanes that nothing is on and numbers the rest from 0.
void compact(const Flat& flat, Lanes& lanes) {
  constexpr uint32_t kMost = kMostComputeLanes + 2;
  bool used[kMost] = {};
  for (uint32_t item = 0; item < flat.size(); item++) {
    if (!flat.is_join(item)) used[lanes.of[item]] = true;
  }
  uint8_t number[kMost] = {};
  for (uint32_t lane = 0; lane < kMost; lane++) {
    if (!used[lane]) continue;
    number[lane] = static_cast<uint8_t>(lanes.kinds.size());
    lanes.kinds.push_back(lane == kHostLane   ? LaneKind::host
                          : lane == kCopyLane ? LaneKind::copy
                                              : LaneKind::compute);
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
                   uint32_t compute_lanes) {
  Lanes lanes;
  lanes.of.assign(flat.size(), 0);
  for (uint32_t item = 0; item < flat.size(); item++) {
    if (flat.is_join(item)) continue;
    const uint32_t fixed = fixed_lane(flat.node(item), facts);
    if (fixed != kNone) lanes.of[item] = static_cast<uint8_t>(fixed);
  }
  if (compute_lanes > 1) {
    const uint32_t shortest = facts.shape == Shape::lanes ? 1 : facts.shortest_branch;
    Dealer(flat, levels, lanes.of).deal(compute_lanes, shortest);
  }
  compact(flat, lanes);
  return lanes;
}

}  // namespace xpu::plan
