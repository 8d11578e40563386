// SPDX-License-Identifier: Apache-2.0
// Choosing a driver: what each choice finds, and that a failure says what was tried and why.
#include <cstdlib>
#include <cstring>
#include <string>

#include "ze/driver.h"

#include "xpu_test.h"  // last: cmocka has a macro named fail

namespace {

struct Answer {
  xpuError_t code;
  bool says_all;
};

Answer refusal(const char* choice, std::initializer_list<const char*> words) {
  auto driver = xpu::ze::Driver::open(choice);
  if (driver.ok()) return {xpuSuccess, false};
  bool all = true;
  for (const char* word : words) {
    if (driver.status().sentence().find(word) != std::string::npos) continue;
    std::fprintf(stderr, "\"%s\" does not say \"%s\"\n", driver.status().sentence().c_str(), word);
    all = false;
  }
  return {driver.status().code(), all};
}

void a_word_that_is_no_choice_is_refused_with_the_choices(void**) {
  const Answer a = refusal("cuda", {"cuda", "auto", "gpu", "cpu", "loader", "path"});

  assert_int_equal(a.code, xpuErrorInitializationError);
  assert_true(a.says_all);
}

void a_missing_driver_is_named_with_the_reason(void**) {
  const Answer a = refusal("/nowhere/libze_none.so", {"/nowhere/libze_none.so", "No such file"});

  assert_int_equal(a.code, xpuErrorInsufficientDriver);
  assert_true(a.says_all);
}

void a_library_that_is_no_driver_is_named_with_the_reason(void**) {
  const char* self = std::getenv("TEST_NO_DRIVER");
  assert_non_null(self);
  const Answer a = refusal(self, {self, "lacks", "zeInit"});

  assert_int_equal(a.code, xpuErrorInsufficientDriver);
  assert_true(a.says_all);
}

struct Opened {
  bool ok;
  bool named;
  size_t devices;
  bool context;
};

Opened opened(const char* choice, const char* how) {
  auto driver = xpu::ze::Driver::open(choice);
  if (!driver.ok()) {
    std::fprintf(stderr, "%s\n", driver.status().sentence().c_str());
    return {false, false, 0, false};
  }
  const xpu::ze::Driver& d = *driver.value();
  return {true, d.how().find(how) != std::string::npos, d.devices().size(), d.context() != nullptr};
}

void a_path_opens_that_driver(void**) {
  const Opened o = opened(std::getenv("TEST_DRIVER"), "opened directly");

  assert_true(o.ok && o.named && o.context);
  assert_int_equal(o.devices, 1);
}

// The environment of this test makes the loader offer the CPU driver.
void the_loader_gives_whatever_it_has(void**) {
  const Opened o = opened("loader", "loader");

  assert_true(o.ok && o.named && o.context);
  assert_int_equal(o.devices, 1);
}

// The CPU driver through the loader is no GPU.
void gpu_takes_nothing_else(void**) {
  const Answer a = refusal("gpu", {"libze_loader.so.1", "GPU"});

  assert_int_equal(a.code, xpuErrorNoDevice);
  assert_true(a.says_all);
}

struct Adopted {
  bool ok;
  bool same;
  xpuError_t without_context, foreign_device, unloaded;
};

Adopted adopted() {
  const char* path = std::getenv("TEST_DRIVER");
  auto theirs = xpu::ze::Driver::open(path);
  if (!theirs.ok()) return {};
  const xpu::ze::Driver& t = *theirs.value();
  const xpu::ze::NativeDriver native = {t.handle(), t.context(), t.devices(), path};
  auto ours = xpu::ze::Driver::adopt(native);
  Adopted a = {};
  a.ok = ours.ok();
  a.same = ours.ok() && ours.value()->context() == t.context();
  xpu::ze::NativeDriver bad = native;
  bad.context = nullptr;
  a.without_context = xpu::ze::Driver::adopt(bad).status().code();
  bad = native;
  bad.devices.push_back(reinterpret_cast<ze_device_handle_t>(&bad));
  a.foreign_device = xpu::ze::Driver::adopt(bad).status().code();
  bad = native;
  bad.library = "/nowhere/libze_none.so";
  a.unloaded = xpu::ze::Driver::adopt(bad).status().code();
  return a;
}

void a_programs_own_driver_is_taken_as_it_is(void**) {
  const Adopted a = adopted();

  assert_true(a.ok && a.same);
  assert_int_equal(a.without_context, xpuErrorInvalidValue);
  assert_int_equal(a.foreign_device, xpuErrorInvalidValue);
  assert_int_equal(a.unloaded, xpuErrorInvalidValue);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_word_that_is_no_choice_is_refused_with_the_choices),
      cmocka_unit_test(a_missing_driver_is_named_with_the_reason),
      cmocka_unit_test(a_library_that_is_no_driver_is_named_with_the_reason),
      cmocka_unit_test(a_path_opens_that_driver),
      cmocka_unit_test(the_loader_gives_whatever_it_has),
      cmocka_unit_test(gpu_takes_nothing_else),
      cmocka_unit_test(a_programs_own_driver_is_taken_as_it_is),
  };
  return XPU_RUN_TESTS(tests);
}
