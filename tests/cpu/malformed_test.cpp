// SPDX-License-Identifier: Apache-2.0
// Broken SPIR-V: always a build failure with a reason, never the end of the process.
#include "module_fixture.h"
#include "xpu_test.h"

#include <string.h>

namespace {

struct Outcome {
  ze_result_t result;
  bool has_reason;
  uint32_t kernels;
};

Outcome try_build(const std::string& image) {
  const Built b = build_module(image, ZE_MODULE_FORMAT_IL_SPIRV);
  uint32_t kernels = 0;
  if (b.module) {
    ZE(ModuleGetKernelNames)(b.module, &kernels, nullptr);
    ZE(ModuleDestroy)(b.module);
  }
  return {b.result, b.log.find("error: ") != std::string::npos, kernels};
}

Outcome try_build(const char* environment, size_t keep, size_t change, unsigned char with) {
  std::string image = read_bytes(environment);
  if (keep < image.size()) image.resize(keep);
  if (change < image.size()) image[change] = static_cast<char>(with);
  return try_build(image);
}

constexpr size_t kAll = SIZE_MAX;

void text_is_not_spirv(void**) {
  const Outcome o = try_build("this is not SPIR-V at all");
  assert_int_equal(o.result, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  assert_true(o.has_reason);
}

// Cut between its memory model and its entry point it is a valid module of nothing.
void every_truncation_is_refused_or_empty(void**) {
  static size_t size;
  { size = read_bytes("TEST_SPECIALIZE_SPV").size(); }
  for (size_t keep = 1; keep < size; keep += 7) {
    const Outcome o = try_build("TEST_SPECIALIZE_SPV", keep, kAll, 0);
    assert_int_equal(o.kernels, 0);
    if (o.result == ZE_RESULT_SUCCESS) continue;
    assert_int_equal(o.result, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    assert_true(o.has_reason);
  }
}

// A change may leave the module valid; it must only never crash, and a refusal must say why.
void changed_bytes_build_or_say_why_not(void**) {
  for (size_t change = 4; change < 640; change += 23) {
    const Outcome o = try_build("TEST_SPECIALIZE_SPV", kAll, change, 0xff);
    if (o.result == ZE_RESULT_SUCCESS) continue;
    assert_int_equal(o.result, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    assert_true(o.has_reason);
  }
}

void functions_that_are_missing_are_named(void**) {
  static ze_result_t result;
  static bool named;
  {
    const Built b = build_module(read_bytes("TEST_UNLINKED_SPV"), ZE_MODULE_FORMAT_IL_SPIRV);
    result = b.result;
    named = b.log.find("elsewhere") != std::string::npos;
  }
  assert_int_equal(result, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  assert_true(named);
}

}  // namespace

int main() {
  ze_open();
  const CMUnitTest tests[] = {
      cmocka_unit_test(text_is_not_spirv),
      cmocka_unit_test(every_truncation_is_refused_or_empty),
      cmocka_unit_test(changed_bytes_build_or_say_why_not),
      cmocka_unit_test(functions_that_are_missing_are_named),
  };
  return ze_close(XPU_RUN_TESTS(tests));
}
