// SPDX-License-Identifier: Apache-2.0
// Memory nodes and pools.
#pragma once

#include "oracle/port/threads.h"

inline P(MemAllocNodeParams) alloc_params(size_t bytes) {
  auto a = P_INIT(MemAllocNodeParams);
  P_SUB(a.poolProps);
  P_SUB(a.poolProps.location);
  a.poolProps.allocType = P(MemAllocationTypePinned);
  a.poolProps.handleTypes = P(MemHandleTypeNone);
  a.poolProps.location.type = P(MemLocationTypeDevice);
  a.poolProps.location.id = 0;
  a.bytesize = bytes;
  return a;
}
inline Node add_alloc(Graph g, const Deps& deps, size_t bytes, void** out) {
  auto a = alloc_params(bytes);
  Node n = NULL;
  OK(P(GraphAddMemAllocNode)(&n, g, p_data(deps), deps.size(), &a));
  *out = a.dptr;
  return n;
}
inline Node add_free(Graph g, const Deps& deps, void* p) {
  Node n = NULL;
  OK(P(GraphAddMemFreeNode)(&n, g, p_data(deps), deps.size(), p));
  return n;
}
inline P(MemPoolProps) pool_props() {
  auto p = P_INIT(MemPoolProps);
  P_SUB(p.location);
  p.allocType = P(MemAllocationTypePinned);
  p.handleTypes = P(MemHandleTypeNone);
  p.location.type = P(MemLocationTypeDevice);
  p.location.id = 0;
  return p;
}
inline Pool new_pool() {
  auto p = pool_props();
  Pool pool = NULL;
  OK(P(MemPoolCreate)(&pool, &p));
  return pool;
}
inline unsigned long long graph_mem(P(GraphMemAttributeType) a) {
  uint64_t v = 0;
  OK(P(DeviceGetGraphMemAttribute)(0, a, &v));
  return v;
}
inline unsigned long long used_now() { return graph_mem(P(GraphMemAttrUsedMemCurrent)); }
inline unsigned long long used_high() { return graph_mem(P(GraphMemAttrUsedMemHigh)); }
inline unsigned long long reserved_now() { return graph_mem(P(GraphMemAttrReservedMemCurrent)); }
inline unsigned long long reserved_high() { return graph_mem(P(GraphMemAttrReservedMemHigh)); }
inline unsigned long long pool_u64(Pool p, P(MemPoolAttr) a) {
  uint64_t v = 0;
  OK(P(MemPoolGetAttribute)(p, a, &v));
  return v;
}
inline bool overlap(const void* a, size_t an, const void* b, size_t bn) {
  uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
  return x < y + bn && y < x + an;
}
// The size of v against a request: none, less, at_least.
inline void against(const char* label, unsigned long long v, unsigned long long want) {
  say("%s=%s", label, v == 0 ? "zero" : v < want ? "less" : "at_least");
}
