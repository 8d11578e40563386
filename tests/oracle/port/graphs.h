// SPDX-License-Identifier: Apache-2.0
// Asking about graphs, and running them.
#pragma once

#include <algorithm>
#include "oracle/port/nodes.h"

inline long long node_count(Graph g) {
  size_t n = 0;
  OK(P(GraphGetNodes)(g, NULL, &n));
  return (long long)n;
}
inline long long root_count(Graph g) {
  size_t n = 0;
  OK(P(GraphGetRootNodes)(g, NULL, &n));
  return (long long)n;
}
inline long long edge_count(Graph g) {
  size_t n = 0;
  OK(P(GraphGetEdges)(g, NULL, NULL, NULL, &n));
  return (long long)n;
}
inline long long dep_count(Node node) {
  size_t n = 0;
  OK(P(GraphNodeGetDependencies)(node, NULL, NULL, &n));
  return (long long)n;
}
inline long long dependent_count(Node node) {
  size_t n = 0;
  OK(P(GraphNodeGetDependentNodes)(node, NULL, NULL, &n));
  return (long long)n;
}
inline std::vector<Node> nodes_of(Graph g) {
  std::vector<Node> v((size_t)node_count(g));
  size_t n = v.size();
  if (n) OK(P(GraphGetNodes)(g, v.data(), &n));
  return v;
}
inline int type_of(Node n) {
  NodeType t = (NodeType)-1;
  OK(P(GraphNodeGetType)(n, &t));
  return (int)t;
}
inline int index_in(const std::vector<Node>& v, Node n) {  // -1: NULL, -2: none of them
  if (!n) return -1;
  for (size_t i = 0; i < v.size(); i++)
    if (v[i] == n) return (int)i;
  return -2;
}
inline Exec instantiate(Graph g) {
  Exec x = NULL;
  OK(P(GraphInstantiate)(&x, g, 0));
  return x;
}
inline void launch(Exec x, Stream s) { OK(P(GraphLaunch)(x, s)); }
inline void sync(Stream s) { OK(P(StreamSynchronize)(s)); }
inline void run(Exec x, int times = 1) {
  Stream s = new_stream();
  for (int i = 0; i < times; i++) launch(x, s);
  sync(s);
  OK(P(StreamDestroy)(s));
}
inline void run_graph(Graph g, int times = 1) {
  Exec x = instantiate(g);
  run(x, times);
  OK(P(GraphExecDestroy)(x));
}
// The error of each stage up to the first that fails: for parameters that may be refused early or
// late.
inline bool try_run(Graph g) {
  Exec x = NULL;
  if (rc("inst", P(GraphInstantiate)(&x, g, 0)) != P(Success)) return false;
  Stream s = new_stream();
  if (rc("launch", P(GraphLaunch)(x, s)) != P(Success)) return false;
  return rc("sync", P(StreamSynchronize)(s)) == P(Success);
}
inline void counts(Graph g) {
  say("nodes=%lld edges=%lld roots=%lld", node_count(g), edge_count(g), root_count(g));
}
