// SPDX-License-Identifier: Apache-2.0
// The names of errors, held against the enum as the public header spells it.
//
// The reference is the header's text, read by this test: the table and the test share no list.
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>

// After the standard headers: it needs four of them, and its macro `fail` would break <fstream>.
extern "C" {
#include <cmocka.h>
}

#include "base/error_name.h"

namespace {

const char* header_path = nullptr;

// "xpuErrorX = 7," lines between `typedef enum xpuError` and `}`.
std::map<int, std::string> enumerators() {
  std::map<int, std::string> found;
  std::ifstream header(header_path);
  bool inside = false;
  for (std::string line; std::getline(header, line);) {
    if (line.find("typedef enum xpuError ") == 0) inside = true;
    if (!inside) continue;
    if (line.find('}') == 0) break;
    char name[128];
    int code;
    if (std::sscanf(line.c_str(), " %127[A-Za-z] = %d", name, &code) == 2) found[code] = name;
  }
  return found;
}

int count_in_header() { return static_cast<int>(enumerators().size()); }

int count_of_wrong_names() {
  int wrong = 0;
  for (const auto& [code, name] : enumerators()) {
    const char* said = xpu::error_name(static_cast<xpuError_t>(code));
    if (name == said) continue;
    std::fprintf(stderr, "%d is %s in the header, error_name says %s\n", code, name.c_str(), said);
    wrong++;
  }
  return wrong;
}

int count_of_unsuitable_sentences() {
  int wrong = 0;
  std::set<std::string> seen;
  for (size_t i = 0; i < xpu::kErrorNameCount; i++) {
    const std::string text = xpu::kErrorNames[i].sentence;
    if (text.size() >= 8 && text.back() != '.' && seen.insert(text).second) continue;
    std::fprintf(stderr, "%s: \"%s\"\n", xpu::kErrorNames[i].name, text.c_str());
    wrong++;
  }
  return wrong;
}

int count_of_codes_between_that_have_a_name() {
  const std::map<int, std::string> known = enumerators();
  int wrong = 0;
  for (int code = -10; code < 1100; code++) {
    const auto value = static_cast<xpuError_t>(code);
    const bool named = std::strcmp(xpu::error_name(value), "unrecognized error code") != 0;
    const bool told = std::strcmp(xpu::error_string(value), "unrecognized error code") != 0;
    if (named != (known.count(code) == 1) || told != named) wrong++;
  }
  return wrong;
}

void every_code_of_the_header_has_its_own_name(void**) {
  assert_int_equal(count_in_header(), static_cast<int>(xpu::kErrorNameCount));
  assert_true(count_in_header() > 80);
  assert_int_equal(count_of_wrong_names(), 0);
}

void every_code_has_a_sentence_of_its_own(void**) {
  assert_int_equal(count_of_unsuitable_sentences(), 0);
}

void a_value_that_is_no_code_is_said_to_be_none(void**) {
  assert_int_equal(count_of_codes_between_that_have_a_name(), 0);
  assert_string_equal(xpu::error_name(static_cast<xpuError_t>(INT32_MIN)),
                      "unrecognized error code");
  assert_string_equal(xpu::error_string(static_cast<xpuError_t>(INT32_MAX)),
                      "unrecognized error code");
}

// The numbers that ported programs compare with, written down a second time.
void codes_that_programs_branch_on_keep_their_numbers(void**) {
  assert_string_equal(xpu::error_name(static_cast<xpuError_t>(0)), "xpuSuccess");
  assert_string_equal(xpu::error_name(static_cast<xpuError_t>(1)), "xpuErrorInvalidValue");
  assert_string_equal(xpu::error_name(static_cast<xpuError_t>(2)), "xpuErrorMemoryAllocation");
  assert_string_equal(xpu::error_name(static_cast<xpuError_t>(98)),
                      "xpuErrorInvalidDeviceFunction");
  assert_string_equal(xpu::error_name(static_cast<xpuError_t>(400)),
                      "xpuErrorInvalidResourceHandle");
  assert_string_equal(xpu::error_name(static_cast<xpuError_t>(600)), "xpuErrorNotReady");
  assert_string_equal(xpu::error_name(static_cast<xpuError_t>(900)),
                      "xpuErrorStreamCaptureUnsupported");
  assert_string_equal(xpu::error_name(static_cast<xpuError_t>(910)),
                      "xpuErrorGraphExecUpdateFailure");
  assert_string_equal(xpu::error_name(static_cast<xpuError_t>(999)), "xpuErrorUnknown");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s error.h\n", argv[0]);
    return 2;
  }
  header_path = argv[1];
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_code_of_the_header_has_its_own_name),
      cmocka_unit_test(every_code_has_a_sentence_of_its_own),
      cmocka_unit_test(a_value_that_is_no_code_is_said_to_be_none),
      cmocka_unit_test(codes_that_programs_branch_on_keep_their_numbers),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr) ? 1 : 0;
}
