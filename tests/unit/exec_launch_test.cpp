// SPDX-License-Identifier: Apache-2.0
// What launching costs: driver calls, allocations, encodings.
#include "launch_cost.h"
#include "runtime/copy.h"

namespace {

using namespace xpu;
using namespace xpu::test;

struct Chain {
  uint32_t* cells;
  Sketch sketch;
  explicit Chain(uint32_t n) : cells(managed<uint32_t>(n + 1)) {
    uint32_t last = sketch.fill(cells, 7, 1);
    for (uint32_t i = 0; i < n; i++) last = sketch.copy(cells + i + 1, cells + i, 4, {last});
  }
  ~Chain() { free_managed(cells); }
};

Cost cost_of_chain(uint32_t n, int warm, bool synchronised) {
  Chain chain(n);
  auto exec = chain.sketch.instantiate();
  runtime::Stream& stream = new_stream();
  Cost cost;
  for (int i = 0; i <= warm; i++) {
    cost = cost_of_launch(*exec, stream);
    cost.ok = cost.ok && (!synchronised || stream.synchronize().ok());
  }
  cost.ok = cost.ok && stream.synchronize().ok() && chain.cells[n] == 7;
  exec.reset();
  destroy(stream);
  return cost;
}

void the_first_launch_of_a_one_lane_graph_is_one_driver_call(void**) {
  const Cost cost = cost_of_chain(20, 0, true);

  assert_true(cost.ok);
  assert_int_equal(cost.calls, 1);
  assert_int_equal(cost.appended_lists, 1);
  assert_int_equal(cost.made, 0);
  assert_int_equal(cost.allocated, 0);
}

void a_launch_after_a_wait_is_one_driver_call_too(void**) {
  const Cost cost = cost_of_chain(20, 5, true);

  assert_true(cost.ok);
  assert_int_equal(cost.calls, 1);
  assert_int_equal(cost.appended_lists, 1);
  assert_int_equal(cost.made, 0);
  assert_int_equal(cost.allocated, 0);
}

void the_number_of_nodes_does_not_change_the_number_of_calls(void**) {
  const Cost cost = cost_of_chain(2000, 1, true);

  assert_true(cost.ok);
  assert_int_equal(cost.calls, 1);
  assert_int_equal(cost.allocated, 0);
}

Cost cost_of_pipelined_launch() {
  Chain chain(10);
  auto exec = chain.sketch.instantiate();
  runtime::Stream& stream = new_stream();
  Gate gate;
  // The ring has grown to three, and two encodings are held back.
  bool ok = runtime::host_function(stream, Gate::wait, &gate).ok();
  for (int i = 0; i < 3; i++) ok = ok && exec->launch(stream).ok();
  gate.open = true;
  ok = ok && stream.synchronize().ok();
  gate.open = false;
  ok = ok && runtime::host_function(stream, Gate::wait, &gate).ok();
  for (int i = 0; i < 2; i++) ok = ok && exec->launch(stream).ok();
  Cost cost = cost_of_launch(*exec, stream);
  gate.open = true;
  cost.ok = cost.ok && ok && stream.synchronize().ok();
  exec.reset();
  destroy(stream);
  return cost;
}

void a_launch_behind_two_running_ones_makes_nothing(void**) {
  const Cost cost = cost_of_pipelined_launch();

  assert_true(cost.ok);
  assert_int_equal(cost.appended_lists, 1);
  assert_in_range(cost.calls, 1, 2);
  assert_int_equal(cost.made, 0);
  assert_int_equal(cost.allocated, 0);
}

// Two branches behind a fill, joined by a copy; launched behind a launch that another stream holds.
Cost cost_of_launch_over_lanes() {
  uint32_t* cells = managed<uint32_t>(64);
  Sketch sketch;
  const uint32_t root = sketch.fill(cells, 7, 1);
  uint32_t ends[2] = {root, root};
  for (uint32_t branch = 0; branch < 2; branch++)
    for (uint32_t i = 0; i < 28; i++)
      ends[branch] = sketch.copy(cells + 1 + branch * 30 + i, cells, 4, {ends[branch]});
  sketch.copy(cells + 63, cells + 58, 4, {ends[0], ends[1]});
  auto exec = sketch.instantiate();
  runtime::Stream &held = new_stream(), &stream = new_stream();
  // Uploaded, it has both encodings.
  bool ok = exec->upload(stream).ok();
  Gate gate;
  gate.hold(held);
  ok = ok && exec->launch(held).ok();
  Cost cost = cost_of_launch(*exec, stream);
  gate.open = true;
  cost.ok = cost.ok && ok && stream.synchronize().ok() && held.synchronize().ok() && cells[63] == 7;
  exec.reset();
  destroy(held);
  destroy(stream);
  free_managed(cells);
  return cost;
}

void a_launch_over_lanes_makes_nothing_either(void**) {
  const Cost cost = cost_of_launch_over_lanes();

  assert_true(cost.ok);
  assert_true(cost.appended_lists > 1);
  // A list for each segment: the first follows the stream by itself, the last is the end.
  assert_int_equal(cost.calls, cost.appended_lists);
  assert_int_equal(cost.made, 0);
  assert_int_equal(cost.allocated, 0);
}

struct Held {
  bool returned = false;
  uint32_t result = 0;
  uint64_t lists_made = 0;
  uint64_t lists_after = 0;
  double seconds = 0;
};

struct Signals {
  uint64_t of_launch[4] = {};
  uint64_t at_the_end = 0;
  bool ok = false;
};

// Three launches behind a closed gate, and one that nothing is in front of.
Signals signals_of_launches() {
  Chain chain(10);
  auto exec = chain.sketch.instantiate();
  runtime::Stream& stream = new_stream();
  Gate gate;
  Signals signals;
  signals.ok = runtime::host_function(stream, Gate::wait, &gate).ok();
  for (int i = 0; i < 4; i++) {
    if (i == 3) {
      gate.open = true;
      signals.ok = signals.ok && stream.synchronize().ok();
    }
    recorder().clear();
    signals.ok = signals.ok && exec->launch(stream).ok();
    signals.of_launch[i] = recorder().of(Call::CommandListAppendSignalEvent);
  }
  signals.ok = signals.ok && stream.synchronize().ok() && chain.cells[10] == 7;
  // One that ends while its only launch is in flight, which did not signal.
  auto other = chain.sketch.instantiate();
  gate.open = false;
  signals.ok = signals.ok && runtime::host_function(stream, Gate::wait, &gate).ok() &&
               other->launch(stream).ok();
  recorder().clear();
  other.reset();
  signals.at_the_end = recorder().of(Call::CommandListAppendSignalEvent);
  gate.open = true;
  signals.ok = signals.ok && stream.synchronize().ok();
  exec.reset();
  destroy(stream);
  return signals;
}

void a_launch_is_signalled_when_somebody_has_to_know_its_end(void**) {
  const Signals signals = signals_of_launches();

  assert_true(signals.ok);
  assert_int_equal(signals.of_launch[0], 0);
  // Behind the first one; the second signals with its list.
  assert_int_equal(signals.of_launch[1], 1);
  assert_int_equal(signals.of_launch[2], 0);
  assert_int_equal(signals.of_launch[3], 0);
  assert_int_equal(signals.at_the_end, 1);
}

// More launches than encodings, behind a function that the program opens only afterwards.
Held launches_behind_a_closed_gate(int launches) {
  Held held;
  Chain chain(10);
  auto exec = chain.sketch.instantiate();
  runtime::Stream& stream = new_stream();
  Gate gate;
  bool ok = runtime::host_function(stream, Gate::wait, &gate).ok();
  recorder().clear();
  timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < launches; i++) ok = ok && exec->launch(stream).ok();
  clock_gettime(CLOCK_MONOTONIC, &end);
  held.lists_made = recorder().of(Call::CommandListCreate);
  held.seconds = static_cast<double>(end.tv_sec - start.tv_sec) +
                 static_cast<double>(end.tv_nsec - start.tv_nsec) * 1e-9;
  gate.open = true;
  ok = ok && stream.synchronize().ok();
  // Surplus encodings go one by one.
  recorder().clear();
  for (int i = 0; i < launches; i++) {
    ok = ok && exec->launch(stream).ok() && stream.synchronize().ok();
  }
  held.lists_after = recorder().of(Call::CommandListDestroy);
  held.returned = ok;
  held.result = chain.cells[10];
  exec.reset();
  destroy(stream);
  return held;
}

void a_held_stream_never_blocks_a_launch_for_ever(void**) {
  const Held held = launches_behind_a_closed_gate(8);

  assert_true(held.returned);
  assert_int_equal(held.result, 7);
  assert_int_equal(held.lists_made, 7);
  assert_true(held.seconds < 2.0);
}

void encodings_beyond_three_are_dropped_when_they_are_idle(void**) {
  const Held held = launches_behind_a_closed_gate(8);

  assert_true(held.returned);
  assert_int_equal(held.lists_after, 5);
}

struct Uploaded {
  bool ok = false;
  uint64_t lists = 0;
};

Uploaded launches_after_upload() {
  Chain chain(10);
  auto exec = chain.sketch.instantiate();
  runtime::Stream& stream = new_stream();
  Uploaded uploaded;
  uploaded.ok = exec->upload(stream).ok() && exec->upload(stream).ok();
  recorder().clear();
  Gate gate;
  uploaded.ok = uploaded.ok && runtime::host_function(stream, Gate::wait, &gate).ok() &&
                exec->launch(stream).ok() && exec->launch(stream).ok();
  uploaded.lists = recorder().of(Call::CommandListCreate);
  gate.open = true;
  uploaded.ok = uploaded.ok && stream.synchronize().ok() && chain.cells[10] == 7;
  exec.reset();
  destroy(stream);
  return uploaded;
}

void upload_prepares_the_launch_behind_a_running_one(void**) {
  const Uploaded uploaded = launches_after_upload();

  assert_true(uploaded.ok);
  assert_int_equal(uploaded.lists, 0);
}

// The graph need not own the memory: it may read what another one allocates.
struct Unmapped {
  Cost first, second;
};
Unmapped launches_after_unmapping() {
  Chain chain(20);
  auto exec = chain.sketch.instantiate();
  runtime::Stream& stream = new_stream();
  Unmapped u;
  (void)cost_of_launch(*exec, stream);
  u.first.ok = stream.synchronize().ok();
  runtime::Device::unmapped();
  u.first = cost_of_launch(*exec, stream);
  u.first.ok = u.first.ok && stream.synchronize().ok() && chain.cells[20] == 7;
  u.second = cost_of_launch(*exec, stream);
  u.second.ok = u.second.ok && stream.synchronize().ok();
  exec.reset();
  destroy(stream);
  return u;
}
void lists_are_made_again_once_after_memory_was_taken_away(void**) {
  const Unmapped u = launches_after_unmapping();
  assert_true(u.first.ok);
  assert_int_equal(u.first.lists_made, 1);
  assert_true(u.second.ok);
  assert_int_equal(u.second.lists_made, 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_first_launch_of_a_one_lane_graph_is_one_driver_call),
      cmocka_unit_test(a_launch_after_a_wait_is_one_driver_call_too),
      cmocka_unit_test(the_number_of_nodes_does_not_change_the_number_of_calls),
      cmocka_unit_test(a_launch_behind_two_running_ones_makes_nothing),
      cmocka_unit_test(a_launch_over_lanes_makes_nothing_either),
      cmocka_unit_test(a_launch_is_signalled_when_somebody_has_to_know_its_end),
      cmocka_unit_test(a_held_stream_never_blocks_a_launch_for_ever),
      cmocka_unit_test(encodings_beyond_three_are_dropped_when_they_are_idle),
      cmocka_unit_test(upload_prepares_the_launch_behind_a_running_one),
      cmocka_unit_test(lists_are_made_again_once_after_memory_was_taken_away),
  };
  return finish_execs(XPU_RUN_TESTS(tests));
}
