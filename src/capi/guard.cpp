// SPDX-License-Identifier: Apache-2.0
// What the door answers when something was thrown.
#include "capi/guard.h"

#include <exception>

#include "base/log.h"

namespace xpu::capi {

xpuError_t record_exception(const char* function) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return record_failure(function, xpuErrorMemoryAllocation,
                          "the host has no memory left for this call");
  } catch (const std::exception& e) {
    XPU_LOG(error, "%s: unexpected exception: %s", function, e.what());
  } catch (...) {
    XPU_LOG(error, "%s: unexpected exception", function);
  }
  return record_failure(
      function, xpuErrorUnknown,
      "an internal check failed; this is a defect of libxpugraph, please report it");
}

}  // namespace xpu::capi
