// SPDX-License-Identifier: Apache-2.0
// What the tests of profiles share: a stream, the rows of the last profile, and the way to one of
// them.
#pragma once

#include "graph_memory.h"

namespace xpu::test {

inline xpuStream_t stream;

inline int open_all(void** state) {
  stream = new_stream();
  return load_first(state);
}
inline int close_all(void**) {
  assert_ok(xpuStreamDestroy(stream));
  return 0;
}

inline constexpr size_t kMost = 256;
inline xpuGraphNodeProfile rows[kMost];
inline size_t count;

inline void profile(xpuGraphExec_t exec) {
  memset(rows, 0, sizeof rows);
  rows[0].struct_size = sizeof *rows;
  count = kMost;
  assert_ok(xpuGraphExecProfile(exec, stream, rows, &count, nullptr));
}
inline void profile_and_destroy(xpuGraph_t graph) {
  const xpuGraphExec_t exec = instantiate(graph);
  profile(exec);
  assert_ok(xpuGraphExecDestroy(exec));
}

inline unsigned long long end_of(const xpuGraphNodeProfile& row) {
  return row.startNs + row.durationNs;
}
// The row of the node that was added as number `id` to the graph of the child node in row `parent`.
inline size_t row_of(unsigned id, unsigned parent = XPU_PROFILE_NONE) {
  for (size_t i = 0; i < count; i++)
    if (rows[i].localId == id && rows[i].parent == parent) return i;
  fail_msg("no row has the id %u below %u", id, parent);
  return 0;
}

}  // namespace xpu::test
