// SPDX-License-Identifier: Apache-2.0
// External events in captures.
#include "oracle/port/conditional.h"

// --- external events

CASE("fork.external.record") {
  Stream a = new_stream();
  Event e = new_event();
  int* p = dev_ints(1);
  begin(a);
  OK(q_add(a, p, 0, 1));
  rc("record", P(EventRecordWithFlags)(e, a, P(EventRecordExternal)));
  deps_of("deps", a);
  OK(q_add(a, p, 0, 1));
  Graph g = finish(a);
  rc("query_before", P(EventQuery)(e));
  run_graph(g);
  rc("query_after", P(EventQuery)(e));
  rc("sync_after", P(EventSynchronize)(e));
}
CASE("fork.external.record_query_during") {
  Stream a = new_stream();
  Event e = new_event();
  begin(a, P(StreamCaptureModeRelaxed));
  OK(q_noop(a));
  OK(P(EventRecordWithFlags)(e, a, P(EventRecordExternal)));
  rc("query", P(EventQuery)(e));
  rc("sync", P(EventSynchronize)(e));
  st("st", a);
  finish(a);
}
CASE("fork.external.record_does_not_fork") {
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a, P(StreamCaptureModeRelaxed));
  OK(q_noop(a));
  OK(P(EventRecordWithFlags)(e, a, P(EventRecordExternal)));
  rc("wait", P(StreamWaitEvent)(b, e, 0));
  st("b", b);
  finish(a);
}
CASE("fork.external.record_then_wait_same_stream") {
  Stream a = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  OK(P(EventRecordWithFlags)(e, a, P(EventRecordExternal)));
  rc("wait", P(StreamWaitEvent)(a, e, 0));
  st("st", a);
  finish(a);
}
CASE("fork.external.record_node_event") {
  Stream a = new_stream();
  Event e = new_event();
  begin(a);
  OK(P(EventRecordWithFlags)(e, a, P(EventRecordExternal)));
  Graph g = end_ok(a);
  Event out = NULL;
  rc("get", P(GraphEventRecordNodeGetEvent)(node_at(g), &out));
  val("same", out == e);
}
CASE("fork.external.elapsed") {
  Stream a = new_stream();
  Event e = new_event(), f = new_event();
  int* p = dev_ints(1);
  begin(a);
  OK(P(EventRecordWithFlags)(e, a, P(EventRecordExternal)));
  OK(q(a, P_KERNEL(k_spin_step), p, 1, 1, (int)p_spin));
  OK(P(EventRecordWithFlags)(f, a, P(EventRecordExternal)));
  Graph g = finish(a);
  run_graph(g, 2);
  float ms = -1;
  rc("elapsed", P(EventElapsedTime)(&ms, e, f));
  val("positive", ms > 0);
}
CASE("fork.external.record_captured_event_again") {  // plain record, then external, of one event
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  record(e, a);
  rc("external", P(EventRecordWithFlags)(e, a, P(EventRecordExternal)));
  rc("wait", P(StreamWaitEvent)(b, e, 0));
  st("a", a);
  st("b", b);
  finish(a);
}
CASE("fork.external.wait") {
  Stream a = new_stream();
  Event e = new_event();
  record(e, a);
  sync(a);
  begin(a);
  OK(q_noop(a));
  rc("wait", P(StreamWaitEvent)(a, e, P(EventWaitExternal)));
  deps_of("deps", a);
  OK(q_noop(a));
  Graph g = finish(a);
  run_graph(g);
  Event out = NULL;
  for (Node n : nodes_of(g))
    if (type_of(n) == p_type_wait) rc("get", P(GraphEventWaitNodeGetEvent)(n, &out));
  val("same", out == e);
}
CASE("fork.external.wait_first") {
  Stream a = new_stream();
  Event e = new_event();
  begin(a);
  rc("wait", P(StreamWaitEvent)(a, e, P(EventWaitExternal)));
  OK(q_noop(a));
  Graph g = finish(a);
  run_graph(g);
}
CASE("fork.external.wait_captured_event") {
  Stream a = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  record(e, a);
  rc("wait", P(StreamWaitEvent)(a, e, P(EventWaitExternal)));
  st("st", a);
  finish(a);
}
CASE("fork.external.outside_record") {
  Stream a = new_stream();
  Event e = new_event();
  rc("record", P(EventRecordWithFlags)(e, a, P(EventRecordExternal)));
  last();
  rc("query", P(StreamSynchronize)(a));
  rc("event", P(EventQuery)(e));
}
CASE("fork.external.outside_wait") {
  Stream a = new_stream();
  Event e = new_event();
  record(e, a);
  rc("wait", P(StreamWaitEvent)(a, e, P(EventWaitExternal)));
  last();
  rc("sync", P(StreamSynchronize)(a));
}
CASE("fork.external.orders_two_graphs") {  // one graph records what the other waits for
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  int* p = dev_ints(2);
  begin(a);
  OK(q(a, P_KERNEL(k_spin_set), p, 0, 5, (int)p_spin));
  OK(P(EventRecordWithFlags)(e, a, P(EventRecordExternal)));
  Graph g = finish(a);
  begin(b);
  OK(P(StreamWaitEvent)(b, e, P(EventWaitExternal)));
  OK(q_copy(b, p, 1, p, 0));
  Graph h = finish(b);
  Exec x = instantiate(g), y = instantiate(h);
  launch(x, a);
  launch(y, b);
  sync(b);
  vals("v", fetch(p, 2));
}
CASE("fork.external.fork_may_record") {
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  rc("record", P(EventRecordWithFlags)(e, b, P(EventRecordExternal)));
  finish(a);  // the record node is work on an unjoined fork
}
