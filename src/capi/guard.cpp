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

xpuError_t refuse_in_callback(const char* function) noexcept {
  return record_failure(
      function, xpuErrorNotPermitted,
      "the call comes from a host function, a destructor of a user object or a function that is "
      "asked about a recapture; it might wait for work that waits for that very function. Let "
      "another thread of the program make it");
}

}  // namespace xpu::capi
