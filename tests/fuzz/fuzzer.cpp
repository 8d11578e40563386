// SPDX-License-Identifier: Apache-2.0
// The entry of libFuzzer.
#include "fuzz/program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)fuzz::run_program(data, size, false);
  return 0;
}
