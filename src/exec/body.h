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
#include "runtime/launch_hook.h"

namespace xpu::exec {

struct Exec::Body {
  Body(std::shared_ptr<const Snapshot> snapshot, uint64_t the_flags,
       std::shared_ptr<runtime::LaunchHook> the_hook) noexcept
      : flags(the_flags), hook(std::move(the_hook)), ring(std::move(snapshot)) {}

  // What became of a launch: `began` says that it runs, in whole or in part.
  struct Submitted {
    Status status;
    bool began;
  };
  Submitted submit(runtime::Stream& stream);
  // Makes the encodings again if memory that they name has been replaced since they were made:
  // `hook_generation` is what the hook answered, 0 without one.
  Status renew(uint64_t hook_generation);

  const uint64_t flags;
  const std::shared_ptr<runtime::LaunchHook> hook;  // may be null
  OwnedHandle handle;
  std::mutex mutex;  // guards all below, and the order of launches
  Ring ring;
  // A failure that left a launch half submitted, or that the device reported; every later launch
  // answers with it.
  Status broken;
  uint64_t generation = 0;  // of the memory when the encodings were made: a sum that only grows
  uint64_t launches = 0;
  uint64_t last_stream = 0;  // the id of the stream of the last launch
};

}  // namespace xpu::exec
