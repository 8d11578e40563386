// SPDX-License-Identifier: Apache-2.0
// Launching one executable again and again before the first run has ended: behind a gate, from
// several streams.
#include <time.h>

#include "ground.h"

using namespace xpu::test;

static Gate gate;

enum { kLaunches = 20 };

// A wide graph: eight chains of three steps on eight numbers, and a copy of the sum at the end.
struct Wide {
  xpuGraph_t graph;
  xpuGraphExec_t exec;
  int* p;  // eight numbers, then their sum
};

static Wide make_wide() {
  Wide w = {new_graph(), nullptr, device_ints(9, 1)};
  xpuGraphNode_t ends[8];
  for (int i = 0; i < 8; i++) {
    xpuGraphNode_t n = add_one(w.graph, nullptr, "step", w.p + i, 3, i);
    n = add_one(w.graph, n, "step", w.p + i, 5, 1);
    ends[i] = add_one(w.graph, n, "step", w.p + i, 7, 2);
  }
  Args<int*, int*, int> args(w.p + 8, w.p, 8);
  const xpuKernelNodeParams sum = node_params(kernel("sum"), dim(1), dim(1), args.get());
  xpuGraphNode_t last = nullptr;
  assert_ok(xpuGraphAddKernelNode(&last, w.graph, ends, 8, &sum));
  w.exec = instantiate(w.graph);
  return w;
}
static void end_wide(const Wide& w) {
  assert_ok(xpuGraphExecDestroy(w.exec));
  assert_ok(xpuGraphDestroy(w.graph));
  assert_ok(xpuFree(w.p));
}

static void check_wide(const Wide& w, int launches) {
  int seen[9];
  unsigned sum = 0;
  fetch(seen, w.p, sizeof seen);
  for (unsigned i = 0; i < 8; i++) {
    unsigned expected = 1;
    for (int n = 0; n < launches; n++) expected = ((expected * 3 + i) * 5 + 1) * 7 + 2;
    assert_int_equal(static_cast<int>(expected), seen[i]);
    sum += expected;
  }
  assert_int_equal(static_cast<int>(sum), seen[8]);
}

static double seconds() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

static void twenty_launches_are_queued_behind_a_gate_without_waiting(void**) {
  const Wide w = make_wide();
  const xpuStream_t s = new_stream();
  assert_ok(xpuGraphUpload(w.exec, s));

  gate.shut(s);
  if (shown(calls_back)) gate.await();
  const double begin = seconds();
  for (int i = 0; i < kLaunches; i++) assert_ok(xpuGraphLaunch(w.exec, s));
  const double took = seconds() - begin;
  if (shown(waits)) assert_code(xpuStreamQuery(s), xpuErrorNotReady);
  assert_false(gate.open.load());
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  // The gate opens itself after ten seconds: a launch that waited would have taken as long.
  assert_true(took < 8);
  if (shown(executes)) check_wide(w, kLaunches);
  end_wide(w);
  assert_ok(xpuStreamDestroy(s));
}

static void eager_work_between_launches_keeps_its_place(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuStream_t s = new_stream();
  int* p = device_ints(1, 1);
  unsigned expected = 1;
  add_one(graph, add_one(graph, nullptr, "step", p, 3, 1), "step", p, 5, 2);
  const xpuGraphExec_t exec = instantiate(graph);

  gate.shut(s);
  for (int i = 0; i < kLaunches; i++) {
    assert_ok(xpuGraphLaunch(exec, s));
    launch_one(s, "step", p, 7, i);
    expected = ((expected * 3 + 1) * 5 + 2) * 7 + static_cast<unsigned>(i);
  }
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  if (shown(executes)) assert_int_equal(static_cast<int>(expected), fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

static void launches_from_several_streams_run_one_after_the_other(void**) {
  enum { kStreams = 4 };
  const Wide w = make_wide();
  xpuStream_t s[kStreams];
  for (int i = 0; i < kStreams; i++) s[i] = new_stream();

  gate.shut(s[0]);
  for (int i = 0; i < 3 * kLaunches; i++) assert_ok(xpuGraphLaunch(w.exec, s[i % kStreams]));
  // The first launch is behind the gate, and the others are behind it.
  if (shown(waits))
    for (int i = 0; i < kStreams; i++) assert_code(xpuStreamQuery(s[i]), xpuErrorNotReady);
  gate.open = 1;
  assert_ok(xpuDeviceSynchronize());

  if (shown(executes)) check_wide(w, 3 * kLaunches);
  end_wide(w);
  for (int i = 0; i < kStreams; i++) assert_ok(xpuStreamDestroy(s[i]));
}

static void launches_in_all_kinds_of_streams_run_one_after_the_other(void**) {
  const Wide w = make_wide();
  xpuStream_t blocking = nullptr;
  const xpuStream_t free = new_stream();
  assert_ok(xpuStreamCreate(&blocking));
  const xpuStream_t all[] = {nullptr, blocking, free, xpuStreamPerThread, xpuStreamLegacy};

  for (int i = 0; i < 30; i++) assert_ok(xpuGraphLaunch(w.exec, all[i % 5]));
  assert_ok(xpuDeviceSynchronize());

  if (shown(executes)) check_wide(w, 30);
  end_wide(w);
  assert_ok(xpuStreamDestroy(blocking));
  assert_ok(xpuStreamDestroy(free));
}

static void two_executables_that_take_turns_see_each_others_results(void**) {
  const xpuGraph_t first = new_graph(), second = new_graph();
  const xpuStream_t s = new_stream();
  int* p = device_ints(1, 1);
  unsigned expected = 1;
  add_one(first, nullptr, "step", p, 3, 1);
  add_one(second, nullptr, "step", p, 5, 2);
  const xpuGraphExec_t a = instantiate(first), b = instantiate(second);

  gate.shut(s);
  for (int i = 0; i < kLaunches; i++) {
    assert_ok(xpuGraphLaunch(a, s));
    assert_ok(xpuGraphLaunch(b, s));
    expected = (expected * 3 + 1) * 5 + 2;
  }
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  if (shown(executes)) assert_int_equal(static_cast<int>(expected), fetch(p));
  assert_ok(xpuGraphExecDestroy(a));
  assert_ok(xpuGraphExecDestroy(b));
  assert_ok(xpuGraphDestroy(first));
  assert_ok(xpuGraphDestroy(second));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

static void host_nodes_are_called_once_a_launch(void**) {
  static int calls;
  const xpuGraph_t graph = new_graph();
  const xpuStream_t s = new_stream();
  const xpuHostNodeParams count = {sizeof count, 0, [](void* at) { ++*static_cast<int*>(at); },
                                   &calls};
  xpuGraphNode_t node = nullptr;
  calls = 0;
  assert_ok(xpuGraphAddHostNode(&node, graph, nullptr, 0, &count));
  const xpuGraphExec_t exec = instantiate(graph);

  gate.shut(s);
  for (int i = 0; i < kLaunches; i++) assert_ok(xpuGraphLaunch(exec, s));
  assert_int_equal(0, calls);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  if (shown(calls_back)) assert_int_equal(kLaunches, calls);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(s));
}

static void an_event_after_a_launch_stands_for_all_of_it(void**) {
  const Wide w = make_wide();
  const xpuStream_t s = new_stream();
  const xpuEvent_t begin = new_event(), end = new_event();
  float ms = -1;

  assert_ok(xpuEventRecord(begin, s));
  for (int i = 0; i < 4; i++) assert_ok(xpuGraphLaunch(w.exec, s));
  assert_ok(xpuEventRecord(end, s));
  assert_ok(xpuEventSynchronize(end));
  assert_soon(xpuStreamQuery(s));
  assert_ok(xpuEventElapsedTime(&ms, begin, end));

  if (shown(timestamps)) assert_true(ms > 0);
  if (shown(executes)) check_wide(w, 4);
  end_wide(w);
  assert_ok(xpuEventDestroy(begin));
  assert_ok(xpuEventDestroy(end));
  assert_ok(xpuStreamDestroy(s));
}

// It waits for that launch alone: what stands still behind it may be waiting for this one.
static void a_launch_in_another_stream_is_not_behind_the_first_streams_later_work(void**) {
  const Wide w = make_wide();
  const xpuStream_t first = new_stream(), second = new_stream();

  assert_ok(xpuGraphLaunch(w.exec, first));
  gate.shut(first);
  assert_ok(xpuGraphLaunch(w.exec, second));
  assert_soon(xpuStreamQuery(second));
  if (shown(calls_back)) assert_code(xpuStreamQuery(first), xpuErrorNotReady);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(first));

  if (shown(executes)) check_wide(w, 2);
  end_wide(w);
  assert_ok(xpuStreamDestroy(first));
  assert_ok(xpuStreamDestroy(second));
}

int main() {
  const Test tests[] = {
      xpu_test(twenty_launches_are_queued_behind_a_gate_without_waiting,
               results(calls_back | executes | waits)),
      xpu_test(eager_work_between_launches_keeps_its_place, results(executes)),
      xpu_test(launches_from_several_streams_run_one_after_the_other, results(executes | waits)),
      xpu_test(launches_in_all_kinds_of_streams_run_one_after_the_other, results(executes)),
      xpu_test(two_executables_that_take_turns_see_each_others_results, results(executes)),
      xpu_test(host_nodes_are_called_once_a_launch, results(calls_back)),
      xpu_test(a_launch_in_another_stream_is_not_behind_the_first_streams_later_work,
               results(calls_back | executes)),
      xpu_test(an_event_after_a_launch_stands_for_all_of_it, results(executes | timestamps)),
  };
  return run_all(tests);
}
