// SPDX-License-Identifier: Apache-2.0
// Kernel nodes: packed arguments.
#include "oracle/port/kinds.h"

struct Packed {  // {int*, int, int} as the kernel lays it out
  struct {
    int* p;
    int i, v;
  } bytes;
  size_t size;
  void* extra[5];
  P(KernelNodeParams) params;
  Packed(int* p, int i, int v, size_t n = 16) : params(P_INIT(KernelNodeParams)) {
    bytes = {p, i, v};
    size = n;
    void* e[5] = {(void*)1, &bytes, (void*)2, &size, NULL};  // buffer pointer, buffer size, end
    memcpy(extra, e, sizeof extra);
    params.func = P_KERNEL(k_set);
    params.gridDim = dims(1);
    params.blockDim = dims(1);
    params.extra = extra;
  }
  Packed(const Packed&) = delete;
};
CASE("kernel.extra.add_runs") {
  int* d = dev_ints(2);
  Packed k(d, 1, 9);
  Graph g = new_graph();
  rc(add(g, &k.params));
  run_graph(g);
  vals("value", fetch(d, 2));
}
CASE("kernel.extra.copied") {
  int* d = dev_ints(2);
  Packed k(d, 1, 9);
  Graph g = new_graph();
  rc(add(g, &k.params));
  k.bytes = {d, 0, 5};
  k.size = 0;
  memset(k.extra, 0, sizeof k.extra);
  run_graph(g);
  vals("value", fetch(d, 2));
}
CASE("kernel.extra.both_forms") {
  int* d = dev_ints(2);
  Packed k(d, 1, 9);
  auto c = one(P_KERNEL(k_set), d, 0, 5);
  k.params.kernelParams = c.pointers;
  rc(add(new_graph(), &k.params));
}
CASE("kernel.extra.size_too_small") {
  Packed k(dev_ints(2), 1, 9, 8);
  Graph g = new_graph();
  if (rc("add", add(g, &k.params)) == P(Success)) try_run(g);
}
CASE("kernel.extra.size_too_large") {
  Packed k(dev_ints(2), 1, 9, 24);
  Graph g = new_graph();
  if (rc("add", add(g, &k.params)) == P(Success)) try_run(g);
}
CASE("kernel.extra.size_0") {
  Packed k(dev_ints(2), 1, 9, 0);
  rc("add", add(new_graph(), &k.params));
}
CASE("kernel.extra.no_buffer") {
  Packed k(dev_ints(2), 1, 9);
  k.extra[0] = NULL;
  rc("add", add(new_graph(), &k.params));
}
CASE("kernel.extra.unknown_key") {
  Packed k(dev_ints(2), 1, 9);
  k.extra[0] = (void*)7;
  rc("add", add(new_graph(), &k.params));
}
CASE("kernel.extra.get_after_add") {
  int* d = dev_ints(2);
  Packed k(d, 1, 9);
  Node n = NULL;
  OK(add(new_graph(), &k.params, &n));
  auto p = P_INIT(KernelNodeParams);
  rc(P(GraphKernelNodeGetParams)(n, &p));
  ptr_state("kernelParams", p.kernelParams);
  ptr_state("extra", p.extra);
}
CASE("kernel.extra.set_runs") {
  int* d = dev_ints(2);
  Graph g = new_graph();
  Node n = add_set(g, {}, d, 0, 4);
  Packed k(d, 1, 9);
  rc(P(GraphKernelNodeSetParams)(n, &k.params));
  run_graph(g);
  vals("value", fetch(d, 2));
}
CASE("kernel.extra.replaced_by_pointers") {
  int* d = dev_ints(2);
  Packed k(d, 1, 9);
  Graph g = new_graph();
  Node n = NULL;
  OK(add(g, &k.params, &n));
  auto c = one(P_KERNEL(k_set), d, 0, 5);
  rc(P(GraphKernelNodeSetParams)(n, &c));
  run_graph(g);
  vals("value", fetch(d, 2));
}
CASE("kernel.extra.exec_set_runs") {
  int* d = dev_ints(2);
  Graph g = new_graph();
  Node n = add_set(g, {}, d, 0, 4);
  Exec x = instantiate(g);
  Packed k(d, 1, 9);
  rc(P(GraphExecKernelNodeSetParams)(x, n, &k.params));
  run(x);
  vals("value", fetch(d, 2));
}
