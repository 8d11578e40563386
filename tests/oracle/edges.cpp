// SPDX-License-Identifier: Apache-2.0
// Dependencies: adding and removing them.
#include "oracle/port/kinds.h"

static Err link(Graph g, Node from, Node to, const EdgeData* d = NULL) {
  return P(GraphAddDependencies)(g, &from, &to, d, 1);
}
static Err unlink(Graph g, Node from, Node to, const EdgeData* d = NULL) {
  return P(GraphRemoveDependencies)(g, &from, &to, d, 1);
}

// --- add

CASE("edges.add.one") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g);
  rc(link(g, a, b));
  counts(g);
  say("b_deps=%lld a_dependents=%lld", dep_count(b), dependent_count(a));
}
CASE("edges.add.list") {
  Graph g = new_graph();
  Node n[4] = {add_empty(g), add_empty(g), add_empty(g), add_empty(g)};
  Node from[4] = {n[0], n[0], n[1], n[2]}, to[4] = {n[1], n[2], n[3], n[3]};
  rc(P(GraphAddDependencies)(g, from, to, NULL, 4));
  counts(g);
}
CASE("edges.add.list_prefix") {
  Graph g = new_graph();
  Node n[3] = {add_empty(g), add_empty(g), add_empty(g)};
  rc(P(GraphAddDependencies)(g, n, n + 1, NULL, 1));
  counts(g);
}
CASE("edges.add.count_0") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g);
  rc("null_null", P(GraphAddDependencies)(g, NULL, NULL, NULL, 0));
  rc("null_to", P(GraphAddDependencies)(g, &a, NULL, NULL, 0));
  rc("null_from", P(GraphAddDependencies)(g, NULL, &b, NULL, 0));
  rc("both", P(GraphAddDependencies)(g, &a, &b, NULL, 0));
  rc("self", P(GraphAddDependencies)(g, &a, &a, NULL, 0));
  val("edges", edge_count(g));
}
CASE("edges.add.count_0_null_graph") { rc(P(GraphAddDependencies)(NULL, NULL, NULL, NULL, 0)); }
CASE("edges.add.null_graph") {
  Graph g = new_graph();
  rc(link(NULL, add_empty(g), add_empty(g)));
  val("edges", edge_count(g));
}
CASE("edges.add.null_from") {
  Graph g = new_graph();
  Node a = add_empty(g);
  rc(P(GraphAddDependencies)(g, NULL, &a, NULL, 1));
}
CASE("edges.add.null_to") {
  Graph g = new_graph();
  Node a = add_empty(g);
  rc(P(GraphAddDependencies)(g, &a, NULL, NULL, 1));
}
CASE("edges.add.null_arrays") { rc(P(GraphAddDependencies)(new_graph(), NULL, NULL, NULL, 1)); }
CASE("edges.add.null_from_entry") {
  Graph g = new_graph();
  rc(link(g, NULL, add_empty(g)));
}
CASE("edges.add.null_to_entry") {
  Graph g = new_graph();
  rc(link(g, add_empty(g), NULL));
}
CASE("edges.add.self") {
  Graph g = new_graph();
  Node a = add_empty(g);
  rc(link(g, a, a));
  val("edges", edge_count(g));
}
CASE("edges.add.duplicate") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g);
  rc("first", link(g, a, b));
  rc("again", link(g, a, b));
  val("edges", edge_count(g));
}
CASE("edges.add.duplicate_of_add_node") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a});
  rc(link(g, a, b));
  val("edges", edge_count(g));
}
CASE("edges.add.duplicate_in_call") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g), from[2] = {a, a}, to[2] = {b, b};
  rc(P(GraphAddDependencies)(g, from, to, NULL, 2));
  val("edges", edge_count(g));
}
CASE("edges.add.duplicate_late_in_call") {  // are the good edges before it kept?
  Graph g = new_graph();
  Node n[4] = {add_empty(g), add_empty(g), add_empty(g), add_empty(g)};
  OK(link(g, n[2], n[3]));
  Node from[3] = {n[0], n[1], n[2]}, to[3] = {n[1], n[2], n[3]};
  rc(P(GraphAddDependencies)(g, from, to, NULL, 3));
  val("edges", edge_count(g));
}
CASE("edges.add.self_late_in_call") {
  Graph g = new_graph();
  Node n[3] = {add_empty(g), add_empty(g), add_empty(g)};
  Node from[2] = {n[0], n[2]}, to[2] = {n[1], n[2]};
  rc(P(GraphAddDependencies)(g, from, to, NULL, 2));
  val("edges", edge_count(g));
}
CASE("edges.add.null_late_in_call") {
  Graph g = new_graph();
  Node n[3] = {add_empty(g), add_empty(g), add_empty(g)};
  Node from[2] = {n[0], NULL}, to[2] = {n[1], n[2]};
  rc(P(GraphAddDependencies)(g, from, to, NULL, 2));
  val("edges", edge_count(g));
}
CASE("edges.add.foreign_from") {
  Graph g = new_graph(), other = new_graph();
  Node a = add_empty(other), b = add_empty(g);
  rc(link(g, a, b));
  say("edges=%lld other=%lld", edge_count(g), edge_count(other));
}
CASE("edges.add.foreign_to") {
  Graph g = new_graph(), other = new_graph();
  Node a = add_empty(g), b = add_empty(other);
  rc(link(g, a, b));
  say("edges=%lld other=%lld", edge_count(g), edge_count(other));
}
CASE("edges.add.foreign_both") {
  Graph g = new_graph(), other = new_graph();
  Node a = add_empty(other), b = add_empty(other);
  rc(link(g, a, b));
  say("edges=%lld other=%lld", edge_count(g), edge_count(other));
}
CASE("edges.add.node_of_clone") {
  Graph g = new_graph(), c = NULL;
  Node a = add_empty(g), b = add_empty(g), ca = NULL;
  OK(P(GraphClone)(&c, g));
  OK(P(GraphNodeFindInClone)(&ca, a, c));
  rc(link(g, ca, b));
}
CASE("edges.add.node_inside_child") {
  Kinds k = new_kinds(false);
  Node n = add_child(k.g, {}, k.child), b = add_empty(k.g);
  Graph inner = NULL;
  OK(P(GraphChildGraphNodeGetGraph)(n, &inner));
  rc(link(k.g, nodes_of(inner)[0], b));
}
CASE("edges.add.two_cycle") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a});
  rc("add", link(g, b, a));
  counts(g);
  Exec x = NULL;
  rc("inst", P(GraphInstantiate)(&x, g, 0));
}
CASE("edges.add.three_cycle") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a}), c = add_empty(g, {b});
  rc("add", link(g, c, a));
  counts(g);
  Exec x = NULL;
  rc("inst", P(GraphInstantiate)(&x, g, 0));
}
CASE("edges.add.cycle_behind_a_tail") {
  Graph g = new_graph();
  Node t = add_empty(g), a = add_empty(g, {t}), b = add_empty(g, {a}), c = add_empty(g, {b});
  add_empty(g, {c});
  rc("add", link(g, c, a));
  Exec x = NULL;
  rc("inst", P(GraphInstantiate)(&x, g, 0));
  OK(unlink(g, c, a));
  rc("after_removal", P(GraphInstantiate)(&x, g, 0));
}
CASE("edges.add.cycle_cut_elsewhere") {  // removing an unrelated edge leaves the cycle
  Graph g = new_graph();
  Node t = add_empty(g), a = add_empty(g, {t}), b = add_empty(g, {a});
  OK(link(g, b, a));
  OK(unlink(g, t, a));
  Exec x = NULL;
  rc("inst", P(GraphInstantiate)(&x, g, 0));
}
CASE("edges.add.transitive") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a}), c = add_empty(g, {b});
  rc("add", link(g, a, c));
  counts(g);
  Exec x = NULL;
  rc("inst", P(GraphInstantiate)(&x, g, 0));
}
CASE("edges.add.between_kinds") {  // every kind before and after every kind
  Kinds k = new_kinds();
  int fine = 0;
  for (int i = 0; i < kind_count; i++)
    for (int j = i + 1; j < kind_count; j++) fine += link(k.g, k.n[i], k.n[j]) == P(Success);
  val("fine", fine);
  counts(k.g);
  Exec x = NULL;
  rc("inst", P(GraphInstantiate)(&x, k.g, 0));
}
CASE("edges.add.fan_1000") {
  Graph g = new_graph();
  Node hub = add_empty(g);
  std::vector<Node> from, to;
  for (int i = 0; i < 1000; i++) from.push_back(hub), to.push_back(add_empty(g));
  rc(P(GraphAddDependencies)(g, from.data(), to.data(), NULL, from.size()));
  counts(g);
  val("dependents", dependent_count(hub));
}
CASE("edges.add.orders_execution") {
  int* d = dev_ints(1);
  Graph g = new_graph();
  Node b = add_step(g, {}, d, 10, 2);
  Node a = add_kernel(g, {}, P_KERNEL(k_spin_step), dims(1), dims(1), d, 0, 3, (int)p_spin);
  OK(link(g, a, b));
  run_graph(g);
  val("value", fetch1(d));
}
CASE("edges.add.leaves_exec") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g);
  Exec x = instantiate(g);
  OK(link(g, a, b));
  OK(link(g, b, a));
  Stream s = new_stream();
  rc("launch", P(GraphLaunch)(x, s));
  rc("sync", P(StreamSynchronize)(s));
}
CASE("edges.add.rewire") {  // a -> b becomes a -> m -> b
  int* d = dev_ints(1);
  Graph g = new_graph();
  Node a = add_step(g, {}, d, 0, 3), b = add_step(g, {a}, d, 10, 2);
  run_graph(g);
  val("before", fetch1(d));
  Node m = add_step(g, {}, d, 5, 1);
  OK(unlink(g, a, b));
  OK(link(g, a, m));
  OK(link(g, m, b));
  run_graph(g);
  val("after", fetch1(d));
}

// --- remove

CASE("edges.remove.one") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a});
  rc(unlink(g, a, b));
  counts(g);
}
CASE("edges.remove.all") {
  Graph g = new_graph();
  Node n[4] = {add_empty(g), add_empty(g), add_empty(g), add_empty(g)};
  Node from[4] = {n[0], n[0], n[1], n[2]}, to[4] = {n[1], n[2], n[3], n[3]};
  OK(P(GraphAddDependencies)(g, from, to, NULL, 4));
  rc(P(GraphRemoveDependencies)(g, from, to, NULL, 4));
  counts(g);
}
CASE("edges.remove.some") {
  Graph g = new_graph();
  Node n[4] = {add_empty(g), add_empty(g), add_empty(g), add_empty(g)};
  Node from[4] = {n[0], n[0], n[1], n[2]}, to[4] = {n[1], n[2], n[3], n[3]};
  OK(P(GraphAddDependencies)(g, from, to, NULL, 4));
  rc(P(GraphRemoveDependencies)(g, from + 1, to + 1, NULL, 2));
  counts(g);
  say("deps=%lld,%lld,%lld", dep_count(n[1]), dep_count(n[2]), dep_count(n[3]));
}
CASE("edges.remove.count_0") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a});
  rc("null_null", P(GraphRemoveDependencies)(g, NULL, NULL, NULL, 0));
  rc("both", P(GraphRemoveDependencies)(g, &a, &b, NULL, 0));
  rc("absent", P(GraphRemoveDependencies)(g, &b, &a, NULL, 0));
  val("edges", edge_count(g));
}
CASE("edges.remove.null_graph") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a});
  rc(unlink(NULL, a, b));
  val("edges", edge_count(g));
}
CASE("edges.remove.null_from") {
  Graph g = new_graph();
  Node a = add_empty(g);
  rc(P(GraphRemoveDependencies)(g, NULL, &a, NULL, 1));
}
CASE("edges.remove.null_to") {
  Graph g = new_graph();
  Node a = add_empty(g);
  rc(P(GraphRemoveDependencies)(g, &a, NULL, NULL, 1));
}
CASE("edges.remove.null_arrays") {
  rc(P(GraphRemoveDependencies)(new_graph(), NULL, NULL, NULL, 1));
}
CASE("edges.remove.null_entries") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a});
  rc("from", unlink(g, NULL, b));
  rc("to", unlink(g, a, NULL));
  val("edges", edge_count(g));
}
CASE("edges.remove.absent") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g);
  rc(unlink(g, a, b));
}
CASE("edges.remove.reversed") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a});
  rc(unlink(g, b, a));
  val("edges", edge_count(g));
}
CASE("edges.remove.self") {
  Graph g = new_graph();
  Node a = add_empty(g);
  rc(unlink(g, a, a));
}
CASE("edges.remove.transitive_only") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a}), c = add_empty(g, {b});
  rc(unlink(g, a, c));
  val("edges", edge_count(g));
}
CASE("edges.remove.twice") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a});
  rc("first", unlink(g, a, b));
  rc("second", unlink(g, a, b));
}
CASE("edges.remove.twice_in_call") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a}), from[2] = {a, a}, to[2] = {b, b};
  rc(P(GraphRemoveDependencies)(g, from, to, NULL, 2));
  val("edges", edge_count(g));
}
CASE("edges.remove.absent_late_in_call") {
  Graph g = new_graph();
  Node n[3];
  n[0] = add_empty(g), n[1] = add_empty(g, {n[0]}), n[2] = add_empty(g);
  Node from[2] = {n[0], n[1]}, to[2] = {n[1], n[2]};
  rc(P(GraphRemoveDependencies)(g, from, to, NULL, 2));
  val("edges", edge_count(g));
}
CASE("edges.remove.foreign_nodes") {
  Graph g = new_graph(), other = new_graph();
  Node a = add_empty(other), b = add_empty(other, {a});
  add_empty(g, {add_empty(g)});
  rc(unlink(g, a, b));
  say("edges=%lld other=%lld", edge_count(g), edge_count(other));
}
CASE("edges.remove.node_destroyed_neighbour") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a}), c = add_empty(g, {b});
  OK(P(GraphDestroyNode)(a));
  rc(unlink(g, b, c));
  counts(g);
}
CASE("edges.remove.then_add_again") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a});
  rc("remove", unlink(g, a, b));
  rc("add", link(g, a, b));
  val("edges", edge_count(g));
}
CASE("edges.remove.frees_execution") {  // b no longer follows a: both run
  int* d = dev_ints(2);
  Graph g = new_graph();
  Node a = add_set(g, {}, d, 0, 1), b = add_set(g, {a}, d, 1, 2);
  OK(unlink(g, a, b));
  counts(g);
  run_graph(g);
  vals("value", fetch(d, 2));
}
