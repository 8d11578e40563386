// SPDX-License-Identifier: Apache-2.0
// Allocations by where they begin, without those inside others.
#include "memory/extents.h"

#include <iterator>
#include <mutex>
#include <new>

namespace xpu::memory {
namespace {

uintptr_t number(const void* address) noexcept { return reinterpret_cast<uintptr_t>(address); }

}  // namespace

// Never destroyed: allocations may live until the process ends.
Extents& Extents::get() noexcept {
  static Extents* const only = new Extents;
  return *only;
}

Extents::Ranges::iterator Extents::range_of(uintptr_t address) noexcept {
  const auto at = ranges_.lower_bound(address);
  return at != ranges_.end() && at->second.base <= address ? at : ranges_.end();
}

void Extents::open(const void* base, size_t size) {
  const std::unique_lock hold(lock_);
  ranges_[number(base) + size - 1] = {number(base), {}};
}

void Extents::close(const void* base, size_t size) noexcept {
  const std::unique_lock hold(lock_);
  ranges_.erase(number(base) + size - 1);
}

void Extents::enter(const void* address, size_t size) noexcept {
  const uintptr_t begin = number(address), end = begin + size;
  const std::unique_lock hold(lock_);
  const auto at = range_of(begin);
  if (at == ranges_.end()) return;
  auto& ends = at->second.ends;
  const auto next = ends.upper_bound(begin);
  if (next != ends.begin() && std::prev(next)->second >= end) return;
  try {
    auto own = ends.insert_or_assign(begin, end).first;
    for (++own; own != ends.end() && own->second <= end;) own = ends.erase(own);
  } catch (const std::bad_alloc&) {
    ranges_.erase(at);
  }
}

void Extents::leave(const void* address) noexcept {
  const std::unique_lock hold(lock_);
  const auto at = range_of(number(address));
  if (at != ranges_.end()) at->second.ends.erase(number(address));
}

std::optional<size_t> Extents::left_at(const void* address) const {
  const uintptr_t asked = number(address);
  const std::shared_lock hold(lock_);
  const auto at = ranges_.lower_bound(asked);
  if (at == ranges_.end() || at->second.base > asked) return std::nullopt;
  const auto& ends = at->second.ends;
  const auto next = ends.upper_bound(asked);
  if (next == ends.begin()) return 0;
  const uintptr_t end = std::prev(next)->second;
  return end > asked ? end - asked : 0;
}

}  // namespace xpu::memory
