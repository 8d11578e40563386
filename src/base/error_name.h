// SPDX-License-Identifier: Apache-2.0
// The name of every error code and a sentence on what it means.
//
// Plain tables without allocation: errors are named also before the library has started, in threads
// that end, and after main has returned.
#pragma once

#include <xpugraph/error.h>

#include <cstddef>

namespace xpu {

struct ErrorName {
  xpuError_t code;
  const char* name;      // the enumerator, such as "xpuErrorInvalidValue"
  const char* sentence;  // what it means and, where there is one answer, what to do
};

// Ascending codes.
extern const ErrorName kErrorNames[];
extern const size_t kErrorNameCount;

// "unrecognized error code" if it is none; never nullptr.
const char* error_name(xpuError_t code) noexcept;
const char* error_string(xpuError_t code) noexcept;

}  // namespace xpu
