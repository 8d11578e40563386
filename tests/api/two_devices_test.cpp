// SPDX-License-Identifier: Apache-2.0
// Graphs with nodes on two devices: what runs where, in which order, and how copies get across.
#include "two_devices.h"

#include "profiling.h"

using namespace xpu::test;

// p[0] on device 0 and q[0] on device 1 become one more each; their sum is made on device 1 and
// brought back to p[1].
struct Pair {
  int *p, *q;
  xpuGraph_t graph;
  xpuGraphNode_t first, second, across, sum, back;
};
static Pair make_pair() {
  Pair pair = {ints_on(0, 4), ints_on(1, 4), new_graph(), nullptr,
               nullptr,       nullptr,       nullptr,     nullptr};
  pair.first = add_on(0, pair.graph, {}, "add", pair.p, 0, 1);
  pair.second = add_on(1, pair.graph, {}, "add", pair.q, 0, 1);
  pair.across = add_copy(pair.graph, {pair.first}, pair.q + 1, pair.p, 1);
  pair.sum = add_on(1, pair.graph, {pair.across, pair.second}, "vector_add", pair.q + 2, pair.q,
                    pair.q + 1, 1);
  pair.back = add_copy(pair.graph, {pair.sum}, pair.p + 1, pair.q + 2, 1);
  return pair;
}
static void store_both(const Pair& pair, int p, int q) {
  on(0, [&] { return assert_ok(xpuMemcpy(pair.p, &p, sizeof p, xpuMemcpyHostToDevice)), 0; });
  on(1, [&] { return assert_ok(xpuMemcpy(pair.q, &q, sizeof q, xpuMemcpyHostToDevice)), 0; });
}
static void end_pair(const Pair& pair) {
  assert_ok(xpuGraphDestroy(pair.graph));
  assert_ok(xpuFree(pair.p));
  assert_ok(xpuFree(pair.q));
}

static void each_node_runs_on_its_device(void**) {
  const Pair pair = make_pair();
  const xpuGraphExec_t exec = instantiate(pair.graph);
  store_both(pair, 10, 200);
  for (int i = 0; i < 5; i++) assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) {
    assert_int_equal(15, fetch(pair.p));
    assert_int_equal(205, fetch_on(1, pair.q));
    assert_int_equal(220, fetch(pair.p + 1));
  }
  assert_ok(xpuGraphExecDestroy(exec));
  end_pair(pair);
}

// Each launch is behind what its stream has before it, and before what comes later there.
static void a_launch_may_come_from_a_stream_of_either(void**) {
  static Gate gate;
  const Pair pair = make_pair();
  const xpuGraphExec_t exec = instantiate(pair.graph);
  const xpuStream_t other = stream_on(1);
  store_both(pair, 0, 0);
  for (int i = 0; i < 6; i++) assert_ok(xpuGraphLaunch(exec, i % 2 ? other : stream));
  gate.shut(other);
  launch_on(1, other, "store", pair.q, 0, 100);
  assert_ok(xpuGraphLaunch(exec, other));
  assert_ok(xpuMemcpyAsync(pair.q + 3, pair.q + 2, sizeof(int), xpuMemcpyDefault, other));
  if (shown(waits)) {
    gate.await();
    sleep_ms(20);
  }
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(other));
  if (shown(executes)) {
    assert_int_equal(7, fetch(pair.p));
    assert_int_equal(101, fetch_on(1, pair.q));
    assert_int_equal(108, fetch(pair.p + 1));
    assert_int_equal(108, fetch_on(1, pair.q + 3));
  }
  // Held back by the launch before it, in the other stream.
  gate.shut(stream);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuGraphLaunch(exec, other));
  assert_ok(xpuMemcpyAsync(pair.q + 3, pair.q + 2, sizeof(int), xpuMemcpyDefault, other));
  if (shown(waits)) {
    gate.await();
    sleep_ms(20);
  }
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(other));
  if (shown(executes)) assert_int_equal(9 + 103, fetch_on(1, pair.q + 3));
  assert_ok(xpuGraphUpload(exec, other));
  assert_ok(xpuStreamDestroy(other));
  assert_ok(xpuGraphExecDestroy(exec));
  end_pair(pair);
}

static void a_graph_may_be_on_the_other_device_alone(void**) {
  int* const q = ints_on(1, 2);
  const xpuGraph_t graph = new_graph();
  (void)add_on(1, graph, {add_on(1, graph, {}, "store", q, 0, 3)}, "add", q, 0, 4);
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(7, fetch_on(1, q));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(q));
}

static void work_of_both_devices_is_captured_through_events(void**) {
  int *const p = ints_on(0, 2), *const q = ints_on(1, 2);
  const xpuStream_t other = stream_on(1);
  begin(stream, xpuStreamCaptureModeRelaxed);
  launch_on(0, stream, "store", p, 0, 5);
  order_across(0, stream, other);
  assert_ok(xpuMemcpyAsync(q, p, sizeof(int), xpuMemcpyDefault, other));
  launch_on(1, other, "add", q, 0, 1);
  launch_on(0, stream, "add", p, 0, 10);
  order_across(1, other, stream);
  assert_ok(xpuMemcpyAsync(p + 1, q, sizeof(int), xpuMemcpyDefault, stream));
  const xpuGraph_t graph = end(stream);
  assert_int_equal(5, node_count(graph));
  const xpuGraphExec_t exec = instantiate(graph);
  for (int i = 0; i < 3; i++) assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) {
    assert_int_equal(15, fetch(p));
    assert_int_equal(6, fetch_on(1, q));
    assert_int_equal(6, fetch(p + 1));
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(other));
  assert_ok(xpuFree(p));
  assert_ok(xpuFree(q));
}

// Nothing of a launch begins before the stream's earlier work is over, on neither device, and the
// later work of both devices' streams sees all of it.
static void a_launch_is_between_the_streams_earlier_and_later_work(void**) {
  static Gate gate;
  const Pair pair = make_pair();
  const xpuGraphExec_t exec = instantiate(pair.graph);
  const xpuStream_t other = stream_on(1);
  store_both(pair, 1, 2);
  gate.shut(other);
  launch_on(1, other, "store", pair.q, 0, 50);
  order_across(1, other, stream);
  launch_on(0, stream, "add", pair.p, 0, 100);
  assert_ok(xpuGraphLaunch(exec, stream));
  order_across(0, stream, other);
  launch_on(1, other, "add", pair.q, 2, 1000);
  if (shown(waits)) {
    gate.await();
    sleep_ms(20);
    assert_code(xpuStreamQuery(stream), xpuErrorNotReady);
  }
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(other));
  if (shown(executes)) {
    assert_int_equal(102, fetch(pair.p));
    assert_int_equal(51, fetch_on(1, pair.q));
    assert_int_equal(153, fetch(pair.p + 1));
    assert_int_equal(1153, fetch_on(1, pair.q + 2));
  }
  assert_ok(xpuStreamSynchronize(stream));
  assert_ok(xpuStreamDestroy(other));
  assert_ok(xpuGraphExecDestroy(exec));
  end_pair(pair);
}

// Large enough for a copy engine, there and back.
static void a_large_copy_gets_across_and_back(void**) {
  enum { kInts = 300000 };
  static int in[kInts], out[kInts];
  for (int i = 0; i < kInts; i++) in[i] = i * 7 + 1;
  int *const p = ints_on(0, kInts), *const q = ints_on(1, kInts), *const r = ints_on(0, kInts);
  assert_ok(xpuMemcpy(p, in, sizeof in, xpuMemcpyHostToDevice));
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t there = add_copy(graph, {}, q, p, kInts);
  (void)add_copy(graph, {there}, r, q, kInts);
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  fetch(out, r, sizeof out);
  if (shown(executes)) assert_memory_equal(in, out, sizeof in);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  for (int* memory : {p, q, r}) assert_ok(xpuFree(memory));
}

static void an_event_is_recorded_on_its_device(void**) {
  int *const q = ints_on(1, 1), *const copy = ints_on(1, 1);
  const xpuEvent_t event = event_on(1);
  const xpuStream_t other = stream_on(1);
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t store = add_on(1, graph, {}, "store", q, 0, 9);
  xpuGraphNode_t record = nullptr;
  assert_ok(xpuGraphAddEventRecordNode(&record, graph, &store, 1, event));
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamWaitEvent(other, event, xpuEventWaitDefault));
  launch_on(1, other, "copy_one", copy, 0, q, 0);
  assert_ok(xpuStreamSynchronize(other));
  if (shown(executes)) assert_int_equal(9, fetch_on(1, copy));
  assert_ok(xpuStreamSynchronize(stream));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuEventDestroy(event));
  assert_ok(xpuStreamDestroy(other));
  assert_ok(xpuFree(q));
  assert_ok(xpuFree(copy));
}

static void memory_decides_where_copies_and_fills_run(void**) {
  int *const p = ints_on(0, 4), *const q = ints_on(1, 4);
  int host[4] = {1, 2, 3, 4};
  const xpuGraph_t graph = new_graph();
  (void)add_on(0, graph, {}, "store", p, 0, 1);  // 0
  (void)add_on(1, graph, {}, "store", q, 0, 1);  // 1
  xpuMemsetParams fill = {};
  fill.struct_size = sizeof fill;
  fill.elementSize = 4;
  fill.width = fill.height = 1;
  xpuGraphNode_t node = nullptr;
  for (int* at : {p + 1, q + 1}) {  // 2, 3
    fill.dst = at;
    assert_ok(xpuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  }
  (void)add_copy(graph, {}, p + 2, host, 1);      // 4
  (void)add_copy(graph, {}, q + 2, host, 1);      // 5
  (void)add_copy(graph, {}, host + 3, q + 3, 1);  // 6
  profile_and_destroy(graph);
  assert_int_equal(7, count);
  assert_int_not_equal(rows[row_of(0)].lane, rows[row_of(1)].lane);
  assert_int_equal(rows[row_of(0)].lane, rows[row_of(2)].lane);
  assert_int_equal(rows[row_of(1)].lane, rows[row_of(3)].lane);
  assert_int_equal(rows[row_of(0)].lane, rows[row_of(4)].lane);
  assert_int_equal(rows[row_of(1)].lane, rows[row_of(5)].lane);
  assert_int_equal(rows[row_of(1)].lane, rows[row_of(6)].lane);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
  assert_ok(xpuFree(q));
}

// The clocks of two devices are two; times of the profile are of one.
static void a_profile_has_the_times_of_both_devices(void**) {
  const Pair pair = make_pair();
  profile_and_destroy(pair.graph);
  assert_int_equal(5, count);
  if (shown(timestamps)) {
    for (size_t i = 0; i < count; i++) assert_int_equal(1, rows[i].timed);
    constexpr unsigned long long kSlack = 1000;  // ns: what tying two clocks together may cost
    const unsigned edges[][2] = {{0, 2}, {2, 3}, {1, 3}, {3, 4}};
    for (const auto& edge : edges)
      assert_true(end_of(rows[row_of(edge[0])]) <= rows[row_of(edge[1])].startNs + kSlack);
  }
  end_pair(pair);
}

static int open_both(void**) { return load_both(nullptr) || open_all(nullptr); }
static int close_both(void**) { return close_all(nullptr) || unload_second(nullptr); }

int main() {
  int devices = 0;
  if (xpuGetDeviceCount(&devices) != xpuSuccess || devices < 2) return 77;
  const Test tests[] = {
      xpu_test(each_node_runs_on_its_device, results(executes)),
      xpu_test(a_launch_may_come_from_a_stream_of_either, results(executes | waits)),
      xpu_test(a_graph_may_be_on_the_other_device_alone, results(executes)),
      xpu_test(work_of_both_devices_is_captured_through_events, results(executes)),
      xpu_test(a_launch_is_between_the_streams_earlier_and_later_work, results(executes | waits)),
      xpu_test(a_large_copy_gets_across_and_back, results(executes)),
      xpu_test(an_event_is_recorded_on_its_device, results(executes)),
      xpu_test(memory_decides_where_copies_and_fills_run),
      xpu_test(a_profile_has_the_times_of_both_devices, results(timestamps)),
  };
  return run_all(tests, open_both, close_both);
}
