// SPDX-License-Identifier: Apache-2.0
// Memory the program allocates, and what a pointer is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "base/status.h"
#include "ze/driver.h"

namespace xpu::runtime {

class Device;

// Values are those of xpuMemoryType.
enum class MemoryKind : int { unregistered = 0, host = 1, device = 2, managed = 3 };

struct Allocation {
  MemoryKind kind = MemoryKind::unregistered;
  void* base = nullptr;  // nullptr for unregistered memory
  size_t size = 0;
  int device = -1;  // where it lives or was allocated for; -1 for unregistered memory
  bool ours = false;
  uint64_t made = 0;  // when, if there are serial numbers
};

class Memory {
 public:
  explicit Memory(const ze::Driver& driver) noexcept : driver_(driver) {}
  // Before anything is allocated: freeing waits for these.
  void add_device(Device& device);
  bool has_several_devices() const noexcept { return devices_.size() > 1; }
  // nullptr for a number that no device has.
  Device* device(int index) const noexcept;

  // Zero bytes give nullptr.
  Result<void*> allocate_device(Device& device, size_t size);
  Result<void*> allocate_host(Device& device, size_t size);
  Result<void*> allocate_managed(Device& device, size_t size);
  // The pointer must be one that allocate_device or allocate_managed gave (free), or allocate_host
  // (free_host). Waits until the device is idle, as CUDA's does, because kernels may use it.
  Status free(void* pointer);
  Status free_host(void* pointer);
  // Device memory that others hand out in pieces: find() knows it as one, and free() refuses it.
  // Dropping it is its end for checks of freed memory, as free() is of the others.
  void enter_range(void* base, size_t size, int device);
  void drop_range(void* base, size_t size) noexcept;

  // Blocks: device memory of the driver that a pool hands out in ranges. What no range covers
  // belongs to nobody: find() does not know it. `size` is not 0.
  Result<void*> allocate_block(Device& device, size_t size);
  // Makes a block of what allocate_device or allocate_managed gave; xpuErrorInvalidValue for any
  // other address.
  Status make_block(void* pointer);
  // Does not wait: nothing may be using it. If it fails, the block is still there.
  Status free_block(void* base);
  // Until everything is done that was given to any device so far.
  Status wait_for_devices();

  // Which allocation a pointer is in; memory that others allocated in the context is recognised
  // too.
  Allocation find(const void* pointer) const;
  MemoryKind kind(const void* pointer) const { return find(pointer).kind; }
  // Bytes allocated on a device through us.
  size_t allocated(int device) const;

 private:
  using Ranges = std::map<uintptr_t, Allocation>;  // by the last byte: lower_bound finds the range

  Result<void*> allocate_on(Device& device, size_t size, size_t alignment, Ranges& ranges);
  Result<void*> enter(Ranges& ranges, void* pointer, size_t size, MemoryKind kind, int device);
  Status free_as(void* pointer, bool host);
  Allocation ask_driver(const void* pointer) const;

  const ze::Driver& driver_;
  std::vector<Device*> devices_;
  mutable std::shared_mutex lock_;  // guards all below
  Ranges ranges_;
  Ranges blocks_;
};

}  // namespace xpu::runtime
