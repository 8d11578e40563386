// SPDX-License-Identifier: Apache-2.0
// Deals moments out to chains and merges what is known at joins.
#include "memory/order.h"

#include <algorithm>

namespace xpu::memory {

Moment Order::append(Entry entry) {
  const Moment moment = size();
  entry.points = points_;
  if (entry.chain == chains_.size()) chains_.emplace_back();
  entry.position = static_cast<uint32_t>(chains_[entry.chain].size());
  chains_[entry.chain].push_back(moment);
  moments_.push_back(std::move(entry));
  return moment;
}

// It begins a chain: the last moment may be a point.
Moment Order::add_after_all() {
  Entry entry;
  entry.chain = static_cast<uint32_t>(chains_.size());
  entry.base = size();
  return append(std::move(entry));
}

Moment Order::add_point(std::span<const Moment> after) {
  Entry point;
  point.chain = kPoint;
  point.points = points_++;
  auto behind = std::make_shared<Reaches>();
  for (const Moment a : after) {
    behind->push_back({moments_[a].chain, a});
    const bool is_after_all = moments_[a].base == a;
    point.base = std::max(point.base, is_after_all ? a + 1 : moments_[a].base);
  }
  point.others = std::move(behind);
  moments_.push_back(std::move(point));
  return size() - 1;
}

// Moments from `base` on that are no points.
uint32_t Order::real_from(Moment base) const noexcept {
  if (base == size()) return 0;
  return size() - base - (points_ - moments_[base].points);
}

Moment Order::add(std::span<const Moment> before) {
  if (!before.empty()) return append(follow(before));
  Entry root;
  root.chain = static_cast<uint32_t>(chains_.size());
  return append(std::move(root));
}

// The entry of a moment after `before`: it continues the newest chain that nobody continues yet.
Order::Entry Order::follow(std::span<const Moment> before) {
  Entry entry;
  entry.chain = static_cast<uint32_t>(chains_.size());
  Moment continued = 0;
  bool continues = false;
  for (const Moment b : before) {
    const Entry& known = moments_[b];
    entry.base = std::max(entry.base, known.base);
    const bool open = chains_[known.chain].back() == b;
    if (!open || (continues && b < continued)) continue;
    entry.chain = known.chain;
    continued = b;
    continues = true;
  }
  // Continuing a moment that is after all others is the common case, and needs no merging.
  if (continues && moments_[continued].base == continued && real_from(continued) == 1) {
    entry.base = size();
    return entry;
  }
  const bool alone =
      std::all_of(before.begin(), before.end(), [&](Moment b) { return b == before.front(); });
  if (continues && alone) {
    entry.others = moments_[continued].others;
    return entry;
  }
  Reaches reaches = merge(before, entry.base);
  if (is_everything(reaches, entry.base)) {
    entry.base = size();
    return entry;
  }
  std::erase_if(reaches, [&](const Reach& r) { return r.chain == entry.chain; });
  forget_oldest(reaches);
  if (!reaches.empty()) entry.others = std::make_shared<const Reaches>(std::move(reaches));
  return entry;
}

// How far each chain is known to have come behind `before`, where that is more than `base` says.
Order::Reaches Order::merge(std::span<const Moment> before, Moment base) const {
  Reaches all;
  for (const Moment b : before) {
    if (b >= base) all.push_back({moments_[b].chain, b});
    if (!moments_[b].others) continue;
    for (const Reach& r : *moments_[b].others) {
      if (r.last >= base) all.push_back(r);
    }
  }
  std::sort(all.begin(), all.end(), [](const Reach& a, const Reach& b) {
    return a.chain != b.chain ? a.chain < b.chain : a.last > b.last;
  });
  const auto same_chain = [](const Reach& a, const Reach& b) { return a.chain == b.chain; };
  all.erase(std::unique(all.begin(), all.end(), same_chain), all.end());
  return all;
}

void Order::forget_oldest(Reaches& reaches) {
  if (reaches.size() <= kMostBranches) return;
  std::nth_element(reaches.begin(), reaches.begin() + kMostBranches, reaches.end(),
                   [](const Reach& a, const Reach& b) { return a.last > b.last; });
  reaches.resize(kMostBranches);
  std::sort(reaches.begin(), reaches.end(),
            [](const Reach& a, const Reach& b) { return a.chain < b.chain; });
}

// Whether the moments that are reached are all there are from `base` on.
bool Order::is_everything(const Reaches& reaches, Moment base) const noexcept {
  size_t count = 0;
  for (const Reach& r : reaches) {
    const std::vector<Moment>& chain = chains_[r.chain];
    const auto first = std::lower_bound(chain.begin(), chain.end(), base) - chain.begin();
    count += moments_[r.last].position + 1 - static_cast<size_t>(first);
  }
  return count == real_from(base);
}

bool Order::is_behind(Moment first, const Entry& point) const noexcept {
  return std::any_of(point.others->begin(), point.others->end(),
                     [&](const Reach& r) { return first == r.last || before(first, r.last); });
}

bool Order::before(Moment first, Moment then) const noexcept {
  if (first >= then) return false;
  const Entry &a = moments_[first], &b = moments_[then];
  if (first < b.base) return true;
  if (a.is_point()) {
    return std::all_of(a.others->begin(), a.others->end(),
                       [&](const Reach& r) { return before(r.last, then); });
  }
  if (b.is_point()) return is_behind(first, b);
  if (a.chain == b.chain) return true;
  if (!b.others) return false;
  const auto at = std::lower_bound(b.others->begin(), b.others->end(), a.chain,
                                   [](const Reach& r, uint32_t chain) { return r.chain < chain; });
  return at != b.others->end() && at->chain == a.chain && at->last >= first;
}

}  // namespace xpu::memory
