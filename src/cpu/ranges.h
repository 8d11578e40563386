// SPDX-License-Identifier: Apache-2.0
// The registry of address ranges behind Memory: live allocations and mappings, reservations, and
// what was freed lately.
#pragma once

#include <map>
#include <optional>
#include <shared_mutex>

#include "cpu/memory.h"

namespace xpu::cpu {

inline uintptr_t address(const void* p) noexcept { return reinterpret_cast<uintptr_t>(p); }

class Ranges {
 public:
  static Ranges& get() noexcept;

  void add(const Allocation& allocation);
  // Takes out the live range that begins at `base`.
  std::optional<Allocation> remove(const void* base);
  // From here on [base, base + size) is remembered as freed, until something new lies there.
  void remember_freed(const Allocation& allocation);
  void forget_freed(const void* base);

  void reserve(const void* base, size_t size);
  void release(const void* base);

  std::optional<Allocation> find(const void* pointer) const;
  bool is_reserved(const void* pointer) const;
  // True if a live range begins in [base, base + size).
  bool any_live(const void* base, size_t size) const;
  Memory::State check(const void* pointer, size_t size, std::string* sentence) const;
  uint64_t next_id() noexcept { return ++ids_; }
  uint64_t live_bytes() const noexcept { return live_bytes_; }

 private:
  using Map = std::map<uintptr_t, Allocation>;
  static Map::const_iterator holder(const Map& map, uintptr_t at) noexcept;
  void drop_freed(uintptr_t base, size_t size);

  mutable std::shared_mutex mutex_;
  Map live_, freed_, reserved_;
  std::atomic<uint64_t> ids_{0};
  std::atomic<uint64_t> live_bytes_{0};
};

}  // namespace xpu::cpu
