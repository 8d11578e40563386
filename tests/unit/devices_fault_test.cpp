// SPDX-License-Identifier: Apache-2.0
// The same for a graph on two devices, launched in a stream of either: every driver call of
// instantiation, launch and profile fails once.
#include "exec_faults.h"

namespace {

using namespace xpu;
using namespace xpu::test;

runtime::Device& second() {
  static auto* const made = new std::unique_ptr<runtime::Device>(
      must(runtime::Device::make(1, *world().driver, world().driver->devices()[1], memory()),
           "making the second device"));
  return **made;
}

constexpr size_t kWords = 16;

// The CPU driver's device memory is the process's own, so the test looks into it.
uint32_t* words_on(runtime::Device& device) {
  return static_cast<uint32_t*>(
      must(memory().allocate_device(device, kWords * sizeof(uint32_t)), "allocating memory"));
}

// There and back again, beside something that the second device does alone, and a join.
struct Work {
  static constexpr size_t kBytes = kWords * sizeof(uint32_t);
  uint32_t* here = words_on(device());
  uint32_t* back = words_on(device());
  uint32_t* there = words_on(second());
  uint32_t* beside = words_on(second());
  Sketch sketch;
  Work() {
    const uint32_t start = sketch.fill(here, 3, kWords);
    const uint32_t gone = sketch.copy(there, here, kBytes, {start});
    const uint32_t alone = sketch.fill(beside, 4, kWords);
    const uint32_t joined = sketch.copy(there, beside, kBytes / 2, {gone, alone});
    sketch.copy(back, there, kBytes, {joined});
  }
  ~Work() {
    for (uint32_t* words : {here, back, there, beside}) must(memory().free(words), "freeing");
  }
  void clear() { memset(back, 0, kBytes); }
  bool right() const { return back[0] == 4 && back[kWords - 1] == 3; }
};

void instantiation_fails_cleanly_at_every_driver_call(void**) {
  Work work;
  const Faults faults = instantiate_with_faults(work);

  assert_true(faults.tried > 10);
  assert_int_equal(faults.silent, 0);
  assert_int_equal(faults.without_sentence, 0);
  assert_int_equal(faults.handles_left, 0);
  assert_int_equal(faults.wrong_afterwards, 0);
}

Faults run_from(runtime::Device& from, Run how) {
  Work work;
  runtime::Stream& stream =
      *must(runtime::Stream::create(from, xpuStreamNonBlocking, 0), "creating a stream");
  const Faults faults = run_with_faults(work, stream, how);
  destroy(stream);
  return faults;
}

void a_launch_in_either_devices_stream_breaks_the_executable_at_most(void**) {
  for (runtime::Device* from : {&device(), &second()}) {
    const Faults faults = run_from(*from, Run::launch);

    assert_true(faults.tried > 2);
    assert_int_equal(faults.silent, 0);
    assert_true(faults.recovered > 0);
    assert_true(faults.broken > faults.tried / 2);  // it begins early
    assert_int_equal(faults.not_broken, 0);
    assert_int_equal(faults.wrong_afterwards, 0);
  }
}

void a_profile_that_fails_leaves_a_sentence_and_nothing_else(void**) {
  const Faults faults = run_from(device(), Run::profile);

  assert_true(faults.tried > 60);
  assert_int_equal(faults.silent, 0);
  assert_true(faults.recovered > faults.broken);
  assert_int_equal(faults.wrong_afterwards, 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(instantiation_fails_cleanly_at_every_driver_call),
      cmocka_unit_test(a_launch_in_either_devices_stream_breaks_the_executable_at_most),
      cmocka_unit_test(a_profile_that_fails_leaves_a_sentence_and_nothing_else),
  };
  const int code = XPU_RUN_TESTS(tests);
  must(second().synchronize(), "synchronising");
  return finish_execs(code);
}
