// SPDX-License-Identifier: Apache-2.0
// What executables compute, in which order, and how long they and what they use live.
#include <cstring>
#include <thread>

#include "exec_world.h"
#include "runtime/copy.h"
#include "runtime/event.h"

namespace {

using namespace xpu;
using namespace xpu::test;

void pause_ms(long ms) {
  const timespec time = {ms / 1000, ms % 1000 * 1'000'000};
  nanosleep(&time, nullptr);
}

// Two branches of `length` copies each behind one fill, and a copy of both ends side by side.
struct Fork {
  uint32_t length;
  uint32_t *a, *b, *out;
  Sketch sketch;
  explicit Fork(uint32_t n)
      : length(n),
        a(managed<uint32_t>(n + 1)),
        b(managed<uint32_t>(n + 1)),
        out(managed<uint32_t>(2)) {
    const uint32_t root = sketch.fill(a, 11, 1);
    uint32_t last_a = root;
    uint32_t last_b = sketch.copy(b, a, 4, {root});
    for (uint32_t i = 0; i < n; i++) {
      last_a = sketch.copy(a + i + 1, a + i, 4, {last_a});
      last_b = sketch.copy(b + i + 1, b + i, 4, {last_b});
    }
    const uint32_t left = sketch.copy(out, a + n, 4, {last_a, last_b});
    sketch.copy(out + 1, b + n, 4, {left});
  }
  ~Fork() {
    free_managed(a);
    free_managed(b);
    free_managed(out);
  }
};

struct ForkResult {
  bool ok = false;
  uint32_t out[2] = {};
  uint64_t submissions = 0;
};

ForkResult fork_launched(int times) {
  ForkResult result;
  Fork fork(24);
  auto exec = fork.sketch.instantiate();
  runtime::Stream& one = new_stream();
  runtime::Stream& two = new_stream();
  result.ok = true;
  for (int i = 0; i < times; i++) {
    recorder().clear();
    result.ok = result.ok && exec->launch(i % 2 ? one : two).ok();
    result.submissions = recorder().of(Call::CommandListImmediateAppendCommandListsExp) +
                         recorder().of(Call::CommandQueueExecuteCommandLists);
  }
  result.ok = result.ok && one.synchronize().ok() && two.synchronize().ok();
  memcpy(result.out, fork.out, sizeof result.out);
  exec.reset();
  destroy(one);
  destroy(two);
  return result;
}

void branches_on_several_lanes_join_in_the_stream(void**) {
  const ForkResult result = fork_launched(1);

  assert_true(result.ok);
  assert_true(result.submissions > 1);
  assert_int_equal(result.out[0], 11);
  assert_int_equal(result.out[1], 11);
}

void a_hundred_launches_over_lanes_and_two_streams_end_right(void**) {
  const ForkResult result = fork_launched(100);

  assert_true(result.ok);
  assert_int_equal(result.out[0], 11);
  assert_int_equal(result.out[1], 11);
}

// Counts runs, and runs that began before another had ended.
struct Section {
  std::atomic<int> inside{0}, overlaps{0}, runs{0};
  static void enter(void* self) {
    auto* s = static_cast<Section*>(self);
    if (s->inside++) s->overlaps++;
    const timespec pause = {0, 200'000};
    nanosleep(&pause, nullptr);
    s->inside--;
    s->runs++;
  }
};

struct Runs {
  bool ok = false;
  int runs = 0, overlaps = 0;
};

Runs launches_from_threads(int threads, int each) {
  Runs result;
  Section section;
  Sketch sketch;
  sketch.host(Section::enter, &section);
  auto exec = sketch.instantiate();
  std::atomic<bool> ok{true};
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; t++) {
    workers.emplace_back([&] {
      runtime::Stream& stream = new_stream();
      for (int i = 0; i < each; i++) {
        if (!exec->launch(stream).ok()) ok = false;
      }
      if (!stream.synchronize().ok()) ok = false;
      destroy(stream);
    });
  }
  for (std::thread& worker : workers) worker.join();
  result.ok = ok;
  result.runs = section.runs;
  result.overlaps = section.overlaps;
  return result;
}

void launches_from_several_threads_and_streams_run_one_after_another(void**) {
  const Runs result = launches_from_threads(4, 25);

  assert_true(result.ok);
  assert_int_equal(result.runs, 100);
  assert_int_equal(result.overlaps, 0);
}

struct Across {
  bool ok = false;
  int early = -1;
  int late = -1;
};

enum class Between { nothing, memory_goes };
Across launch_behind_a_launch_held_in_another_stream(bool empty,
                                                     Between between = Between::nothing) {
  Across across;
  std::atomic<int> ran{0};
  auto count = [](void* at) { (*static_cast<std::atomic<int>*>(at))++; };
  Sketch sketch;
  if (!empty) sketch.host(count, &ran);
  auto exec = sketch.instantiate();
  runtime::Stream& held = new_stream();
  runtime::Stream& free = new_stream();
  Gate gate;
  across.ok = runtime::host_function(held, Gate::wait, &gate).ok() && exec->launch(held).ok();
  if (between == Between::memory_goes) runtime::Device::unmapped();
  across.ok = across.ok && exec->launch(free).ok();
  if (empty) across.ok = across.ok && runtime::host_function(free, count, &ran).ok();
  pause_ms(30);
  across.early = ran;
  gate.open = true;
  across.ok = across.ok && held.synchronize().ok() && free.synchronize().ok();
  across.late = ran;
  exec.reset();
  destroy(held);
  destroy(free);
  return across;
}

void a_launch_waits_for_the_one_before_in_another_stream(void**) {
  const Across across = launch_behind_a_launch_held_in_another_stream(false);

  assert_true(across.ok);
  assert_int_equal(across.early, 0);
  assert_int_equal(across.late, 2);
}

// Its encodings are made again then.
void a_launch_waits_for_the_one_before_although_memory_went_meanwhile(void**) {
  const Across across = launch_behind_a_launch_held_in_another_stream(false, Between::memory_goes);

  assert_true(across.ok);
  assert_int_equal(across.early, 0);
  assert_int_equal(across.late, 2);
}

void an_empty_graph_still_orders_its_streams(void**) {
  const Across across = launch_behind_a_launch_held_in_another_stream(true);

  assert_true(across.ok);
  assert_int_equal(across.early, 0);
  assert_int_equal(across.late, 1);
}

struct Destroyed {
  bool ok = false;
  uint32_t result = 0;
  size_t kept_while_running = 0;
  size_t kept_afterwards = 99;
};

Destroyed destroyed_while_running() {
  Destroyed d;
  auto* cells = managed<uint32_t>(10);
  runtime::Stream& stream = new_stream();
  Gate gate;
  d.ok = runtime::host_function(stream, Gate::wait, &gate).ok();
  {
    Sketch sketch;
    uint32_t last = sketch.fill(cells, 5, 1);
    for (uint32_t i = 0; i < 9; i++) last = sketch.copy(cells + i + 1, cells + i, 4, {last});
    auto exec = sketch.instantiate();
    d.ok = d.ok && exec->launch(stream).ok() && exec->launch(stream).ok();
  }
  d.kept_while_running = exec::free_retired();
  gate.open = true;
  d.ok = d.ok && stream.synchronize().ok();
  d.kept_afterwards = exec::free_retired();
  d.result = cells[9];
  destroy(stream);
  free_managed(cells);
  return d;
}

void destroying_executable_and_template_lets_launches_finish(void**) {
  const Destroyed d = destroyed_while_running();

  assert_true(d.ok);
  assert_int_equal(d.result, 5);
  assert_int_equal(d.kept_while_running, 2);
  assert_int_equal(d.kept_afterwards, 0);
}

struct Edited {
  bool ok = false;
  uint32_t cells[2] = {};
};

Edited template_edited_after_instantiation() {
  Edited e;
  auto* cells = managed<uint32_t>(2);
  std::unique_ptr<exec::Exec> exec;
  {
    Sketch sketch;
    const uint32_t first = sketch.fill(cells, 1, 1);
    exec = sketch.instantiate();
    graph::FillShape other;
    other.dst = cells;
    other.value = 2;
    other.element_size = 4;
    other.width = 1;
    sketch.graph().nodes()[first]->set_params(
        must(graph::FillParams::make(other), "other parameters"));
    sketch.fill(cells + 1, 3, 1, {first});
  }
  runtime::Stream& stream = new_stream();
  e.ok = exec->launch(stream).ok() && stream.synchronize().ok();
  memcpy(e.cells, cells, sizeof e.cells);
  exec.reset();
  destroy(stream);
  free_managed(cells);
  return e;
}

void editing_and_destroying_the_template_changes_nothing(void**) {
  const Edited e = template_edited_after_instantiation();

  assert_true(e.ok);
  assert_int_equal(e.cells[0], 1);
  assert_int_equal(e.cells[1], 0);
}

struct Nodes {
  bool ok = false;
  int early = -1, late = -1;
  xpuError_t recorded_early = xpuSuccess, recorded_late = xpuSuccess;
};

// record(a) -> host -> wait(b): the graph records one event and waits for another that is recorded
// between instantiation and launch.
Nodes event_nodes() {
  Nodes n;
  runtime::Event& a = *must(runtime::Event::create(device(), 0), "an event");
  runtime::Event& b = *must(runtime::Event::create(device(), 0), "an event");
  std::atomic<int> ran{0};
  auto count = [](void* at) { (*static_cast<std::atomic<int>*>(at))++; };
  Sketch sketch;
  const uint32_t wait =
      sketch.add(graph::EventParams::make_wait(b.shared_from_this(), b.handle()), {});
  const uint32_t host = sketch.host(count, &ran, {wait});
  sketch.add(graph::EventParams::make_record(a.shared_from_this(), a.handle()), {host});
  auto exec = sketch.instantiate();
  runtime::Stream& stream = new_stream();
  runtime::Stream& other = new_stream();
  Gate gate;
  n.ok = runtime::host_function(other, Gate::wait, &gate).ok() && b.record(other).ok() &&
         exec->launch(stream).ok();
  pause_ms(20);
  n.early = ran;
  n.recorded_early = a.query().code();
  gate.open = true;
  n.ok = n.ok && stream.synchronize().ok() && other.synchronize().ok();
  n.late = ran;
  n.recorded_late = a.query().code();
  exec.reset();
  destroy(stream);
  destroy(other);
  runtime::Event::destroy(a.handle());
  runtime::Event::destroy(b.handle());
  return n;
}

void event_nodes_mean_the_record_that_is_newest_at_launch(void**) {
  const Nodes n = event_nodes();

  assert_true(n.ok);
  assert_int_equal(n.early, 0);
  assert_int_equal(n.recorded_early, xpuErrorNotReady);
  assert_int_equal(n.late, 1);
  assert_int_equal(n.recorded_late, xpuSuccess);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(branches_on_several_lanes_join_in_the_stream),
      cmocka_unit_test(a_hundred_launches_over_lanes_and_two_streams_end_right),
      cmocka_unit_test(launches_from_several_threads_and_streams_run_one_after_another),
      cmocka_unit_test(a_launch_waits_for_the_one_before_in_another_stream),
      cmocka_unit_test(a_launch_waits_for_the_one_before_although_memory_went_meanwhile),
      cmocka_unit_test(an_empty_graph_still_orders_its_streams),
      cmocka_unit_test(destroying_executable_and_template_lets_launches_finish),
      cmocka_unit_test(editing_and_destroying_the_template_changes_nothing),
      cmocka_unit_test(event_nodes_mean_the_record_that_is_newest_at_launch),
  };
  return finish_execs(XPU_RUN_TESTS(tests));
}
