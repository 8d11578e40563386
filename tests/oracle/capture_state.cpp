// SPDX-License-Identifier: Apache-2.0
// Stream capture: status, information and the thread's capture mode.
#include "oracle/port/conditional.h"

// --- status

CASE("cap.status.null_out") {
  Stream s = new_stream();
  rc(P(StreamIsCapturing)(s, NULL));
  last();
}
CASE("cap.status.null_out_capturing") {
  Stream s = new_stream();
  begin(s);
  rc("status", P(StreamIsCapturing)(s, NULL));
  st("st", s);
  finish(s);
}
CASE("cap.status.idle_streams") {
  Stream s = new_stream();
  st("created", s);
  st("null", NULL);
  st("legacy", P(StreamLegacy));
  st("per_thread", P(StreamPerThread));
}
CASE("cap.status.fork") {
  Stream a = new_stream(), b = new_stream(), c = new_stream();
  begin(a);
  order(a, b);
  st("origin", a);
  st("fork", b);
  st("bystander", c);
  finish(a);
  st("origin", a);
  st("fork", b);
}
CASE("cap.status.other_thread") {
  Stream s = new_stream();
  begin(s);
  in_thread([&] { st("other", s); });
  finish(s);
  in_thread([&] { st("other", s); });
}
CASES {
  for (auto m : modes) {
    std::string mode = m.name;
    for (int blocking = 0; blocking < 2; blocking++) {
      std::string kind = blocking ? ".blocking_captures" : ".nonblocking_captures";
      add_case("cap.status.null_stream." + mode + kind, [=] {
        Stream s = blocking ? blocking_stream() : new_stream();
        begin(s, m.mode);
        OK(q_noop(s));
        st("null", NULL);
        last();
        st("legacy", P(StreamLegacy));
        st("s", s);
        finish(s);
        st("null_after", NULL);
      });
      add_case("cap.info.null_stream." + mode + kind, [=] {
        Stream s = blocking ? blocking_stream() : new_stream();
        begin(s, m.mode);
        OK(q_noop(s));
        Info i = info(NULL);
        rc("null", i.e);
        if (i.e == P(Success)) say("status=%s", status_name((int)i.status));
        last();
        st("s", s);
        finish(s);
      });
    }
    add_case("cap.status.invalidated." + mode, [=] {
      Stream a = new_stream(), b = new_stream();
      begin(a, m.mode);
      order(a, b);
      rc("spoil", P(StreamSynchronize)(b));
      st("origin", a);
      st("fork", b);
      finish(a);
      st("origin", a);
      st("fork", b);
    });
  }
}
CASE("cap.status.per_thread_while_blocking_captures") {
  Stream s = blocking_stream();
  begin(s);
  OK(q_noop(s));
  st("per_thread", P(StreamPerThread));
  st("s", s);
  finish(s);
}
CASE("cap.status.per_thread_is_per_thread") {
  Stream mine = P(StreamPerThread);
  begin(mine, P(StreamCaptureModeRelaxed));
  st("here", mine);
  in_thread([&] { st("there", P(StreamPerThread)); });
  finish(mine);
}

// --- information

CASE("cap.info.idle") {
  Stream s = new_stream();
  static char mark;
  CaptureStatus status = (CaptureStatus)-1;
  CaptureId id = 77;
  Graph graph = (Graph)(void*)&mark;
  const Node* deps = (const Node*)(void*)&mark;
  const EdgeData* edges = (const EdgeData*)(void*)&mark;
  size_t n = 77;
  rc("info", P(StreamGetCaptureInfo)(s, &status, &id, &graph, &deps, &edges, &n));
  say("status=%s", status_name((int)status));
  val("id", (long long)id);
  val("n", (long long)n);
  say("graph=%s", (void*)graph == &mark ? "untouched" : graph ? "set" : "null");
  say("deps=%s", (void*)deps == &mark ? "untouched" : deps ? "set" : "null");
  say("edges=%s", (void*)edges == &mark ? "untouched" : edges ? "set" : "null");
}
CASE("cap.info.status_null") {
  Stream s = new_stream();
  CaptureId id = 0;
  rc("idle", P(StreamGetCaptureInfo)(s, NULL, &id, NULL, NULL, NULL, NULL));
  begin(s);
  rc("capturing", P(StreamGetCaptureInfo)(s, NULL, &id, NULL, NULL, NULL, NULL));
  st("st", s);
  finish(s);
}
CASE("cap.info.only_status") {
  Stream s = new_stream();
  begin(s);
  OK(q_noop(s));
  CaptureStatus status = (CaptureStatus)-1;
  rc("info", P(StreamGetCaptureInfo)(s, &status, NULL, NULL, NULL, NULL, NULL));
  say("status=%s", status_name((int)status));
  finish(s);
}
CASE("cap.info.each_output_alone") {
  Stream s = new_stream();
  begin(s);
  OK(q_noop(s));
  CaptureStatus status;
  CaptureId id = 0;
  Graph graph = NULL;
  const Node* deps = NULL;
  const EdgeData* edges = NULL;
  size_t n = 0;
  rc("id", P(StreamGetCaptureInfo)(s, &status, &id, NULL, NULL, NULL, NULL));
  rc("graph", P(StreamGetCaptureInfo)(s, &status, NULL, &graph, NULL, NULL, NULL));
  rc("deps", P(StreamGetCaptureInfo)(s, &status, NULL, NULL, &deps, NULL, NULL));
  rc("edges", P(StreamGetCaptureInfo)(s, &status, NULL, NULL, NULL, &edges, NULL));
  rc("n", P(StreamGetCaptureInfo)(s, &status, NULL, NULL, NULL, NULL, &n));
  rc("deps_n", P(StreamGetCaptureInfo)(s, &status, NULL, NULL, &deps, NULL, &n));
  rc("deps_edges_n", P(StreamGetCaptureInfo)(s, &status, NULL, NULL, &deps, &edges, &n));
  val("count", (long long)n);
  finish(s);
}
CASE("cap.info.start") {
  Stream s = new_stream();
  begin(s);
  Info i = info_ok(s);
  say("status=%s", status_name((int)i.status));
  val("id_nonzero", i.id != 0);
  ptr_state("graph", i.graph);
  val("n", (long long)i.n);
  val("graph_nodes", node_count(i.graph));
  finish(s);
}
CASE("cap.info.follows_the_stream") {
  Stream s = new_stream();
  int* p = dev_ints(1);
  begin(s);
  deps_of("start", s);
  OK(q_add(s, p, 0, 1));
  deps_of("kernel", s);
  Node first = dep(s);
  OK(P(MemsetAsync)(p, 0, 4, s));
  deps_of("memset", s);
  val("moved", dep(s) != first);
  Info i = info_ok(s);
  val("graph_nodes", node_count(i.graph));
  record(spare_event(), s);
  deps_of("record", s);
  finish(s);
}
CASE("cap.info.default_edges") {
  Stream s = new_stream();
  begin(s);
  OK(q_noop(s));
  Info i = info_ok(s);
  ptr_state("edges", i.edges);
  if (i.edges)
    say("data=%d,%d,%d", (int)i.edges[0].from_port, (int)i.edges[0].to_port, (int)i.edges[0].type);
  finish(s);
}
CASE("cap.info.after_join") {
  Stream a = new_stream(), b = new_stream();
  int* p = dev_ints(1);
  begin(a);
  OK(q_noop(a));
  order(a, b);
  deps_of("fork", b);
  OK(P(MemsetAsync)(p, 0, 4, b));
  OK(q_noop(a));
  order(b, a);
  deps_of("joined", a);
  deps_of("side", b);
  OK(q_noop(a));
  deps_of("next", a);
  finish(a);
}
CASE("cap.info.fork_shares_id_and_graph") {
  Stream a = new_stream(), b = new_stream();
  begin(a);
  OK(q_noop(a));
  order(a, b);
  Info i = info_ok(a), k = info_ok(b);
  val("same_id", i.id == k.id);
  val("same_graph", i.graph == k.graph);
  val("same_dep", i.n == 1 && k.n == 1 && i.deps[0] == k.deps[0]);
  finish(a);
}
CASE("cap.info.other_thread") {
  Stream s = new_stream();
  begin(s);
  OK(q_noop(s));
  Info i = info_ok(s);
  in_thread([&] {
    Info k = info(s);
    rc("info", k.e);
    val("same_id", k.id == i.id);
    val("n", (long long)k.n);
  });
  finish(s);
}
CASE("cap.info.graph_is_the_result") {
  Stream s = new_stream();
  begin(s);
  OK(q_noop(s));
  Graph during = info_ok(s).graph;
  Graph g = end_ok(s);
  val("same", g == during);
}
CASE("cap.info.after_end") {
  Stream s = new_stream();
  begin(s);
  OK(q_noop(s));
  end_ok(s);
  Info i = info(s);
  rc("info", i.e);
  say("status=%s", status_name((int)i.status));
  val("id", (long long)i.id);
  val("n", (long long)i.n);
  ptr_state("graph", i.graph);
}
CASE("cap.info.invalidated") {
  Stream s = new_stream();
  begin(s);
  OK(q_noop(s));
  rc("spoil", P(StreamSynchronize)(s));
  CaptureStatus status = (CaptureStatus)-1;
  rc("only_status", P(StreamGetCaptureInfo)(s, &status, NULL, NULL, NULL, NULL, NULL));
  say("status=%s", status_name((int)status));
  Info i = info(s);
  rc("info", i.e);
  say("status=%s", status_name((int)i.status));
  last();
  finish(s);
}
CASE("cap.info.lossy") {  // a dependency with non-default edge data
  Stream s = new_stream();
  begin(s);
  OK(q_noop(s));
  Node kernel = dep(s);
  EdgeData programmatic = edge_data(p_port_programmatic, 0, p_edge_programmatic);
  rc("set", P(StreamUpdateCaptureDependencies)(s, &kernel, &programmatic, 1,
                                               P(StreamSetCaptureDependencies)));
  CaptureStatus status = (CaptureStatus)-1;
  const Node* deps = NULL;
  const EdgeData* edges = NULL;
  size_t n = 0;
  rc("without_edges", P(StreamGetCaptureInfo)(s, &status, NULL, NULL, &deps, NULL, &n));
  rc("with_edges", P(StreamGetCaptureInfo)(s, &status, NULL, NULL, &deps, &edges, &n));
  if (edges && n)
    say("data=%d,%d,%d", (int)edges[0].from_port, (int)edges[0].to_port, (int)edges[0].type);
  rc("count_only", P(StreamGetCaptureInfo)(s, &status, NULL, NULL, NULL, NULL, &n));
  st("st", s);
  OK(q_noop(s));
  finish(s);
}
CASE("cap.info.graph_can_be_edited") {
  Stream s = new_stream();
  int* p = dev_ints(2);
  begin(s);
  OK(q_add(s, p, 0, 1));
  Graph g = info_ok(s).graph;
  Node k = dep(s), n = NULL;
  {
    auto call = one(P_KERNEL(k_add), p, 1, 10);
    rc("add", P(GraphAddKernelNode)(&n, g, &k, 1, &call.params));
  }
  OK(q_add(s, p, 0, 1));
  Graph result = finish(s);
  run_graph(result);
  vals("v", fetch(p, 2));
}
CASE("cap.graph_instantiate_during") {
  Stream s = new_stream();
  begin(s, P(StreamCaptureModeRelaxed));
  OK(q_noop(s));
  Graph g = info_ok(s).graph;
  Exec x = NULL;
  rc("instantiate", P(GraphInstantiate)(&x, g, 0));
  ptr_state("exec", x);
  last();
  st("st", s);
  finish(s);
}
CASE("cap.graph_clone_during") {
  Stream s = new_stream();
  begin(s, P(StreamCaptureModeRelaxed));
  OK(q_noop(s));
  Graph g = info_ok(s).graph, c = NULL;
  rc("clone", P(GraphClone)(&c, g));
  st("st", s);
  if (c) shape("clone", c);
  finish(s);
}
CASE("cap.graph_as_child_during") {
  Stream s = new_stream();
  Graph parent = new_graph();
  begin(s, P(StreamCaptureModeRelaxed));
  OK(q_noop(s));
  Graph g = info_ok(s).graph;
  Node n = NULL;
  rc("add_child", P(GraphAddChildGraphNode)(&n, parent, NULL, 0, g));
  st("st", s);
  finish(s);
}
CASE("ub.cap.graph_remove_node_during") {
  Stream s = new_stream();
  Graph g = NULL;
  begin(s, P(StreamCaptureModeRelaxed));
  OK(q_noop(s));
  Node first = dep(s);
  OK(q_noop(s));
  g = info_ok(s).graph;
  rc("destroy_node", P(GraphDestroyNode)(first));
  val("nodes", node_count(g));
  st("st", s);
  finish(s);
}
CASE("ub.cap.graph_destroy_during") {
  Stream s = new_stream();
  begin(s, P(StreamCaptureModeRelaxed));
  OK(q_noop(s));
  rc("destroy", P(GraphDestroy)(info_ok(s).graph));
  st("st", s);
  last();
}
