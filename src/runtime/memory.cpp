// SPDX-License-Identifier: Apache-2.0
// Allocates, frees and recognises memory.
#include "runtime/memory.h"

#include <algorithm>
#include <mutex>
#include <string>

#include "base/log.h"
#include "base/serial.h"
#include "runtime/device.h"
#include "runtime/freed_memory.h"

namespace xpu::runtime {
namespace {

// What CUDA promises of every allocation, and programs rely on.
constexpr size_t kAlignment = 256;
// Pools cut blocks at multiples of it.
constexpr size_t kBlockAlignment = 512;

// Level Zero has several words for "too much".
Status too_much(ze_result_t result, const char* function, size_t size) {
  switch (result) {
    case ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY:
    case ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY:
    case ZE_RESULT_ERROR_UNSUPPORTED_SIZE:
    case ZE_RESULT_ERROR_INVALID_SIZE:
      return Status::error(xpuErrorMemoryAllocation,
                           "no room for " + std::to_string(size) + " bytes: " + function +
                               " answered " + ze::result_name(result),
                           "size", static_cast<uint32_t>(result));
    default:
      return ze::check(result, function);
  }
}

}  // namespace

void Memory::add_device(Device& device) { devices_.push_back(&device); }

Device* Memory::device(int index) const noexcept {
  const auto at = static_cast<size_t>(index);
  return at < devices_.size() ? devices_[at] : nullptr;
}

Result<void*> Memory::enter(Ranges& ranges, void* pointer, size_t size, MemoryKind kind,
                            int device) {
  const auto base = reinterpret_cast<uintptr_t>(pointer);
  try {
    std::unique_lock hold(lock_);
    ranges[base + size - 1] = {kind, pointer, size, device, true, take_serial()};
    return pointer;
  } catch (const std::bad_alloc&) {
    (void)driver_.table().MemFree(driver_.context(), pointer);
    throw;
  }
}

Result<void*> Memory::allocate_device(Device& device, size_t size) {
  if (!size) return static_cast<void*>(nullptr);
  return allocate_on(device, size, kAlignment, ranges_);
}

Result<void*> Memory::allocate_block(Device& device, size_t size) {
  return allocate_on(device, size, kBlockAlignment, blocks_);
}

Result<void*> Memory::allocate_on(Device& device, size_t size, size_t alignment, Ranges& ranges) {
  // Allocations past a device's usual limit (often 4 GB) have to be asked for.
  ze_relaxed_allocation_limits_exp_desc_t relaxed = {};
  relaxed.stype = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC;
  relaxed.flags = ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE;
  ze_device_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  if (size > device.properties().max_allocation) desc.pNext = &relaxed;
  void* pointer = nullptr;
  XPU_TRY(too_much(driver_.table().MemAllocDevice(driver_.context(), &desc, size, alignment,
                                                  device.ze().handle(), &pointer),
                   "zeMemAllocDevice", size));
  return enter(ranges, pointer, size, MemoryKind::device, device.index());
}

Result<void*> Memory::allocate_host(Device& device, size_t size) {
  if (!size) return static_cast<void*>(nullptr);
  ze_host_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* pointer = nullptr;
  XPU_TRY(
      too_much(driver_.table().MemAllocHost(driver_.context(), &desc, size, kAlignment, &pointer),
               "zeMemAllocHost", size));
  return enter(ranges_, pointer, size, MemoryKind::host, device.index());
}

Result<void*> Memory::allocate_managed(Device& device, size_t size) {
  if (!device.properties().unified_memory)
    return Status::error(xpuErrorNotSupported, "the device has no memory shared with the host");
  if (!size) return invalid_value("managed memory needs at least one byte", "size");
  ze_device_mem_alloc_desc_t on_device = {};
  on_device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  ze_host_mem_alloc_desc_t on_host = {};
  on_host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* pointer = nullptr;
  XPU_TRY(too_much(driver_.table().MemAllocShared(driver_.context(), &on_device, &on_host, size,
                                                  kAlignment, device.ze().handle(), &pointer),
                   "zeMemAllocShared", size));
  return enter(ranges_, pointer, size, MemoryKind::managed, device.index());
}

void Memory::enter_range(void* base, size_t size, int device) {
  std::unique_lock hold(lock_);
  ranges_[reinterpret_cast<uintptr_t>(base) + size - 1] = {
      MemoryKind::device, base, size, device, false, take_serial()};
}

void Memory::drop_range(void* base, size_t size) noexcept {
  uint64_t made = 0;
  const uint64_t freed = take_serial();
  {
    std::unique_lock hold(lock_);
    const auto at = ranges_.find(reinterpret_cast<uintptr_t>(base) + size - 1);
    if (at == ranges_.end()) return;
    made = at->second.made;
    ranges_.erase(at);
  }
  FreedMemory::get().add(base, size, made, freed);
}

Status Memory::make_block(void* pointer) {
  const Allocation asked = find(pointer);
  const bool candidate = asked.ours && asked.base == pointer && asked.kind != MemoryKind::host;
  std::unique_lock hold(lock_);
  const auto at = candidate ? ranges_.find(reinterpret_cast<uintptr_t>(pointer) + asked.size - 1)
                            : ranges_.end();
  if (at == ranges_.end() || !at->second.ours || at->second.base != pointer)
    return invalid_value("this is not the start of an allocation, or it was freed before",
                         "devPtr");
  blocks_.insert(ranges_.extract(at));
  return {};
}

Status Memory::free_block(void* base) {
  Ranges::node_type block;
  {
    // Out of the table first: the driver may give the address away again at once.
    std::unique_lock hold(lock_);
    const auto at = blocks_.lower_bound(reinterpret_cast<uintptr_t>(base));
    block = blocks_.extract(at);
  }
  Status status = ZE_CALL(driver_.table(), MemFree, driver_.context(), base);
  if (status.ok()) return status;
  std::unique_lock hold(lock_);
  blocks_.insert(std::move(block));
  return status;
}

Status Memory::free(void* pointer) { return free_as(pointer, false); }
Status Memory::free_host(void* pointer) { return free_as(pointer, true); }

Status Memory::free_as(void* pointer, bool host) {
  if (!pointer) return Status();
  const char* argument = host ? "ptr" : "devPtr";
  auto ours = [&](const Allocation& a) {
    return a.ours && a.base == pointer && (a.kind == MemoryKind::host) == host;
  };
  const Allocation asked = find(pointer);
  if (!ours(asked))
    return invalid_value(host ? "this is not the start of memory from xpuMallocHost or xpuHostAlloc"
                              : "this is not the start of memory from xpuMalloc, xpuMallocPitch or "
                                "xpuMallocManaged",
                         argument);
  // All devices: any may have been given the pointer.
  XPU_TRY(wait_for_devices());
  Ranges::node_type range;
  {
    std::unique_lock hold(lock_);
    const auto at = ranges_.find(reinterpret_cast<uintptr_t>(pointer) + asked.size - 1);
    // Another thread freed it meanwhile.
    if (at == ranges_.end() || !ours(at->second))
      return invalid_value("this memory is freed already", argument);
    range = ranges_.extract(at);
  }
  const uint64_t freed = take_serial();  // before another thread may get the address
  Status status = ZE_CALL(driver_.table(), MemFree, driver_.context(), pointer);
  if (status.ok()) {
    FreedMemory::get().add(pointer, asked.size, range.mapped().made, freed);
    return status;
  }
  std::unique_lock hold(lock_);
  ranges_.insert(std::move(range));  // it is still there, and may be freed again
  return status;
}

Status Memory::wait_for_devices() {
  for (Device* device : devices_) XPU_TRY(device->synchronize());
  return {};
}

Allocation Memory::find(const void* pointer) const {
  if (!pointer) return {};
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  {
    std::shared_lock hold(lock_);
    const auto at = ranges_.lower_bound(address);
    if (at != ranges_.end() && reinterpret_cast<uintptr_t>(at->second.base) <= address)
      return at->second;
    const auto block = blocks_.lower_bound(address);
    if (block != blocks_.end() && reinterpret_cast<uintptr_t>(block->second.base) <= address)
      return {};
  }
  return ask_driver(pointer);
}

Allocation Memory::ask_driver(const void* pointer) const {
  const ze::Table& table = driver_.table();
  ze_memory_allocation_properties_t properties = {};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ze_device_handle_t on = nullptr;
  if (table.MemGetAllocProperties(driver_.context(), pointer, &properties, &on) !=
      ZE_RESULT_SUCCESS)
    return {};
  Allocation found;
  switch (properties.type) {
    case ZE_MEMORY_TYPE_HOST:
      found.kind = MemoryKind::host;
      break;
    case ZE_MEMORY_TYPE_DEVICE:
      found.kind = MemoryKind::device;
      break;
    case ZE_MEMORY_TYPE_SHARED:
      found.kind = MemoryKind::managed;
      break;
    default:
      return {};
  }
  if (table.MemGetAddressRange(driver_.context(), pointer, &found.base, &found.size) !=
      ZE_RESULT_SUCCESS)
    return {};
  const auto& devices = driver_.devices();
  const auto at = std::find(devices.begin(), devices.end(), on);
  found.device = at == devices.end() ? 0 : static_cast<int>(at - devices.begin());
  return found;
}

size_t Memory::allocated(int device) const {
  std::shared_lock hold(lock_);
  size_t sum = 0;
  for (const Ranges* ranges : {&ranges_, &blocks_}) {
    for (const auto& [last, a] : *ranges) {
      if (a.ours && a.device == device && a.kind != MemoryKind::host) sum += a.size;
    }
  }
  return sum;
}

}  // namespace xpu::runtime
