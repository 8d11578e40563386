// SPDX-License-Identifier: Apache-2.0
// Reservations and mappings. The real driver's rules are kept, also where this machine needs none.
#include "cpu/virtual.h"

#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <vector>

#include "cpu/memory.h"
#include "cpu/ranges.h"
#include "cpu/strict.h"

namespace xpu::cpu {
namespace {

struct Mapping {
  size_t size;
  std::shared_ptr<PhysicalMemory> physical;
};

struct Reservation {
  size_t size = 0;
  // Kept per reservation, and set by every map: the real driver's granularity.
  ze_memory_access_attribute_t access = ZE_MEMORY_ACCESS_ATTRIBUTE_NONE;
  std::map<uintptr_t, Mapping> mappings;
};

using Reservations = std::map<uintptr_t, Reservation>;

struct Space {
  std::mutex mutex;
  Reservations reservations;
};
Space& space() noexcept {
  static Space* const s = new Space;
  return *s;
}

void* pointer(uintptr_t a) noexcept { return reinterpret_cast<void*>(a); }

Reservations::iterator holder(Reservations& all, uintptr_t at, size_t size) {
  auto it = all.upper_bound(at);
  if (it == all.begin()) return all.end();
  --it;
  const uintptr_t in = at - it->first;
  return in < it->second.size && size <= it->second.size - in ? it : all.end();
}

int protection(ze_memory_access_attribute_t access) noexcept {
  switch (access) {
    case ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE:
      return PROT_READ | PROT_WRITE;
    case ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY:
      return PROT_READ;
    default:
      return PROT_NONE;
  }
}

bool known(ze_memory_access_attribute_t access) noexcept {
  return static_cast<uint32_t>(access) <= ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY;
}

void* reserve_aligned(const void* hint, size_t size, size_t alignment) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  const size_t asked = size + alignment;
  void* at = mmap(const_cast<void*>(hint), asked, PROT_NONE, kFlags, -1, 0);
  if (at == MAP_FAILED) return nullptr;
  const uintptr_t begin = (address(at) + alignment - 1) / alignment * alignment;
  if (begin > address(at)) munmap(at, begin - address(at));
  const uintptr_t end = address(at) + asked;
  if (end > begin + size) munmap(pointer(begin + size), end - begin - size);
  return pointer(begin);
}

// Pages go, the addresses stay ours.
void unmap_one(uintptr_t at, const Mapping& mapping) {
  (void)Ranges::get().remove(pointer(at));
  mmap(pointer(at), mapping.size, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  --mapping.physical->mappings;
}

ze_result_t check_map(const char* function, uintptr_t at, size_t size,
                      const PhysicalMemory& physical, size_t offset) {
  const size_t page = physical.device() ? kSmallPage : 4096;
  if (size == 0 || size % page != 0) return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  if (at % page != 0 || offset % page != 0) return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  if (offset > physical.size() || size > physical.size() - offset)
    return ZE_RESULT_ERROR_INVALID_SIZE;
  if (physical.device() && physical.mappings > 0)
    return misuse(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(physical.handle()),
                  " is mapped already; device memory has one mapping at a time");
  return ZE_RESULT_SUCCESS;
}

}  // namespace

ze_result_t zeVirtualMemQueryPageSize(ze_context_handle_t context, ze_device_handle_t device,
                                      size_t size, size_t* page) {
  if (!cast<Context>(context)) return refused(context);
  if (!cast<Device>(device)) return refused(device);
  if (!page) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (size == 0) return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  *page = page_size_for(size);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemReserve(ze_context_handle_t context, const void* hint, size_t size,
                                void** out) {
  if (!cast<Context>(context)) return refused(context);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const size_t page = page_size_for(size);
  if (size == 0 || size % page != 0 || size > (uint64_t{1} << 46))
    return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  void* at = reserve_aligned(hint, size, page);
  if (!at) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  Space& s = space();
  const std::lock_guard lock(s.mutex);
  s.reservations[address(at)].size = size;
  Ranges::get().reserve(at, size);
  *out = at;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemFree(ze_context_handle_t context, const void* base, size_t size) {
  if (!cast<Context>(context)) return refused(context);
  if (!base) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  Space& s = space();
  const std::lock_guard lock(s.mutex);
  const auto it = s.reservations.find(address(base));
  if (it == s.reservations.end()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (size != it->second.size) return ZE_RESULT_ERROR_INVALID_SIZE;
  if (!it->second.mappings.empty() && strict())
    return misuse("zeVirtualMemFree", ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
                  "the reservation still has ", it->second.mappings.size(),
                  " mappings; unmap them first");
  for (const auto& [at, mapping] : it->second.mappings) unmap_one(at, mapping);
  Ranges::get().release(base);
  Allocation gone;
  gone.base = const_cast<void*>(base);
  gone.size = size;
  gone.reservation = true;
  Ranges::get().remember_freed(gone);
  munmap(const_cast<void*>(base), size);
  s.reservations.erase(it);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemMap(ze_context_handle_t context, const void* base, size_t size,
                            ze_physical_mem_handle_t handle, size_t offset,
                            ze_memory_access_attribute_t access) {
  if (!cast<Context>(context)) return refused(context);
  auto physical = share<PhysicalMemory>(handle);
  if (!physical) return refused(handle);
  if (!base) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (!known(access)) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  const uintptr_t at = address(base);
  Space& s = space();
  const std::lock_guard lock(s.mutex);
  if (const ze_result_t r = check_map("zeVirtualMemMap", at, size, *physical, offset);
      r != ZE_RESULT_SUCCESS)
    return r;
  const auto it = holder(s.reservations, at, size);
  if (it == s.reservations.end())
    return misuse("zeVirtualMemMap", ZE_RESULT_ERROR_INVALID_ARGUMENT,
                  "the range does not lie in one reservation");
  auto& mappings = it->second.mappings;
  const auto next = mappings.lower_bound(at);
  const bool before =
      next != mappings.begin() && std::prev(next)->first + std::prev(next)->second.size > at;
  if (before || (next != mappings.end() && next->first < at + size))
    return misuse("zeVirtualMemMap", ZE_RESULT_ERROR_INVALID_ARGUMENT,
                  "something is mapped in the range already");
  if (mmap(pointer(at), size, protection(access), MAP_SHARED | MAP_FIXED, PhysicalMemory::file(),
           physical->offset() + static_cast<off_t>(offset)) == MAP_FAILED)
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  it->second.access = access;
  ++physical->mappings;
  Ranges& ranges = Ranges::get();
  ranges.add({pointer(at), size, physical->device() ? ZE_MEMORY_TYPE_DEVICE : ZE_MEMORY_TYPE_HOST,
              physical->device(), context, ranges.next_id()});
  mappings[at] = {size, std::move(physical)};
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemUnmap(ze_context_handle_t context, const void* base, size_t size) {
  if (!cast<Context>(context)) return refused(context);
  if (!base) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const uintptr_t at = address(base);
  if (size == 0 || size % 4096 != 0) return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  if (at % 4096 != 0) return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  Space& s = space();
  const std::lock_guard lock(s.mutex);
  const auto it = holder(s.reservations, at, size);
  if (it == s.reservations.end())
    return misuse("zeVirtualMemUnmap", ZE_RESULT_ERROR_INVALID_ARGUMENT,
                  "the range does not lie in one reservation");
  auto& mappings = it->second.mappings;
  // As the real driver: mappings that the range covers in part stay.
  for (auto m = mappings.lower_bound(at); m != mappings.end() && m->first < at + size;) {
    if (m->second.size > at + size - m->first) break;
    unmap_one(m->first, m->second);
    m = mappings.erase(m);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemSetAccessAttribute(ze_context_handle_t context, const void* base,
                                           size_t size, ze_memory_access_attribute_t access) {
  if (!cast<Context>(context)) return refused(context);
  if (!base) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (!known(access)) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  const uintptr_t at = address(base);
  if (size == 0 || size % 4096 != 0) return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  if (at % 4096 != 0) return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  Space& s = space();
  const std::lock_guard lock(s.mutex);
  const auto it = holder(s.reservations, at, size);
  if (it == s.reservations.end()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  it->second.access = access;
  for (const auto& [from, mapping] : it->second.mappings) {
    const uintptr_t begin = std::max(from, at);
    const uintptr_t end = std::min(from + mapping.size, at + size);
    if (begin < end) mprotect(pointer(begin), end - begin, protection(access));
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemGetAccessAttribute(ze_context_handle_t context, const void* base,
                                           size_t size, ze_memory_access_attribute_t* access,
                                           size_t* out_size) {
  if (!cast<Context>(context)) return refused(context);
  if (!base || !access || !out_size) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (size == 0) return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  Space& s = space();
  const std::lock_guard lock(s.mutex);
  const auto it = holder(s.reservations, address(base), 1);
  if (it == s.reservations.end()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  *access = it->second.access;
  *out_size = it->second.size - (address(base) - it->first);
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
