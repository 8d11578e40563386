// SPDX-License-Identifier: Apache-2.0
// The range of handle slots.
#include "cpu/handle.h"

#include <sys/mman.h>

#include <cstdio>
#include <deque>
#include <mutex>
#include <new>

#include "base/leak_root.h"

namespace xpu::cpu {
namespace {

// 2 Mi handles; only touched pages cost memory.
constexpr size_t kReservedBytes = size_t{128} << 20;
constexpr size_t kReuseDelay = 4096;
constexpr size_t kPart = size_t{1} << 16;

struct Free {
  std::mutex mutex;
  std::deque<HandleSlot*> slots;
  std::atomic<uint64_t> live{0};
};
// Never destroyed: programs call Destroy from their own static destructors.
Free& free_slots() noexcept {
  static Free* const state = new Free;
  return *state;
}

}  // namespace

uintptr_t Handles::base_ = 0;
std::atomic<size_t> Handles::used_{0};

void* Handles::publish(std::shared_ptr<Object> object) noexcept {
  Free& state = free_slots();
  HandleSlot* slot = nullptr;
  {
    const std::lock_guard lock(state.mutex);
    if (base_ == 0) {
      void* at = mmap(nullptr, kReservedBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (at == MAP_FAILED) return nullptr;
      base_ = reinterpret_cast<uintptr_t>(at);
    }
    const size_t used = used_.load(std::memory_order_relaxed);
    const bool full = used + sizeof(HandleSlot) > kReservedBytes;
    if (state.slots.size() > (full ? 0 : kReuseDelay)) {
      slot = state.slots.front();
      state.slots.pop_front();
    } else if (!full) {
      void* const at = reinterpret_cast<void*>(base_ + used);
      static_assert(kPart % sizeof(HandleSlot) == 0);
      if (used % kPart == 0) leak_root(at, kPart);
      slot = new (at) HandleSlot{};
      used_.store(used + sizeof(HandleSlot), std::memory_order_release);
    } else {
      return nullptr;
    }
  }
  slot->prefix = ddi_prefix();
  slot->object = object.get();
  slot->last_type = object->object_type();
  object->handle_ = slot;
  slot->owner = std::move(object);
  slot->type.store(slot->last_type, std::memory_order_release);
  state.live.fetch_add(1, std::memory_order_relaxed);
  return slot;
}

std::shared_ptr<Object> Handles::retire(ObjectType type, const void* handle) noexcept {
  auto* slot = const_cast<HandleSlot*>(slot_of(handle));
  if (!slot) return nullptr;
  ObjectType expected = type;
  if (!slot->type.compare_exchange_strong(expected, ObjectType::none)) return nullptr;
  std::shared_ptr<Object> object = std::move(slot->owner);
  slot->object = nullptr;
  Free& state = free_slots();
  state.live.fetch_sub(1, std::memory_order_relaxed);
  const std::lock_guard lock(state.mutex);
  state.slots.push_back(slot);
  return object;
}

uint64_t Handles::live_count() noexcept {
  return free_slots().live.load(std::memory_order_relaxed);
}

const char* type_name(ObjectType type) noexcept {
  switch (type) {
    case ObjectType::none:
      return "nothing";
    case ObjectType::driver:
      return "driver";
    case ObjectType::device:
      return "device";
    case ObjectType::context:
      return "context";
    case ObjectType::queue:
      return "command queue";
    case ObjectType::list:
      return "command list";
    case ObjectType::fence:
      return "fence";
    case ObjectType::event_pool:
      return "event pool";
    case ObjectType::event:
      return "event";
    case ObjectType::module:
      return "module";
    case ObjectType::build_log:
      return "build log";
    case ObjectType::kernel:
      return "kernel";
    case ObjectType::physical_memory:
      return "physical memory";
    case ObjectType::semaphore:
      return "external semaphore";
  }
  return "unknown";
}

std::string Handles::describe(const void* handle) {
  char text[96];
  const HandleSlot* slot = slot_of(handle);
  if (!handle) return "NULL";
  if (!slot)
    std::snprintf(text, sizeof text, "%p (not a handle of this driver)", handle);
  else
    std::snprintf(text, sizeof text, "%s %p%s", type_name(slot->last_type), handle,
                  slot->type.load() == ObjectType::none ? " (destroyed)" : "");
  return text;
}

}  // namespace xpu::cpu
