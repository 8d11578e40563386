// SPDX-License-Identifier: Apache-2.0
// Without what compiles, the driver says that, and not that modules are bad.
#include "module_fixture.h"
#include "xpu_test.h"

#include <string.h>

namespace {

void a_missing_runtime_is_told_apart_from_a_bad_module(void**) {
  static Built built;
  built = build_module(read_bytes("TEST_KERNELS_SPV"), ZE_MODULE_FORMAT_IL_SPIRV);
  assert_int_equal(built.result, ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
  assert_null(built.module);
  assert_non_null(strstr(built.log.c_str(), "pocl-opencl-icd"));
}

}  // namespace

int main() {
  ze_open();
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_missing_runtime_is_told_apart_from_a_bad_module),
  };
  return XPU_RUN_TESTS(tests);
}
