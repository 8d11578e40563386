// SPDX-License-Identifier: Apache-2.0
// A range of device addresses: reserved once, so that addresses can be given out before there is
// memory, and backed with memory from its beginning as far as it is needed.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/status.h"
#include "ze/device.h"

namespace xpu::ze {

// Where the driver cannot map memory into reserved addresses, a range is an ordinary allocation:
// all of it has memory from the start, and keeps it.
class AddressRange {
 public:
  // At least `size` bytes. `virtual_memory` is what can_map() answered for the device.
  static Result<std::unique_ptr<AddressRange>> make(Device& device, size_t size,
                                                    bool virtual_memory);
  // Nothing may use the addresses any more.
  ~AddressRange();
  AddressRange(const AddressRange&) = delete;
  AddressRange& operator=(const AddressRange&) = delete;

  std::byte* base() const noexcept { return base_; }
  size_t size() const noexcept { return size_; }
  // Bytes from the base that have memory.
  size_t backed() const noexcept { return backed_; }

  // Gives memory to the first `bytes`, which are at most size(): where nothing has memory yet, one
  // block of large pages and one of small ones at most. What has memory keeps it, and its content.
  // Fails with xpuErrorMemoryAllocation and is then as it was.
  Status back(size_t bytes);
  // Takes all memory away; the addresses stay. Nothing may use them until the next back().
  void unback() noexcept { unback_beyond(0); }
  // Only what calls of back() added above the first `bytes`.
  void unback_beyond(size_t bytes) noexcept;

  // `bytes` as backing rounds them: to whole pages, which are 64 KiB behind the last full 2 MiB.
  size_t rounded(size_t bytes) const noexcept;

 private:
  struct Block {
    size_t begin, size;
    ze_physical_mem_handle_t memory;
  };
  AddressRange(Device& device, std::byte* base, size_t size, bool is_virtual) noexcept
      : device_(device), base_(base), size_(size), virtual_(is_virtual) {}
  Status add_block(size_t size);
  void drop_block() noexcept;
  size_t page(size_t size) const noexcept;

  Device& device_;
  std::byte* base_;
  size_t size_;
  bool virtual_;
  size_t backed_ = 0;
  std::vector<Block> blocks_;
};

// Whether the device's driver really maps memory into reserved addresses: tried once with a page,
// because drivers have the functions and refuse.
bool can_map(Device& device) noexcept;

}  // namespace xpu::ze
