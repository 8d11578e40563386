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

}  // namespace xpu::ze
