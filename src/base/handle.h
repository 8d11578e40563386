// SPDX-License-Identifier: Apache-2.0
// Checked handles: what a public handle is, and how one is told from garbage.
//
// A handle is a word, not an address: type (8 bits) | slot index (24) | generation (15). Looking
// one up is a bounds check, one load and one compare, and never touches memory that the caller
// named, so NULL, freed, wrong-type and random values are all recognised. 47 bits keep it inside
// what tools print as a user address. Slots live in one reserved range and are never unmapped;
// freed ones are reused last-freed-last, so a stale handle stays recognisable until its slot has
// been used 32,767 times more.
#pragma once

#include <atomic>
#include <cstdint>

namespace xpu {

// Values start above the special stream values 1 and 2; never reuse a number.
enum class HandleType : uint8_t {
  stream = 0x10,
  event = 0x11,
  module = 0x12,
  kernel = 0x13,
  graph = 0x14,
  node = 0x15,
  exec = 0x16,
  mempool = 0x17,
  user_object = 0x18,
  semaphore = 0x19,
  symbol = 0x1a,
};

class HandleTable {
 public:
  // 0 if the table is full or the machine has no memory for another page of it.
  static uint64_t make(HandleType type, void* object) noexcept;
  // Nullptr if `handle` is not a live handle of that type. Inline: nearly every call does it twice.
  [[gnu::always_inline]] static void* find(HandleType type, uint64_t handle) noexcept {
    if (!could_be(type, handle)) return nullptr;
    const Slot& slot = slots_[index_of(handle)];
    if (slot.handle.load(std::memory_order_acquire) != handle) return nullptr;
    return slot.object.load(std::memory_order_relaxed);
  }
  // The object, and the handle is dead from here on; nullptr as for find. Of two callers one gets
  // it.
  static void* drop(HandleType type, uint64_t handle) noexcept;
  static uint64_t live_count() noexcept;

 private:
  static constexpr uint64_t kTypeBits = 8, kIndexBits = 24, kGenerationBits = 15;
  static constexpr uint64_t kSlots = uint64_t{1} << kIndexBits;

  struct Slot {
    std::atomic<uint64_t> handle;  // 0 while free
    std::atomic<void*> object;
    uint32_t generation;
    uint32_t next_free;  // index + 1, 0 at the end of the queue
  };
  struct Table;
  static Table& table() noexcept;
  static uint64_t index_of(uint64_t handle) noexcept {
    return (handle >> kTypeBits) & (kSlots - 1);
  }
  // It is of that type, and names a slot that was used.
  [[gnu::always_inline]] static bool could_be(HandleType type, uint64_t handle) noexcept {
    return (handle & 0xff) == static_cast<uint64_t>(type) &&
           index_of(handle) < used_.load(std::memory_order_acquire);
  }

  // Set by the first make(), before any slot is used.
  static inline constinit Slot* slots_ = nullptr;
  // Slots below this have been handed out at least once.
  static inline constinit std::atomic<uint64_t> used_{0};
};

// The public handle of an object as its own type. P is a public pointer type such as xpuGraph_t.
template <class P>
P to_public(uint64_t handle) noexcept {
  return reinterpret_cast<P>(static_cast<uintptr_t>(handle));
}
template <class P>
uint64_t from_public(P handle) noexcept {
  return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(handle));
}

// A handle owned by the object it names: made with it, dead with it.
class OwnedHandle {
 public:
  OwnedHandle() noexcept = default;
  OwnedHandle(HandleType type, void* object) noexcept
      : type_(type), value_(HandleTable::make(type, object)) {}
  OwnedHandle(OwnedHandle&& other) noexcept : type_(other.type_), value_(other.value_) {
    other.value_ = 0;
  }
  OwnedHandle& operator=(OwnedHandle&& other) noexcept {
    if (this != &other) {
      reset();
      type_ = other.type_;
      value_ = other.value_;
      other.value_ = 0;
    }
    return *this;
  }
  ~OwnedHandle() { reset(); }

  void reset() noexcept {
    if (value_) (void)HandleTable::drop(type_, value_);
    value_ = 0;
  }
  uint64_t value() const noexcept { return value_; }

 private:
  HandleType type_ = HandleType::stream;
  uint64_t value_ = 0;
};

}  // namespace xpu
