// SPDX-License-Identifier: Apache-2.0
// What capture keeps per thread: the thread's capture mode, and a number that tells threads apart.
#pragma once

#include <xpugraph/capture.h>

#include <cstdint>

namespace xpu::capture {

// Which unsafe calls this thread is refused; xpuStreamCaptureModeGlobal until it is exchanged.
xpuStreamCaptureMode thread_mode() noexcept;
// Answers the mode until now.
xpuStreamCaptureMode exchange_thread_mode(xpuStreamCaptureMode mode) noexcept;

// Never used again after the thread has ended, unlike the system's thread ids: the capture of a
// dead thread must not become that of a new one.
uint64_t this_thread() noexcept;

}  // namespace xpu::capture
