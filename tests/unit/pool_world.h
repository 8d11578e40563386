// SPDX-License-Identifier: Apache-2.0
// What tests of pools stand on: a pool on the device under test, and a driver whose memory is
// counted and can be made scarce.
#pragma once

#include <map>
#include <mutex>

#include "memory/pools.h"
#include "runtime_world.h"

namespace xpu::test {

inline constexpr size_t kKiB = 1024, kMiB = 1024 * kKiB;

// The driver's device memory as the driver sees it.
struct Budget {
  std::mutex lock;
  std::map<void*, size_t> blocks;
  size_t bytes = 0;
  size_t limit = SIZE_MAX;
};
inline Budget& budget() {
  static Budget instance;
  return instance;
}

namespace budget_detail {

inline ze_pfnMemAllocDevice_t allocate = nullptr;
inline ze_pfnMemFree_t free = nullptr;

inline ze_result_t count_allocate(ze_context_handle_t context,
                                  const ze_device_mem_alloc_desc_t* desc, size_t size,
                                  size_t alignment, ze_device_handle_t device, void** out) {
  Budget& b = budget();
  std::lock_guard hold(b.lock);
  if (b.bytes + size > b.limit) return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  const ze_result_t result = allocate(context, desc, size, alignment, device, out);
  if (result == ZE_RESULT_SUCCESS) b.bytes += b.blocks[*out] = size;
  return result;
}

inline ze_result_t count_free(ze_context_handle_t context, void* pointer) {
  Budget& b = budget();
  std::lock_guard hold(b.lock);
  const ze_result_t result = free(context, pointer);
  const auto at = b.blocks.find(pointer);
  if (result == ZE_RESULT_SUCCESS && at != b.blocks.end()) {
    b.bytes -= at->second;
    b.blocks.erase(at);
  }
  return result;
}

}  // namespace budget_detail

// Before any test.
inline void count_memory() {
  (void)world();
  ze::Table& real = recorder().real;
  budget_detail::allocate = real.MemAllocDevice;
  budget_detail::free = real.MemFree;
  real.MemAllocDevice = budget_detail::count_allocate;
  real.MemFree = budget_detail::count_free;
}

inline size_t driver_bytes() {
  std::lock_guard hold(budget().lock);
  return budget().bytes;
}

// A pool for one test. What a failed assertion leaves behind goes with the process.
struct PoolHere {
  std::shared_ptr<memory::StreamPool>* owner;
  memory::StreamPool& operator*() const { return **owner; }
  memory::StreamPool* operator->() const { return owner->get(); }
};
inline PoolHere new_pool(size_t max_size = 0) {
  return {new std::shared_ptr<memory::StreamPool>(
      must(memory::StreamPool::make(device(), max_size), "making a pool"))};
}
inline void end(PoolHere pool) { delete pool.owner; }

inline void* allocate(PoolHere pool, size_t size, runtime::Stream& stream) {
  return must(pool->allocate(size, stream, false), "allocating");
}
inline void free(PoolHere pool, void* address, runtime::Stream& stream) {
  must(pool->free(address, stream), "freeing");
}

}  // namespace xpu::test
