// SPDX-License-Identifier: Apache-2.0
// Every driver call that a loop makes on its thread fails once: the stream goes on, the failure
// comes back, and the executable says what it is good for.
#include <cstring>

#include "exec_world.h"
#include "runtime/word.h"

namespace {

using namespace xpu;
using namespace xpu::test;

constexpr uint32_t kTurns = 3;

// A loop without kernels: each turn shifts a row of ones, and the value is what comes first.
struct Loop {
  uint32_t* row = managed<uint32_t>(16);  // the row, room to shift it through, and the end
  uint32_t* ones = managed<uint32_t>(8);
  Sketch sketch;
  std::shared_ptr<graph::Graph> body = graph::Graph::make();

  Loop() {
    for (uint32_t i = 0; i < kTurns; i++) ones[i] = 1;
    auto condition = std::make_shared<graph::Condition>(
        must(runtime::make_word(device()), "a word"), uint32_t{1});
    sketch.graph().add_condition(condition);
    const uint32_t start = sketch.copy(row, ones, 32);
    const uint32_t node =
        sketch.add(graph::ConditionalParams::make(condition, graph::Choice::loop, {body}), {start});
    sketch.fill(row + 15, 7, 1, {node});
    copy_in_body(row + 8, row + 1, 28);
    copy_in_body(row, row + 8, 28);
    copy_in_body(condition->word(), row, 4);
  }
  ~Loop() {
    free_managed(row);
    free_managed(ones);
  }
  bool right() const { return row[0] == 0 && row[15] == 7; }

 private:
  void copy_in_body(void* dst, const void* src, size_t bytes) {
    auto params = must(graph::CopyParams::make_linear(dst, src, bytes, xpuMemcpyDefault), "a copy");
    std::vector<graph::Node*> after;
    if (body->size()) after.push_back(body->nodes().back());
    must(body->add(std::move(params), after), "a node");
  }
};

// On the thread that serves the stream, behind what it has to do; waits for it.
void on_thread_of(runtime::Stream& stream, ze::ThreadFunction function) {
  bool taken = false;
  must(stream.submit(
           [&](ze::List& list) { return list.thread_function(function, nullptr, {}, taken); }),
       "a function");
  must(stream.synchronize(), "synchronising");
}

// Events that were waited for are looked after; one that cannot be is not used again.
bool is_of_the_past(int call) {
  return call == static_cast<int>(Call::EventQueryStatus) ||
         call == static_cast<int>(Call::EventHostReset);
}

struct Outcomes {
  int tried = 0;
  int retried = 0;  // signals are given twice
  int silent = 0, without_sentence = 0, launchable = 0, unsaid = 0, spoilt_stream = 0;
};

Outcomes loop_with_faults() {
  Outcomes out;
  Loop loop;
  Recorder::mine = false;
  runtime::Stream& stream = new_stream();
  on_thread_of(stream, [](void*, ze_result_t) { Recorder::mine = true; });
  for (int n = 0; n < 1000; n++) {
    auto exec = loop.sketch.instantiate();
    recorder().clear();
    recorder().fail_in = n;
    must(exec->launch(stream), "launching");
    const Status status = stream.synchronize();
    recorder().fail_in = -1;
    if (recorder().failed < 0) {
      if (!status.ok() || !loop.right()) out.spoilt_stream++;
      break;
    }
    out.tried++;
    if (recorder().failed == static_cast<int>(Call::EventHostSignal)) {
      out.retried += status.ok() && loop.right();
      continue;
    }
    if (is_of_the_past(recorder().failed) && status.ok()) continue;
    if (status.ok()) out.silent++;
    if (status.sentence().empty()) out.without_sentence++;
    const Status again = exec->launch(stream);
    if (again.ok()) out.launchable++;
    if (!strstr(again.sentence().c_str(), "conditional node")) out.unsaid++;
    // The stream is as good as before.
    auto other = loop.sketch.instantiate();
    memset(loop.row, 0, 64);
    if (!stream.synchronize().ok() || !other->launch(stream).ok() || !stream.synchronize().ok() ||
        !loop.right())
      out.spoilt_stream++;
  }
  destroy(stream);
  Recorder::mine = true;
  return out;
}

void a_loop_whose_driver_calls_fail_says_so_and_holds_nothing_up(void**) {
  const Outcomes out = loop_with_faults();

  // A wait for what comes before; for each turn a list and a wait at least; and the signal.
  assert_in_range(out.tried, 2 + 2 * kTurns, 200);
  assert_true(out.retried > 0);
  assert_int_equal(out.silent, 0);
  assert_int_equal(out.without_sentence, 0);
  assert_int_equal(out.launchable, 0);
  assert_int_equal(out.unsaid, 0);
  assert_int_equal(out.spoilt_stream, 0);
}

struct Launches {
  int tried = 0, silent = 0, wrong = 0;
};
// The calls of the launch itself.
Launches launch_with_faults() {
  Launches out;
  Loop loop;
  runtime::Stream& stream = new_stream();
  for (int n = 0; n < 1000; n++) {
    auto exec = loop.sketch.instantiate();
    recorder().clear();
    recorder().fail_in = n;
    const Status status = exec->launch(stream);
    recorder().fail_in = -1;
    const bool failed = recorder().failed >= 0;
    (void)stream.synchronize();
    // A launch that failed half-way may have left the thread with it.
    on_thread_of(stream, [](void*, ze_result_t) {});
    if (!failed) {
      if (!status.ok() || !loop.right()) out.wrong++;
      break;
    }
    out.tried++;
    out.silent += status.ok() && !is_of_the_past(recorder().failed);
    exec.reset();
    auto other = loop.sketch.instantiate();
    memset(loop.row, 0, 64);
    if (!other->launch(stream).ok() || !stream.synchronize().ok() || !loop.right()) out.wrong++;
  }
  destroy(stream);
  return out;
}

void a_launch_whose_driver_calls_fail_leaves_nothing_running(void**) {
  const Launches out = launch_with_faults();

  assert_in_range(out.tried, 4, 100);
  assert_int_equal(out.silent, 0);
  assert_int_equal(out.wrong, 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_whose_driver_calls_fail_says_so_and_holds_nothing_up),
      cmocka_unit_test(a_launch_whose_driver_calls_fail_leaves_nothing_running),
  };
  return finish_execs(XPU_RUN_TESTS(tests));
}
