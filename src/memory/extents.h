// SPDX-License-Identifier: Apache-2.0
// How many bytes there are from an address on, in memory that graphs and private pools hand out:
// the runtime knows only the ranges that it is handed out from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>

namespace xpu::memory {

// Asked by every copy and fill, so it costs the logarithm of the number of allocations, however
// many lie over each other. Safe from any thread.
class Extents {
 public:
  static Extents& get() noexcept;

  // A range, in which nothing is allocated yet.
  void open(const void* base, size_t size);
  void close(const void* base, size_t size) noexcept;

  // An allocation inside a range. It may lie over others: those of one graph use the same bytes at
  // different times. Where the host has no memory left to note it, its range is not known any more.
  void enter(const void* address, size_t size) noexcept;
  // It is gone. Only where allocations never lie over each other.
  void leave(const void* address) noexcept;

  // The most bytes that one allocation has from `address` on: 0 if none has that byte. Nothing if
  // the address is in no range.
  std::optional<size_t> left_at(const void* address) const;

 private:
  struct Range {
    uintptr_t base;
    // From begin to end, both rising: an allocation inside another one answers nothing that the
    // other does not. So the last one that begins at or before a byte reaches farthest behind it.
    std::map<uintptr_t, uintptr_t> ends;
  };
  using Ranges = std::map<uintptr_t, Range>;  // by the last byte

  Ranges::iterator range_of(uintptr_t address) noexcept;  // under the lock

  mutable std::shared_mutex lock_;  // guards ranges_
  Ranges ranges_;
};

}  // namespace xpu::memory
