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
  const size_t end = offset + size;
  const auto above = extents_.lower_bound(offset);
  const bool joins_above = above != extents_.end() && above->first == end;
  const bool joins_below = above != extents_.begin() && std::prev(above)->second == offset;
  if (joins_below) {
    const auto below = std::prev(above);
    const size_t to = joins_above ? above->second : end;
    if (joins_above) remove_extent(above);
    change_extent(below, {below->first, to});
  } else if (joins_above) {
    change_extent(above, {offset, above->second});
  } else {
    add_extent({offset, end});
  }
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
    const auto& [freed, begin] = at->first;
    if (!order.before(freed, then)) found.push_back({begin, at->second});
  }
  std::sort(found.begin(), found.end(),
            [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  return found;
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
  std::vector<size_t> cut;  // extents with something blocked in them, by begin
  for (auto b = blocked.begin(); b != blocked.end();) {
    const Extent extent = extent_around(b->begin);
    cut.push_back(extent.begin);
    size_t begin = extent.begin;
    for (; b != blocked.end() && b->begin < extent.end; ++b) {
      const Extent gap{begin, b->begin};
      if (better(gap)) best = gap;
      begin = b->end;
    }
    const Extent rest{begin, extent.end};
    if (better(rest)) best = rest;
  }
  for (auto at = by_size_.lower_bound({size, 0}); at != by_size_.end(); ++at) {
    if (std::binary_search(cut.begin(), cut.end(), at->second)) continue;
    const Extent whole{at->second, at->second + at->first};
    if (better(whole)) best = whole;
    break;
  }
  return best;
}

size_t Offsets::free_at_top(const std::vector<Extent>& blocked) const {
  if (extents_.empty() || extents_.rbegin()->second != peak_) return 0;
  const size_t begin = extents_.rbegin()->first;
  return peak_ - std::max(begin, blocked.empty() ? 0 : blocked.back().end);
}

// [begin, end) is given out: free bytes and what is beyond the peak.
void Offsets::take(size_t begin, size_t end) {
  if (begin < peak_) {
    const auto at = std::prev(extents_.upper_bound(begin));
    const Extent extent{at->first, at->second};
    const size_t to = std::min(end, peak_);
    if (extent.begin < begin) {
      change_extent(at, {extent.begin, begin});
      if (to < extent.end) add_extent({to, extent.end});
    } else if (to < extent.end) {
      change_extent(at, {to, extent.end});
    } else {
      remove_extent(at);
    }
    cut(begin, to);
  }
  peak_ = std::max(peak_, end);
}

// Removes [begin, end) from the pieces.
void Offsets::cut(size_t begin, size_t end) {
  auto at = std::prev(pieces_.upper_bound(begin));
  while (at != pieces_.end() && at->first < end) {
    const auto [from, piece] = *at;
    if (from < begin) {
      at = change_piece(at, from, begin);
      if (piece.end > end) add_piece(end, piece.end, piece.freed);
    } else if (piece.end > end) {
      at = change_piece(at, end, piece.end);
    } else {
      by_moment_.erase({piece.freed, from});
      at = pieces_.erase(at);
      continue;
    }
    ++at;
  }
}

void Offsets::add_piece(size_t begin, size_t end, Moment freed) {
  pieces_[begin] = {end, freed};
  by_moment_[{freed, begin}] = end;
}
Offsets::Pieces::iterator Offsets::change_piece(Pieces::iterator at, size_t begin, size_t end) {
  at->second.end = end;
  auto by_moment = by_moment_.extract({at->second.freed, at->first});
  by_moment.key().second = begin;
  by_moment.mapped() = end;
  by_moment_.insert(std::move(by_moment));
  if (at->first == begin) return at;
  const auto next = std::next(at);
  auto piece = pieces_.extract(at);
  piece.key() = begin;
  return pieces_.insert(next, std::move(piece));
}

void Offsets::add_extent(Extent extent) {
  extents_[extent.begin] = extent.end;
  by_size_.insert({extent.size(), extent.begin});
}
void Offsets::change_extent(Extents::iterator at, Extent to) {
  auto by_size = by_size_.extract({at->second - at->first, at->first});
  by_size.value() = {to.size(), to.begin};
  by_size_.insert(std::move(by_size));
  at->second = to.end;
  if (at->first == to.begin) return;
  const auto next = std::next(at);
  auto extent = extents_.extract(at);
  extent.key() = to.begin;
  extents_.insert(next, std::move(extent));
}
void Offsets::remove_extent(Extents::iterator at) {
  by_size_.erase({at->second - at->first, at->first});
  extents_.erase(at);
}

}  // namespace xpu::memory
