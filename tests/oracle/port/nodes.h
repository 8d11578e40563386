// SPDX-License-Identifier: Apache-2.0
// Adding nodes of each kind.
#pragma once

#include "oracle/port/things.h"

using Deps = std::vector<Node>;
inline const Node* p_data(const Deps& d) { return d.empty() ? NULL : d.data(); }

// Kernel node parameters over arguments that live in the object.
template <class... A>
struct KernelCall {
  std::tuple<A...> values;
  void* pointers[sizeof...(A) + 1];
  P(KernelNodeParams) params;
  KernelCall(Func f, Dim3 grid, Dim3 block, A... a)
      : values(a...), params(P_INIT(KernelNodeParams)) {
    bind(f, grid, block, std::index_sequence_for<A...>());
  }
  KernelCall(const KernelCall&) = delete;
  template <size_t... I>
  void bind(Func f, Dim3 grid, Dim3 block, std::index_sequence<I...>) {
    void* p[] = {(void*)&std::get<I>(values)..., NULL};
    memcpy(pointers, p, sizeof pointers);
    params.func = f;
    params.gridDim = grid;
    params.blockDim = block;
    params.sharedMemBytes = 0;
    params.kernelParams = pointers;
  }
  P(KernelNodeParams) * operator&() { return &params; }
};
template <class... A>
KernelCall<A...> kernel_call(Func f, Dim3 grid, Dim3 block, A... a) {
  return KernelCall<A...>(f, grid, block, a...);
}
// One thread, as most cases want it.
template <class... A>
KernelCall<A...> one(Func f, A... a) {
  return KernelCall<A...>(f, dims(1), dims(1), a...);
}
template <class... A>
Node add_kernel(Graph g, const Deps& deps, Func f, Dim3 grid, Dim3 block, A... a) {
  KernelCall<A...> call(f, grid, block, a...);
  Node n = NULL;
  OK(P(GraphAddKernelNode)(&n, g, p_data(deps), deps.size(), &call.params));
  return n;
}
inline Node add_set(Graph g, const Deps& deps, int* p, int i, int v) {
  return add_kernel(g, deps, P_KERNEL(k_set), dims(1), dims(1), p, i, v);
}
inline Node add_add(Graph g, const Deps& deps, int* p, int i, int v) {
  return add_kernel(g, deps, P_KERNEL(k_add), dims(1), dims(1), p, i, v);
}
inline Node add_step(Graph g, const Deps& deps, int* p, int a, int b) {
  return add_kernel(g, deps, P_KERNEL(k_step), dims(1), dims(1), p, a, b);
}
inline Node add_noop(Graph g, const Deps& deps = {}) {
  return add_kernel(g, deps, P_KERNEL(k_noop), dims(1), dims(1));
}
inline Node add_empty(Graph g, const Deps& deps = {}) {
  Node n = NULL;
  OK(P(GraphAddEmptyNode)(&n, g, p_data(deps), deps.size()));
  return n;
}
inline Node add_copy(Graph g, const Deps& deps, void* dst, const void* src, size_t bytes,
                     P(MemcpyKind) kind = P(MemcpyDefault)) {
  Node n = NULL;
  OK(P(GraphAddMemcpyNode1D)(&n, g, p_data(deps), deps.size(), dst, src, bytes, kind));
  return n;
}
inline P(MemsetParams) memset_params(void* dst, unsigned value, unsigned element, size_t width,
                                     size_t height = 1, size_t pitch = 0) {
  auto m = P_INIT(MemsetParams);
  m.dst = dst;
  m.value = value;
  m.elementSize = element;
  m.width = width;
  m.height = height;
  m.pitch = pitch;
  return m;
}
inline Node add_memset(Graph g, const Deps& deps, void* dst, unsigned value, unsigned element,
                       size_t width, size_t height = 1, size_t pitch = 0) {
  auto m = memset_params(dst, value, element, width, height, pitch);
  Node n = NULL;
  OK(P(GraphAddMemsetNode)(&n, g, p_data(deps), deps.size(), &m));
  return n;
}
inline Node add_host(Graph g, const Deps& deps, P(HostFn_t) fn, void* user) {
  auto h = P_INIT(HostNodeParams);
  h.fn = fn;
  h.userData = user;
  Node n = NULL;
  OK(P(GraphAddHostNode)(&n, g, p_data(deps), deps.size(), &h));
  return n;
}
inline Node add_child(Graph g, const Deps& deps, Graph child) {
  Node n = NULL;
  OK(P(GraphAddChildGraphNode)(&n, g, p_data(deps), deps.size(), child));
  return n;
}
inline Node add_record(Graph g, const Deps& deps, Event e) {
  Node n = NULL;
  OK(P(GraphAddEventRecordNode)(&n, g, p_data(deps), deps.size(), e));
  return n;
}
inline Node add_wait(Graph g, const Deps& deps, Event e) {
  Node n = NULL;
  OK(P(GraphAddEventWaitNode)(&n, g, p_data(deps), deps.size(), e));
  return n;
}
inline void add_edge(Graph g, Node from, Node to) {
  OK(P(GraphAddDependencies)(g, &from, &to, NULL, 1));
}
inline EdgeData edge_data(int from_port, int to_port, int type) {
  EdgeData e = p_make<EdgeData>();
  e.from_port = (unsigned char)from_port;
  e.to_port = (unsigned char)to_port;
  e.type = (unsigned char)type;
  return e;
}

inline P(PitchedPtr) pitched(void* p, size_t pitch, size_t xsize, size_t ysize) {
  auto q = P_INIT(PitchedPtr);
  q.ptr = p;
  q.pitch = pitch;
  q.xsize = xsize;
  q.ysize = ysize;
  return q;
}
inline P(Extent) extent(size_t w, size_t h, size_t d) {
  auto e = P_INIT(Extent);
  e.width = w;
  e.height = h;
  e.depth = d;
  return e;
}
inline P(Pos) pos(size_t x, size_t y, size_t z) {
  auto p = P_INIT(Pos);
  p.x = x;
  p.y = y;
  p.z = z;
  return p;
}
inline P(Memcpy3DParms) copy3d(P(PitchedPtr) dst, P(PitchedPtr) src, P(Extent) size,
                               P(MemcpyKind) kind = P(MemcpyDefault)) {
  auto c = P_INIT(Memcpy3DParms);
  c.dstPtr = dst;
  c.srcPtr = src;
  c.extent = size;
  c.kind = kind;
  return c;
}

inline Err add(Graph g, const P(KernelNodeParams) * p, Node* out = NULL, const Node* deps = NULL,
               size_t n = 0) {
  Node own = NULL;
  return P(GraphAddKernelNode)(out ? out : &own, g, deps, n, p);
}
