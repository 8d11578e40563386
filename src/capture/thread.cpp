// SPDX-License-Identifier: Apache-2.0
// The per-thread part of capture.
#include "capture/thread.h"

#include <atomic>

namespace xpu::capture {
namespace {

thread_local constinit xpuStreamCaptureMode current_mode = xpuStreamCaptureModeGlobal;
thread_local constinit uint64_t number = 0;
std::atomic<uint64_t> last_number{0};

}  // namespace

xpuStreamCaptureMode thread_mode() noexcept { return current_mode; }

xpuStreamCaptureMode exchange_thread_mode(xpuStreamCaptureMode mode) noexcept {
  const xpuStreamCaptureMode before = current_mode;
  current_mode = mode;
  return before;
}

uint64_t this_thread() noexcept {
  if (!number) number = last_number.fetch_add(1, std::memory_order_relaxed) + 1;
  return number;
}

}  // namespace xpu::capture
