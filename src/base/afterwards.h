// SPDX-License-Identifier: Apache-2.0
// A thread of the library for what must happen off everybody's path: destructors of the program's
// objects, which may block or take the program's locks, and things that wait for a device.
#pragma once

#include <functional>
#include <memory>

#include "base/callback.h"
#include "base/status.h"

namespace xpu::afterwards {

// Made early, so that handing it over needs no memory.
struct Call {
  Callback callback;
  std::unique_ptr<Call> next = nullptr;
};

// Starts the thread, if it does not run. After a success the others cannot fail for want of it.
Status begin();
// Calls the function soon, once, without a lock of the library held. In the order of handing over.
void call(std::unique_ptr<Call> call) noexcept;
// Asks `done` every few milliseconds until it answers true; not after the process has begun to end.
void until(std::function<bool()> done);

}  // namespace xpu::afterwards
