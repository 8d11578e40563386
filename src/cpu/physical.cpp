// SPDX-License-Identifier: Apache-2.0
// Physical memory: pieces of one memory file of the process.
//
// A file per object would spend a descriptor on each. Offsets in the one file are never used twice:
// the range is 2^63 bytes, and giving a piece back punches a hole, which frees its pages.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "cpu/driver.h"
#include "cpu/machine.h"
#include "cpu/memory.h"
#include "cpu/settings.h"
#include "cpu/strict.h"
#include "cpu/virtual.h"

namespace xpu::cpu {
namespace {

std::atomic<int64_t> end_of_file{0};
std::atomic<uint64_t> taken_bytes{0};

void poison(int64_t offset, size_t size) {
  if (!settings().poison) return;
  const size_t part = size < (size_t{64} << 20) ? size : size_t{64} << 20;
  void* at =
      mmap(nullptr, part, PROT_READ | PROT_WRITE, MAP_SHARED, PhysicalMemory::file(), offset);
  if (at == MAP_FAILED) return;
  std::memset(at, kFreshByte, part);
  munmap(at, part);
}

}  // namespace

int PhysicalMemory::file() noexcept {
  static const int descriptor = memfd_create("ze_cpu physical memory", MFD_CLOEXEC);
  return descriptor;
}

int64_t PhysicalMemory::take(size_t size) {
  if (file() < 0 || size > machine().memory ||
      Memory::live_bytes() + taken_bytes.load() + size > machine().memory)
    return -1;
  const int64_t offset = end_of_file.fetch_add(static_cast<int64_t>(size));
  // Sets the size and nothing else: fallocate on a memory file also commits the pages, so that a
  // lack of memory is an answer here and not a signal at the first touch.
  if (fallocate(file(), 0, offset, static_cast<off_t>(size)) != 0) return -1;
  taken_bytes += size;
  poison(offset, size);
  return offset;
}

PhysicalMemory::~PhysicalMemory() {
  fallocate(file(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset_, static_cast<off_t>(size_));
  taken_bytes -= size_;
}

ze_result_t zePhysicalMemCreate(ze_context_handle_t context, ze_device_handle_t device,
                                ze_physical_mem_desc_t* desc, ze_physical_mem_handle_t* out) {
  auto owner = share<Context>(context);
  if (!owner) return refused(context);
  if (!desc || !out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (desc->flags >
      (ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_DEVICE | ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST))
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  const bool on_host = desc->flags & ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST;
  if (!on_host && !cast<Device>(device)) return refused(device);
  if (desc->size == 0 || desc->size % (on_host ? 4096 : page_size_for(desc->size)) != 0)
    return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  const int64_t offset = PhysicalMemory::take(desc->size);
  if (offset < 0)
    return on_host ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  return publish(std::make_shared<PhysicalMemory>(std::move(owner), on_host ? nullptr : device,
                                                  desc->size, offset),
                 out);
}

ze_result_t zePhysicalMemDestroy(ze_context_handle_t context, ze_physical_mem_handle_t physical) {
  if (!cast<Context>(context)) return refused(context);
  const PhysicalMemory* memory = cast<PhysicalMemory>(physical);
  if (!memory) return refused(physical);
  // Its mappings keep the pages: without strict mode an early destroy is harmless here.
  if (memory->mappings > 0 && strict())
    return misuse("zePhysicalMemDestroy", ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
                  Handles::describe(physical), " is still mapped");
  (void)retire<PhysicalMemory>(physical);
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
