// SPDX-License-Identifier: Apache-2.0
// Level Zero results: their names, and the Status each becomes.
#pragma once

#include "base/status.h"
#include "spec/levelzero.h"

namespace xpu::ze {

// "ZE_RESULT_ERROR_DEVICE_LOST"; an unknown value gives "an unknown ze_result_t".
const char* result_name(ze_result_t result) noexcept;

xpuError_t error_of(ze_result_t result) noexcept;

// The failure as a Status that names the function and the result. `function` is a literal.
Status failure(ze_result_t result, const char* function);

inline Status check(ze_result_t result, const char* function) {
  if (result == ZE_RESULT_SUCCESS) [[likely]]
    return Status();
  return failure(result, function);
}

}  // namespace xpu::ze

// ZE_CALL(table, EventHostReset, event): the call as a Status.
#define ZE_CALL(table, name, ...) ::xpu::ze::check((table).name(__VA_ARGS__), "ze" #name)
// The same, and the enclosing function returns the Status if it failed.
#define ZE_TRY(table, name, ...) XPU_TRY(ZE_CALL(table, name, __VA_ARGS__))
