// SPDX-License-Identifier: Apache-2.0
// Kernel nodes: reading and setting parameters.
#include "oracle/port/kinds.h"

// --- get

CASE("kernel.get.round_trip") {
  int* d = dev_ints(1);
  Graph g = new_graph();
  auto k = kernel_call(P_KERNEL(k_set), dims(2, 3, 4), dims(5, 6, 7), d, 8, 9);
  k.params.sharedMemBytes = 64;
  Node n = NULL;
  OK(add(g, &k, &n));
  auto p = P_INIT(KernelNodeParams);
  rc(P(GraphKernelNodeGetParams)(n, &p));
  say("same_func=%d grid=%u,%u,%u block=%u,%u,%u shared=%u", p.func == P_KERNEL(k_set), p.gridDim.x,
      p.gridDim.y, p.gridDim.z, p.blockDim.x, p.blockDim.y, p.blockDim.z, p.sharedMemBytes);
  ptr_state("kernelParams", p.kernelParams);
  ptr_state("extra", p.extra);
  if (p.kernelParams)
    say("args=%d,%d,%d", *(int**)p.kernelParams[0] == d, *(int*)p.kernelParams[1],
        *(int*)p.kernelParams[2]);
  val("own_storage", p.kernelParams != k.pointers);
}
CASE("kernel.get.no_arguments") {
  Graph g = new_graph();
  auto p = P_INIT(KernelNodeParams);
  rc(P(GraphKernelNodeGetParams)(add_noop(g), &p));
  val("same_func", p.func == P_KERNEL(k_noop));
}
CASE("kernel.get.null_node") {
  auto p = P_INIT(KernelNodeParams);
  rc(P(GraphKernelNodeGetParams)(NULL, &p));
}
CASE("kernel.get.null_params") { rc(P(GraphKernelNodeGetParams)(add_noop(new_graph()), NULL)); }
CASE("kernel.get.twice") {
  int* d = dev_ints(1);
  Node n = add_set(new_graph(), {}, d, 3, 4);
  auto p = P_INIT(KernelNodeParams), q = P_INIT(KernelNodeParams);
  OK(P(GraphKernelNodeGetParams)(n, &p));
  OK(P(GraphKernelNodeGetParams)(n, &q));
  say("first=%d,%d second=%d,%d", *(int*)p.kernelParams[1], *(int*)p.kernelParams[2],
      *(int*)q.kernelParams[1], *(int*)q.kernelParams[2]);
}
CASE("kernel.get.feeds_add") {
  int* d = dev_ints(1);
  Graph g = new_graph();
  Node n = add_step(g, {}, d, 3, 4);
  auto p = P_INIT(KernelNodeParams);
  OK(P(GraphKernelNodeGetParams)(n, &p));
  rc(add(g, &p, NULL, &n, 1));
  run_graph(g);
  val("value", fetch1(d));
}
CASE("kernel.get.mixed_arguments") {
  long long* out = NULL;
  Node n = add_kernel(new_graph(), {}, P_KERNEL(k_mixed), dims(1), dims(1), out, (char)-3,
                      (short)-1234, 567890, 0x123456789abcLL, 2.25f);
  auto p = P_INIT(KernelNodeParams);
  rc(P(GraphKernelNodeGetParams)(n, &p));
  void** a = p.kernelParams;
  say("%d %d %d %lld %.2f", *(signed char*)a[1], *(short*)a[2], *(int*)a[3], *(long long*)a[4],
      (double)*(float*)a[5]);
}

// --- set

CASE("kernel.set.arguments") {
  int* d = dev_ints(1);
  Graph g = new_graph();
  Node n = add_set(g, {}, d, 0, 1);
  auto k = one(P_KERNEL(k_set), d, 0, 2);
  rc(P(GraphKernelNodeSetParams)(n, &k));
  val("get", int_arg(n, 2));
  run_graph(g);
  val("value", fetch1(d));
}
CASE("kernel.set.function") {
  int* d = dev_ints(8, 0);
  store(d, {5, 6, 7, 8, 1, 1, 2, 2});
  Graph g = new_graph();
  Node n = add_kernel(g, {}, P_KERNEL(k_vadd), dims(1), dims(4), d, (const int*)d,
                      (const int*)(d + 4), 4);
  auto k =
      kernel_call(P_KERNEL(k_vsub), dims(1), dims(4), d, (const int*)d, (const int*)(d + 4), 4);
  rc(P(GraphKernelNodeSetParams)(n, &k));
  run_graph(g);
  vals("value", fetch(d, 4));
}
CASE("kernel.set.function_with_more_arguments") {
  int* d = dev_ints(1);
  Graph g = new_graph();
  Node n = add_noop(g);
  auto k = one(P_KERNEL(k_args12), d, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
  rc(P(GraphKernelNodeSetParams)(n, &k));
  run_graph(g);
  val("value", fetch1(d));
}
CASE("kernel.set.function_with_fewer_arguments") {
  int* d = dev_ints(1);
  Graph g = new_graph();
  Node n = add_kernel(g, {}, P_KERNEL(k_args12), dims(1), dims(1), d, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                      1, 1);
  auto k = one(P_KERNEL(k_noop));
  rc(P(GraphKernelNodeSetParams)(n, &k));
  run_graph(g);
  val("value", fetch1(d));
}
CASE("kernel.set.dimensions") {
  int* d = dev_ints(6);
  Graph g = new_graph();
  Node n = add_kernel(g, {}, P_KERNEL(k_dims), dims(1), dims(1), d);
  auto k = kernel_call(P_KERNEL(k_dims), dims(4, 3, 2), dims(8, 2, 1), d);
  rc(P(GraphKernelNodeSetParams)(n, &k));
  run_graph(g);
  vals("dims", fetch(d, 6));
}
CASE("kernel.set.null_node") {
  auto k = one(P_KERNEL(k_noop));
  rc(P(GraphKernelNodeSetParams)(NULL, &k));
}
CASE("kernel.set.null_params") { rc(P(GraphKernelNodeSetParams)(add_noop(new_graph()), NULL)); }
CASE("kernel.set.null_func") {
  auto k = one(P_KERNEL(k_noop));
  k.params.func = NULL;
  rc(P(GraphKernelNodeSetParams)(add_noop(new_graph()), &k));
}
CASE("kernel.set.not_a_kernel") {
  auto k = one(P_KERNEL(k_noop));
  k.params.func = P_NOT_A_KERNEL;
  rc(P(GraphKernelNodeSetParams)(add_noop(new_graph()), &k));
}
CASE("kernel.set.null_kernel_params") {
  int* d = dev_ints(1);
  auto k = one(P_KERNEL(k_set), d, 0, 2);
  k.params.kernelParams = NULL;
  rc(P(GraphKernelNodeSetParams)(add_set(new_graph(), {}, d, 0, 1), &k));
}
CASE("kernel.set.failure_keeps_old") {
  int* d = dev_ints(1);
  Graph g = new_graph();
  Node n = add_set(g, {}, d, 0, 17);
  auto k = one(P_KERNEL(k_set), d, 0, 2);
  k.params.func = NULL;
  rc(P(GraphKernelNodeSetParams)(n, &k));
  val("get", int_arg(n, 2));
  run_graph(g);
  val("value", fetch1(d));
}
CASE("kernel.set.own_params") {  // what Get returned, given back to Set
  int* d = dev_ints(1);
  Graph g = new_graph();
  Node n = add_set(g, {}, d, 0, 17);
  auto p = P_INIT(KernelNodeParams);
  OK(P(GraphKernelNodeGetParams)(n, &p));
  rc(P(GraphKernelNodeSetParams)(n, &p));
  val("get", int_arg(n, 2));
  run_graph(g);
  val("value", fetch1(d));
}
CASE("kernel.set.leaves_exec") {
  int* d = dev_ints(1);
  Graph g = new_graph();
  Node n = add_set(g, {}, d, 0, 1);
  Exec x = instantiate(g);
  auto k = one(P_KERNEL(k_set), d, 0, 2);
  OK(P(GraphKernelNodeSetParams)(n, &k));
  run(x);
  val("old_exec", fetch1(d));
  run_graph(g);
  val("new_exec", fetch1(d));
}
CASE("kernel.set.keeps_edges") {
  Graph g = new_graph();
  Node a = add_noop(g), b = add_noop(g, {a});
  add_noop(g, {b});
  int* d = dev_ints(1);
  auto k = one(P_KERNEL(k_set), d, 0, 2);
  rc(P(GraphKernelNodeSetParams)(b, &k));
  say("deps=%lld dependents=%lld", dep_count(b), dependent_count(b));
}
CASE("kernel.set.many_times") {
  int* d = dev_ints(1);
  Graph g = new_graph();
  Node n = add_set(g, {}, d, 0, 0);
  for (int i = 1; i <= 1000; i++) {
    auto k = one(P_KERNEL(k_set), d, 0, i);
    OK(P(GraphKernelNodeSetParams)(n, &k));
  }
  run_graph(g);
  val("value", fetch1(d));
}
