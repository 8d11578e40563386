// SPDX-License-Identifier: Apache-2.0
// External semaphores: what streams and graphs signal to other programs and wait for.
#include "any_node.h"
#include "capturing.h"
#include "semaphores.h"

using namespace xpu::test;

static int* p;
static Counted counted, answer;
static Timeline timeline;
static xpuStream_t stream, other;

static int open_things(void**) {
  (void)load_first(nullptr);
  p = device_ints(4);
  counted.open();
  answer.open();
  timeline.open();
  stream = new_stream();
  other = new_stream();
  return 0;
}
static int close_things(void**) {
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuStreamDestroy(other));
  counted.close();
  answer.close();
  timeline.close();
  assert_ok(xpuFree(p));
  return 0;
}

// Long enough for what is not held back to have happened.
static void expect_held(xpuStream_t held) {
  sleep_ms(30);
  assert_code(xpuStreamQuery(held), xpuErrorNotReady);
}

static void a_stream_signals_when_its_work_is_done(void**) {
  static Gate gate;
  gate.shut(stream);
  signal(counted.handle, stream);
  gate.await();
  assert_false(counted.take());
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(stream));
  assert_true(counted.take());
  assert_false(counted.take());
}

static void a_stream_waits_for_another_program(void**) {
  launch_one(stream, "store", p, 0, 1);
  wait(counted.handle, stream);
  launch_one(stream, "store", p, 0, 2);
  expect_held(stream);
  assert_int_equal(1, fetch(p));
  counted.signal();
  assert_ok(xpuStreamSynchronize(stream));
  assert_int_equal(2, fetch(p));
  assert_false(counted.take());  // used up
}

static void a_waiting_stream_holds_no_other_back(void**) {
  wait(counted.handle, stream);
  launch_one(other, "store", p, 0, 3);
  signal(counted.handle, other);
  assert_ok(xpuStreamSynchronize(other));
  assert_ok(xpuStreamSynchronize(stream));
  assert_int_equal(3, fetch(p));
}

static void a_timeline_is_waited_for_until_it_reaches_the_value(void**) {
  *timeline.value = 5;
  wait(timeline.handle, stream, 5);  // reached
  assert_ok(xpuStreamSynchronize(stream));
  wait(timeline.handle, stream, 7);
  launch_one(stream, "store", p, 0, 70);
  signal(timeline.handle, other, 6);
  assert_ok(xpuStreamSynchronize(other));
  assert_int_equal(6, timeline.value->load());
  expect_held(stream);
  signal(timeline.handle, other, 9);  // passed
  assert_ok(xpuStreamSynchronize(stream));
  assert_int_equal(70, fetch(p));
  assert_int_equal(9, timeline.value->load());
}

static void a_timeline_does_not_go_back(void**) {
  *timeline.value = 20;
  signal(timeline.handle, stream, 4);
  assert_ok(xpuStreamSynchronize(stream));
  assert_int_equal(20, timeline.value->load());
}

static void one_call_takes_several_semaphores(void**) {
  *timeline.value = 30;
  const xpuExternalSemaphore_t both[] = {counted.handle, timeline.handle};
  const xpuExternalSemaphoreWaitParams until[] = {wait_of(), wait_of(31)};
  assert_ok(xpuWaitExternalSemaphoresAsync(both, until, 2, stream));
  counted.signal();
  expect_held(stream);
  *timeline.value = 31;
  assert_ok(xpuStreamSynchronize(stream));
  const xpuExternalSemaphoreSignalParams to[] = {signal_of(), signal_of(32)};
  assert_ok(xpuSignalExternalSemaphoresAsync(both, to, 2, stream));
  assert_ok(xpuStreamSynchronize(stream));
  assert_true(counted.take());
  assert_int_equal(32, timeline.value->load());
}

// wait -> step -> signal, as another program would drive it.
static void a_graph_waits_and_signals_at_every_launch(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t begin = add_wait(graph, nullptr, counted.handle);
  const xpuGraphNode_t work = add_one(graph, begin, "add", p, 1, 1);
  (void)add_signal(graph, work, answer.handle);
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphDestroy(graph));
  launch_one(stream, "store", p, 1, 0);
  for (int turn = 0; turn < 5; turn++) assert_ok(xpuGraphLaunch(exec, stream));
  for (int turn = 1; turn <= 5; turn++) {
    expect_held(stream);
    assert_false(answer.take());
    counted.signal();
    for (int i = 0; i < 5000 && !answer.take(); i++) sleep_ms(1);
    assert_int_equal(turn, fetch(p + 1));
  }
  assert_ok(xpuStreamSynchronize(stream));
  assert_false(answer.take());
  assert_false(counted.take());
  assert_ok(xpuGraphExecDestroy(exec));
}

static void two_graphs_in_two_streams_take_turns(void**) {
  const xpuGraph_t ping = new_graph(), pong = new_graph();
  xpuGraphNode_t at = add_one(ping, nullptr, "step", p, 10, 1);
  at = add_signal(ping, at, counted.handle);
  (void)add_wait(ping, at, answer.handle);
  at = add_wait(pong, nullptr, counted.handle);
  at = add_one(pong, at, "step", p, 10, 2);
  (void)add_signal(pong, at, answer.handle);
  const xpuGraphExec_t a = instantiate(ping), b = instantiate(pong);
  assert_ok(xpuMemset(p, 0, sizeof *p));
  assert_ok(xpuDeviceSynchronize());
  for (int turn = 0; turn < 3; turn++) {
    assert_ok(xpuGraphLaunch(b, other));
    assert_ok(xpuGraphLaunch(a, stream));
  }
  assert_ok(xpuStreamSynchronize(stream));
  assert_ok(xpuStreamSynchronize(other));
  assert_int_equal(121212, fetch(p));
  assert_ok(xpuGraphExecDestroy(a));
  assert_ok(xpuGraphExecDestroy(b));
  assert_ok(xpuGraphDestroy(ping));
  assert_ok(xpuGraphDestroy(pong));
}

// The other program answers only what it is asked first, and nothing orders the two in the graph.
static void what_depends_on_no_wait_is_not_behind_one(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t end = add_wait(graph, nullptr, answer.handle);
  (void)add_one(graph, end, "store", p, 2, 7);
  xpuGraphNode_t at = add_one(graph, nullptr, "store", p, 3, 8);
  for (int i = 0; i < 6; i++) at = add_one(graph, at, "add", p, 3, 1);
  (void)add_signal(graph, at, counted.handle);
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  for (int i = 0; i < 5000 && !counted.take(); i++) sleep_ms(1);
  assert_int_equal(14, fetch(p + 3));
  expect_held(stream);
  answer.signal();
  assert_ok(xpuStreamSynchronize(stream));
  assert_int_equal(7, fetch(p + 2));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static void an_executable_gets_other_values_from_launch_to_launch(void**) {
  *timeline.value = 100;
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t begin = add_wait(graph, nullptr, timeline.handle, 100);
  const xpuGraphNode_t end = add_signal(graph, begin, timeline.handle, 101);
  const xpuGraphExec_t exec = instantiate(graph);
  for (uint64_t turn = 0; turn < 6; turn++) {
    const xpuExternalSemaphoreWaitParams from = wait_of(100 + turn);
    const xpuExternalSemaphoreSignalParams to = signal_of(101 + turn);
    const xpuExternalSemaphoreWaitNodeParams before = {sizeof before, 1, &timeline.handle, &from};
    const xpuExternalSemaphoreSignalNodeParams behind = {sizeof behind, 1, &timeline.handle, &to};
    assert_ok(xpuGraphExecExternalSemaphoresWaitNodeSetParams(exec, begin, &before));
    assert_ok(xpuGraphExecExternalSemaphoresSignalNodeSetParams(exec, end, &behind));
    assert_ok(xpuGraphLaunch(exec, stream));
  }
  assert_ok(xpuStreamSynchronize(stream));
  assert_int_equal(106, timeline.value->load());
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static void an_update_takes_over_semaphores_and_values(void**) {
  *timeline.value = 200;
  const xpuGraph_t graph = new_graph(), next = new_graph(), more = new_graph();
  (void)add_signal(graph, nullptr, counted.handle);
  (void)add_signal(next, nullptr, timeline.handle, 205);
  const xpuGraphExec_t exec = instantiate(graph);
  xpuGraphExecUpdateResultInfo info = {sizeof info, xpuGraphExecUpdateError, nullptr, nullptr};
  assert_ok(xpuGraphExecUpdate(exec, next, &info));
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  assert_false(counted.take());
  assert_int_equal(205, timeline.value->load());

  xpuExternalSemaphore_t two[] = {counted.handle, timeline.handle};
  const xpuExternalSemaphoreSignalParams to[] = {signal_of(), signal_of(206)};
  const xpuExternalSemaphoreSignalNodeParams params = {sizeof params, 2, two, to};
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddExternalSemaphoresSignalNode(&node, more, nullptr, 0, &params));
  assert_code(xpuGraphExecUpdate(exec, more, &info), xpuErrorGraphExecUpdateFailure);
  assert_int_equal(xpuGraphExecUpdateErrorParametersChanged, info.result);
  assert_ptr_equal(node, info.errorNode);
  (void)xpuGetLastError();
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphDestroy(next));
  assert_ok(xpuGraphDestroy(more));
}

static void a_capture_makes_nodes_of_them(void**) {
  begin(stream);
  wait(counted.handle, stream);
  launch_one(stream, "store", p, 0, 55);
  signal(answer.handle, stream, 3);
  const xpuGraph_t graph = end(stream);
  assert_int_equal(3, node_count(graph));
  assert_int_equal(xpuGraphNodeTypeExtSemaphoreWait, type_of(node_at(graph, 0)));
  assert_int_equal(xpuGraphNodeTypeExtSemaphoreSignal, type_of(node_at(graph, 2)));
  assert_false(answer.take());
  counted.signal();
  run_and_destroy(graph);
  assert_int_equal(55, fetch(p));
  assert_true(answer.take());
}

static void the_generic_calls_know_them(void**) {
  *timeline.value = 300;
  const xpuGraph_t graph = new_graph();
  xpuExternalSemaphoreWaitParams from = wait_of(300);
  xpuExternalSemaphoreSignalParams to = signal_of(301);
  xpuGraphNodeParams before = of_type(xpuGraphNodeTypeExtSemaphoreWait);
  before.extSemWait = {0, 1, &timeline.handle, &from};
  xpuGraphNodeParams behind = of_type(xpuGraphNodeTypeExtSemaphoreSignal);
  behind.extSemSignal = {0, 1, &timeline.handle, &to};
  const xpuGraphNode_t first = add_any(graph, nullptr, &before);
  const xpuGraphNode_t last = add_any(graph, first, &behind);
  to = signal_of(302);
  assert_ok(xpuGraphNodeSetParams(last, &behind));
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  assert_int_equal(302, timeline.value->load());
  to = signal_of(303);
  assert_ok(xpuGraphExecNodeSetParams(exec, last, &behind));
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  assert_int_equal(303, timeline.value->load());
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static void a_node_tells_what_it_was_given(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t before = add_wait(graph, nullptr, timeline.handle, 12);
  const xpuGraphNode_t behind = add_signal(graph, before, counted.handle, 13);
  xpuExternalSemaphoreWaitNodeParams waits = {sizeof waits, 0, nullptr, nullptr};
  xpuExternalSemaphoreSignalNodeParams signals = {sizeof signals, 0, nullptr, nullptr};
  assert_ok(xpuGraphExternalSemaphoresWaitNodeGetParams(before, &waits));
  assert_ok(xpuGraphExternalSemaphoresSignalNodeGetParams(behind, &signals));
  assert_int_equal(1, waits.numExtSems);
  assert_ptr_equal(timeline.handle, waits.extSemArray[0]);
  assert_int_equal(12, waits.paramsArray[0].params.fence.value);
  assert_ptr_equal(counted.handle, signals.extSemArray[0]);
  assert_int_equal(13, signals.paramsArray[0].params.fence.value);

  xpuExternalSemaphore_t two[] = {counted.handle, timeline.handle};
  const xpuExternalSemaphoreWaitParams until[] = {wait_of(1), wait_of(2)};
  const xpuExternalSemaphoreWaitNodeParams params = {sizeof params, 2, two, until};
  assert_ok(xpuGraphExternalSemaphoresWaitNodeSetParams(before, &params));
  assert_ok(xpuGraphExternalSemaphoresWaitNodeGetParams(before, &waits));
  assert_int_equal(2, waits.numExtSems);
  assert_ptr_equal(timeline.handle, waits.extSemArray[1]);
  assert_int_equal(2, waits.paramsArray[1].params.fence.value);
  assert_ok(xpuGraphDestroy(graph));
}

static void a_clone_and_a_child_graph_do_the_same(void**) {
  const xpuGraph_t child = new_graph(), outer = new_graph();
  const xpuGraphNode_t before = add_wait(child, nullptr, counted.handle);
  (void)add_signal(child, before, answer.handle);
  xpuGraph_t copy = nullptr;
  assert_ok(xpuGraphClone(&copy, child));
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddChildGraphNode(&node, outer, nullptr, 0, copy));
  counted.signal();
  run_and_destroy(outer);
  assert_true(answer.take());
  counted.signal();
  run_and_destroy(copy);
  assert_true(answer.take());
  assert_ok(xpuGraphDestroy(child));
}

static void a_graph_outlives_its_semaphore(void**) {
  Counted own;
  own.open();
  const xpuGraph_t graph = new_graph();
  (void)add_signal(graph, nullptr, own.handle);
  assert_ok(xpuDestroyExternalSemaphore(own.handle));
  run_and_destroy(graph, 2);
  assert_true(own.take());
  assert_true(own.take());
  assert_int_equal(0, ::close(own.fd));
}

static void a_queued_wait_outlives_its_semaphore(void**) {
  Counted own;
  own.open();
  wait(own.handle, stream);
  assert_ok(xpuDestroyExternalSemaphore(own.handle));
  expect_held(stream);
  own.signal();
  assert_ok(xpuStreamSynchronize(stream));
  assert_int_equal(0, ::close(own.fd));
}

static void an_imported_descriptor_is_the_librarys(void**) {
  const int fd = eventfd(0, EFD_CLOEXEC);
  const xpuExternalSemaphore_t semaphore = import(xpuExternalSemaphoreHandleTypeOpaqueFd, fd);
  assert_int_equal(-1, fcntl(fd, F_GETFD));
  assert_ok(xpuDestroyExternalSemaphore(semaphore));
}

static void a_profile_times_them(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t before = add_wait(graph, nullptr, counted.handle);
  (void)add_signal(graph, before, answer.handle);
  const xpuGraphExec_t exec = instantiate(graph);
  counted.signal();
  xpuGraphNodeProfile rows[2] = {};
  rows[0].struct_size = rows[1].struct_size = sizeof rows[0];
  size_t count = 2;
  assert_ok(xpuGraphExecProfile(exec, stream, rows, &count, nullptr));
  assert_int_equal(2, count);
  assert_int_equal(xpuGraphNodeTypeExtSemaphoreWait, rows[0].type);
  assert_true(answer.take());
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

int main() {
  const Test tests[] = {
      xpu_test(a_stream_signals_when_its_work_is_done, needs(shares)),
      xpu_test(a_stream_waits_for_another_program, needs(shares)),
      xpu_test(a_waiting_stream_holds_no_other_back, needs(shares)),
      xpu_test(a_timeline_is_waited_for_until_it_reaches_the_value, needs(shares)),
      xpu_test(a_timeline_does_not_go_back, needs(shares)),
      xpu_test(one_call_takes_several_semaphores, needs(shares)),
      xpu_test(a_graph_waits_and_signals_at_every_launch, needs(shares)),
      xpu_test(two_graphs_in_two_streams_take_turns, needs(shares)),
      xpu_test(what_depends_on_no_wait_is_not_behind_one, needs(shares)),
      xpu_test(an_executable_gets_other_values_from_launch_to_launch, needs(shares)),
      xpu_test(an_update_takes_over_semaphores_and_values, needs(shares)),
      xpu_test(a_capture_makes_nodes_of_them, needs(shares)),
      xpu_test(the_generic_calls_know_them, needs(shares)),
      xpu_test(a_node_tells_what_it_was_given, needs(shares)),
      xpu_test(a_clone_and_a_child_graph_do_the_same, needs(shares)),
      xpu_test(a_graph_outlives_its_semaphore, needs(shares)),
      xpu_test(a_queued_wait_outlives_its_semaphore, needs(shares)),
      xpu_test(an_imported_descriptor_is_the_librarys, needs(shares)),
      xpu_test(a_profile_times_them, needs(shares)),
  };
  return run_all(tests, open_things, close_things);
}
