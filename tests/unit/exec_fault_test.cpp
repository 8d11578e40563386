// SPDX-License-Identifier: Apache-2.0
// Every driver call of instantiation and launch fails once: nothing leaks, nothing is half-changed,
// and what is half-submitted says so.
#include "exec_faults.h"
#include "runtime/copy.h"

namespace {

using namespace xpu;
using namespace xpu::test;

// Two branches, so that lanes, marks, start and join are all used; a chain within each.
struct Work {
  bool lanes;
  uint32_t* cells = managed<uint32_t>(64);
  Sketch sketch;
  explicit Work(bool two) : lanes(two) {
    const uint32_t root = sketch.fill(cells, 3, 1);
    uint32_t ends[2] = {root, root};
    for (uint32_t branch = 0; branch < (lanes ? 2u : 1u); branch++) {
      uint32_t* at = cells + 1 + branch * 30;
      ends[branch] = sketch.copy(at, cells, 4, {root});
      for (uint32_t i = 0; i < 28; i++)
        ends[branch] = sketch.copy(at + i + 1, at + i, 4, {ends[branch]});
    }
    if (lanes) sketch.copy(cells + 63, cells + 30, 4, {ends[0], ends[1]});
  }
  ~Work() { free_managed(cells); }
  void clear() { memset(cells, 0, 64 * sizeof *cells); }
  bool right() const { return cells[29] == 3 && (!lanes || cells[59] == 3); }
};

void instantiation_fails_cleanly_at_every_driver_call(void**) {
  for (const bool lanes : {false, true}) {
    Work work(lanes);
    const Faults faults = instantiate_with_faults(work);

    assert_true(faults.tried > 30);
    assert_int_equal(faults.silent, 0);
    assert_int_equal(faults.without_sentence, 0);
    assert_int_equal(faults.handles_left, 0);
    assert_int_equal(faults.wrong_afterwards, 0);
  }
}

Faults run_with_faults(bool lanes, Run how) {
  Work work(lanes);
  runtime::Stream& stream = new_stream();
  const Faults faults = run_with_faults(work, stream, how);
  destroy(stream);
  return faults;
}

void a_one_lane_launch_that_fails_leaves_the_executable_launchable(void**) {
  const Faults faults = run_with_faults(false, Run::launch);

  assert_int_equal(faults.tried, 1);
  assert_int_equal(faults.silent, 0);
  assert_int_equal(faults.recovered, 1);
  assert_int_equal(faults.wrong_afterwards, 0);
}

void a_launch_that_fails_half_way_breaks_the_executable_and_nothing_else(void**) {
  const Faults faults = run_with_faults(true, Run::launch);

  assert_true(faults.tried > 2);
  assert_int_equal(faults.silent, 0);
  assert_int_equal(faults.recovered, 1);
  assert_int_equal(faults.broken, faults.tried - 1);
  assert_int_equal(faults.not_broken, 0);
  assert_int_equal(faults.wrong_afterwards, 0);
}

// Encoding, submitting, waiting and reading the clock.
void a_profile_that_fails_at_any_driver_call_leaves_a_sentence_and_nothing_else(void**) {
  for (const bool lanes : {false, true}) {
    const Faults faults = run_with_faults(lanes, Run::profile);

    assert_true(faults.tried > 60);
    assert_int_equal(faults.silent, 0);
    // Only a wait that fails, or half a run, leaves the executable in doubt.
    assert_true(faults.recovered > faults.tried - (lanes ? 8 : 3));
    assert_int_equal(faults.wrong_afterwards, 0);
  }
}

// A join that fails as well: what was submitted is kept until the queues are known to be past it.
struct Lost {
  bool ok = false;
  size_t kept = 0, kept_afterwards = 99;
};

Lost launch_whose_join_fails_too() {
  Lost lost;
  Work work(true);
  runtime::Stream& stream = new_stream();
  Gate gate;
  lost.ok = runtime::host_function(stream, Gate::wait, &gate).ok();
  auto exec = work.sketch.instantiate();
  recorder().clear();
  recorder().fail_in = 2;
  recorder().fail_always = true;
  lost.ok = lost.ok && !exec->launch(stream).ok();
  recorder().clear();
  exec.reset();
  lost.kept = exec::free_retired();
  gate.open = true;
  lost.ok = lost.ok && device().synchronize().ok();
  lost.kept_afterwards = exec::free_retired();
  destroy(stream);
  return lost;
}

void what_cannot_even_be_joined_is_kept_until_the_device_is_idle(void**) {
  const Lost lost = launch_whose_join_fails_too();

  assert_true(lost.ok);
  assert_int_equal(lost.kept, 1);
  assert_int_equal(lost.kept_afterwards, 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(instantiation_fails_cleanly_at_every_driver_call),
      cmocka_unit_test(a_one_lane_launch_that_fails_leaves_the_executable_launchable),
      cmocka_unit_test(a_launch_that_fails_half_way_breaks_the_executable_and_nothing_else),
      cmocka_unit_test(a_profile_that_fails_at_any_driver_call_leaves_a_sentence_and_nothing_else),
      cmocka_unit_test(what_cannot_even_be_joined_is_kept_until_the_device_is_idle),
  };
  return finish_execs(XPU_RUN_TESTS(tests));
}
