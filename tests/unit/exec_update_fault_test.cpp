// SPDX-License-Identifier: Apache-2.0
// Every driver call that follows an update fails once: the launch says so and submits nothing, the
// next one does what the nodes do by then, and further updates hold.
#include "adding_kernel.h"

namespace {

using namespace xpu;
using namespace xpu::test;

// A chain of copies from one of several sources, so that an update is seen in what arrives.
struct Work {
  static constexpr uint32_t kSources = 4;
  uint32_t* cells = managed<uint32_t>(64);
  Sketch sketch;
  graph::Node* first = nullptr;
  graph::Node* last = nullptr;
  explicit Work(bool lanes) {
    for (uint32_t i = 0; i < kSources; i++) cells[i] = 100 + i;
    const uint32_t root = sketch.copy(cells + 10, cells, 4);
    uint32_t end = root;
    for (uint32_t i = 0; i < 20; i++) end = sketch.copy(cells + 11 + i, cells + 10 + i, 4, {end});
    if (lanes) {
      uint32_t side = root;
      for (uint32_t i = 0; i < 10; i++)
        side = sketch.copy(cells + 40 + i, cells + (i ? 39 + i : 10), 4, {side});
      sketch.fill(cells + 60, 7, 1, {side, end});
    }
    first = sketch.graph().nodes()[root];
    last = sketch.graph().nodes()[end];
  }
  ~Work() { free_managed(cells); }

  graph::ParamsRef from(uint32_t source) const {
    return must(graph::CopyParams::make_linear(cells + 10, cells + source, 4, xpuMemcpyDefault),
                "a copy");
  }
  std::unique_ptr<exec::Exec> instantiate() const {
    auto exec = sketch.instantiate();
    exec->keep_source(sketch.graph().clone());
    return exec;
  }
};

struct Faults {
  int tried = 0;
  int silent = 0;             // the launch succeeded although a driver call failed
  int changed_by_update = 0;  // a call that only notes made a driver call
  int wrong_afterwards = 0;
  int broken = 0;  // failed half-way: only calls of the submission itself may do that
};

bool run(exec::Exec& exec, runtime::Stream& stream) {
  return exec.launch(stream).ok() && stream.synchronize().ok();
}

Faults launch_after_update_with_faults(bool lanes, bool disable) {
  Faults faults;
  Work work(lanes);
  runtime::Stream& stream = new_stream();
  for (int n = 0; n < 1000; n++) {
    auto exec = work.instantiate();
    if (!run(*exec, stream)) faults.wrong_afterwards++;
    recorder().clear();
    Status updated = disable ? exec->enable(*work.last, false)
                             : exec->set_params(*work.first, work.from(1 + n % 3));
    if (!updated.ok()) faults.wrong_afterwards++;
    if (recorder().of(Call::CommandListCreate) || recorder().of(Call::CommandListClose))
      faults.changed_by_update++;
    recorder().clear();
    recorder().fail_in = n;
    const Status status = exec->launch(stream);
    recorder().fail_in = -1;
    if (recorder().failed < 0) {
      if (!stream.synchronize().ok()) faults.wrong_afterwards++;
      break;
    }
    faults.tried++;
    if (status.ok()) faults.silent++;
    work.cells[30] = 0;
    const Status again = exec->launch(stream);
    if (!stream.synchronize().ok()) faults.wrong_afterwards++;
    if (!again.ok()) {
      faults.broken++;
      continue;
    }
    const uint32_t expected = disable ? 0 : 100u + 1 + static_cast<uint32_t>(n) % 3;
    if (work.cells[30] != expected) faults.wrong_afterwards++;
    // And further updates hold.
    if (!exec->set_params(*work.first, work.from(0)).ok() || !exec->enable(*work.last, true).ok() ||
        !run(*exec, stream) || work.cells[30] != 100)
      faults.wrong_afterwards++;
  }
  destroy(stream);
  return faults;
}

// Kernels are patched. A patch that fails is no failure, for the list is encoded anew; the launch
// fails only if that fails, too.
struct Patched {
  int tried = 0;
  int failed = 0;
  int wrong = 0;
};

Patched patch_with_faults(int patches_before) {
  Patched result;
  auto* cell = managed<uint32_t>(1);
  runtime::Stream& stream = new_stream();
  for (int n = 0; n < 1000; n++) {
    Sketch sketch;
    uint32_t last = sketch.add(adding(cell, 1), {});
    for (int i = 0; i < 4; i++) last = sketch.add(adding(cell, 1), {last});
    auto exec = sketch.instantiate();
    exec->keep_source(sketch.graph().clone());
    const graph::Node& node = *sketch.graph().nodes()[2];
    uint32_t value = 10;
    for (int i = 0; i < patches_before; i++) {
      if (!exec->set_params(node, adding(cell, value++)).ok() || !run(*exec, stream))
        result.wrong++;
    }
    *cell = 0;
    if (!exec->set_params(node, adding(cell, 1000)).ok()) result.wrong++;
    recorder().clear();
    recorder().fail_in = n;
    const Status status = exec->launch(stream);
    recorder().fail_in = -1;
    if (recorder().failed < 0) {
      if (!stream.synchronize().ok()) result.wrong++;
      break;
    }
    result.tried++;
    if (!stream.synchronize().ok()) result.wrong++;
    if (!status.ok()) result.failed++;
    if (*cell != (status.ok() ? 1004u : 0u)) result.wrong++;
    *cell = 0;
    if (!run(*exec, stream) || *cell != 1004) result.wrong++;
    *cell = 0;
    if (!exec->set_params(node, adding(cell, 5)).ok() || !run(*exec, stream) || *cell != 9)
      result.wrong++;
  }
  destroy(stream);
  free_managed(cell);
  return result;
}

void a_first_patch_that_fails_leaves_the_executable_launchable(void**) {
  const Patched result = patch_with_faults(0);

  assert_true(result.tried > 10);
  assert_true(result.failed > 10);
  assert_int_equal(result.wrong, 0);
}

void a_patch_that_fails_is_made_up_for_by_a_new_list(void**) {
  const Patched result = patch_with_faults(2);

  assert_in_range(result.tried, 2, 4);
  assert_in_range(result.failed, 1, 1);  // the submission itself
  assert_int_equal(result.wrong, 0);
}

void a_launch_whose_update_fails_submits_nothing_and_can_be_repeated(void**) {
  for (const bool disable : {false, true}) {
    const Faults faults = launch_after_update_with_faults(false, disable);

    assert_true(faults.tried > 20);
    assert_int_equal(faults.silent, 0);
    assert_int_equal(faults.changed_by_update, 0);
    assert_int_equal(faults.wrong_afterwards, 0);
    assert_int_equal(faults.broken, 0);
  }
}

void the_same_holds_for_graphs_on_several_lanes(void**) {
  const Faults faults = launch_after_update_with_faults(true, false);

  assert_true(faults.tried > 5);
  assert_int_equal(faults.silent, 0);
  assert_int_equal(faults.wrong_afterwards, 0);
  assert_in_range(faults.broken, 1, 8);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_launch_whose_update_fails_submits_nothing_and_can_be_repeated),
      cmocka_unit_test(a_first_patch_that_fails_leaves_the_executable_launchable),
      cmocka_unit_test(a_patch_that_fails_is_made_up_for_by_a_new_list),
      cmocka_unit_test(the_same_holds_for_graphs_on_several_lanes),
  };
  return finish_adding(XPU_RUN_TESTS(tests));
}
