// SPDX-License-Identifier: Apache-2.0
// Events and capture; captures that meet.
#include "oracle/port/conditional.h"

// --- events and capture

CASE("fork.event.captured_query_after_end") {
  Stream a = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  record(e, a);
  Graph g = end_ok(a);
  rc("query", P(EventQuery)(e));
  rc("sync", P(EventSynchronize)(e));
  float ms = -1;
  Event f = new_event();
  record(f, a);
  sync(a);
  rc("elapsed", P(EventElapsedTime)(&ms, e, f));
  run_graph(g);
  rc("query_after_launch", P(EventQuery)(e));
  last();
}
CASE("fork.event.captured_rerecorded_outside") {
  Stream a = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  record(e, a);
  end_ok(a);
  rc("record", P(EventRecord)(e, a));
  sync(a);
  rc("query", P(EventQuery)(e));
}
CASE("fork.event.captured_waited_after_end") {
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  record(e, a);
  end_ok(a);
  rc("wait", P(StreamWaitEvent)(b, e, 0));
  last();
  st("b", b);
  rc("work", q_noop(b));
  rc("sync", P(StreamSynchronize)(b));
}
CASE("fork.event.captured_waited_in_next_capture") {
  Stream a = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  record(e, a);
  end_ok(a);
  begin(a);
  OK(q_noop(a));
  rc("wait", P(StreamWaitEvent)(a, e, 0));
  st("st", a);
  finish(a);
}
CASE("fork.event.captured_then_graph_destroyed") {
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  record(e, a);
  OK(P(GraphDestroy)(end_ok(a)));
  rc("query", P(EventQuery)(e));
  rc("wait", P(StreamWaitEvent)(b, e, 0));
  rc("record", P(EventRecord)(e, b));
  rc("destroy", P(EventDestroy)(e));
}
CASE("fork.event.recorded_before") {
  Stream a = new_stream();
  Event e = new_event();
  record(e, a);
  sync(a);
  begin(a);
  OK(q_noop(a));
  rc("wait", P(StreamWaitEvent)(a, e, 0));
  st("st", a);
  rc("work", q_noop(a));
  finish(a);
  last();
}
CASE("fork.event.recorded_before_on_fork") {
  Stream a = new_stream(), b = new_stream(), c = new_stream();
  Event e = new_event();
  record(e, c);
  sync(c);
  begin(a);
  OK(q_noop(a));
  order(a, b);
  rc("wait", P(StreamWaitEvent)(b, e, 0));
  st("origin", a);
  st("fork", b);
  finish(a);
}
CASE("fork.event.never_recorded") {
  Stream a = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  rc("wait", P(StreamWaitEvent)(a, e, 0));
  st("st", a);
  deps_of("deps", a);
  OK(q_noop(a));
  finish(a);
}
CASE("fork.event.recorded_outside_during") {
  Stream a = new_stream(), c = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  rc("record", P(EventRecord)(e, c));
  rc("wait", P(StreamWaitEvent)(a, e, 0));
  st("st", a);
  finish(a);
}
CASE("fork.event.captured_then_rerecorded_eagerly") {  // the eager record takes the event out of
                                                       // the capture
  Stream a = new_stream(), c = new_stream();
  Event e = new_event();
  begin(a, P(StreamCaptureModeRelaxed));
  OK(q_noop(a));
  record(e, a);
  rc("record", P(EventRecord)(e, c));
  rc("sync", P(StreamSynchronize)(c));
  rc("query", P(EventQuery)(e));
  st("st", a);
  rc("wait", P(StreamWaitEvent)(a, e, 0));
  finish(a);
}
CASE("fork.event.disable_timing") {
  Stream a = new_stream(), b = new_stream();
  Event e = NULL;
  OK(P(EventCreateWithFlags)(&e, P(EventDisableTiming)));
  begin(a);
  OK(q_noop(a));
  record(e, a);
  wait(b, e);
  OK(q_noop(b));
  record(e, b);
  wait(a, e);
  finish(a);
}
CASE("fork.event.null") {
  Stream a = new_stream();
  begin(a);
  rc("record", P(EventRecord)(NULL, a));
  rc("wait", P(StreamWaitEvent)(a, NULL, 0));
  st("st", a);
  finish(a);
}
CASE("fork.event.bad_wait_flags") {
  Stream a = new_stream();
  Event e = new_event();
  rc("eager", P(StreamWaitEvent)(a, e, 2));
  begin(a);
  record(e, a);
  rc("capturing", P(StreamWaitEvent)(a, e, 2));
  st("st", a);
  finish(a);
}
CASE("fork.event.bad_record_flags") {
  Stream a = new_stream();
  Event e = new_event();
  rc("eager", P(EventRecordWithFlags)(e, a, 2));
  begin(a);
  rc("capturing", P(EventRecordWithFlags)(e, a, 2));
  st("st", a);
  finish(a);
}
CASE("fork.event.default_flags_record") {
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  rc("record", P(EventRecordWithFlags)(e, a, P(EventRecordDefault)));
  rc("wait", P(StreamWaitEvent)(b, e, P(EventWaitDefault)));
  st("fork", b);
  finish(a);
}

// --- merge

CASES {
  for (auto m : modes)
    add_case(std::string("fork.merge.") + m.name, [=] {
      Stream a = new_stream(), b = new_stream();
      Event e = new_event();
      begin(a, m.mode);
      begin(b, m.mode);
      OK(q_noop(a));
      OK(q_noop(b));
      record(e, a);
      rc("wait", P(StreamWaitEvent)(b, e, 0));
      last();
      st("recorded", a);
      st("waiting", b);
      finish(a, "end_recorded");
      finish(b, "end_waiting");
    });
}
CASE("fork.merge.through_fork") {
  Stream a = new_stream(), b = new_stream(), c = new_stream();
  Event e = new_event();
  begin(a);
  begin(b);
  OK(q_noop(a));
  OK(q_noop(b));
  order(a, c);
  record(e, b);
  rc("wait", P(StreamWaitEvent)(c, e, 0));
  st("a", a);
  st("b", b);
  st("c", c);
  finish(a, "end_a");
  finish(b, "end_b");
}
CASE("fork.merge.empty_captures") {
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  begin(b);
  record(e, a);
  rc("wait", P(StreamWaitEvent)(b, e, 0));
  st("a", a);
  st("b", b);
  finish(a, "end_a");
  finish(b, "end_b");
}
CASE("fork.merge.event_taken_over") {  // recording an event of one capture in another one only
                                       // moves the event
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  begin(b);
  OK(q_noop(a));
  OK(q_noop(b));
  record(e, a);
  rc("record", P(EventRecord)(e, b));
  rc("wait_own", P(StreamWaitEvent)(b, e, 0));
  rc("wait_other", P(StreamWaitEvent)(a, e, 0));
  st("a", a);
  st("b", b);
  finish(a, "end_a");
  finish(b, "end_b");
}
CASE("fork.merge.other_thread") {
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a, P(StreamCaptureModeRelaxed));
  OK(q_noop(a));
  record(e, a);
  in_thread([&] {
    begin(b, P(StreamCaptureModeRelaxed));
    OK(q_noop(b));
    rc("wait", P(StreamWaitEvent)(b, e, 0));
    st("b", b);
    finish(b, "end_b");
  });
  st("a", a);
  finish(a, "end_a");
}
