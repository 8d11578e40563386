// SPDX-License-Identifier: Apache-2.0
// Recaptures in several threads, and the end of one while the program's function runs.
#include "recapture.h"

using namespace xpu::test;

namespace {

xpuError_t give_up(void* stream) {
  return elsewhere([=] { return xpuStreamAbortCapture(static_cast<xpuStream_t>(stream)); });
}
xpuError_t end_early(void* stream) {
  return elsewhere([=] { return xpuStreamEndCapture(static_cast<xpuStream_t>(stream), nullptr); });
}
xpuError_t destroy(void* stream) {
  return elsewhere([=] { return xpuStreamDestroy(static_cast<xpuStream_t>(stream)); });
}

// The call that asked comes back and touches nothing of it.
void the_capture_may_end_while_the_function_runs(void**) {
  struct Way {
    xpuError_t (*inside)(void*);
    xpuError_t told, answer;
  };
  for (const Way& way : {Way{give_up, xpuSuccess, xpuErrorIllegalState},
                         Way{end_early, xpuErrorGraphRecaptureFailure, xpuErrorIllegalState},
                         Way{destroy, xpuSuccess, xpuErrorIllegalState}}) {
    const xpuStream_t mortal = new_stream();
    const xpuGraph_t graph = new_graph();
    const xpuGraphNode_t node = add_one(graph, nullptr, "store", p, 0, 1);
    Asked asked;
    asked.inside = way.inside;
    asked.with = mortal;
    begin_again(mortal, graph, &asked);
    Args<int*, int, int> args(p, 0, 9);
    assert_code(xpuLaunchKernel(kernel("store"), dim(1), dim(1), args.get(), 0, mortal),
                way.answer);
    assert_code(asked.told, way.told);
    check_ruined(graph, node);
    if (way.inside != destroy) assert_ok(xpuStreamDestroy(mortal));
  }
}

// One after the other, in threads of their own: the order is the program's.
void threads_capture_again_in_turn(void**) {
  const xpuGraph_t graph = captured_digits(s, 1, 2, 3);
  Asked asked;
  begin_again(s, graph, &asked);
  for (int i = 0; i < 3; i++)
    assert_ok(
        elsewhere([i] { return i ? launched(s, "step", 10, 7) : launched(s, "store", 0, 7); }));
  end_again(s, graph);
  assert_int_equal(3, asked.times);
  assert_ok(xpuGraphDestroy(graph));
}

// Streams of one capture, each in a thread of its own: the nodes of one come after those of the
// other, and the function is asked in both at the same time.
void the_function_is_asked_in_two_threads_at_once(void**) {
  static std::atomic<int> inside;
  struct Both {
    static xpuError_t ask(void*, xpuGraphNode_t, const xpuGraphNodeParams*,
                          const xpuGraphNodeParams*) {
      inside++;
      for (int i = 0; i < 10000 && inside < 2; i++) sleep_ms(1);
      return inside == 2 ? xpuSuccess : xpuErrorTimeout;
    }
  };
  const xpuStream_t t = new_stream();
  begin(s, xpuStreamCaptureModeRelaxed);
  order(s, t);
  launch_one(s, "store", p, 0, 1);
  launch_one(t, "store", p, 1, 1);
  order(t, s);
  const xpuGraph_t graph = end(s);

  inside = 0;
  const xpuGraphRecaptureCallbackData data = {Both::ask, nullptr};
  assert_ok(xpuStreamBeginRecaptureToGraph(s, xpuStreamCaptureModeRelaxed, graph, &data));
  order(s, t);
  xpuError_t first = xpuErrorUnknown;
  std::thread one([&] { first = launched(s, "store", 0, 2); });
  while (!inside) sleep_ms(1);
  const xpuError_t second = launched(t, "store", 1, 2);
  one.join();
  assert_ok(first);
  assert_ok(second);
  order(t, s);
  end_again(s, graph);
  run_and_destroy(graph);
  for (int i = 0; i < 2; i++) assert_computes(2, p + i);
  assert_ok(xpuStreamDestroy(t));
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(the_capture_may_end_while_the_function_runs),
      xpu_test(threads_capture_again_in_turn),
      xpu_test(the_function_is_asked_in_two_threads_at_once, results(executes)),
  };
  return run_all(tests, open_things, close_things);
}
