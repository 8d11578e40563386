// SPDX-License-Identifier: Apache-2.0
// Driver handles: what a ze_*_handle_t of this driver points to, and how a wrong one is told.
//
// A handle is the address of a slot in one reserved, never unmapped range. The slot begins with the
// four table pointers that the loader reads (its direct path since 1.24), then our tag. A handle is
// checked by range, alignment and tag, so NULL, foreign, destroyed and wrong-type handles are
// refused without touching memory that is not ours; objects themselves may be any C++ class. Freed
// slots are reused oldest first and only after 4,096 others, so a stale handle stays recognisable
// for long.
#pragma once

#include <level_zero/ze_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace xpu::cpu {

enum class ObjectType : uint32_t {
  none = 0,
  driver = 0x7a65'0001,
  device,
  context,
  queue,
  list,
  fence,
  event_pool,
  event,
  module,
  build_log,
  kernel,
  physical_memory,
  semaphore,
};
const char* type_name(ObjectType type) noexcept;

// What the loader reads at offset 0 of every handle.
struct HandlePrefix {
  const void* core;
  const void* tools;
  const void* sysman;
  const void* runtime;
};

class Object;

struct HandleSlot {
  HandlePrefix prefix;
  std::atomic<ObjectType> type;  // none once destroyed
  ObjectType last_type;          // what it was, to name it in a report
  Object* object;
  std::shared_ptr<Object> owner;
};
static_assert(std::is_standard_layout_v<HandlePrefix> && offsetof(HandlePrefix, core) == 0);
static_assert(sizeof(HandlePrefix) == 4 * sizeof(void*));
static_assert(sizeof(HandleSlot) == 64, "one slot per cache line");

// Base of everything a handle names. Share it (share<T>) to keep it alive past its Destroy call.
class Object : public std::enable_shared_from_this<Object> {
 public:
  explicit Object(ObjectType type) noexcept : object_type_(type) {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;

  ObjectType object_type() const noexcept { return object_type_; }
  void* handle() const noexcept { return handle_; }

 private:
  friend class Handles;
  ObjectType object_type_;
  void* handle_ = nullptr;
};

class Handles {
 public:
  // Gives the object a handle, which owns it until retire(). Nullptr if the table is full.
  static void* publish(std::shared_ptr<Object> object) noexcept;
  // The handle is dead from here on; the object lives as long as somebody shares it. Nullptr if the
  // handle was not a live one of that type; of two callers only one gets the object.
  static std::shared_ptr<Object> retire(ObjectType type, const void* handle) noexcept;
  static Object* find(ObjectType type, const void* handle) noexcept {
    const HandleSlot* slot = slot_of(handle);
    if (!slot || slot->type.load(std::memory_order_acquire) != type) return nullptr;
    return slot->object;
  }
  // "kernel 0x… (destroyed)", for messages.
  static std::string describe(const void* handle);
  static uint64_t live_count() noexcept;

 private:
  static const HandleSlot* slot_of(const void* handle) noexcept {
    const auto at = reinterpret_cast<uintptr_t>(handle) - base_;
    return at < used_.load(std::memory_order_relaxed) && at % sizeof(HandleSlot) == 0
               ? static_cast<const HandleSlot*>(handle)
               : nullptr;
  }
  static uintptr_t base_;
  static std::atomic<size_t> used_;  // bytes from base_ ever handed out
};

// The live object behind a handle, or nullptr: answer refused(handle) then. T has
// `static constexpr ObjectType kType`.
template <class T, class H>
T* cast(H handle) noexcept {
  static_assert(std::is_base_of_v<Object, T>);
  return static_cast<T*>(Handles::find(T::kType, handle));
}

// As cast, and keeps the object alive.
template <class T, class H>
std::shared_ptr<T> share(H handle) noexcept {
  T* object = cast<T>(handle);
  return object ? std::static_pointer_cast<T>(object->shared_from_this()) : nullptr;
}

// NULL and dead handles are told apart the way the validation layer does.
inline ze_result_t refused(const void* handle) noexcept {
  return handle ? ZE_RESULT_ERROR_INVALID_ARGUMENT : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

template <class T, class H>
ze_result_t publish(std::shared_ptr<T> object, H* out) noexcept {
  void* handle = Handles::publish(std::move(object));
  if (!handle) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  *out = static_cast<H>(handle);
  return ZE_RESULT_SUCCESS;
}

template <class T, class H>
std::shared_ptr<T> retire(H handle) noexcept {
  return std::static_pointer_cast<T>(Handles::retire(T::kType, handle));
}

// The tables every handle begins with; ddi.cpp owns them.
HandlePrefix ddi_prefix() noexcept;

}  // namespace xpu::cpu
