// SPDX-License-Identifier: Apache-2.0
// A command that works with what others look at, too, in a form that can be appended again and
// again.
#pragma once

#include "base/status.h"
#include "ze/list.h"

namespace xpu::runtime {

class Device;

class External {
 public:
  External() = default;
  External(const External&) = delete;
  External& operator=(const External&) = delete;
  virtual ~External() = default;

  // The device whose lists take it.
  virtual Device& device() const noexcept = 0;
  // To an immediate list.
  virtual Status append(ze::List& list, ze::Sync sync = {}) const = 0;
};

}  // namespace xpu::runtime
