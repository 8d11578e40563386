// SPDX-License-Identifier: Apache-2.0
// Appending a batch, operation by operation.
#include "runtime/batch.h"

#include "runtime/device.h"

namespace xpu::runtime {

Status Batch::append(ze::List& list, ze::Sync sync) const {
  XPU_TRY(list.wait(sync.waits));
  for (const Operation& one : operations_) {
    if (one.waits)
      XPU_TRY(list.wait_value(one.at, one.value, one.bytes, one.compare));
    else
      XPU_TRY(list.write_value(one.at, one.value, one.bytes));
  }
  return sync.signal ? list.signal(sync.signal) : Status();
}

}  // namespace xpu::runtime
