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

// The module of TEST_SPECIALIZE_SPV with a function in it that calls itself, or a second one that
// calls it back: the words are those of
//   %f = OpFunction %void None %function; %p = OpFunctionParameter; OpLabel; OpFunctionCall %void
//   %g %p; OpReturn; OpFunctionEnd
// with the types of its kernel.
std::string with_functions_that_call(const std::vector<uint32_t>& callees) {
  std::string image = read_bytes("TEST_SPECIALIZE_SPV");
  std::vector<uint32_t> words(image.size() / 4);
  memcpy(words.data(), image.data(), image.size());
  uint32_t type = 0, result = 0, parameter = 0;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    const uint32_t op = words[at] & 0xffff;
    if (op == 54) result = words[at + 1], type = words[at + 4];
    if (op == 55) parameter = words[at + 1];
  }
  const uint32_t first = words[3];  // ids from here on are free; five for each function
  words[3] += 5 * static_cast<uint32_t>(callees.size());
  for (uint32_t i = 0; i < callees.size(); i++) {
    const uint32_t id = first + 5 * i, callee = first + 5 * callees[i];
    for (const uint32_t word :
         {5u << 16 | 54, result, id, 0u, type, 3u << 16 | 55, parameter, id + 1, 2u << 16 | 248,
          id + 2, 5u << 16 | 57, result, id + 3, callee, id + 1, 1u << 16 | 253, 1u << 16 | 56})
      words.push_back(word);
  }
  return {reinterpret_cast<const char*>(words.data()), words.size() * 4};
}

void recursion_is_refused(void**) {
  static bool refused = true;
  // Itself; each other; one that is no part of the cycle it calls.
  for (const std::vector<uint32_t>& callees :
       {std::vector<uint32_t>{0}, std::vector<uint32_t>{1, 0}, std::vector<uint32_t>{1, 1}}) {
    const Built b = build_module(with_functions_that_call(callees), ZE_MODULE_FORMAT_IL_SPIRV);
    refused = refused && b.result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE &&
              b.log.find("recursion") != std::string::npos;
  }
  assert_true(refused);
}

}  // namespace

int main() {
  ze_open();
  const CMUnitTest tests[] = {
      cmocka_unit_test(text_is_not_spirv),
      cmocka_unit_test(every_truncation_is_refused_or_empty),
      cmocka_unit_test(changed_bytes_build_or_say_why_not),
      cmocka_unit_test(functions_that_are_missing_are_named),
      cmocka_unit_test(recursion_is_refused),
  };
  return ze_close(XPU_RUN_TESTS(tests));
}
