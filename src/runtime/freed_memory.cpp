// SPDX-License-Identifier: Apache-2.0
// Remembers what was freed, as long as there is room.
#include "runtime/freed_memory.h"

#include <algorithm>
#include <mutex>
#include <new>

#include "base/caller.h"

namespace xpu::runtime {

// Never destroyed: memory may be freed until the process ends.
FreedMemory& FreedMemory::get() noexcept {
  static FreedMemory* const only = new FreedMemory;
  return *only;
}

void FreedMemory::add(const void* base, size_t size, uint64_t made, uint64_t freed,
                      const void* owner) noexcept {
  if (!freed) [[likely]]
    return;
  try {
    FreedRange range{base, size, made, freed, owner, describe_caller()};
    const std::unique_lock hold(lock_);
    ranges_.push_back(std::move(range));
    if (ranges_.size() > kMost) ranges_.pop_front();
  } catch (const std::bad_alloc&) {
    // It is not remembered; the check misses what points there.
  }
  count_.fetch_add(1, std::memory_order_release);
}

std::vector<FreedRange> FreedMemory::find(const void* pointer, uint64_t then) const {
  const auto* const at = static_cast<const std::byte*>(pointer);
  std::vector<FreedRange> found;
  {
    const std::shared_lock hold(lock_);
    for (const FreedRange& r : ranges_) {
      const auto* const base = static_cast<const std::byte*>(r.base);
      if (at >= base && at < base + r.size && r.made < then && then < r.freed) found.push_back(r);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const FreedRange& a, const FreedRange& b) { return a.size < b.size; });
  return found;
}

}  // namespace xpu::runtime
