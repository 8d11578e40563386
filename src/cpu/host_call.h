// SPDX-License-Identifier: Apache-2.0
// Threads for host functions: each call has one to itself while it runs, so that a callback that
// takes its time, or waits for another callback, never holds up device work that does not depend on
// it.
#pragma once

#include <functional>

namespace xpu::cpu {

class HostCalls {
 public:
  // Runs it soon, on an idle thread or a new one.
  static void start(std::function<void()> call);
  // Ends the idle threads. One that is inside a callback is left to end with the process.
  static void stop() noexcept;
};

}  // namespace xpu::cpu
