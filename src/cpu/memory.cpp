// SPDX-License-Identifier: Apache-2.0
// Device, host and shared memory: all of it the process's own heap, told apart only by name.
#include "cpu/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <vector>

#include "cpu/context.h"
#include "cpu/device.h"
#include "cpu/machine.h"
#include "cpu/ranges.h"
#include "cpu/settings.h"
#include "cpu/strict.h"
#include "spec/levelzero.h"

namespace xpu::cpu {
namespace {

constexpr int kFreedByte = 0xDD;
// Beyond this only the first and last bytes are poisoned: filling gigabytes would commit memory
// that the program may never touch.
constexpr size_t kPoisonBytes = size_t{64} << 20;
constexpr size_t kQuarantineBytes = size_t{32} << 20;
// A cache line, and what the widest vector types need.
constexpr size_t kLeastAlignment = 128;
constexpr size_t kPageSize = 4096;

void poison(void* memory, size_t size, int byte) {
  if (!settings().poison) return;
  const size_t part = std::min(size, kPoisonBytes);
  std::memset(memory, byte, part);
  if (size > part) {
    const size_t tail = std::min(size - part, kPageSize);
    std::memset(static_cast<char*>(memory) + size - tail, byte, tail);
  }
}

// Freed memory on its way back to the heap, and memory whose freeing waits for idle queues.
class Departures {
 public:
  static Departures& get() noexcept {
    static Departures* const departures = new Departures;
    return *departures;
  }

  void free_now(const Allocation& a) {
    Ranges::get().remember_freed(a);
    poison(a.base, a.size, kFreedByte);
    if (!settings().poison || a.size > kQuarantineBytes) return give_back(a);
    std::vector<Allocation> out;
    {
      const std::lock_guard lock(mutex_);
      quarantine_.push_back(a);
      held_ += a.size;
      while (held_ > kQuarantineBytes) {
        out.push_back(quarantine_.front());
        held_ -= quarantine_.front().size;
        quarantine_.pop_front();
      }
    }
    for (const Allocation& old : out) give_back(old);
  }

  void free_when_idle(const Allocation& a) {
    const std::lock_guard lock(mutex_);
    deferred_.push_back(a);
  }

  // Called by every allocation and free, so deferred memory never waits for a thread of its own.
  void sweep() {
    std::vector<Allocation> out;
    {
      const std::lock_guard lock(mutex_);
      if (deferred_.empty()) return;
    }
    if (!idle(false)) return;
    {
      const std::lock_guard lock(mutex_);
      out.swap(deferred_);
    }
    for (const Allocation& a : out) free_now(a);
  }

  // The heap may give the addresses to anybody, whose memory must not pass for freed then.
  static void give_back(const Allocation& a) {
    Ranges::get().forget_freed(a.base);
    std::free(a.base);
  }

  static bool idle(bool wait) noexcept {
    const Memory::IdleProbe probe = probe_.load(std::memory_order_acquire);
    return !probe || probe(wait);
  }
  static std::atomic<Memory::IdleProbe> probe_;

 private:
  std::mutex mutex_;
  std::deque<Allocation> quarantine_;
  std::vector<Allocation> deferred_;
  size_t held_ = 0;
};

std::atomic<Memory::IdleProbe> Departures::probe_{nullptr};

struct Request {
  ze_context_handle_t context;
  ze_device_handle_t device;
  ze_memory_type_t type;
  size_t size, alignment;
  const void* chain;
};

bool relaxed(const void* chain) noexcept {
  for (auto* next = static_cast<const ze_base_desc_t*>(chain); next;
       next = static_cast<const ze_base_desc_t*>(next->pNext))
    if (next->stype == ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC ||
        next->stype == ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXT_DESC)
      return true;
  return false;
}

ze_result_t allocate(const Request& request, void** out) {
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = nullptr;
  if (request.size == 0) return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  const size_t alignment = request.alignment;
  if ((alignment & (alignment - 1)) != 0 || alignment > (size_t{2} << 20))
    return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  const uint64_t most = machine().memory;
  const ze_result_t none = request.type == ZE_MEMORY_TYPE_HOST
                               ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
                               : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  if (request.size > most) return relaxed(request.chain) ? none : ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  Departures::get().sweep();
  // The kernel would promise more than there is and kill the process when it is touched.
  if (Memory::live_bytes() + request.size > most) return none;
  const size_t step = std::max(alignment, kLeastAlignment);
  void* memory = std::aligned_alloc(step, (request.size + step - 1) / step * step);
  if (!memory) return none;
  poison(memory, request.size, kFreshByte);
  Ranges& ranges = Ranges::get();
  ranges.add(
      {memory, request.size, request.type, request.device, request.context, ranges.next_id()});
  *out = memory;
  return ZE_RESULT_SUCCESS;
}

ze_result_t release(const char* function, ze_context_handle_t context, void* pointer,
                    ze_driver_memory_free_policy_ext_flags_t policy) {
  if (!cast<Context>(context)) return refused(context);
  if (!pointer) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  Departures& departures = Departures::get();
  const auto found = Ranges::get().find(pointer);
  if (!found || found->base != pointer) {
    std::string sentence;
    const bool freed = Memory::check(pointer, 0, &sentence) == Memory::State::freed;
    return misuse(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, "the pointer is not an allocation",
                  freed ? "; it " : "", sentence);
  }
  if (Memory::is_mapping(pointer)) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (policy & ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE) Departures::idle(true);
  const auto taken = Ranges::get().remove(pointer);
  if (!taken) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if ((policy & ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE) && !Departures::idle(false))
    departures.free_when_idle(*taken);
  else
    departures.free_now(*taken);
  departures.sweep();
  return ZE_RESULT_SUCCESS;
}

}  // namespace

void Memory::set_idle_probe(IdleProbe probe) noexcept {
  Departures::probe_.store(probe, std::memory_order_release);
}

ze_result_t zeMemAllocShared(ze_context_handle_t context, const ze_device_mem_alloc_desc_t* device,
                             const ze_host_mem_alloc_desc_t* host, size_t size, size_t alignment,
                             ze_device_handle_t on, void** out) {
  if (!cast<Context>(context)) return refused(context);
  if (on && !cast<Device>(on)) return refused(on);
  if (!device || !host) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return allocate({context, on, ZE_MEMORY_TYPE_SHARED, size, alignment, device->pNext}, out);
}

ze_result_t zeMemAllocDevice(ze_context_handle_t context, const ze_device_mem_alloc_desc_t* desc,
                             size_t size, size_t alignment, ze_device_handle_t on, void** out) {
  if (!cast<Context>(context)) return refused(context);
  if (!cast<Device>(on)) return refused(on);
  if (!desc) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return allocate({context, on, ZE_MEMORY_TYPE_DEVICE, size, alignment, desc->pNext}, out);
}

ze_result_t zeMemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t* desc,
                           size_t size, size_t alignment, void** out) {
  if (!cast<Context>(context)) return refused(context);
  if (!desc) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return allocate({context, nullptr, ZE_MEMORY_TYPE_HOST, size, alignment, desc->pNext}, out);
}

ze_result_t zeMemFree(ze_context_handle_t context, void* pointer) {
  return release("zeMemFree", context, pointer, 0);
}

ze_result_t zeMemFreeExt(ze_context_handle_t context, const ze_memory_free_ext_desc_t* desc,
                         void* pointer) {
  if (!cast<Context>(context)) return refused(context);
  if (!desc) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (desc->freePolicy > (ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE |
                          ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE))
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  return release("zeMemFreeExt", context, pointer, desc->freePolicy);
}

ze_result_t zeMemGetAllocProperties(ze_context_handle_t context, const void* pointer,
                                    ze_memory_allocation_properties_t* out,
                                    ze_device_handle_t* device) {
  if (!cast<Context>(context)) return refused(context);
  if (!pointer || !out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const Allocation a = Memory::find(pointer).value_or(Allocation{});
  out->type = a.type;
  out->id = a.id;
  out->pageSize = a.base ? kPageSize : 0;
  if (device) *device = a.device;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetAddressRange(ze_context_handle_t context, const void* pointer, void** base,
                                 size_t* size) {
  if (!cast<Context>(context)) return refused(context);
  if (!pointer) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const auto a = Memory::find(pointer);
  if (!a) return ZE_RESULT_ERROR_ADDRESS_NOT_FOUND;
  if (base) *base = a->base;
  if (size) *size = a->size;
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
