// SPDX-License-Identifier: Apache-2.0
// Best fit over free extents, with the pieces left out that may still be in use.
#include "memory/offsets.h"

#include <algorithm>

namespace xpu::memory {

size_t Offsets::allocate(size_t size, Moment then, const Order& order) {
  size = rounded(size);
  const std::vector<Extent> in_use = blocked(then, order);
  Extent place = best(size, in_use);
  if (place.size() == 0) {
    // The range grows, from where its top is free.
    place.begin = peak_ - free_at_top(in_use);
    if (size > limit_ || place.begin > limit_ - size) return kNoRoom;
    place.end = place.begin + size;
  }
  take(place.begin, place.begin + size);
  return place.begin;
}

void Offsets::release(size_t offset, size_t size, Moment freed) {
  size = rounded(size);
  add_piece(offset, offset + size, freed);
  Extent whole{offset, offset + size};
  auto above = extents_.lower_bound(offset);
  if (above != extents_.end() && above->first == whole.end) {
    whole.end = above->second;
    remove_extent({above->first, above->second});
  }
  auto below = extents_.lower_bound(offset);
  if (below != extents_.begin() && (--below)->second == whole.begin) {
    whole.begin = below->first;
    remove_extent({below->first, below->second});
  }
  add_extent(whole);
}

void Offsets::settle(Moment moment) {
  pieces_.clear();
  by_moment_.clear();
  for (const auto& [begin, end] : extents_) add_piece(begin, end, moment);
}

std::vector<Offsets::Extent> Offsets::blocked(Moment then, const Order& order) const {
  std::vector<Extent> found;
  for (auto at = by_moment_.lower_bound({order.all_before(then), 0}); at != by_moment_.end();
       ++at) {
    if (!order.before(at->first, then)) found.push_back({at->second, pieces_.at(at->second).end});
  }
  std::sort(found.begin(), found.end(),
            [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  return found;
}

std::vector<Offsets::Extent> Offsets::minus(const Extent& extent,
                                            const std::vector<Extent>& blocked) {
  std::vector<Extent> left;
  size_t begin = extent.begin;
  auto at = std::lower_bound(blocked.begin(), blocked.end(), extent.begin,
                             [](const Extent& b, size_t offset) { return b.begin < offset; });
  for (; at != blocked.end() && at->begin < extent.end; ++at) {
    if (at->begin > begin) left.push_back({begin, at->begin});
    begin = at->end;
  }
  if (begin < extent.end) left.push_back({begin, extent.end});
  return left;
}

Offsets::Extent Offsets::extent_around(size_t offset) const {
  const auto at = std::prev(extents_.upper_bound(offset));
  return {at->first, at->second};
}

Offsets::Extent Offsets::best(size_t size, const std::vector<Extent>& blocked) const {
  Extent best{0, 0};
  const auto better = [&](const Extent& e) {
    if (e.size() < size) return false;
    return best.size() == 0 || e.size() < best.size() ||
           (e.size() == best.size() && e.begin < best.begin);
  };
  std::set<size_t> cut;  // extents with something blocked in them, by begin
  for (const Extent& b : blocked) {
    const Extent extent = extent_around(b.begin);
    if (!cut.insert(extent.begin).second) continue;
    for (const Extent& left : minus(extent, blocked)) {
      if (better(left)) best = left;
    }
  }
  for (auto at = by_size_.lower_bound({size, 0}); at != by_size_.end(); ++at) {
    if (cut.contains(at->second)) continue;
    const Extent whole{at->second, at->second + at->first};
    if (better(whole)) best = whole;
    break;
  }
  return best;
}

size_t Offsets::free_at_top(const std::vector<Extent>& blocked) const {
  if (extents_.empty() || extents_.rbegin()->second != peak_) return 0;
  const Extent top{extents_.rbegin()->first, peak_};
  const std::vector<Extent> left = minus(top, blocked);
  return left.empty() || left.back().end != peak_ ? 0 : left.back().size();
}

// [begin, end) is given out: free bytes and what is beyond the peak.
void Offsets::take(size_t begin, size_t end) {
  if (begin < peak_) {
    const Extent extent = extent_around(begin);
    const size_t to = std::min(end, peak_);
    remove_extent(extent);
    if (extent.begin < begin) add_extent({extent.begin, begin});
    if (to < extent.end) add_extent({to, extent.end});
    cut(begin, to);
  }
  peak_ = std::max(peak_, end);
}

// Removes [begin, end) from the pieces.
void Offsets::cut(size_t begin, size_t end) {
  auto at = std::prev(pieces_.upper_bound(begin));
  while (at != pieces_.end() && at->first < end) {
    const auto [from, piece] = *at;
    by_moment_.erase({piece.freed, from});
    at = pieces_.erase(at);
    if (from < begin) add_piece(from, begin, piece.freed);
    if (piece.end > end) add_piece(end, piece.end, piece.freed);
  }
}

void Offsets::add_piece(size_t begin, size_t end, Moment freed) {
  pieces_[begin] = {end, freed};
  by_moment_.insert({freed, begin});
}

void Offsets::add_extent(Extent extent) {
  extents_[extent.begin] = extent.end;
  by_size_.insert({extent.size(), extent.begin});
}
void Offsets::remove_extent(const Extent& extent) {
  extents_.erase(extent.begin);
  by_size_.erase({extent.size(), extent.begin});
}

}  // namespace xpu::memory
