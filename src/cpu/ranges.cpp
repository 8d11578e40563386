// SPDX-License-Identifier: Apache-2.0
// Looks addresses up.
#include "cpu/ranges.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>

namespace xpu::cpu {
namespace {

// Freed ranges remembered only to name their misuse; the oldest address goes first.
constexpr size_t kMostFreed = 4096;

// Whether the process has anything at an address.
bool is_mapped(uintptr_t at) noexcept {
  const auto page_size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(at / page_size * page_size), 1, &resident) == 0;
}

std::string tell(const void* pointer, size_t size, const char* verdict, const Allocation& a) {
  char text[192];
  std::snprintf(text, sizeof text, "[%p, +%zu) %s %zu bytes at %p (allocation %llu)", pointer, size,
                verdict, a.size, a.base, static_cast<unsigned long long>(a.id));
  return text;
}

}  // namespace

Ranges& Ranges::get() noexcept {
  static Ranges* const ranges = new Ranges;
  return *ranges;
}

Ranges::Map::const_iterator Ranges::holder(const Map& map, uintptr_t at) noexcept {
  auto it = map.upper_bound(at);
  if (it == map.begin()) return map.end();
  --it;
  return at - it->first < it->second.size ? it : map.end();
}

void Ranges::drop_freed(uintptr_t base, size_t size) {
  auto it = freed_.lower_bound(base);
  if (it != freed_.begin()) {
    const auto before = std::prev(it);
    if (before->first + before->second.size > base) it = before;
  }
  while (it != freed_.end() && it->first < base + size) it = freed_.erase(it);
}

void Ranges::add(const Allocation& allocation) {
  const std::unique_lock lock(mutex_);
  drop_freed(address(allocation.base), allocation.size);
  live_[address(allocation.base)] = allocation;
  live_bytes_ += allocation.size;
}

std::optional<Allocation> Ranges::remove(const void* base) {
  const std::unique_lock lock(mutex_);
  const auto it = live_.find(address(base));
  if (it == live_.end()) return std::nullopt;
  const Allocation taken = it->second;
  live_.erase(it);
  live_bytes_ -= taken.size;
  return taken;
}

void Ranges::remember_freed(const Allocation& allocation) {
  const std::unique_lock lock(mutex_);
  if (freed_.size() >= kMostFreed) freed_.erase(freed_.begin());
  freed_[address(allocation.base)] = allocation;
}

void Ranges::forget_freed(const void* base) {
  const std::unique_lock lock(mutex_);
  freed_.erase(address(base));
}

void Ranges::reserve(const void* base, size_t size) {
  Allocation a;
  a.base = const_cast<void*>(base);
  a.size = size;
  const std::unique_lock lock(mutex_);
  drop_freed(address(base), size);
  reserved_[address(base)] = a;
}

void Ranges::release(const void* base) {
  const std::unique_lock lock(mutex_);
  reserved_.erase(address(base));
}

std::optional<Allocation> Ranges::find(const void* pointer) const {
  const std::shared_lock lock(mutex_);
  const auto it = holder(live_, address(pointer));
  if (it == live_.end()) return std::nullopt;
  return it->second;
}

bool Ranges::is_reserved(const void* pointer) const {
  const std::shared_lock lock(mutex_);
  return holder(reserved_, address(pointer)) != reserved_.end();
}

bool Ranges::any_live(const void* base, size_t size) const {
  const std::shared_lock lock(mutex_);
  const auto it = live_.lower_bound(address(base));
  return it != live_.end() && it->first < address(base) + size;
}

Memory::State Ranges::check(const void* pointer, size_t size, std::string* sentence) const {
  using State = Memory::State;
  const auto answer = [&](State state, const char* verdict, const Allocation& a) {
    if (sentence) *sentence = tell(pointer, size, verdict, a);
    return state;
  };
  if (!pointer) {
    if (sentence) *sentence = "the address is NULL";
    return State::null;
  }
  const uintptr_t at = address(pointer);
  const std::shared_lock lock(mutex_);
  if (auto it = holder(live_, at); it != live_.end()) {
    // Neighbouring mappings of one reservation are one range to whoever uses it.
    uintptr_t end = it->first + it->second.size;
    const auto reservation = holder(reserved_, at);
    while (reservation != reserved_.end() && end < at + size) {
      const auto next = live_.find(end);
      if (next == live_.end() || holder(reserved_, end) != reservation)
        return answer(State::unmapped, "reaches unmapped addresses of the reservation of",
                      reservation->second);
      end = next->first + next->second.size;
    }
    if (size > end - at) return answer(State::overrun, "runs over the end of", it->second);
    return State::usable;
  }
  if (const auto it = holder(reserved_, at); it != reserved_.end())
    return answer(State::unmapped, "is not mapped in the reservation of", it->second);
  if (const auto it = holder(freed_, at);
      it != freed_.end() && !(it->second.reservation && is_mapped(at)))
    return answer(State::freed, "lies in freed memory, once", it->second);
  return State::foreign;
}

std::optional<Allocation> Memory::find(const void* pointer) { return Ranges::get().find(pointer); }

Memory::State Memory::check(const void* pointer, size_t size, std::string* sentence) {
  return Ranges::get().check(pointer, size, sentence);
}

bool Memory::is_mapping(const void* pointer) { return Ranges::get().is_reserved(pointer); }

uint64_t Memory::live_bytes() noexcept { return Ranges::get().live_bytes(); }

}  // namespace xpu::cpu
