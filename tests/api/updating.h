// SPDX-License-Identifier: Apache-2.0
// Updates that are taken and updates that are refused, and graphs for them: chains of three steps
// that leave their digits behind.
#pragma once

#include "ground.h"

namespace xpu::test {

inline xpuStream_t stream;
inline int* p;

inline void run(xpuGraphExec_t exec) {
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
}

inline int run_from(xpuGraphExec_t exec, int start) {
  launch_one(stream, "store", p, 0, start);
  run(exec);
  return fetch(p);
}

inline void update(xpuGraphExec_t exec, xpuGraph_t graph) {
  xpuGraphExecUpdateResultInfo info;
  memset(&info, 0xa5, sizeof info);
  info.struct_size = sizeof info;
  assert_ok(xpuGraphExecUpdate(exec, graph, &info));
  assert_int_equal(sizeof info, info.struct_size);
  assert_int_equal(xpuGraphExecUpdateSuccess, info.result);
  assert_null(info.errorNode);
  assert_null(info.errorFromNode);
}

inline void refuse(xpuGraphExec_t exec, xpuGraph_t graph, xpuGraphExecUpdateResult result,
                   xpuGraphNode_t node = nullptr, xpuGraphNode_t from = nullptr) {
  xpuGraphExecUpdateResultInfo info;
  memset(&info, 0xa5, sizeof info);
  info.struct_size = sizeof info;
  assert_code(xpuGraphExecUpdate(exec, graph, &info), xpuErrorGraphExecUpdateFailure);
  assert_int_equal(result, info.result);
  assert_ptr_equal(node, info.errorNode);
  assert_ptr_equal(from, info.errorFromNode);
  assert_true(strlen(last_failure().sentence) > 20);
  (void)xpuGetLastError();
}

// A chain of steps with (a, b) of their own.
inline xpuGraph_t steps(int a, int b, int c, xpuGraphNode_t* nodes = nullptr) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t own[3];
  if (!nodes) nodes = own;
  nodes[0] = add_one(graph, nullptr, "step", p, 10, a);
  nodes[1] = add_one(graph, nodes[0], "step", p, 10, b);
  nodes[2] = add_one(graph, nodes[1], "step", p, 10, c);
  return graph;
}

}  // namespace xpu::test
