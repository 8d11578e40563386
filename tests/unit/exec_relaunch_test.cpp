// SPDX-License-Identifier: Apache-2.0
// What launches cost after the first ones: in another stream, and after updates.
#include "adding_kernel.h"
#include "launch_cost.h"

namespace {

using namespace xpu;
using namespace xpu::test;

// Three kernels in a row, each adding to one word.
struct Adds {
  uint32_t* cell = managed<uint32_t>(1);
  Sketch sketch;
  std::unique_ptr<exec::Exec> exec;
  Adds() {
    uint32_t last = sketch.add(adding(cell, 1), {});
    for (int i = 0; i < 2; i++) last = sketch.add(adding(cell, 1), {last});
    exec = sketch.instantiate();
    exec->keep_source(sketch.graph().clone());
    *cell = 0;
  }
  ~Adds() {
    exec.reset();
    free_managed(cell);
  }
  const graph::Node& node(size_t i) const { return *sketch.graph().nodes()[i]; }
  bool run(runtime::Stream& stream) const {
    return exec->launch(stream).ok() && stream.synchronize().ok();
  }
};

// Behind a launch that another stream still holds: it waits for that on the device.
Cost cost_in_another_stream() {
  Adds adds;
  runtime::Stream &held = new_stream(), &stream = new_stream();
  bool ok = adds.exec->upload(held).ok();
  Gate gate;
  gate.hold(held);
  ok = ok && adds.exec->launch(held).ok();
  Cost cost = cost_of_launch(*adds.exec, stream);
  gate.open = true;
  cost.ok =
      cost.ok && ok && stream.synchronize().ok() && held.synchronize().ok() && *adds.cell == 6;
  destroy(held);
  destroy(stream);
  return cost;
}
void a_launch_in_another_stream_needs_the_end_of_the_one_before(void**) {
  const Cost cost = cost_in_another_stream();
  assert_true(cost.ok);
  // The signal behind the first launch, which had none, and the list.
  assert_int_equal(cost.calls, 2);
  assert_int_equal(cost.made, 0);
  assert_int_equal(cost.allocated, 0);
}

struct Updated {
  Cost first, patched, settled;
};
// The first change encodes the list again, the next one patches it; then nothing has changed.
Updated costs_after_updates() {
  Adds adds;
  runtime::Stream& stream = new_stream();
  Updated u;
  bool ok = adds.run(stream) && adds.exec->set_params(adds.node(1), adding(adds.cell, 10)).ok();
  u.first = cost_of_launch(*adds.exec, stream);
  ok = ok && stream.synchronize().ok() &&
       adds.exec->set_params(adds.node(1), adding(adds.cell, 100)).ok();
  u.patched = cost_of_launch(*adds.exec, stream);
  ok = ok && stream.synchronize().ok();
  u.settled = cost_of_launch(*adds.exec, stream);
  ok = ok && stream.synchronize().ok() && *adds.cell == 3 + 12 + 102 + 102;
  u.first.ok = u.first.ok && ok;
  destroy(stream);
  return u;
}
void a_launch_after_a_patch_is_three_driver_calls_and_then_one(void**) {
  const Updated u = costs_after_updates();
  assert_true(u.first.ok && u.patched.ok && u.settled.ok);
  assert_int_equal(u.first.lists_made, 1);
  assert_int_equal(u.patched.calls, 3);  // the patch, the list closed again, the submission
  assert_int_equal(u.patched.patches, 1);
  assert_int_equal(u.patched.made, 0);
  assert_int_equal(u.patched.allocated, 0);
  assert_int_equal(u.settled.calls, 1);
  assert_int_equal(u.settled.made, 0);
  assert_int_equal(u.settled.allocated, 0);
}

// A copy is in no patch: its list is made again, once, and launches are what they were.
Updated costs_after_a_copy_has_changed() {
  auto* cells = managed<uint32_t>(4);
  for (uint32_t i = 0; i < 4; i++) cells[i] = i;
  Sketch sketch;
  const uint32_t copy = sketch.copy(cells, cells + 1, 4);
  auto exec = sketch.instantiate();
  exec->keep_source(sketch.graph().clone());
  runtime::Stream& stream = new_stream();
  bool ok = exec->launch(stream).ok() && stream.synchronize().ok();
  ok = ok &&
       exec->set_params(*sketch.graph().nodes()[copy],
                        must(graph::CopyParams::make_linear(cells, cells + 3, 4, xpuMemcpyDefault),
                             "a copy"))
           .ok();
  Updated u;
  u.first = cost_of_launch(*exec, stream);
  ok = ok && stream.synchronize().ok() && cells[0] == 3;
  u.settled = cost_of_launch(*exec, stream);
  u.first.ok = u.first.ok && ok && stream.synchronize().ok();
  exec.reset();
  destroy(stream);
  free_managed(cells);
  return u;
}
void a_list_is_made_again_once_for_what_no_patch_can_do(void**) {
  const Updated u = costs_after_a_copy_has_changed();
  assert_true(u.first.ok && u.settled.ok);
  assert_int_equal(u.first.lists_made, 1);
  assert_int_equal(u.settled.calls, 1);
  assert_int_equal(u.settled.made, 0);
  assert_int_equal(u.settled.allocated, 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_launch_in_another_stream_needs_the_end_of_the_one_before),
      cmocka_unit_test(a_launch_after_a_patch_is_three_driver_calls_and_then_one),
      cmocka_unit_test(a_list_is_made_again_once_for_what_no_patch_can_do),
  };
  return finish_adding(XPU_RUN_TESTS(tests));
}
