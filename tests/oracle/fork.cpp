// SPDX-License-Identifier: Apache-2.0
// Forks and joins through events.
#include "oracle/port/conditional.h"

// --- fork and join

CASE("fork.join") {
  Stream a = new_stream(), b = new_stream();
  int* p = dev_ints(2);
  begin(a);
  OK(q_set(a, p, 0, 1));
  order(a, b);
  OK(q_copy(b, p, 1, p, 0));
  order(b, a);
  OK(q_add(a, p, 1, 10));
  Graph g = finish(a);
  run_graph(g, 3);
  vals("v", fetch(p, 2));
}
CASE("fork.two_branches") {
  Stream a = new_stream(), b = new_stream();
  int* p = dev_ints(4);
  begin(a);
  OK(P(MemsetAsync)(p, 0, 16, a));
  order(a, b);
  OK(q_add(b, p, 1, 2));
  OK(q_add(a, p, 0, 1));
  order(b, a);
  OK(q(a, P_KERNEL(k_vadd), p + 2, (const int*)p, (const int*)(p + 1), 1));
  Graph g = finish(a);
  run_graph(g, 2);
  vals("v", fetch(p, 3));
}
CASE("fork.root_on_fork") {  // forked before the origin has any node
  Stream a = new_stream(), b = new_stream();
  begin(a);
  order(a, b);
  OK(q_noop(b));
  OK(q_noop(a));
  order(b, a);
  OK(q_noop(a));
  finish(a);
}
CASE("fork.only_fork_works") {
  Stream a = new_stream(), b = new_stream();
  begin(a);
  order(a, b);
  OK(q_noop(b));
  order(b, a);
  deps_of("deps", a);
  finish(a);
}
CASES {
  for (auto m : modes)
    add_case(std::string("fork.unjoined.") + m.name, [=] {
      Stream a = new_stream(), b = new_stream();
      begin(a, m.mode);
      OK(q_noop(a));
      order(a, b);
      OK(q_noop(b));
      finish(a);
      st("origin", a);
      st("fork", b);
      last();
      rc("eager_origin", q_noop(a));
      rc("eager_fork", q_noop(b));
      rc("sync", P(DeviceSynchronize)());
    });
}
CASE("fork.unjoined_without_work") {
  Stream a = new_stream(), b = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  finish(a);
  st("fork", b);
}
CASE("fork.unjoined_without_any_work") {
  Stream a = new_stream(), b = new_stream();
  begin(a);
  order(a, b);
  finish(a);
  st("fork", b);
}
CASE("fork.unjoined_recorded_not_waited") {
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  OK(q_noop(b));
  record(e, b);
  finish(a);
}
CASE("fork.work_after_join") {
  Stream a = new_stream(), b = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  OK(q_noop(b));
  order(b, a);
  OK(q_noop(b));
  finish(a);
  st("fork", b);
}
CASE("fork.joined_by_early_event") {  // the join event is recorded before the fork's last work
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  OK(q_noop(b));
  record(e, b);
  OK(q_noop(b));
  wait(a, e);
  finish(a);
}
CASE("fork.event_rerecorded_before_wait") {
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  record(e, a);
  OK(q_noop(a));
  record(e, a);
  wait(b, e);
  OK(q_noop(b));
  order(b, a);
  finish(a);
}
CASE("fork.old_event_after_more_work") {  // the fork starts from where the event was recorded
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  int* p = dev_ints(1);
  begin(a);
  OK(q_noop(a));
  record(e, a);
  OK(P(MemsetAsync)(p, 0, 4, a));
  wait(b, e);
  deps_of("fork", b);
  deps_of("origin", a);
  finish(a);
}
CASE("fork.join_twice") {
  Stream a = new_stream(), b = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  OK(q_noop(b));
  order(b, a);
  order(b, a);
  deps_of("deps", a);
  OK(q_noop(a));
  finish(a);
}
CASE("fork.wait_same_event_twice") {
  Stream a = new_stream(), b = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  OK(q_noop(b));
  record(e, b);
  wait(a, e);
  wait(a, e);
  deps_of("deps", a);
  OK(q_noop(a));
  finish(a);
}
CASE("fork.join_after_origin_idle") {  // the origin's own dependency is an ancestor of the joined
                                       // one
  Stream a = new_stream(), b = new_stream();
  int* p = dev_ints(1);
  begin(a);
  OK(P(MemsetAsync)(p, 0, 4, a));
  order(a, b);
  OK(q_noop(b));
  order(b, a);
  deps_of("deps", a);
  OK(q_noop(a));
  finish(a);
}
CASE("fork.self_wait") {
  Stream a = new_stream();
  Event e = new_event();
  begin(a);
  OK(q_noop(a));
  record(e, a);
  rc("wait", P(StreamWaitEvent)(a, e, 0));
  deps_of("deps", a);
  OK(q_noop(a));
  finish(a);
}
CASE("fork.self_wait_old") {
  Stream a = new_stream();
  Event e = new_event();
  int* p = dev_ints(1);
  begin(a);
  OK(P(MemsetAsync)(p, 0, 4, a));
  record(e, a);
  OK(q_noop(a));
  rc("wait", P(StreamWaitEvent)(a, e, 0));
  deps_of("deps", a);
  OK(q_noop(a));
  finish(a);
}
CASE("fork.nested") {
  Stream a = new_stream(), b = new_stream(), c = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  OK(q_noop(b));
  order(b, c);
  OK(q_noop(c));
  order(c, b);
  OK(q_noop(b));
  order(b, a);
  OK(q_noop(a));
  finish(a);
  st("b", b);
  st("c", c);
}
CASE("fork.nested_joined_straight_to_origin") {
  Stream a = new_stream(), b = new_stream(), c = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  OK(q_noop(b));
  order(b, c);
  OK(q_noop(c));
  order(c, a);
  deps_of("deps", a);
  OK(q_noop(a));
  finish(a);
}
CASE("fork.nested_inner_unjoined") {
  Stream a = new_stream(), b = new_stream(), c = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  OK(q_noop(b));
  order(b, c);
  OK(q_noop(c));
  order(b, a);
  finish(a);
}
CASE("fork.nested_inner_empty_unjoined") {
  Stream a = new_stream(), b = new_stream(), c = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  OK(q_noop(b));
  order(b, c);
  order(b, a);
  finish(a);
}
CASE("fork.joined_through_third_stream") {
  Stream a = new_stream(), b = new_stream(), c = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  order(a, c);
  OK(q_noop(b));
  order(b, c);
  OK(q_noop(c));
  order(c, a);
  OK(q_noop(a));
  finish(a);
}
CASE("fork.empty_join_through_event") {
  Stream a = new_stream(), b = new_stream(), c = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  order(b, c);  // b adds nothing of its own
  OK(q_noop(c));
  order(c, a);
  OK(q_noop(a));
  finish(a);
}
