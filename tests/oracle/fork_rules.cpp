// SPDX-License-Identifier: Apache-2.0
// Forks and joins: what a capture with several streams allows.
#include "oracle/port/conditional.h"

CASES {
  for (int width : {4, 16, 64})
    add_case("fork.wide." + std::to_string(width), [=] {
      Stream a = new_stream();
      int* p = dev_ints((size_t)width + 1);
      std::vector<Stream> forks;
      for (int i = 0; i < width; i++) forks.push_back(new_stream());
      Event start = new_event();
      std::vector<Event> ends;
      for (int i = 0; i < width; i++) ends.push_back(new_event());
      begin(a);
      OK(q_set(a, p, width, 3));
      record(start, a);
      for (int i = 0; i < width; i++) {
        wait(forks[i], start);
        OK(q_copy(forks[i], p, i, p, width));
        record(ends[i], forks[i]);
      }
      for (int i = 0; i < width; i++) wait(a, ends[i]);
      OK(q(a, P_KERNEL(k_sum), p + width, (const int*)p, width));
      Graph g = finish(a);
      run_graph(g, 2);
      val("sum", fetch1(p, width));
    });
}
CASE("fork.event_reused_for_every_branch") {
  Stream a = new_stream();
  Stream s[3] = {new_stream(), new_stream(), new_stream()};
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  for (Stream t : s) {
    record(e, a);
    wait(t, e);
    OK(q_noop(t));
    record(e, t);
    wait(a, e);
  }
  OK(q_noop(a));
  finish(a);
}
CASE("fork.ladder") {  // both streams wait for each other at every step
  Stream a = new_stream(), b = new_stream();
  int* p = dev_ints(2);
  begin(a);
  OK(q_noop(a));
  order(a, b);
  for (int i = 0; i < 4; i++) {
    OK(q_add(a, p, 0, 1));
    OK(q_add(b, p, 1, 1));
    order(a, b);
    order(b, a);
  }
  Graph g = finish(a);
  run_graph(g, 2);
  vals("v", fetch(p, 2));
}
CASE("fork.into_blocking_stream") {
  Stream a = new_stream(), b = blocking_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  OK(q_noop(b));
  order(b, a);
  finish(a);
}
CASE("fork.into_per_thread_stream") {
  Stream a = new_stream(), b = P(StreamPerThread);
  begin(a);
  OK(q_noop(a));
  order(a, b);
  OK(q_noop(b));
  order(b, a);
  finish(a);
  st("per_thread", b);
}
CASE("fork.into_legacy_stream") {
  Stream a = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  record(e, a);
  rc("wait", P(StreamWaitEvent)(NULL, e, 0));
  last();
  st("st", a);
  finish(a);
}
CASE("fork.into_busy_stream") {  // the fork still has eager work; it is not part of the graph
  Stream a = new_stream(), b = new_stream();
  int* p = dev_ints(2);
  Gate gate;
  hold(b, gate);
  OK(q_set(b, p, 0, 100));
  val("reached", gate.reached());
  begin(a, P(StreamCaptureModeRelaxed));
  OK(q_add(a, p, 1, 1));
  order(a, b);
  rc("work", q_add(b, p, 1, 1));
  order(b, a);
  Graph g = finish(a);
  rc("query", P(StreamQuery)(b));
  gate.open();
  sync(b);
  run_graph(g);
  vals("v", fetch(p, 2));
}
CASE("fork.streams_reusable") {
  Stream a = new_stream(), b = new_stream();
  int* p = dev_ints(1);
  begin(a);
  OK(q_add(a, p, 0, 1));
  order(a, b);
  OK(q_add(b, p, 0, 1));
  order(b, a);
  Graph g = end_ok(a);
  OK(q_add(b, p, 0, 100));
  sync(b);
  Graph h = captured_add(b, p);
  run_graph(g);
  run_graph(h);
  val("v", fetch1(p));
}
CASE("fork.origin_begins_again_while_old_fork_idle") {
  Stream a = new_stream(), b = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  finish(a, "end1");  // b never worked
  begin(a);
  OK(q_noop(a));
  begin(b);
  OK(q_noop(b));
  finish(a, "end2");
  finish(b, "end3");
}
CASE("fork.from_other_thread") {
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  in_thread([&] {
    rc("work", q_noop(b));
    rc("record", P(EventRecord)(e, b));
    rc("wait", P(StreamWaitEvent)(a, e, 0));
  });
  OK(q_noop(a));
  finish(a);
}
CASE("fork.dependency_lost_when_origin_rejoins") {
  Stream a = new_stream(), b = new_stream(), c = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  order(a, c);
  OK(q_noop(b));
  OK(q_noop(c));
  order(b, a);
  order(c, a);
  deps_of("deps", a);
  finish(a);
}
