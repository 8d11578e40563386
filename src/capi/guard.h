// SPDX-License-Identifier: Apache-2.0
// The C door: every entry point is one call of guard. Nothing thrown passes it, and a failure
// leaves its code and its sentence in the calling thread's record. It is shut to the program's own
// callbacks: only questions about errors, which do not come this way, are answered there.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include "base/callback.h"
#include "base/status.h"
#include "capi/last_error.h"

namespace xpu::capi {

// Out of line, so that an entry point's good path carries no exception text.
xpuError_t record_exception(const char* function) noexcept;
xpuError_t refuse_in_callback(const char* function) noexcept;

// `body` returns a Status; it may take the entry point's name, for the calls below that report it.
template <class Body>
xpuError_t guard(const char* function, Body&& body) noexcept {
  if (in_callback) [[unlikely]]
    return refuse_in_callback(function);
  try {
    Status status = [&] {
      if constexpr (std::is_invocable_v<Body&, const char*>)
        return body(function);
      else
        return body();
    }();
    if (status.ok()) [[likely]]
      return xpuSuccess;
    return record_failure(function, status);
  } catch (...) {
    return record_exception(function);
  }
}

// The refusals that nearly every entry point needs.
inline Status require(const void* pointer, const char* argument) {
  if (pointer) [[likely]]
    return {};
  return invalid_value(std::string(argument) + " is NULL; it must point to valid memory", argument);
}

}  // namespace xpu::capi
