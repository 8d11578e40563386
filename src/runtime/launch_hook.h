// SPDX-License-Identifier: Apache-2.0
// What stands around each launch of an executable without being work: how the memory floor takes
// part in launches, which the exec floor beside it does not see.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace xpu::runtime {

class Stream;

class LaunchHook {
 public:
  virtual ~LaunchHook() = default;

  // Gives memory to addresses that have none. The answer changes when the memory behind addresses
  // was replaced: a command list holds on to what was there when a command was appended, so lists
  // made before that must be made again.
  virtual Result<uint64_t> prepare() = 0;
  // The same before a launch; nothing is submitted yet. A failure is the launch's, and end() does
  // not follow.
  virtual Result<uint64_t> begin(Stream& stream) = 0;
  // After it. `submitted`: whether the launch will run, in whole or in part.
  virtual void end(Stream& stream, bool submitted) noexcept = 0;
  // The nodes of the executable have other parameters now. Never during a launch.
  virtual void changed() noexcept {}
};

}  // namespace xpu::runtime
