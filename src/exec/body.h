// SPDX-License-Identifier: Apache-2.0
// What is behind an Exec.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "base/handle.h"
#include "base/status.h"
#include "exec/exec.h"
#include "exec/ring.h"

namespace xpu::exec {

struct Exec::Body {
  Body(std::shared_ptr<const Snapshot> snapshot, uint64_t the_flags) noexcept
      : flags(the_flags), ring(std::move(snapshot)) {}

  const uint64_t flags;
  OwnedHandle handle;
  std::mutex mutex;  // guards all below, and the order of launches
  Ring ring;
  // A failure that left a launch half submitted, or that the device reported; every later launch
  // answers with it.
  Status broken;
  uint64_t launches = 0;
  uint64_t last_stream = 0;  // the id of the stream of the last launch
};

}  // namespace xpu::exec
