// SPDX-License-Identifier: Apache-2.0
// Allocates blocks, and frees them in the order of all streams that use them.
#include "allocator.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include <c10/util/Exception.h>

#include <xpugraph/device.h>
#include <xpugraph/memory.h>
#include <xpugraph/mempool.h>

#include "event.h"
#include "recording.h"
#include "status.h"
#include "stream.h"

namespace xpugraph_torch {
namespace {

using c10::CachingAllocator::Stat;
using c10::CachingAllocator::StatArray;
using c10::CachingDeviceAllocator::DeviceStats;

struct DevicePool {
  std::mutex mutex;
  xpuMemPool_t pool = nullptr;
  DeviceStats stats;
};

struct Memory {
  std::array<DevicePool, most_devices> pools;
  std::mutex mutex;
  /// Freed while one of their streams was captured.
  std::vector<std::unique_ptr<Block>> postponed;
};

Memory& memory() {
  static auto* all = new Memory;
  return *all;
}

xpuMemPool_t pool_of(c10::DeviceIndex index) {
  DevicePool& own = memory().pools.at(index);
  std::lock_guard lock(own.mutex);
  if (own.pool) return own.pool;
  xpuMemPoolProps props = {};
  props.struct_size = sizeof props;
  props.allocType = xpuMemAllocationTypePinned;
  props.location = {xpuMemLocationTypeDevice, index};
  xpuMemPool_t made = nullptr;
  check(xpuMemPoolCreate(&made, &props));
  uint64_t keep_all = UINT64_MAX;
  check(xpuMemPoolSetAttribute(made, xpuMemPoolAttrReleaseThreshold, &keep_all));
  return own.pool = made;
}

void count(StatArray& stat, size_t amount, void (Stat::*change)(size_t)) {
  constexpr size_t large = 1 << 20;
  (stat[0].*change)(amount);
  (stat[amount >= large ? 2 : 1].*change)(amount);
}

void count(const Block& block, void (Stat::*change)(size_t)) {
  DevicePool& own = memory().pools[block.stream.device_index()];
  std::lock_guard lock(own.mutex);
  count(own.stats.allocated_bytes, block.size, change);
  count(own.stats.requested_bytes, block.size, change);
  count(own.stats.active_bytes, block.size, change);
  count(own.stats.allocation, 1, change);
  count(own.stats.active, 1, change);
}

/// The stream in which a block with several users is freed: it waits for all of them, so that none
/// of them waits for another.
c10::Stream freeing_stream(c10::DeviceIndex index) {
  static std::array<std::atomic<c10::StreamId>, most_devices> ids = {};
  c10::StreamId known = ids[index].load();
  if (known == 0) {
    c10::StreamId fresh = next_stream(index, false).id();
    if (ids[index].compare_exchange_strong(known, fresh)) known = fresh;
  }
  return c10::Stream(c10::Stream::UNSAFE, device(index), known);
}

bool any_captured(const Block& block) {
  return is_captured(block.stream) ||
         std::any_of(block.users.begin(), block.users.end(), is_captured);
}

void free_now(const Block& block) {
  if (block.users.empty()) {
    check(xpuFreeAsync(block.address, native(block.stream)));
    return;
  }
  c10::Stream freeing = freeing_stream(block.stream.device_index());
  Event reached(block.stream.device_index(), false);
  auto wait_for = [&](c10::Stream stream) {
    reached.record(stream);
    reached.make_wait(freeing);
  };
  wait_for(block.stream);
  std::for_each(block.users.begin(), block.users.end(), wait_for);
  check(xpuFreeAsync(block.address, native(freeing)));
}

void postpone(std::unique_ptr<Block> block) {
  std::lock_guard lock(memory().mutex);
  memory().postponed.push_back(std::move(block));
}

void free_or_postpone(std::unique_ptr<Block> block) {
  if (!block->recording) {
    if (any_captured(*block)) return postpone(std::move(block));
    return free_now(*block);
  }
  // The pool must outlive what is freed into it.
  std::shared_ptr<Recording> recording = block->recording;
  recording->with_state([&](Recording::State state) {
    switch (state) {
      case Recording::State::lost:
        break;  // the library has taken the memory back
      case Recording::State::under_way:
        // In the order of the captured work, so that what is captured later gets it again. What
        // other streams used is free only behind a join, which is not known here.
        if (block->users.empty() && recording_of(block->stream) == recording) {
          check(xpuFreeAsync(block->address, native(block->stream)));
        } else {
          postpone(std::move(block));
        }
        break;
      case Recording::State::ended:
        if (any_captured(*block))
          postpone(std::move(block));
        else
          free_now(*block);
    }
  });
}

void drop(void* context) {
  if (!context) return;
  std::unique_ptr<Block> block(static_cast<Block*>(context));
  count(*block, &Stat::decrease);
  try {
    free_or_postpone(std::move(block));
  } catch (const std::exception& error) {
    // Destructors of tensors come here; the memory is lost, the program goes on.
    TORCH_WARN("device memory could not be freed: ", error.what());
  }
}

}  // namespace

Block* block_of(const c10::DataPtr& data) {
  return data.get_deleter() == &drop ? static_cast<Block*>(data.get_context()) : nullptr;
}

void check_usable(const Block& block, c10::Stream stream) {
  if (!block.recording) return;
  switch (block.recording->state()) {
    case Recording::State::ended:
      return;
    case Recording::State::lost:
      TORCH_CHECK(false,
                  "this tensor was allocated in a capture that failed, and its memory is gone");
    case Recording::State::under_way:
      TORCH_CHECK(
          recording_of(stream) == block.recording,
          "this tensor was allocated in a capture that is "
          "still under way: it has no content before the graph is replayed. Use it in a stream of "
          "the capture, or after the replay");
  }
}

DeviceMemory& DeviceMemory::instance() {
  static auto* memory = new DeviceMemory;
  return *memory;
}

c10::DataPtr DeviceMemory::allocate(size_t bytes) {
  c10::DeviceIndex index = current_device();
  c10::Device place = device(index);
  if (bytes == 0) return {nullptr, nullptr, &drop, place};
  c10::Stream stream = current_stream(index);
  std::shared_ptr<Recording> recording = recording_of(stream);
  void* address = nullptr;
  xpuError_t answer = recording
                          ? xpuMallocAsync(&address, bytes, native(stream))
                          : xpuMallocFromPoolAsync(&address, bytes, pool_of(index), native(stream));
  if (answer == xpuErrorMemoryAllocation) {
    DevicePool& own = memory().pools.at(index);
    std::string why = last_sentence();
    xpuGetLastError();
    auto [free, total] = getMemoryInfo(index);
    std::lock_guard lock(own.mutex);
    ++own.stats.num_ooms;
    TORCH_CHECK_WITH(OutOfMemoryError, false, "out of memory: ", bytes, " bytes were asked for on ",
                     place, ", which has ", total, " and ", free, " of them free; tensors hold ",
                     own.stats.allocated_bytes[0].current, ". ", why);
  }
  check(answer);
  auto block = std::make_unique<Block>(Block{address, bytes, stream, std::move(recording), {}});
  count(*block, &Stat::increase);
  return {address, block.release(), &drop, place};
}

void DeviceMemory::copy_data(void* target, const void* source, size_t bytes) const {
  check(xpuMemcpyAsync(target, source, bytes, xpuMemcpyDeviceToDevice, native(current_stream())));
}

void DeviceMemory::emptyCache(c10::MempoolId_t) {
  if (!any_recording()) free_postponed();
  for (c10::DeviceIndex index = 0; index < device_count(); ++index) {
    // Waiting would spoil a capture; without it the pool keeps what was freed a moment ago.
    if (!any_recording() && memory().pools[index].pool) synchronize_device(index);
    if (memory().pools[index].pool) check(xpuMemPoolTrimTo(pool_of(index), 0));
  }
}

void DeviceMemory::recordStream(const c10::DataPtr& data, c10::Stream stream) {
  Block* block = block_of(data);
  if (!block || block->stream == stream) return;
  std::lock_guard lock(memory().mutex);
  if (std::find(block->users.begin(), block->users.end(), stream) == block->users.end()) {
    block->users.push_back(stream);
  }
}

DeviceStats DeviceMemory::getDeviceStats(c10::DeviceIndex index) {
  DevicePool& own = memory().pools.at(index);
  uint64_t reserved = 0, high = 0;
  xpuMemPool_t pool = pool_of(index);
  check(xpuMemPoolGetAttribute(pool, xpuMemPoolAttrReservedMemCurrent, &reserved));
  check(xpuMemPoolGetAttribute(pool, xpuMemPoolAttrReservedMemHigh, &high));
  std::lock_guard lock(own.mutex);
  DeviceStats stats = own.stats;
  Stat& all = stats.reserved_bytes[0];
  all.current = static_cast<int64_t>(reserved);
  all.peak = static_cast<int64_t>(high);
  for (const auto& held : held_pools()) {
    Stat& part = stats.reserved_bytes_by_private_pools[held->id()][0];
    part.current = part.peak = static_cast<int64_t>(usage_of(held->pool()).reservedBytes);
    all.current += part.current;
  }
  all.peak = std::max(all.peak, all.current);
  return stats;
}

void DeviceMemory::resetAccumulatedStats(c10::DeviceIndex index) {
  DevicePool& own = memory().pools.at(index);
  std::lock_guard lock(own.mutex);
  for (StatArray* array : {&own.stats.allocated_bytes, &own.stats.requested_bytes,
                           &own.stats.active_bytes, &own.stats.allocation, &own.stats.active}) {
    for (Stat& stat : *array) stat.reset_accumulated();
  }
  own.stats.num_ooms = 0;
}

void DeviceMemory::resetPeakStats(c10::DeviceIndex index) {
  uint64_t zero = 0;
  check(xpuMemPoolSetAttribute(pool_of(index), xpuMemPoolAttrReservedMemHigh, &zero));
  DevicePool& own = memory().pools.at(index);
  std::lock_guard lock(own.mutex);
  for (StatArray* array : {&own.stats.allocated_bytes, &own.stats.requested_bytes,
                           &own.stats.active_bytes, &own.stats.allocation, &own.stats.active}) {
    for (Stat& stat : *array) stat.reset_peak();
  }
}

std::pair<size_t, size_t> DeviceMemory::getMemoryInfo(c10::DeviceIndex index) {
  OnDevice there(index);
  size_t free = 0, total = 0;
  check(xpuMemGetInfo(&free, &total));
  return {free, total};
}

void DeviceMemory::free_postponed() {
  std::vector<std::unique_ptr<Block>> again;
  {
    std::lock_guard lock(memory().mutex);
    again.swap(memory().postponed);
  }
  for (auto& block : again) free_or_postpone(std::move(block));
}

}  // namespace xpugraph_torch
