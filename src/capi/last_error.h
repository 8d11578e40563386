// SPDX-License-Identifier: Apache-2.0
// What the calling thread's last failure was: the code that xpuGetLastError hands out and clears,
// and the details that xpuGetLastErrorInfo tells until the next failure replaces them.
#pragma once

#include "base/status.h"

namespace xpu::capi {

struct LastError {
  xpuError_t code = xpuSuccess;
  uint32_t native = 0;
  const char* function = "";
  std::string argument;
  std::string sentence;
};

// Stores the failure of `function` (a string that is never freed) and answers its code.
// xpuErrorNotReady is an answer rather than a failure, so it is passed through and not stored.
xpuError_t record_failure(const char* function, const Status& status) noexcept;
// For when there is no memory for a Status, or none could be made.
xpuError_t record_failure(const char* function, xpuError_t code, const char* sentence) noexcept;

xpuError_t peek_last_error() noexcept;
xpuError_t take_last_error() noexcept;
// Valid until this thread's next failing call.
const LastError& last_failure() noexcept;

}  // namespace xpu::capi
