// SPDX-License-Identifier: Apache-2.0
// Values in memory: writes and waits.
#include "ze/list.h"

namespace xpu::ze {

// A fill, although Intel's driver has zexCommandListAppendWriteToMemory: that writes 64 bits
// whatever is asked for.
Status List::write_value(void* at, uint64_t value, size_t bytes) {
  XPU_TRY(before());
  return ZE_CALL(device_->table(), CommandListAppendMemoryFill, handle_, at, &value, bytes, bytes,
                 nullptr, 0, nullptr);
}

Status List::wait_value(void* at, uint64_t value, size_t bytes, Compare compare) {
  XPU_TRY(before());
  ze_wait_on_memory_desc_t desc = {};
  desc.action = static_cast<uint32_t>(compare);
  desc.scope = ZE_MEMORY_SCOPE_HOST;
  if (bytes == sizeof(uint64_t))
    return ZE_CALL(device_->table(), xCommandListAppendWaitOnMemory64, handle_, &desc, at, value,
                   nullptr);
  return ZE_CALL(device_->table(), xCommandListAppendWaitOnMemory, handle_, &desc, at,
                 static_cast<uint32_t>(value), nullptr);
}

bool can_wait_for_64_bits(Device& device) noexcept {
  if (!device.features().memory_waits) return false;
  const Table& table = device.table();
  ze_host_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* value = nullptr;
  if (table.MemAllocHost(device.context(), &desc, sizeof(uint64_t), sizeof(uint64_t), &value) !=
      ZE_RESULT_SUCCESS)
    return false;
  Result<List> list = List::regular(device, {device.engines().compute_ordinal});
  const bool can =
      list.ok() &&
      list.value().wait_value(value, 0, sizeof(uint64_t), Compare::greater_or_equal).ok();
  if (list.ok()) list = List();  // before the memory that it refers to
  (void)table.MemFree(device.context(), value);
  return can;
}

}  // namespace xpu::ze
