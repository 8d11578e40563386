// SPDX-License-Identifier: Apache-2.0
// What the tests of graph memory share: one-line memory nodes, two small graphs, and how much is
// held.
#pragma once

#include "capturing.h"

namespace xpu::test {

inline constexpr size_t kMiB = size_t{1} << 20;

inline xpuMemAllocNodeParams alloc_params(size_t bytes, int device = 0) {
  xpuMemAllocNodeParams params = {};
  params.struct_size = sizeof params;
  params.poolProps.struct_size = sizeof params.poolProps;
  params.poolProps.allocType = xpuMemAllocationTypePinned;
  params.poolProps.location = {xpuMemLocationTypeDevice, device};
  params.bytesize = bytes;
  return params;
}

struct Alloc {
  xpuGraphNode_t node;
  int* at;
  char* bytes() const { return reinterpret_cast<char*>(at); }
};
inline Alloc add_alloc(xpuGraph_t graph, const xpuGraphNode_t* after, size_t count, size_t bytes) {
  xpuMemAllocNodeParams params = alloc_params(bytes);
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddMemAllocNode(&node, graph, after, count, &params));
  assert_non_null(params.dptr);
  return {node, static_cast<int*>(params.dptr)};
}
// After one node, which may be NULL.
inline Alloc add_alloc(xpuGraph_t graph, xpuGraphNode_t after, size_t bytes) {
  return add_alloc(graph, &after, after ? 1 : 0, bytes);
}
inline xpuGraphNode_t add_free(xpuGraph_t graph, xpuGraphNode_t after, void* at) {
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddMemFreeNode(&node, graph, &after, after ? 1 : 0, at));
  return node;
}

// alloc -> store -> copy of the first int to `out` -> free
struct Closed {
  xpuGraph_t graph;
  int* at;
};
inline Closed closed_graph(int* out, int value, size_t bytes = 4096) {
  Closed c = {new_graph(), nullptr};
  const Alloc a = add_alloc(c.graph, nullptr, bytes);
  c.at = a.at;
  const xpuGraphNode_t set = add_one(c.graph, a.node, "store", a.at, 0, value);
  const xpuGraphNode_t copy = add_one(c.graph, set, "copy_one", out, 0, a.at, 0);
  (void)add_free(c.graph, copy, a.at);
  return c;
}

// alloc -> store, and nothing that frees
struct Kept {
  xpuGraph_t graph;
  xpuGraphNode_t alloc, store;
  int* at;
};
inline Kept kept_graph(int value, size_t bytes = 4096) {
  Kept k = {new_graph(), nullptr, nullptr, nullptr};
  const Alloc a = add_alloc(k.graph, nullptr, bytes);
  k.alloc = a.node;
  k.at = a.at;
  k.store = add_one(k.graph, a.node, "store", a.at, 0, value);
  return k;
}
// A graph that only frees.
inline xpuGraph_t freeing_graph(void* at) {
  const xpuGraph_t graph = new_graph();
  (void)add_free(graph, nullptr, at);
  return graph;
}

inline xpuGraphExec_t instantiate(xpuGraph_t graph, unsigned long long flags) {
  xpuGraphExec_t exec = nullptr;
  assert_ok(xpuGraphInstantiate(&exec, graph, flags));
  return exec;
}
inline void destroy(xpuGraph_t graph) { assert_ok(xpuGraphDestroy(graph)); }
inline void destroy(xpuGraphExec_t exec) { assert_ok(xpuGraphExecDestroy(exec)); }
inline void destroy(xpuStream_t stream) { assert_ok(xpuStreamDestroy(stream)); }

inline size_t told(xpuGraphMemAttributeType attribute, int device = 0) {
  uint64_t bytes = 0;
  assert_ok(xpuDeviceGetGraphMemAttribute(device, attribute, &bytes));
  return bytes;
}
inline size_t used() { return told(xpuGraphMemAttrUsedMemCurrent); }
inline size_t reserved() { return told(xpuGraphMemAttrReservedMemCurrent); }
inline void reset_high(xpuGraphMemAttributeType attribute) {
  uint64_t zero = 0;
  assert_ok(xpuDeviceSetGraphMemAttribute(0, attribute, &zero));
}
inline void trim() { assert_ok(xpuDeviceGraphMemTrim(0)); }

// Whether addresses come before there is memory: drivers may lack that. Intel's does without a GPU,
// where a mapping is made but answered with an error.
inline bool can_map() {
  const char* without = getenv("ZE_CPU_WITHOUT");
  return !(lacks() & executes) && !(without && strstr(without, "virtual_memory"));
}

inline bool overlap(const void* a, size_t a_bytes, const void* b, size_t b_bytes) {
  const char *p = static_cast<const char*>(a), *q = static_cast<const char*>(b);
  return p < q + b_bytes && q < p + a_bytes;
}

}  // namespace xpu::test
