// SPDX-License-Identifier: Apache-2.0
// Every result that the installed Level Zero header knows has its name and an error of ours.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ze/result.h"

#include "xpu_test.h"  // last: cmocka has a macro named fail

namespace {

const char* header = nullptr;

// Reads "ZE_RESULT_X = 0x1," lines of the enumeration itself: the expectation is the header's text.
void every_result_of_the_header_is_named(void**) {
  FILE* file = std::fopen(header, "r");
  assert_non_null(file);
  char line[512];
  int checked = 0, wrong = 0;
  bool inside = false;
  while (std::fgets(line, sizeof line, file)) {
    if (std::strstr(line, "typedef enum _ze_result_t")) inside = true;
    if (std::strstr(line, "} ze_result_t;")) break;
    char name[128];
    char value[32];
    if (!inside || std::sscanf(line, " %127[A-Z_a-z0-9] = %31[0-9a-fx]", name, value) != 2)
      continue;
    if (std::strstr(name, "FORCE_UINT32")) continue;
    const auto result = static_cast<ze_result_t>(std::strtoul(value, nullptr, 0));
    checked++;
    if (std::strcmp(xpu::ze::result_name(result), name) != 0) {
      std::fprintf(stderr, "%s is named %s\n", name, xpu::ze::result_name(result));
      wrong++;
    }
  }
  std::fclose(file);

  assert_true(checked > 40);
  assert_int_equal(wrong, 0);
}

void a_result_nobody_knows_is_an_unknown_error(void**) {
  const auto strange = static_cast<ze_result_t>(0x12345);

  assert_string_equal(xpu::ze::result_name(strange), "an unknown ze_result_t");
  assert_int_equal(xpu::ze::error_of(strange), xpuErrorUnknown);
}

void success_is_no_error_and_nothing_else_is(void**) {
  assert_int_equal(xpu::ze::error_of(ZE_RESULT_SUCCESS), xpuSuccess);
  assert_int_equal(xpu::ze::error_of(ZE_RESULT_NOT_READY), xpuErrorNotReady);
  for (uint32_t base : {0x70000000u, 0x70010000u, 0x70020000u, 0x78000000u, 0x7ff00000u}) {
    for (uint32_t i = 0; i < 64; i++)
      assert_int_not_equal(xpu::ze::error_of(static_cast<ze_result_t>(base + i)), xpuSuccess);
  }
}

int sentence_names(const char* what) {
  const xpu::Status status = xpu::ze::failure(ZE_RESULT_ERROR_DEVICE_LOST, "zeFenceReset");
  return status.code() == xpuErrorLaunchFailure && status.native() == 0x70000001u &&
         status.sentence().find(what) != std::string::npos;
}

void a_failure_names_the_function_and_the_result(void**) {
  assert_true(sentence_names("zeFenceReset"));
  assert_true(sentence_names("ZE_RESULT_ERROR_DEVICE_LOST"));
}

}  // namespace

int main(int count, char** values) {
  header = count > 1 ? values[1] : "/usr/include/level_zero/ze_api.h";
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_result_of_the_header_is_named),
      cmocka_unit_test(a_result_nobody_knows_is_an_unknown_error),
      cmocka_unit_test(success_is_no_error_and_nothing_else_is),
      cmocka_unit_test(a_failure_names_the_function_and_the_result),
  };
  return XPU_RUN_TESTS(tests);
}
