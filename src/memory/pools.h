// SPDX-License-Identifier: Apache-2.0
// All pools: which are a device's default and current ones, which an address came from, and what is
// done when a device has no memory left.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "memory/late_frees.h"
#include "memory/stream_pool.h"

namespace xpu::memory {

// Safe from any thread. Lock order: pools, then one pool.
class Pools {
 public:
  // Never destroyed, as the runtime is not.
  static Pools& get() noexcept;

  // Made at first use; lives as long as the process.
  Result<StreamPool*> default_of(runtime::Device& device);
  // The default one until another is set. Held, as another thread may destroy it: it does not take
  // part in the call.
  Result<std::shared_ptr<StreamPool>> current_of(runtime::Device& device);
  Status set_current(runtime::Device& device, StreamPool& pool);
  Result<StreamPool*> create(runtime::Device& device, size_t max_size);
  // The handle is dead at once; the memory goes as its allocations are freed and these frees are
  // over. Not for a default pool.
  Status destroy(StreamPool& pool);

  // `size` is not 0. Waits on the host only where there is no memory without.
  Result<void*> allocate(StreamPool& pool, size_t size, runtime::Stream& stream);
  // In the order of the stream; memory of xpuMalloc too.
  Status free(void* address, runtime::Stream& stream);
  // Waits until the devices are idle. False if the address is of no pool.
  Result<bool> free_after_waiting(void* address, runtime::Memory& memory);
  // The program has waited for something: gives back what pools hold beyond their threshold.
  void synchronised() noexcept;

 private:
  using PoolRef = std::shared_ptr<StreamPool>;
  using Owners = std::map<void*, PoolRef>;
  struct OfDevice {
    PoolRef standard;
    PoolRef current;
  };

  Result<OfDevice*> of(runtime::Device& device);
  Result<PoolRef> add(runtime::Device& device, size_t max_size);
  void drop_leaving() noexcept;
  void make_room(StreamPool& pool, size_t size, bool wait);
  Owners::node_type disown(void* address);

  std::mutex lock_;  // guards pools_, leaving_ and devices_
  std::vector<PoolRef> pools_;
  std::vector<PoolRef> leaving_;  // destroyed, and still with memory
  std::map<const runtime::Device*, OfDevice> devices_;
  std::atomic<bool> any_leaving_{false};
  std::mutex owners_lock_;  // guards owners_
  Owners owners_;           // whom each address in use came from
  LateFrees late_;
};

}  // namespace xpu::memory
