// SPDX-License-Identifier: Apache-2.0
// Entry points of error.h.
#include <xpugraph/error.h>

#include <cstring>

#include "base/error_name.h"
#include "capi/copy_in.h"
#include "capi/last_error.h"

using namespace xpu::capi;

const char* xpuGetErrorName(xpuError_t error) { return xpu::error_name(error); }

const char* xpuGetErrorString(xpuError_t error) { return xpu::error_string(error); }

xpuError_t xpuGetLastError(void) { return take_last_error(); }

xpuError_t xpuPeekAtLastError(void) { return peek_last_error(); }

// Not behind the guard: asking about a failure must not replace it.
xpuError_t xpuGetLastErrorInfo(xpuErrorInfo* info) {
  try {
    if (!check_out_size(info, sizeof(xpuErrorInfo), "info").ok()) return xpuErrorInvalidValue;
    const LastError last = last_failure();
    xpuErrorInfo known = {};
    known.struct_size = sizeof known;
    known.code = last.code;
    known.nativeResult = last.native;
    known.function = last.function;
    known.argument = last.argument;
    known.sentence = last.sentence;
    copy_out(info, known);
    return xpuSuccess;
  } catch (...) {
    return xpuErrorMemoryAllocation;
  }
}
