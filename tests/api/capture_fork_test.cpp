// SPDX-License-Identifier: Apache-2.0
// Captures of several streams: forks and joins through events, what may not be joined, what may not
// be left, and events that outlive their capture.
#include "capturing.h"

using namespace xpu::test;

namespace {

// A stream, with others to fork into.
struct Streams {
  xpuStream_t a, b, c;
};
Streams open_streams() { return {new_stream(), new_stream(), new_stream()}; }
void close_streams(const Streams& s) {
  assert_ok(xpuStreamDestroy(s.a));
  assert_ok(xpuStreamDestroy(s.b));
  assert_ok(xpuStreamDestroy(s.c));
}

void a_fork_and_a_join_order_the_work(void**) {
  const Streams s = open_streams();
  int* p = device_ints(3);

  begin(s.a);
  launch_one(s.a, "slow_step", p, 0, 3, 100000);
  order(s.a, s.b);
  launch_one(s.b, "copy_one", p, 1, p, 0);
  launch_one(s.a, "copy_one", p, 2, p, 0);
  order(s.b, s.a);
  launch_one(s.a, "vector_add", p, p + 1, p + 2, 1);
  const xpuGraph_t graph = end(s.a);
  assert_int_equal(4, node_count(graph));
  assert_int_equal(4, edge_count(graph));
  run_and_destroy(graph, 3);

  if (shown(executes)) assert_int_equal(6, fetch(p));
  assert_status(None, s.b);
  assert_ok(xpuFree(p));
  close_streams(s);
}

void a_fork_starts_where_its_event_was_recorded(void**) {
  const Streams s = open_streams();
  const xpuEvent_t event = new_event();

  begin(s.a);
  launch_one(s.a, "noop");
  assert_ok(xpuEventRecord(event, s.a));
  launch_one(s.a, "noop");
  assert_ok(xpuStreamWaitEvent(s.b, event, 0));
  launch_one(s.b, "noop");
  order(s.b, s.a);
  const xpuGraph_t graph = end(s.a);

  // The first node is before both others, which have no order: two edges.
  assert_int_equal(3, node_count(graph));
  assert_int_equal(2, edge_count(graph));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuEventDestroy(event));
  close_streams(s);
}

void records_and_waits_make_no_nodes(void**) {
  const Streams s = open_streams();

  begin(s.a);
  order(s.a, s.b);
  order(s.b, s.c);
  order(s.c, s.a);
  const xpuGraph_t graph = end(s.a);

  assert_int_equal(0, node_count(graph));
  assert_ok(xpuGraphDestroy(graph));
  close_streams(s);
}

void work_that_is_not_joined_loses_the_capture(void**) {
  const Streams s = open_streams();
  int* p = device_ints(1, 4);

  begin(s.a);
  launch_one(s.a, "noop");
  order(s.a, s.b);
  launch_one(s.b, "store", p, 0, 5);
  end_lost(s.a, xpuErrorStreamCaptureUnjoined);

  assert_status(None, s.a);
  assert_status(None, s.b);
  launch_one(s.b, "store", p, 0, 6);
  assert_ok(xpuDeviceSynchronize());
  if (shown(executes)) assert_int_equal(6, fetch(p));
  assert_ok(xpuFree(p));
  close_streams(s);
}

void work_after_the_join_loses_the_capture(void**) {
  const Streams s = open_streams();

  begin(s.a);
  order(s.a, s.b);
  launch_one(s.b, "noop");
  order(s.b, s.a);
  launch_one(s.b, "noop");
  end_lost(s.a, xpuErrorStreamCaptureUnjoined);
  close_streams(s);
}

void a_fork_without_work_need_not_be_joined(void**) {
  const Streams s = open_streams();

  begin(s.a);
  launch_one(s.a, "noop");
  order(s.a, s.b);
  const xpuGraph_t graph = end(s.a);

  assert_int_equal(1, node_count(graph));
  assert_status(None, s.b);
  assert_ok(xpuGraphDestroy(graph));
  close_streams(s);
}

void a_join_may_go_through_a_third_stream(void**) {
  const Streams s = open_streams();

  begin(s.a);
  order(s.a, s.b);
  launch_one(s.b, "noop");
  order(s.b, s.c);
  launch_one(s.c, "noop");
  order(s.c, s.a);
  assert_ok(xpuGraphDestroy(end(s.a)));
  close_streams(s);
}

void two_captures_do_not_become_one(void**) {
  const Streams s = open_streams();
  const xpuEvent_t event = new_event();

  begin(s.a);
  begin(s.b);
  assert_ok(xpuEventRecord(event, s.a));
  assert_code(xpuStreamWaitEvent(s.b, event, 0), xpuErrorStreamCaptureMerge);
  assert_status(Invalidated, s.a);
  assert_status(Invalidated, s.b);
  end_lost(s.a, xpuErrorStreamCaptureInvalidated);
  end_lost(s.b, xpuErrorStreamCaptureInvalidated);
  assert_ok(xpuEventDestroy(event));
  close_streams(s);
}

void two_captures_may_go_on_side_by_side(void**) {
  const Streams s = open_streams();

  begin(s.a);
  begin(s.b);
  launch_one(s.a, "noop");
  launch_one(s.b, "noop");
  launch_one(s.b, "noop");
  const xpuGraph_t one = end(s.a), two = end(s.b);

  assert_int_equal(1, node_count(one));
  assert_int_equal(2, node_count(two));
  assert_ok(xpuGraphDestroy(one));
  assert_ok(xpuGraphDestroy(two));
  close_streams(s);
}

void an_event_recorded_outside_cannot_be_waited_for(void**) {
  const Streams s = open_streams();
  const xpuEvent_t event = new_event();
  assert_ok(xpuEventRecord(event, s.c));
  assert_ok(xpuStreamSynchronize(s.c));

  begin(s.a);
  assert_code(xpuStreamWaitEvent(s.a, event, 0), xpuErrorStreamCaptureIsolation);
  assert_status(Invalidated, s.a);
  end_lost(s.a, xpuErrorStreamCaptureInvalidated);
  assert_ok(xpuEventDestroy(event));
  close_streams(s);
}

void an_event_that_was_never_recorded_is_no_wait(void**) {
  const Streams s = open_streams();
  const xpuEvent_t event = new_event();

  begin(s.a);
  launch_one(s.a, "noop");
  assert_ok(xpuStreamWaitEvent(s.a, event, 0));
  assert_ok(xpuGraphDestroy(end(s.a)));
  assert_ok(xpuEventDestroy(event));
  close_streams(s);
}

void a_captured_event_stands_for_nothing_once_the_capture_is_over(void**) {
  const Streams s = open_streams();
  const xpuEvent_t event = new_event();

  begin(s.a);
  launch_one(s.a, "noop");
  assert_ok(xpuEventRecord(event, s.a));
  assert_ok(xpuGraphDestroy(end(s.a)));
  assert_code(xpuEventQuery(event), xpuErrorInvalidValue);
  assert_code(xpuEventSynchronize(event), xpuErrorInvalidValue);
  assert_code(xpuStreamWaitEvent(s.b, event, 0), xpuErrorInvalidValue);
  assert_status(None, s.b);

  assert_ok(xpuEventRecord(event, s.b));
  assert_ok(xpuEventSynchronize(event));
  if (shown(polls)) assert_ok(xpuEventQuery(event));
  assert_ok(xpuEventDestroy(event));
  close_streams(s);
}

void an_old_event_does_not_enter_the_next_capture(void**) {
  const Streams s = open_streams();
  const xpuEvent_t event = new_event();

  begin(s.a);
  assert_ok(xpuEventRecord(event, s.a));
  assert_ok(xpuGraphDestroy(end(s.a)));
  begin(s.a);
  assert_code(xpuStreamWaitEvent(s.a, event, 0), xpuErrorInvalidValue);
  end_lost(s.a, xpuErrorStreamCaptureInvalidated);
  assert_ok(xpuEventDestroy(event));
  close_streams(s);
}

void a_captured_event_cannot_enter_the_legacy_stream(void**) {
  const Streams s = open_streams();
  const xpuEvent_t event = new_event();

  begin(s.a);
  assert_ok(xpuEventRecord(event, s.a));
  assert_code(xpuStreamWaitEvent(nullptr, event, 0), xpuErrorStreamCaptureImplicit);
  end_lost(s.a, xpuErrorStreamCaptureInvalidated);
  assert_ok(xpuEventDestroy(event));
  close_streams(s);
}

void external_flags_are_for_captures_only(void**) {
  const Streams s = open_streams();
  const xpuEvent_t event = new_event();

  assert_code(xpuEventRecordWithFlags(event, s.a, xpuEventRecordExternal), xpuErrorIllegalState);
  assert_code(xpuStreamWaitEvent(s.a, event, xpuEventWaitExternal), xpuErrorIllegalState);
  assert_code(xpuEventRecordWithFlags(event, s.a, 2), xpuErrorInvalidValue);
  assert_code(xpuStreamWaitEvent(s.a, event, 2), xpuErrorInvalidValue);
  begin(s.a);
  assert_code(xpuStreamWaitEvent(s.a, event, 2), xpuErrorInvalidValue);
  assert_status(Active, s.a);
  assert_ok(xpuGraphDestroy(end(s.a)));
  assert_ok(xpuEventDestroy(event));
  close_streams(s);
}

void external_events_order_two_graphs(void**) {
  const Streams s = open_streams();
  const xpuEvent_t event = new_event();
  int* p = device_ints(2);

  begin(s.a);
  launch_one(s.a, "slow_step", p, 0, 5, 300000);
  assert_ok(xpuEventRecordWithFlags(event, s.a, xpuEventRecordExternal));
  const xpuGraph_t first = end(s.a);
  begin(s.b);
  assert_ok(xpuStreamWaitEvent(s.b, event, xpuEventWaitExternal));
  launch_one(s.b, "copy_one", p, 1, p, 0);
  const xpuGraph_t second = end(s.b);
  const xpuGraphExec_t one = instantiate(first), two = instantiate(second);
  assert_ok(xpuGraphLaunch(one, s.a));
  assert_ok(xpuGraphLaunch(two, s.b));
  assert_ok(xpuStreamSynchronize(s.b));

  if (shown(executes)) assert_int_equal(5, fetch(p + 1));
  if (shown(polls)) assert_ok(xpuEventQuery(event));
  assert_ok(xpuGraphExecDestroy(one));
  assert_ok(xpuGraphExecDestroy(two));
  assert_ok(xpuGraphDestroy(first));
  assert_ok(xpuGraphDestroy(second));
  assert_ok(xpuEventDestroy(event));
  assert_ok(xpuFree(p));
  close_streams(s);
}

void a_fork_keeps_its_eager_work_out_of_the_graph(void**) {
  static Gate gate;
  const Streams s = open_streams();
  int* p = device_ints(2);
  gate.shut(s.b);
  launch_one(s.b, "store", p, 0, 100);

  begin(s.a, xpuStreamCaptureModeRelaxed);
  order(s.a, s.b);
  launch_one(s.b, "add", p, 1, 1);
  order(s.b, s.a);
  const xpuGraph_t graph = end(s.a);
  if (shown(waits)) assert_code(xpuStreamQuery(s.b), xpuErrorNotReady);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s.b));
  run_and_destroy(graph, 2);

  if (shown(executes)) assert_int_equal(100, fetch(p));
  if (shown(executes)) assert_int_equal(2, fetch(p + 1));
  assert_ok(xpuFree(p));
  close_streams(s);
}

void destroying_a_fork_loses_the_capture(void**) {
  const xpuStream_t s = new_stream(), fork = new_stream();

  begin(s);
  order(s, fork);
  assert_ok(xpuStreamDestroy(fork));
  assert_status(Invalidated, s);
  end_lost(s, xpuErrorStreamCaptureInvalidated);
  assert_ok(xpuStreamDestroy(s));
}

void destroying_the_origin_ends_the_capture(void**) {
  const xpuStream_t s = new_stream(), fork = new_stream();

  begin(s);
  order(s, fork);
  launch_one(fork, "noop");
  assert_ok(xpuStreamDestroy(s));

  assert_status(None, fork);
  launch_one(fork, "noop");
  assert_ok(xpuStreamSynchronize(fork));
  assert_ok(xpuStreamDestroy(fork));
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(a_fork_and_a_join_order_the_work, results(executes)),
      xpu_test(a_fork_starts_where_its_event_was_recorded),
      xpu_test(records_and_waits_make_no_nodes),
      xpu_test(work_that_is_not_joined_loses_the_capture, results(executes)),
      xpu_test(work_after_the_join_loses_the_capture),
      xpu_test(a_fork_without_work_need_not_be_joined),
      xpu_test(a_join_may_go_through_a_third_stream),
      xpu_test(two_captures_do_not_become_one),
      xpu_test(two_captures_may_go_on_side_by_side),
      xpu_test(an_event_recorded_outside_cannot_be_waited_for),
      xpu_test(an_event_that_was_never_recorded_is_no_wait),
      xpu_test(a_captured_event_stands_for_nothing_once_the_capture_is_over, results(polls)),
      xpu_test(an_old_event_does_not_enter_the_next_capture),
      xpu_test(a_captured_event_cannot_enter_the_legacy_stream),
      xpu_test(external_flags_are_for_captures_only),
      xpu_test(external_events_order_two_graphs, results(executes | polls)),
      xpu_test(a_fork_keeps_its_eager_work_out_of_the_graph, results(executes | waits)),
      xpu_test(destroying_a_fork_loses_the_capture),
      xpu_test(destroying_the_origin_ends_the_capture),
  };
  return run_all(tests, load_first);
}
