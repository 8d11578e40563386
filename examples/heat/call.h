// SPDX-License-Identifier: Apache-2.0
// CALL(xpuFoo(...)): ends the program with the library's own sentence if the call fails.
#pragma once

#include <xpugraph/xpugraph.h>

#include <cstdio>
#include <cstdlib>

#define CALL(call)                                                                         \
  do {                                                                                     \
    if (xpuError_t call_error = (call); call_error != xpuSuccess) {                        \
      xpuErrorInfo call_info = {};                                                         \
      call_info.struct_size = sizeof call_info;                                            \
      if (xpuGetLastErrorInfo(&call_info) != xpuSuccess) call_info.sentence = "";          \
      std::fprintf(stderr, "heat: %s\nheat: %s: %s\n", #call, xpuGetErrorName(call_error), \
                   call_info.sentence);                                                    \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)
