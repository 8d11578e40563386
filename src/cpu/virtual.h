// SPDX-License-Identifier: Apache-2.0
// Virtual memory: address ranges reserved once, physical memory mapped into them and out again.
#pragma once

#include "spec/levelzero.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "cpu/context.h"
#include "cpu/device.h"
#include "cpu/handle.h"

namespace xpu::cpu {

// Pages as Intel's driver has them: 64 KiB, and 2 MiB for what is at least that large.
inline constexpr size_t kSmallPage = size_t{64} << 10;
inline constexpr size_t kLargePage = size_t{2} << 20;
inline constexpr size_t page_size_for(size_t size) noexcept {
  return size >= kLargePage ? kLargePage : kSmallPage;
}

// A piece of one shared memory file, so that it can be mapped anywhere, more than once, and moved.
class PhysicalMemory : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::physical_memory;
  // The file offset was made by take(); it is given back when the last mapping and the handle are
  // gone.
  PhysicalMemory(std::shared_ptr<Context> context, ze_device_handle_t device, size_t size,
                 int64_t offset)
      : Object(kType),
        context_(std::move(context)),
        device_(device),
        size_(size),
        offset_(offset) {}
  ~PhysicalMemory() override;

  // -1 if there is no memory.
  static int64_t take(size_t size);
  static int file() noexcept;

  ze_device_handle_t device() const noexcept { return device_; }  // nullptr: host memory
  size_t size() const noexcept { return size_; }
  int64_t offset() const noexcept { return offset_; }
  uint32_t mappings = 0;  // guarded by virtual.cpp's lock

 private:
  std::shared_ptr<Context> context_;
  ze_device_handle_t device_;
  size_t size_;
  int64_t offset_;
};

ze_result_t zePhysicalMemCreate(ze_context_handle_t, ze_device_handle_t, ze_physical_mem_desc_t*,
                                ze_physical_mem_handle_t*);
ze_result_t zePhysicalMemDestroy(ze_context_handle_t, ze_physical_mem_handle_t);
ze_result_t zeVirtualMemReserve(ze_context_handle_t, const void*, size_t, void**);
ze_result_t zeVirtualMemFree(ze_context_handle_t, const void*, size_t);
ze_result_t zeVirtualMemQueryPageSize(ze_context_handle_t, ze_device_handle_t, size_t, size_t*);
ze_result_t zeVirtualMemMap(ze_context_handle_t, const void*, size_t, ze_physical_mem_handle_t,
                            size_t, ze_memory_access_attribute_t);
ze_result_t zeVirtualMemUnmap(ze_context_handle_t, const void*, size_t);
ze_result_t zeVirtualMemSetAccessAttribute(ze_context_handle_t, const void*, size_t,
                                           ze_memory_access_attribute_t);
ze_result_t zeVirtualMemGetAccessAttribute(ze_context_handle_t, const void*, size_t,
                                           ze_memory_access_attribute_t*, size_t*);

}  // namespace xpu::cpu
