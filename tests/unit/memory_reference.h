// SPDX-License-Identifier: Apache-2.0
// References for the memory floor, computed the long way: an order as a closure of bits, and the
// least memory that any placement could need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace xpu::test {

// What comes before what, as a set of moments for each moment.
class Closure {
 public:
  using Moments = std::vector<uint32_t>;

  uint32_t add(const Moments& before) { return enter(reach(before), {}, false); }
  uint32_t add_after_all() {
    Moments all;
    for (uint32_t m = 0; m < size(); m++) {
      if (!rows_[m].is_point) all.push_back(m);
    }
    return enter(reach(all), {}, false);
  }
  uint32_t add_point(const Moments& after) { return enter(reach(after), after, true); }

  uint32_t size() const { return static_cast<uint32_t>(rows_.size()); }
  bool is_point(uint32_t m) const { return rows_[m].is_point; }
  // A point is before what has everything before it that the point is behind.
  bool before(uint32_t first, uint32_t then) const {
    if (first >= then) return false;
    if (!rows_[first].is_point) return has(rows_[then], first);
    const Moments& behind = rows_[first].behind;
    return std::all_of(behind.begin(), behind.end(),
                       [&](uint32_t m) { return has(rows_[then], m); });
  }

 private:
  using Bits = std::vector<uint64_t>;
  struct Row {
    Bits reached;
    Moments behind;
    bool is_point;
  };
  static bool has(const Row& row, uint32_t m) {
    return m / 64 < row.reached.size() && row.reached[m / 64] >> m % 64 & 1;
  }
  Bits reach(const Moments& before) const {
    Bits bits(size() / 64 + 1);
    for (const uint32_t m : before) {
      for (size_t i = 0; i < rows_[m].reached.size(); i++) bits[i] |= rows_[m].reached[i];
      bits[m / 64] |= uint64_t{1} << m % 64;
    }
    return bits;
  }
  uint32_t enter(Bits reached, Moments behind, bool is_point) {
    rows_.push_back({std::move(reached), std::move(behind), is_point});
    return size() - 1;
  }
  std::vector<Row> rows_;
};

// One allocation of a plan; `end` is kStays if nothing frees it.
struct Lifetime {
  static constexpr uint32_t kStays = UINT32_MAX;
  size_t size = 0;
  uint32_t begin = 0;
  uint32_t end = kStays;
};

// Pairs that must not share: for each, whether neither is known to be over when the other begins.
class Conflicts {
 public:
  Conflicts(const std::vector<Lifetime>& all, const Closure& order)
      : n_(all.size()), over_(n_ * n_) {
    for (size_t i = 0; i < n_; i++)
      for (size_t j = 0; j < n_; j++)
        over_[i * n_ + j] =
            i != j && all[i].end != Lifetime::kStays && order.before(all[i].end, all[j].begin);
  }
  size_t size() const { return n_; }
  // i is over before j begins.
  bool over(size_t i, size_t j) const { return over_[i * n_ + j]; }
  bool between(size_t i, size_t j) const { return i != j && !over(i, j) && !over(j, i); }

 private:
  size_t n_;
  std::vector<bool> over_;
};

// The most bytes that can be in use at once in some run that the order allows: the heaviest set of
// allocations of which none is over before another begins. That is (Dilworth, with weights) what is
// left of all bytes when each hands its own on to those after it: a greatest flow from allocations
// as givers to allocations as takers.
inline size_t most_at_once(const std::vector<Lifetime>& all, const Conflicts& conflicts) {
  const size_t n = all.size();
  std::vector<size_t> gives(n), takes(n);
  std::vector<std::vector<size_t>> flow(n, std::vector<size_t>(n));
  size_t total = 0, handed_on = 0;
  for (size_t i = 0; i < n; i++) total += gives[i] = takes[i] = all[i].size;
  for (;;) {
    // The shortest way to give more, breadth first over givers 0..n-1 and takers n..2n-1.
    constexpr size_t kNone = SIZE_MAX, kStart = SIZE_MAX - 1;
    std::vector<size_t> from(2 * n, kNone);
    std::deque<size_t> next;
    for (size_t i = 0; i < n; i++) {
      if (gives[i]) from[i] = kStart, next.push_back(i);
    }
    size_t found = kNone;
    while (!next.empty() && found == kNone) {
      const size_t at = next.front();
      next.pop_front();
      for (size_t k = 0; k < n; k++) {
        if (at < n && from[n + k] == kNone && conflicts.over(at, k)) {
          from[n + k] = at;
          if (takes[k]) {
            found = n + k;
            break;
          }
          next.push_back(n + k);
        }
        if (at >= n && from[k] == kNone && flow[k][at - n]) from[k] = at, next.push_back(k);
      }
    }
    if (found == kNone) return total - handed_on;
    size_t most = takes[found - n];
    size_t at = found;
    for (; from[at] != kStart; at = from[at])
      if (at < n) most = std::min(most, flow[at][from[at] - n]);
    most = std::min(most, gives[at]);
    gives[at] -= most;
    takes[found - n] -= most;
    for (at = found; from[at] != kStart; at = from[at]) {
      if (at >= n)
        flow[from[at]][at - n] += most;
      else
        flow[at][from[at] - n] -= most;
    }
    handed_on += most;
  }
}

// The least memory of all placements. Placing in the order of a best placement's offsets, each as
// low as it can be, is as good as that placement, so all orders are tried: few allocations only.
class BestPlacement {
 public:
  BestPlacement(const std::vector<Lifetime>& all, const Conflicts& conflicts, size_t bound)
      : all_(all), conflicts_(conflicts), bound_(bound), offset_(all.size()), used_(all.size()) {
    search(0, 0);
  }
  size_t bytes() const { return best_; }

 private:
  size_t lowest(size_t i) const {
    size_t at = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t j = 0; j < all_.size(); j++) {
        if (!used_[j] || !conflicts_.between(i, j)) continue;
        if (at < offset_[j] + all_[j].size && offset_[j] < at + all_[i].size)
          at = offset_[j] + all_[j].size, moved = true;
      }
    }
    return at;
  }
  void search(size_t placed, size_t top) {
    if (top >= best_) return;
    if (placed == all_.size()) {
      best_ = top;
      return;
    }
    for (size_t i = 0; i < all_.size() && best_ > bound_; i++) {
      if (used_[i]) continue;
      offset_[i] = lowest(i);
      used_[i] = true;
      search(placed + 1, std::max(top, offset_[i] + all_[i].size));
      used_[i] = false;
    }
  }

  const std::vector<Lifetime>& all_;
  const Conflicts& conflicts_;
  const size_t bound_;  // nothing is below it
  std::vector<size_t> offset_;
  std::vector<bool> used_;
  size_t best_ = SIZE_MAX;
};

}  // namespace xpu::test
