// SPDX-License-Identifier: Apache-2.0
// The thread's record of its last failure.
#include "capi/last_error.h"

#include <new>

#include "base/log.h"

namespace xpu::capi {
namespace {

// Apart from the details, because reading it must not construct them in threads that never fail.
thread_local constinit xpuError_t pending = xpuSuccess;
thread_local LastError details;

void store(const char* function, xpuError_t code, uint32_t native, const std::string& argument,
           const std::string& sentence) {
  details.code = code;
  details.native = native;
  details.function = function;
  details.argument = argument;
  details.sentence = sentence;
}

}  // namespace

xpuError_t record_failure(const char* function, const Status& status) noexcept {
  const xpuError_t code = status.code();
  if (code == xpuErrorNotReady || code == xpuSuccess) return code;
  pending = code;
  const Status::Detail& detail = *status.detail();
  try {
    store(function, code, detail.native, detail.argument, detail.sentence);
  } catch (const std::bad_alloc&) {
    details.argument.clear();
    details.sentence.clear();
  }
  XPU_LOG(info, "%s: error %d (%s%s%s)", function, static_cast<int>(code), detail.argument.c_str(),
          detail.argument.empty() ? "" : ": ", detail.sentence.c_str());
  return code;
}

xpuError_t record_failure(const char* function, xpuError_t code, const char* sentence) noexcept {
  pending = code;
  details.code = code;
  details.native = 0;
  details.function = function;
  details.argument.clear();
  try {
    details.sentence = sentence;
  } catch (const std::bad_alloc&) {
    details.sentence.clear();
  }
  XPU_LOG(info, "%s: error %d (%s)", function, static_cast<int>(code), sentence);
  return code;
}

xpuError_t peek_last_error() noexcept { return pending; }

xpuError_t take_last_error() noexcept {
  const xpuError_t code = pending;
  pending = xpuSuccess;
  return code;
}

const LastError& last_failure() noexcept { return details; }

}  // namespace xpu::capi
