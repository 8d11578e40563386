// SPDX-License-Identifier: Apache-2.0
// A pool of device memory that is allocated and freed in the order of streams.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/handle.h"
#include "memory/block.h"
#include "memory/freed.h"
#include "runtime/device.h"

namespace xpu::memory {

class Search;

// What is free is kept with the moment of its free, and given to a stream that comes after that
// moment. Nothing here waits on the host but wait_for_frees().
class StreamPool : public std::enable_shared_from_this<StreamPool> {
 public:
  struct Policy {
    bool follow_events = true;     // a stream that waits for the free already may have it
    bool opportunistic = true;     // ask whether a free is over
    bool add_dependencies = true;  // make the stream wait rather than fail
    uint64_t release_threshold = 0;
  };
  struct Usage {
    size_t reserved = 0, reserved_high = 0;  // bytes of blocks
    size_t used = 0, used_high = 0;          // bytes of allocations, rounded
  };

  // With a handle of HandleType::mempool. `max_size` bytes of blocks at most; 0 for no limit.
  static Result<std::shared_ptr<StreamPool>> make(runtime::Device& device, size_t max_size);
  // Allocations that are left go with it, after waiting.
  ~StreamPool();

  // xpuErrorMemoryAllocation if neither what is free nor the driver has `size` bytes. Only then,
  // and if `may_wait`, the stream is made to wait for memory whose free is still to come.
  Result<void*> allocate(size_t size, runtime::Stream& stream, bool may_wait);
  // `address` is one that allocate() gave and that was not freed. Later work of the stream may not
  // use it.
  Status free(void* address, runtime::Stream& stream);
  // The same where no work anywhere uses it.
  void free_idle(void* address) noexcept;

  // Gives blocks that nobody uses back to the driver while more than `keep` bytes are held.
  // `at_least`: as many are held afterwards.
  Status give_back(size_t keep, bool at_least);
  // The same down to the threshold; for after a wait of the program.
  void give_back_surplus() noexcept;
  // Until every free is over.
  Status wait_for_frees();
  // Whether `size` bytes can ever be had, and whether the limit is why they cannot be had now.
  bool can_hold(size_t size) const noexcept;
  bool is_capped(size_t size) const;
  // Holds no memory.
  bool is_empty() const;

  Policy policy() const;
  template <class Change>
  void change(Change&& change_it) {
    std::lock_guard hold(lock_);
    change_it(policy_);
  }
  Usage usage() const;
  void forget_reserved_high();
  void forget_used_high();

  // Whether another device may use the memory.
  bool grants(int device) const;
  void grant(int device, bool access);

  runtime::Device& device() const noexcept { return device_; }
  uint64_t handle() const noexcept { return handle_.value(); }

  // Held and not used, in all pools: 0 says that no pool has anything to give back.
  static std::atomic<int64_t> idle_bytes;

 private:
  StreamPool(runtime::Device& device, size_t max_size);
  // All under the lock.
  Result<Run> find(size_t size, runtime::Stream& stream, bool may_wait);
  Result<Run> find_by_waiting(size_t size, Search& search, runtime::Stream& stream);
  Result<Run> add_block(size_t size);
  void* take(const Run& run, size_t size);
  Piece& in_use(void* address) noexcept;
  void put(Piece& piece, FreedRef freed) noexcept;
  size_t block_size(size_t size) const noexcept;
  void settle();
  void count(int64_t reserved, int64_t used) noexcept;
  // Small pieces come from blocks of their own, so that they do not hold large ones.
  Shelf& shelf_for(size_t size) noexcept;

  using Blocks = std::map<std::byte*, std::unique_ptr<Block>>;

  runtime::Device& device_;
  const size_t max_size_;
  const std::shared_ptr<SpareMarks> spare_;
  OwnedHandle handle_;
  mutable std::mutex lock_;  // guards all below
  Shelf small_, large_;
  Blocks blocks_;
  FreedRef last_;  // several frees at one moment share it
  Policy policy_;
  Usage usage_;
  std::vector<int> granted_;
};

}  // namespace xpu::memory
