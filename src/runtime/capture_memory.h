// SPDX-License-Identifier: Apache-2.0
// Where the allocations of one capture come from, if not from nodes of the graph: how the memory
// floor takes part in captures, which the capture floor beside it does not see.
#pragma once

#include <memory>

#include "base/status.h"

namespace xpu::runtime {

class CaptureMemory {
 public:
  virtual ~CaptureMemory() = default;

  // The capture has succeeded: gives memory to what was allocated, and answers with what the graph
  // has to hold. A failure is the capture's, and abandon() follows.
  virtual Result<std::shared_ptr<void>> commit() = 0;
  // There is no graph: everything is as it was before the capture.
  virtual void abandon() noexcept = 0;
};

}  // namespace xpu::runtime
