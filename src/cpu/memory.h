// SPDX-License-Identifier: Apache-2.0
// Memory the driver gave out, as ranges: who owns an address, and whether it may still be used.
//
// Fresh memory is filled with 0xC5 and freed memory with 0xDD (ZE_CPU_POISON=0 switches both off),
// so that a kernel that reads too early or too late computes nonsense. Freed ranges stay mapped in
// a quarantine for a while: their use is reported by name instead of killing the process.
#pragma once

#include <level_zero/ze_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cpu/handle.h"

namespace xpu::cpu {

// What fresh memory is filled with, so that reading what nobody wrote shows.
inline constexpr int kFreshByte = 0xC5;

struct Allocation {
  void* base = nullptr;
  size_t size = 0;
  ze_memory_type_t type = ZE_MEMORY_TYPE_UNKNOWN;
  ze_device_handle_t device = nullptr;  // nullptr for host memory
  ze_context_handle_t context = nullptr;
  uint64_t id = 0;
  bool reservation = false;  // addresses only: once freed, the kernel may give them to anybody
};

class Memory {
 public:
  enum class State : uint8_t {
    usable,    // inside one live allocation or mapping
    foreign,   // never ours: the program's own host memory, which a CPU may use
    freed,     // inside memory that zeMemFree took back
    unmapped,  // inside a virtual reservation, nothing mapped there
    overrun,   // begins inside a live allocation and leaves it
    null,
  };

  // The live allocation (or mapped part of a reservation) that holds `pointer`.
  static std::optional<Allocation> find(const void* pointer);
  // May [pointer, pointer + size) be used now? size 0 asks about the address alone. Costs one
  // shared lock and a tree walk, about 60 ns: for strict mode. `sentence` tells what is wrong with
  // it.
  static State check(const void* pointer, size_t size, std::string* sentence = nullptr);
  static uint64_t live_bytes() noexcept;
  // Inside a virtual reservation, mapped or not.
  static bool is_mapping(const void* pointer);

  // How the free policies learn of work: waits until every queue is idle (true, then returns true),
  // or asks whether it is (false). The queues set it; without it everything counts as idle.
  using IdleProbe = bool (*)(bool wait);
  static void set_idle_probe(IdleProbe probe) noexcept;
};

ze_result_t zeMemAllocShared(ze_context_handle_t, const ze_device_mem_alloc_desc_t*,
                             const ze_host_mem_alloc_desc_t*, size_t, size_t, ze_device_handle_t,
                             void**);
ze_result_t zeMemAllocDevice(ze_context_handle_t, const ze_device_mem_alloc_desc_t*, size_t, size_t,
                             ze_device_handle_t, void**);
ze_result_t zeMemAllocHost(ze_context_handle_t, const ze_host_mem_alloc_desc_t*, size_t, size_t,
                           void**);
ze_result_t zeMemFree(ze_context_handle_t, void*);
ze_result_t zeMemFreeExt(ze_context_handle_t, const ze_memory_free_ext_desc_t*, void*);
ze_result_t zeMemGetAllocProperties(ze_context_handle_t, const void*,
                                    ze_memory_allocation_properties_t*, ze_device_handle_t*);
ze_result_t zeMemGetAddressRange(ze_context_handle_t, const void*, void**, size_t*);

}  // namespace xpu::cpu
