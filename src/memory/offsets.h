// SPDX-License-Identifier: Apache-2.0
// Places allocations in a range of offsets, so that what is used at different times shares memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "memory/order.h"

namespace xpu::memory {

// An offset is decided when the allocation is made and stays: best fit, lowest offset among equals,
// over everything that is known to be free *by then*. Beyond that, the range grows.
//
// Each free piece remembers the moment it was freed. An allocation may take pieces whose moments
// are before its own, and only these: work on two branches never shares. On a chain everything that
// is free was freed before, so it costs the logarithm of the number of pieces; otherwise it also
// looks at the pieces that were freed since all that is known to be before.
class Offsets {
 public:
  // Sizes are rounded up to it, so that every offset is a multiple.
  static constexpr size_t kGranule = 512;

  explicit Offsets(size_t limit = SIZE_MAX) noexcept : limit_(limit) {}

  static constexpr size_t kNoRoom = SIZE_MAX;
  // The offset of `size` bytes (not 0) for use from `then` on; kNoRoom if they would end beyond the
  // limit.
  size_t allocate(size_t size, Moment then, const Order& order);
  // What allocate() gave may be used again by what comes after `freed`.
  void release(size_t offset, size_t size, Moment freed);
  // All that is free was freed at `moment`, of another order perhaps.
  void settle(Moment moment);

  // One past the highest byte ever given out: what the range needs in memory.
  size_t peak() const noexcept { return peak_; }

  static constexpr size_t rounded(size_t size) noexcept {
    return size > SIZE_MAX - kGranule ? SIZE_MAX / kGranule * kGranule
                                      : (size + kGranule - 1) / kGranule * kGranule;
  }

 private:
  struct Piece {
    size_t end;
    Moment freed;
  };
  struct Extent {
    size_t begin, end;
    size_t size() const noexcept { return end - begin; }
  };
  using Pieces = std::map<size_t, Piece>;
  using Extents = std::map<size_t, size_t>;

  // Pieces that may still be in use at `then`, by offset.
  std::vector<Extent> blocked(Moment then, const Order& order) const;
  Extent extent_around(size_t offset) const;
  // The best place among free extents, empty if none is large enough.
  Extent best(size_t size, const std::vector<Extent>& blocked) const;
  // Free bytes right below peak() that are not blocked.
  size_t free_at_top(const std::vector<Extent>& blocked) const;
  void take(size_t begin, size_t end);
  void cut(size_t begin, size_t end);
  // Changes keep what the containers have allocated: half the cost of a removal and an addition.
  void add_extent(Extent extent);
  void change_extent(Extents::iterator at, Extent to);
  void remove_extent(Extents::iterator at);
  void add_piece(size_t begin, size_t end, Moment freed);
  Pieces::iterator change_piece(Pieces::iterator at, size_t begin, size_t end);

  size_t limit_, peak_ = 0;
  // The same free bytes three times: in pieces of one moment, by that moment, and joined.
  Pieces pieces_;
  std::map<std::pair<Moment, size_t>, size_t> by_moment_;  // moment, begin; to end
  Extents extents_;                                        // begin to end
  std::set<std::pair<size_t, size_t>> by_size_;            // size, begin
};

}  // namespace xpu::memory
