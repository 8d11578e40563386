// SPDX-License-Identifier: Apache-2.0
// The slot table behind checked handles.
#include "base/handle.h"

#include <sys/mman.h>

#include <mutex>

#include "base/leak_root.h"

namespace xpu {

struct HandleTable::Table {
  std::atomic<uint64_t> live{0};
  std::mutex lock;  // guards used_'s growth and the free queue
  uint32_t free_head = 0, free_tail = 0;

  Table() noexcept {
    // Address space only: a page costs memory when its first slot is used.
    void* range = mmap(nullptr, kSlots * sizeof(Slot), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range != MAP_FAILED) slots_ = static_cast<Slot*>(range);
  }
};

// Never destroyed: objects with static lifetime may drop handles while the process ends.
HandleTable::Table& HandleTable::table() noexcept {
  alignas(Table) static unsigned char storage[sizeof(Table)];
  static Table* made = new (storage) Table;
  return *made;
}

uint64_t HandleTable::make(HandleType type, void* object) noexcept {
  constexpr uint64_t kGenerationMask = (uint64_t{1} << kGenerationBits) - 1;
  Table& t = table();
  if (!slots_) return 0;
  std::lock_guard hold(t.lock);
  uint64_t index;
  uint64_t used = used_.load(std::memory_order_relaxed);
  // Fresh slots first up to a thousand, so that a freed handle is not at once somebody else's.
  if (t.free_head && (used >= 1024 || used >= kSlots)) {
    index = t.free_head - 1;
    t.free_head = slots_[index].next_free;
    if (!t.free_head) t.free_tail = 0;
  } else if (used < kSlots) {
    index = used;
    constexpr uint64_t kPart = 1024;
    if (index % kPart == 0) leak_root(&slots_[index], kPart * sizeof(Slot));
  } else {
    return 0;
  }
  Slot& s = slots_[index];
  s.generation = static_cast<uint32_t>(s.generation % kGenerationMask + 1);
  uint64_t handle = static_cast<uint64_t>(type) | (index << kTypeBits) |
                    (static_cast<uint64_t>(s.generation) << (kTypeBits + kIndexBits));
  s.object.store(object, std::memory_order_relaxed);
  s.handle.store(handle, std::memory_order_release);
  if (index == used) used_.store(used + 1, std::memory_order_release);
  t.live.fetch_add(1, std::memory_order_relaxed);
  return handle;
}

void* HandleTable::drop(HandleType type, uint64_t handle) noexcept {
  Table& t = table();
  if (!could_be(type, handle)) return nullptr;
  Slot* const s = &slots_[index_of(handle)];
  void* object = s->object.load(std::memory_order_relaxed);
  uint64_t expected = handle;
  if (!s->handle.compare_exchange_strong(expected, 0, std::memory_order_acq_rel)) return nullptr;
  std::lock_guard hold(t.lock);
  auto number = static_cast<uint32_t>((s - slots_) + 1);
  s->next_free = 0;
  if (t.free_tail) {
    slots_[t.free_tail - 1].next_free = number;
  } else {
    t.free_head = number;
  }
  t.free_tail = number;
  t.live.fetch_sub(1, std::memory_order_relaxed);
  return object;
}

uint64_t HandleTable::live_count() noexcept { return table().live.load(std::memory_order_relaxed); }

}  // namespace xpu
