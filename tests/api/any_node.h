// SPDX-License-Identifier: Apache-2.0
// One good struct of each kind of node that can stand alone, for xpuGraphAddNode and its relatives.
#pragma once

#include "graph_memory.h"

namespace xpu::test {

inline xpuGraphNodeParams of_type(xpuGraphNodeType type) {
  xpuGraphNodeParams p;
  memset(&p, 0, sizeof p);
  p.struct_size = sizeof p;
  p.type = type;
  return p;
}
inline xpuGraphNode_t add_any(xpuGraph_t graph, xpuGraphNode_t after, xpuGraphNodeParams* params) {
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddNode(&node, graph, &after, nullptr, after ? 1 : 0, params));
  return node;
}
inline void count_up(void* counter) { ++*static_cast<int*>(counter); }
inline void count_ten(void* counter) { *static_cast<int*>(counter) += 10; }

// One good struct of each kind that can stand alone.
inline int* memory;
inline xpuEvent_t event;
inline xpuGraph_t good_child;
inline int calls;
enum { kAlone = 8 };
inline xpuGraphNodeParams good[kAlone];

inline xpuGraphNodeParams store_params(int at, int value) {
  xpuGraphNodeParams p = of_type(xpuGraphNodeTypeKernel);
  p.kernel = node_params(kernel("store"), dim(1), dim(1), nullptr);
  // The arguments must outlive this call.
  static int* where;
  static int index, what;
  static void* pointers[3] = {&where, &index, &what};
  where = memory;
  index = at;
  what = value;
  p.kernel.kernelParams = pointers;
  return p;
}

// Before what any stream does.
inline void clear_memory() {
  assert_ok(xpuMemset(memory, 0, 64 * sizeof(int)));
  assert_ok(xpuDeviceSynchronize());
}

inline int open_all(void**) {
  memory = device_ints(64);
  event = new_event();
  good_child = new_graph();
  (void)add_one(good_child, nullptr, "add", memory, 1, 5);
  good[0] = store_params(0, 41);
  good[1] = of_type(xpuGraphNodeTypeMemcpy);
  good[1].memcpy.copyParams = {sizeof(xpuMemcpy3DParms),
                               xpuMemcpyDeviceToDevice,
                               {},
                               {memory, 4, 4, 1},
                               {},
                               {memory + 8, 4, 4, 1},
                               {4, 1, 1}};
  good[2] = of_type(xpuGraphNodeTypeMemset);
  good[2].memset = {sizeof(xpuMemsetParams), 0, memory + 16, 0, 7, 4, 2, 1};
  good[3] = of_type(xpuGraphNodeTypeHost);
  good[3].host = {sizeof(xpuHostNodeParams), 0, count_up, &calls};
  good[4] = of_type(xpuGraphNodeTypeGraph);
  good[4].graph = {good_child, xpuGraphChildGraphOwnershipClone, 0};
  good[5] = of_type(xpuGraphNodeTypeEmpty);
  good[6] = of_type(xpuGraphNodeTypeWaitEvent);
  good[6].eventWait.event = event;
  good[7] = of_type(xpuGraphNodeTypeEventRecord);
  good[7].eventRecord.event = event;
  return 0;
}
inline int close_all(void**) {
  assert_ok(xpuGraphDestroy(good_child));
  assert_ok(xpuEventDestroy(event));
  assert_ok(xpuFree(memory));
  return 0;
}

}  // namespace xpu::test
