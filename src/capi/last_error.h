// SPDX-License-Identifier: Apache-2.0
// What the calling thread's last failure was: the code that xpuGetLastError hands out and clears,
// and the details that xpuGetLastErrorInfo tells until the next failure replaces them. Calls fail
// also while a thread or the process ends, in destructors of static objects; then the code is left,
// and the words are not.
#pragma once

#include "base/status.h"

namespace xpu::capi {

struct LastError {
  xpuError_t code;
  uint32_t native;
  const char* function;
  const char* argument;
  const char* sentence;
};

// Stores the failure of `function` (a string that is never freed) and answers its code.
// xpuErrorNotReady is an answer rather than a failure, so it is passed through and not stored.
xpuError_t record_failure(const char* function, const Status& status) noexcept;
// For when there is no memory for a Status, or none could be made.
xpuError_t record_failure(const char* function, xpuError_t code, const char* sentence) noexcept;

xpuError_t peek_last_error() noexcept;
xpuError_t take_last_error() noexcept;
// The strings are valid until this thread's next failing call.
LastError last_failure() noexcept;

}  // namespace xpu::capi
