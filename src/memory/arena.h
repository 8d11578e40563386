// SPDX-License-Identifier: Apache-2.0
// Addresses on one device that are given out by what is known to come before what, and the memory
// behind them, as little of it as that order needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "memory/offsets.h"
#include "memory/order.h"
#include "runtime/device.h"
#include "ze/address_range.h"

namespace xpu::memory {

// One range nearly always; another one where it is full. Not safe from several threads.
class Arena {
 public:
  explicit Arena(runtime::Device& device) noexcept : device_(device) {}
  // Work that uses the addresses may still be in flight: the ranges go when the device is past it.
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  runtime::Device& device() const noexcept { return device_; }

  // An address for `size` bytes (not 0), used from `then` on; aligned to Offsets::kGranule. There
  // need not be memory behind it before back(). Extents knows it from here on.
  Result<void*> allocate(size_t size, Moment then, const Order& order);
  // What comes after `freed` may have the bytes.
  void release(void* address, size_t size, Moment freed);
  // All that is free was freed at `moment`.
  void settle(Moment moment);

  // Gives memory to every address that was ever given out. All or nothing.
  Status back();
  // Takes it away; nothing may be using it.
  void unback() noexcept;

  // What has been given out, for putting it back: one for each range. Ranges
  // that came later go, and memory beyond it, which nothing may use.
  std::vector<Offsets> offsets() const;
  void set_offsets(std::vector<Offsets> saved) noexcept;

  // Which range an address that was given out is in, and where.
  struct Place {
    uint32_t range;
    size_t offset;
  };
  Place place_of(const void* address) const noexcept;

  // Bytes that were in use at once at most, as allocated; and for each range.
  size_t peak() const noexcept;
  std::vector<size_t> peaks() const;
  // Bytes of memory that are held, and that back() would hold.
  size_t backed() const noexcept;
  size_t wanted() const noexcept;
  bool is_backed() const noexcept { return backed() >= wanted(); }

 private:
  struct Part {
    std::shared_ptr<ze::AddressRange> range;
    Offsets offsets;
  };
  Result<Part*> add_part(size_t size);
  Result<void*> place(size_t size, Moment then, const Order& order);
  void keep_parts(size_t count) noexcept;

  runtime::Device& device_;
  std::vector<Part> parts_;
};

}  // namespace xpu::memory
