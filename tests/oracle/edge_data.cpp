// SPDX-License-Identifier: Apache-2.0
// Edge data: ports and types, lossy queries, removal.
#include "oracle/port/kinds.h"

static Err link(Graph g, Node from, Node to, const EdgeData* d = NULL) {
  return P(GraphAddDependencies)(g, &from, &to, d, 1);
}
static Err unlink(Graph g, Node from, Node to, const EdgeData* d = NULL) {
  return P(GraphRemoveDependencies)(g, &from, &to, d, 1);
}

// --- edge data

struct Quad {
  const char* name;
  int from, to, type;
};
static const Quad quads[] = {{"default", 0, 0, 0},
                             {"programmatic", 1, 0, 1},
                             {"launch_completion", 2, 0, 1},
                             {"programmatic_port_0", 0, 0, 1},
                             {"default_port_1", 1, 0, 0},
                             {"default_port_2", 2, 0, 0},
                             {"port_3", 3, 0, 0},
                             {"port_255", 255, 0, 0},
                             {"to_port_1", 0, 1, 0},
                             {"type_2", 0, 0, 2},
                             {"type_255", 0, 0, 255}};
CASES {
  for (const Quad& q : quads)
    for (int between = 0; between < 4;
         between++) {  // kernel->kernel, kernel->memset, memset->kernel, empty->empty
      if (between && (q.from > 2 || q.type > 1)) continue;
      static const char* const ends[] = {"kernel_kernel", "kernel_memset", "memset_kernel",
                                         "empty_empty"};
      add_case(std::string("edges.data.add.") + q.name + "." + ends[between], [=] {
        Kinds k = new_kinds(false);
        Node a = between < 2 ? add_kind(k, k.g, p_type_kernel)
                             : add_kind(k, k.g, between == 2 ? p_type_memset : p_type_empty);
        Node b = between == 0 || between == 2
                     ? add_kind(k, k.g, p_type_kernel)
                     : add_kind(k, k.g, between == 1 ? p_type_memset : p_type_empty);
        EdgeData d = edge_data(q.from, q.to, q.type);
        rc(link(k.g, a, b, &d));
        val("edges", edge_count(k.g));
      });
    }
}
CASES {
  for (int i = 0; i < 5; i += 4)
    add_case("edges.data.add.reserved_" + std::to_string(i), [=] {
      Graph g = new_graph();
      EdgeData d = edge_data(0, 0, 0);
      d.reserved[i] = 1;
      rc(link(g, add_noop(g), add_noop(g), &d));
      val("edges", edge_count(g));
    });
}
CASE("edges.data.get") {
  Graph g = new_graph();
  Node a = add_noop(g), b = add_noop(g), c = add_noop(g);
  EdgeData d[2] = {edge_data(1, 0, 1), edge_data(0, 0, 0)};
  Node from[2] = {a, b}, to[2] = {b, c};
  rc("add", P(GraphAddDependencies)(g, from, to, d, 2));
  for (int i = 0; i < 2; i++) {
    Node dep = NULL;
    EdgeData e = edge_data(9, 9, 9);
    size_t n = 1;
    rc(P(GraphNodeGetDependencies)(to[i], &dep, &e, &n));
    say("n=%zu from=%d port=%d/%d type=%d", n, dep == from[i], e.from_port, e.to_port, e.type);
  }
  Node next = NULL;
  EdgeData e = edge_data(9, 9, 9);
  size_t n = 1;
  rc("dependents", P(GraphNodeGetDependentNodes)(a, &next, &e, &n));
  say("port=%d/%d type=%d", e.from_port, e.to_port, e.type);
}
struct Programmatic {  // kernel -> kernel over a programmatic edge
  Graph g = new_graph();
  Node a = add_noop(g), b = add_noop(g);
  EdgeData d = edge_data(p_port_programmatic, 0, p_edge_programmatic);
  Programmatic() { OK(link(g, a, b, &d)); }
};
CASE("edges.data.lossy.edges") {
  Programmatic p;
  Node from = NULL, to = NULL;
  size_t n = 1;
  rc("arrays", P(GraphGetEdges)(p.g, &from, &to, NULL, &n));
  val("n", (long long)n);
  n = 7;
  rc("count", P(GraphGetEdges)(p.g, NULL, NULL, NULL, &n));
  val("n", (long long)n);
}
CASE("edges.data.lossy.dependencies") {
  Programmatic p;
  Node dep = NULL;
  size_t n = 1;
  rc("array", P(GraphNodeGetDependencies)(p.b, &dep, NULL, &n));
  val("n", (long long)n);
  n = 7;
  rc("count", P(GraphNodeGetDependencies)(p.b, NULL, NULL, &n));
  val("n", (long long)n);
}
CASE("edges.data.lossy.dependents") {
  Programmatic p;
  Node dep = NULL;
  size_t n = 1;
  rc("array", P(GraphNodeGetDependentNodes)(p.a, &dep, NULL, &n));
  val("n", (long long)n);
}
CASE("edges.data.lossy.default_edges_only_returned") {  // a short array that holds only the default
                                                        // edge
  Graph g = new_graph();
  Node a = add_noop(g), b = add_noop(g), c = add_noop(g);
  EdgeData d = edge_data(1, 0, 1);
  OK(link(g, a, b));
  OK(link(g, b, c, &d));
  Node from = NULL, to = NULL;
  size_t n = 1;
  rc(P(GraphGetEdges)(g, &from, &to, NULL, &n));
  val("n", (long long)n);
}
CASE("edges.data.remove.exact") {
  Programmatic p;
  rc(unlink(p.g, p.a, p.b, &p.d));
  val("edges", edge_count(p.g));
}
CASE("edges.data.remove.null_data") {
  Programmatic p;
  rc(unlink(p.g, p.a, p.b));
  val("edges", edge_count(p.g));
}
CASE("edges.data.remove.other_data") {
  Programmatic p;
  EdgeData d = edge_data(2, 0, 1);
  rc(unlink(p.g, p.a, p.b, &d));
  val("edges", edge_count(p.g));
}
CASE("edges.data.remove.default_given_for_default") {
  Graph g = new_graph();
  Node a = add_noop(g), b = add_noop(g, {a});
  EdgeData d = edge_data(0, 0, 0);
  rc(unlink(g, a, b, &d));
  val("edges", edge_count(g));
}
CASE("edges.data.remove.programmatic_given_for_default") {
  Graph g = new_graph();
  Node a = add_noop(g), b = add_noop(g, {a});
  EdgeData d = edge_data(1, 0, 1);
  rc(unlink(g, a, b, &d));
  val("edges", edge_count(g));
}
CASE("edges.data.add.second_with_other_data") {
  Programmatic p;
  rc("default", link(p.g, p.a, p.b));
  EdgeData d = edge_data(2, 0, 1);
  rc("completion", link(p.g, p.a, p.b, &d));
  rc("same", link(p.g, p.a, p.b, &p.d));
  size_t n = 0;
  rc("count", P(GraphGetEdges)(p.g, NULL, NULL, NULL, &n));
  val("edges", (long long)n);
}
CASE("edges.data.run.programmatic") {
  int* d = dev_ints(2);
  Graph g = new_graph();
  Node a = add_set(g, {}, d, 0, 3), b = add_set(g, {}, d, 1, 4);
  EdgeData e = edge_data(1, 0, 1);
  if (rc("add", link(g, a, b, &e)) != P(Success)) return;
  if (try_run(g)) vals("value", fetch(d, 2));
}
CASE("edges.data.run.launch_completion") {
  int* d = dev_ints(2);
  Graph g = new_graph();
  Node a = add_set(g, {}, d, 0, 3), b = add_set(g, {}, d, 1, 4);
  EdgeData e = edge_data(2, 0, 1);
  if (rc("add", link(g, a, b, &e)) != P(Success)) return;
  if (try_run(g)) vals("value", fetch(d, 2));
}
CASE("edges.data.run.port_2_default_type") {
  int* d = dev_ints(2);
  Graph g = new_graph();
  Node a = add_set(g, {}, d, 0, 3), b = add_set(g, {}, d, 1, 4);
  EdgeData e = edge_data(2, 0, 0);
  if (rc("add", link(g, a, b, &e)) != P(Success)) return;
  if (try_run(g)) vals("value", fetch(d, 2));
}
