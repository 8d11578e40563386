// SPDX-License-Identifier: Apache-2.0
// Reserves, maps and falls back.
#include "ze/address_range.h"

#include <algorithm>
#include <string>

#include "base/log.h"

namespace xpu::ze {
namespace {

// The smallest pages any driver has are 64 KiB, the large ones 2 MiB.
constexpr size_t kSmallPage = size_t{64} << 10;
constexpr size_t kLargePage = size_t{2} << 20;
// Many devices allow no more than 4 GiB at once.
constexpr size_t kLargestBlock = (size_t{4} << 30) - kLargePage;

constexpr size_t round_up(size_t size, size_t unit) noexcept {
  return (size + unit - 1) / unit * unit;
}

// Any failure to get memory is the same to the caller, who knows how much was asked for.
Status no_memory(ze_result_t result, const char* function, size_t size) {
  if (result == ZE_RESULT_SUCCESS) return {};
  return Status::error(xpuErrorMemoryAllocation,
                       "no room for " + std::to_string(size) + " bytes: " + function +
                           " answered " + result_name(result),
                       {}, static_cast<uint32_t>(result));
}

bool has_functions(const Table& t) noexcept {
  return t.VirtualMemReserve && t.VirtualMemFree && t.VirtualMemQueryPageSize && t.VirtualMemMap &&
         t.VirtualMemUnmap && t.PhysicalMemCreate && t.PhysicalMemDestroy;
}

Result<std::byte*> reserve(Device& device, size_t size) {
  void* at = nullptr;
  XPU_TRY(no_memory(device.table().VirtualMemReserve(device.context(), nullptr, size, &at),
                    "zeVirtualMemReserve", size));
  return static_cast<std::byte*>(at);
}

Result<std::byte*> allocate(Device& device, size_t size) {
  ze_relaxed_allocation_limits_exp_desc_t relaxed = {};
  relaxed.stype = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC;
  relaxed.flags = ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE;
  ze_device_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  if (size > kLargestBlock) desc.pNext = &relaxed;
  void* at = nullptr;
  XPU_TRY(no_memory(device.table().MemAllocDevice(device.context(), &desc, size, kSmallPage,
                                                  device.handle(), &at),
                    "zeMemAllocDevice", size));
  return static_cast<std::byte*>(at);
}

}  // namespace

Result<std::unique_ptr<AddressRange>> AddressRange::make(Device& device, size_t size,
                                                         bool virtual_memory) {
  size = round_up(size, size >= kLargePage ? kLargePage : kSmallPage);
  XPU_TRY_ASSIGN(std::byte * base, virtual_memory ? reserve(device, size) : allocate(device, size));
  std::unique_ptr<AddressRange> range(new AddressRange(device, base, size, virtual_memory));
  if (!virtual_memory) range->backed_ = size;
  return range;
}

AddressRange::~AddressRange() {
  unback();
  const Table& t = device_.table();
  const ze_result_t result = virtual_ ? t.VirtualMemFree(device_.context(), base_, size_)
                                      : t.MemFree(device_.context(), base_);
  if (result != ZE_RESULT_SUCCESS)
    XPU_LOG(error, "giving back %zu bytes of addresses: %s", size_, result_name(result));
}

size_t AddressRange::page(size_t size) const noexcept {
  // Also what is taken if the driver does not say.
  size_t page = size >= kLargePage ? kLargePage : kSmallPage;
  (void)device_.table().VirtualMemQueryPageSize(device_.context(), device_.handle(), size, &page);
  return page;
}

// Large pages as far as they are full, small ones behind them: a graph of a little more than 2 MiB
// would otherwise hold 4.
size_t AddressRange::rounded(size_t bytes) const noexcept {
  if (!virtual_) return bytes ? size_ : 0;
  const size_t large = bytes / kLargePage * kLargePage;
  const size_t rest = bytes - large;
  const size_t whole = large ? round_up(large, page(large)) : 0;
  return std::min(whole + (rest ? round_up(rest, page(rest)) : 0), size_);
}

Status AddressRange::back(size_t bytes) {
  const size_t wanted = rounded(bytes);
  const size_t blocks = blocks_.size();
  while (backed_ < wanted) {
    // A block that is large enough for large pages has to begin on one.
    size_t size = std::min(wanted - backed_, kLargestBlock);
    const size_t to_large_page = round_up(backed_, kLargePage) - backed_;
    if (size >= kLargePage) size = to_large_page ? to_large_page : size / kLargePage * kLargePage;
    Status status = add_block(round_up(size, page(size)));
    if (status.ok()) continue;
    while (blocks_.size() > blocks) drop_block();
    return status;
  }
  return {};
}

Status AddressRange::add_block(size_t size) {
  const Table& t = device_.table();
  ze_physical_mem_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC;
  desc.size = size;
  ze_physical_mem_handle_t memory = nullptr;
  blocks_.reserve(blocks_.size() + 1);
  XPU_TRY(no_memory(t.PhysicalMemCreate(device_.context(), device_.handle(), &desc, &memory),
                    "zePhysicalMemCreate", size));
  const ze_result_t mapped = t.VirtualMemMap(device_.context(), base_ + backed_, size, memory, 0,
                                             ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE);
  if (mapped != ZE_RESULT_SUCCESS) {
    // Intel's driver maps first and makes the memory resident then; if only the latter fails, the
    // mapping stays, and without this the addresses would be given back twice.
    (void)t.VirtualMemUnmap(device_.context(), base_ + backed_, size);
    (void)t.PhysicalMemDestroy(device_.context(), memory);
    return no_memory(mapped, "zeVirtualMemMap", size);
  }
  blocks_.push_back({backed_, size, memory});
  backed_ += size;
  return {};
}

void AddressRange::drop_block() noexcept {
  const Table& t = device_.table();
  const Block block = blocks_.back();
  blocks_.pop_back();
  backed_ = block.begin;
  const ze_result_t unmapped =
      t.VirtualMemUnmap(device_.context(), base_ + block.begin, block.size);
  const ze_result_t destroyed = t.PhysicalMemDestroy(device_.context(), block.memory);
  const ze_result_t result = unmapped != ZE_RESULT_SUCCESS ? unmapped : destroyed;
  if (result != ZE_RESULT_SUCCESS)
    XPU_LOG(error, "giving back %zu bytes of memory: %s", block.size, result_name(result));
}

void AddressRange::unback_beyond(size_t bytes) noexcept {
  while (!blocks_.empty() && blocks_.back().begin >= bytes) drop_block();
}

bool can_map(Device& device) noexcept {
  if (!has_functions(device.table())) return false;
  try {
    Result<std::unique_ptr<AddressRange>> range = AddressRange::make(device, kSmallPage, true);
    return range.ok() && range.value()->back(1).ok();
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace xpu::ze
