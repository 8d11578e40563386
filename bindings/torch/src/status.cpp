// SPDX-License-Identifier: Apache-2.0
// Failures of the C library as C++ exceptions.
#include "status.h"

#include <c10/util/Exception.h>

namespace xpugraph_torch {

std::string last_sentence() {
  xpuErrorInfo info = {};
  info.struct_size = sizeof info;
  if (xpuGetLastErrorInfo(&info) != xpuSuccess) return "unknown failure";
  return std::string(info.function) + ": " + info.sentence;
}

void check(xpuError_t error) {
  if (error == xpuSuccess) return;
  std::string sentence = last_sentence();
  // The exception carries it from here on: a later xpuGetLastError() of the program is not to find
  // it.
  xpuGetLastError();
  TORCH_CHECK_WITH(OutOfMemoryError, error != xpuErrorMemoryAllocation, sentence);
  TORCH_CHECK(false, xpuGetErrorName(error), " from ", sentence);
}

}  // namespace xpugraph_torch
