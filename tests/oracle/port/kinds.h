// SPDX-License-Identifier: Apache-2.0
// A graph with one node of each kind, for cases that ask the same question of every kind.
#pragma once

#include "oracle/port/graphs.h"

enum { kind_count = 8 };

inline void count_call(void* counter) {
  *static_cast<volatile int*>(counter) = *static_cast<volatile int*>(counter) + 1;
}

struct Kinds {
  Graph g = NULL, child = NULL;
  int* d = NULL;  // 16 ints on the device: 101..104 at 8, zeros elsewhere
  int* h = NULL;  // 16 pinned ints
  Event e = NULL, e2 = NULL;
  Node n[kind_count] = {};  // by type number, independent of each other
};

// Adds one node of kind `type`, working on k's memory.
inline Node add_kind(const Kinds& k, Graph g, int type, const Deps& deps = {}) {
  switch (type) {
    case p_type_kernel:
      return add_set(g, deps, k.d, 0, 11);
    case p_type_memcpy:
      return add_copy(g, deps, k.d + 4, k.d + 8, 4 * sizeof(int));
    case p_type_memset:
      return add_memset(g, deps, k.d + 12, 7, 4, 4);
    case p_type_host:
      return add_host(g, deps, count_call, k.h);
    case p_type_graph:
      return add_child(g, deps, k.child);
    case p_type_empty:
      return add_empty(g, deps);
    case p_type_wait:
      return add_wait(g, deps, k.e);
    default:
      return add_record(g, deps, k.e);
  }
}
inline Kinds new_kinds(bool with_nodes = true) {
  Kinds k;
  k.d = dev_ints(16);
  store(k.d + 8, {101, 102, 103, 104});
  k.h = pinned(16);
  k.e = new_event();
  k.e2 = new_event();
  k.child = new_graph();
  add_set(k.child, {}, k.d, 1, 22);
  k.g = new_graph();
  if (with_nodes)
    for (int t = 0; t < kind_count; t++) k.n[t] = add_kind(k, k.g, t);
  return k;
}

// The value of argument `i`, an int, of a kernel node.
inline int int_arg(Node n, int i) {
  auto p = P_INIT(KernelNodeParams);
  OK(P(GraphKernelNodeGetParams)(n, &p));
  return *(int*)p.kernelParams[i];
}
