// SPDX-License-Identifier: Apache-2.0
// Finds chains and islands.
#include "plan/branches.h"

#include <algorithm>
#include <numeric>

namespace xpu::plan {
namespace {

constexpr uint32_t kNone = Branches::kNone;

bool deeper(const std::vector<uint32_t>& levels, uint32_t a, uint32_t b) {
  return a != kNone && (b == kNone || levels[a] > levels[b]);
}

// For each item the deepest free item that it is or that it directly follows, and through what is
// not free also what that follows.
std::vector<uint32_t> deepest_ends(const Flat& flat, const std::vector<uint32_t>& levels,
                                   const std::vector<bool>& free) {
  std::vector<uint32_t> ends(flat.size(), kNone);
  for (uint32_t item = 0; item < flat.size(); item++) {
    if (free[item]) {
      ends[item] = item;
      continue;
    }
    for (uint32_t d : flat.dependencies(item)) {
      if (deeper(levels, ends[d], ends[item])) ends[item] = ends[d];
    }
  }
  return ends;
}

uint32_t parent_of(const Flat& flat, const std::vector<uint32_t>& levels,
                   const std::vector<uint32_t>& ends, uint32_t item) {
  uint32_t parent = kNone;
  for (uint32_t d : flat.dependencies(item)) {
    if (deeper(levels, ends[d], parent)) parent = ends[d];
  }
  return parent;
}

// Union-find by halving; the smaller item is the root, so that a root is its part's first item.
class Parts {
 public:
  explicit Parts(uint32_t size) : up_(size) { std::iota(up_.begin(), up_.end(), 0u); }
  uint32_t root(uint32_t item) noexcept {
    while (up_[item] != item) item = up_[item] = up_[up_[item]];
    return item;
  }
  void join(uint32_t a, uint32_t b) noexcept {
    a = root(a), b = root(b);
    up_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint32_t> up_;
};

}  // namespace

// An item continues the deepest dependency that nobody continues yet, else it begins a chain.
// Deepest, because the critical path should stay on one lane.
Branches chains_of(const Flat& flat, const std::vector<uint32_t>& levels,
                   const std::vector<bool>& free) {
  const std::vector<uint32_t> ends = deepest_ends(flat, levels, free);
  Branches chains;
  chains.of.assign(flat.size(), kNone);
  // An end of a chain to continue; of a free item: itself until it is continued.
  std::vector<uint32_t> open(flat.size(), kNone);
  for (uint32_t item = 0; item < flat.size(); item++) {
    uint32_t end = kNone;
    for (uint32_t d : flat.dependencies(item)) {
      const bool still = open[d] != kNone && open[open[d]] != kNone;
      if (still && deeper(levels, open[d], end)) end = open[d];
    }
    if (!free[item]) {
      open[item] = end;
      continue;
    }
    if (end == kNone) {
      chains.of[item] = static_cast<uint32_t>(chains.all.size());
      chains.all.push_back({item, parent_of(flat, levels, ends, item), 0});
    } else {
      chains.of[item] = chains.of[end];
      open[end] = kNone;
    }
    chains.all[chains.of[item]].length++;
    open[item] = item;
  }
  return chains;
}

Branches islands_of(const Flat& flat, const std::vector<uint32_t>& levels,
                    const std::vector<bool>& free) {
  std::vector<uint32_t> on_level(flat.size() + 1);
  for (uint32_t item = 0; item < flat.size(); item++) {
    if (free[item]) on_level[levels[item]]++;
  }
  const auto inland = [&](uint32_t item) { return free[item] && on_level[levels[item]] > 1; };
  Parts parts(flat.size());
  for (uint32_t item = 0; item < flat.size(); item++) {
    if (!inland(item)) continue;
    for (uint32_t d : flat.dependencies(item)) {
      if (inland(d)) parts.join(d, item);
    }
  }
  const std::vector<uint32_t> ends = deepest_ends(flat, levels, free);
  Branches islands;
  islands.of.assign(flat.size(), kNone);
  for (uint32_t item = 0; item < flat.size(); item++) {
    if (!free[item]) continue;
    const uint32_t first = parts.root(item);
    if (first == item) {
      islands.of[item] = static_cast<uint32_t>(islands.all.size());
      islands.all.push_back({item, parent_of(flat, levels, ends, item), 0});
    } else {
      islands.of[item] = islands.of[first];
    }
    islands.all[islands.of[item]].length++;
  }
  return islands;
}

}  // namespace xpu::plan
