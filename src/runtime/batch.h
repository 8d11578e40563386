// SPDX-License-Identifier: Apache-2.0
// Writes of values into memory and waits for them: what cuStreamBatchMemOp does.
#pragma once

#include <xpugraph/memop.h>

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "runtime/external.h"

namespace xpu::runtime {

class Batch final : public External {
 public:
  struct Operation {
    void* at = nullptr;  // a multiple of `bytes`
    uint64_t value = 0;
    uint8_t bytes = 4;  // or 8
    bool waits = false;
    ze::Compare compare = ze::Compare::equal;
  };
  // At least one operation.
  Batch(Device& device, std::vector<Operation> operations) noexcept
      : device_(device), operations_(std::move(operations)) {}

  Device& device() const noexcept override { return device_; }
  Status append(ze::List& list, ze::Sync sync = {}) const override;

 private:
  Device& device_;
  std::vector<Operation> operations_;
};

}  // namespace xpu::runtime
