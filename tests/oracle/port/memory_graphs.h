// SPDX-License-Identifier: Apache-2.0
// Graphs with memory nodes that cases share.
#pragma once

#include "oracle/port/conditional.h"

inline const size_t mib = (size_t)1 << 20;

// alloc -> fill -> copy the first int to `out` -> free
struct Simple {
  Graph g;
  Node alloc, fill, copy, release;
  void* p;
};
inline Simple simple(int* out, int value, size_t bytes = 4096) {
  Simple s;
  s.g = new_graph();
  s.alloc = add_alloc(s.g, {}, bytes, &s.p);
  s.fill = add_set(s.g, {s.alloc}, (int*)s.p, 0, value);
  s.copy = add_copy(s.g, {s.fill}, out, s.p, 4);
  s.release = add_free(s.g, {s.copy}, s.p);
  return s;
}
// alloc -> set, never freed by the graph
struct Kept {
  Graph g;
  Node alloc, set;
  void* p;
};
inline Kept kept(int value, size_t bytes = 4096) {
  Kept k;
  k.g = new_graph();
  k.alloc = add_alloc(k.g, {}, bytes, &k.p);
  k.set = add_set(k.g, {k.alloc}, (int*)k.p, 0, value);
  return k;
}
