// SPDX-License-Identifier: Apache-2.0
// Kernel nodes: adding them.
#include "oracle/port/kinds.h"

CASE("kernel.add.ok") {
  Graph g = new_graph();
  int* d = dev_ints(1);
  auto k = one(P_KERNEL(k_set), d, 0, 5);
  Node n = NULL;
  rc(P(GraphAddKernelNode)(&n, g, NULL, 0, &k));
  say("node=%s type=%s nodes=%lld", n ? "set" : "NULL", type_name(type_of(n)), node_count(g));
}
CASE("kernel.add.null_out") {
  Graph g = new_graph();
  auto k = one(P_KERNEL(k_noop));
  rc(P(GraphAddKernelNode)(NULL, g, NULL, 0, &k));
  val("nodes", node_count(g));
}
CASE("kernel.add.null_graph") {
  auto k = one(P_KERNEL(k_noop));
  Node n = NULL;
  rc(P(GraphAddKernelNode)(&n, NULL, NULL, 0, &k));
  ptr_state("node", n);
}
CASE("kernel.add.null_params") {
  Node n = NULL;
  Graph g = new_graph();
  rc(P(GraphAddKernelNode)(&n, g, NULL, 0, NULL));
  val("nodes", node_count(g));
}
CASE("kernel.add.null_func") {
  auto k = one(P_KERNEL(k_noop));
  k.params.func = NULL;
  Graph g = new_graph();
  rc(add(g, &k));
  val("nodes", node_count(g));
}
CASE("kernel.add.not_a_kernel") {
  auto k = one(P_KERNEL(k_noop));
  k.params.func = P_NOT_A_KERNEL;
  rc(add(new_graph(), &k));
}
CASE("kernel.add.zeroed_params") {
  auto p = P_INIT(KernelNodeParams);
  rc(add(new_graph(), &p));
}
CASE("kernel.add.null_kernel_params") {
  auto k = one(P_KERNEL(k_set), (int*)NULL, 0, 5);
  k.params.kernelParams = NULL;
  Graph g = new_graph();
  rc(add(g, &k));
  val("nodes", node_count(g));
}
CASE("kernel.add.null_kernel_params_no_args") {
  auto k = one(P_KERNEL(k_noop));
  k.params.kernelParams = NULL;
  Graph g = new_graph();
  if (rc(add(g, &k)) == P(Success)) try_run(g);
}
CASE("kernel.add.null_pointer_argument") {  // a NULL value for a pointer argument is data, not an
                                            // error
  int* null = NULL;
  auto k = one(P_KERNEL(k_fill), null, 0, 1);
  Graph g = new_graph();
  if (rc(add(g, &k)) == P(Success)) try_run(g);
}
CASE("ub.kernel.add.null_argument_address") {
  int* d = dev_ints(1);
  auto k = one(P_KERNEL(k_set), d, 0, 5);
  k.pointers[1] = NULL;
  rc(add(new_graph(), &k));
}
CASE("kernel.add.null_node_in_deps") {
  auto k = one(P_KERNEL(k_noop));
  Node dep = NULL;
  Graph g = new_graph();
  rc(add(g, &k, NULL, &dep, 1));
  val("nodes", node_count(g));
}
CASE("kernel.add.null_deps") {
  auto k = one(P_KERNEL(k_noop));
  Graph g = new_graph();
  rc("n1", add(g, &k, NULL, NULL, 1));
  rc("n11", add(g, &k, NULL, NULL, 11));
  val("nodes", node_count(g));
}
CASE("kernel.add.deps_count_0") {
  auto k = one(P_KERNEL(k_noop));
  Graph g = new_graph();
  Node dep = add_empty(g), n = NULL;
  rc(add(g, &k, &n, &dep, 0));
  val("deps", dep_count(n));
}
CASE("kernel.add.deps_prefix") {
  auto k = one(P_KERNEL(k_noop));
  Graph g = new_graph();
  Node deps[3] = {add_empty(g), add_empty(g), add_empty(g)}, n = NULL;
  rc(add(g, &k, &n, deps, 2));
  val("deps", dep_count(n));
}
CASE("kernel.add.duplicate_deps") {
  auto k = one(P_KERNEL(k_noop));
  Graph g = new_graph();
  Node a = add_empty(g), deps[2] = {a, a};
  rc(add(g, &k, NULL, deps, 2));
  counts(g);
}
CASE("kernel.add.foreign_dep") {
  auto k = one(P_KERNEL(k_noop));
  Graph g = new_graph(), other = new_graph();
  Node a = add_empty(other);
  rc(add(g, &k, NULL, &a, 1));
  val("nodes", node_count(g));
}
CASE("kernel.add.good_and_foreign_dep") {
  auto k = one(P_KERNEL(k_noop));
  Graph g = new_graph(), other = new_graph();
  Node deps[2] = {add_empty(g), add_empty(other)};
  rc(add(g, &k, NULL, deps, 2));
  counts(g);
  val("dependents", dependent_count(deps[0]));
}
CASE("kernel.add.failure_leaves_out") {
  auto k = one(P_KERNEL(k_noop));
  Graph g = new_graph();
  Node mark = add_empty(g), n = mark;
  rc(P(GraphAddKernelNode)(&n, g, NULL, 1, &k));
  say("out=%s", n == mark ? "kept" : n ? "changed" : "NULL");
}
CASE("kernel.add.arguments_are_copied") {
  int* d = dev_ints(2);
  Graph g = new_graph();
  {
    int* p = d;
    int i = 1, v = 31;
    void* args[] = {&p, &i, &v};
    auto kp = P_INIT(KernelNodeParams);
    kp.func = P_KERNEL(k_set);
    kp.gridDim = dims(1);
    kp.blockDim = dims(1);
    kp.kernelParams = args;
    rc(add(g, &kp));
    p = NULL;
    i = 0;
    v = -1;
    memset(args, 0, sizeof args);
    memset((void*)&kp, 0, sizeof kp);
  }
  run_graph(g);
  vals("value", fetch(d, 2));
}
CASE("kernel.add.same_params_twice") {
  int* d = dev_ints(1);
  Graph g = new_graph();
  auto k = one(P_KERNEL(k_step), d, 2, 1);
  Node a = NULL, b = NULL;
  rc("first", add(g, &k, &a));
  rc("second", add(g, &k, &b, &a, 1));
  run_graph(g);
  val("value", fetch1(d));
}
CASE("kernel.add.same_kernel_in_two_graphs") {
  int* d = dev_ints(2);
  Graph a = new_graph(), b = new_graph();
  add_set(a, {}, d, 0, 1), add_set(b, {}, d, 1, 2);
  run_graph(b);
  run_graph(a);
  vals("value", fetch(d, 2));
}
CASE("kernel.add.mixed_argument_sizes") {
  void* out = NULL;
  OK(P(Malloc)(&out, 5 * sizeof(long long)));
  Graph g = new_graph();
  add_kernel(g, {}, P_KERNEL(k_mixed), dims(1), dims(1), (long long*)out, (char)-3, (short)-1234,
             (int)567890, (long long)0x123456789abcLL, 2.25f);
  run_graph(g);
  vals("value", fetch((long long*)out, 5));
}
CASE("kernel.add.thirteen_arguments") {
  int* d = dev_ints(1);
  Graph g = new_graph();
  add_kernel(g, {}, P_KERNEL(k_args12), dims(1), dims(1), d, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  run_graph(g);
  val("value", fetch1(d));
}
CASE("kernel.add.three_dimensions") {
  int* d = dev_ints(6 * 4 * 6);
  Graph g = new_graph();
  add_kernel(g, {}, P_KERNEL(k_iota3), dims(3, 2, 2), dims(2, 2, 3), d);
  run_graph(g);
  std::vector<int> v = fetch(d, 6 * 4 * 6);
  unsigned sum = 0;
  for (size_t i = 0; i < v.size(); i++) sum = sum * 31 + (unsigned)v[i];
  say("first=%d last=%d hash=%u", v[0], v.back(), sum);
}
CASE("kernel.add.dims_seen_by_kernel") {
  int* d = dev_ints(6);
  Graph g = new_graph();
  add_kernel(g, {}, P_KERNEL(k_dims), dims(3, 5, 7), dims(2, 4, 8), d);
  run_graph(g);
  vals("dims", fetch(d, 6));
}
CASE("kernel.add.ragged_grid") {
  int* d = dev_ints(1000);
  Graph g = new_graph();
  add_kernel(g, {}, P_KERNEL(k_fill), dims(8), dims(128), d, 1000, 3);
  run_graph(g);
  unsigned sum = 0;
  for (int v : fetch(d, 1000)) sum += (unsigned)v;
  val("sum", sum);
}
CASE("kernel.add.like_direct_launch") {
  int* d = dev_ints(2);
  int *a = d, *b = d + 1, m = 3, c = 4;
  Stream s = new_stream();
  void* args[] = {&a, &m, &c};
  rc("direct", P(LaunchKernel)(P_KERNEL(k_step), dims(1), dims(1), args, 0, s));
  rc("sync", P(StreamSynchronize)(s));
  Graph g = new_graph();
  add_step(g, {}, b, 3, 4);
  run_graph(g);
  vals("value", fetch(d, 2));
}
CASE("kernel.add.every_node_own_arguments") {
  int* d = dev_ints(300);
  Graph g = new_graph();
  for (int i = 0; i < 300; i++) add_set(g, {}, d, i, i * i);
  run_graph(g);
  std::vector<int> v = fetch(d, 300);
  int right = 0;
  for (int i = 0; i < 300; i++) right += v[(size_t)i] == i * i;
  val("right", right);
}

// Launch dimensions and sizes that no device takes, or that depend on it: where does the refusal
// come?
CASES {
  struct Shape {
    const char* name;
    unsigned g[3], b[3], shared;
  };
  static const Shape shapes[] = {
      {"grid_x_0", {0, 1, 1}, {1, 1, 1}, 0},
      {"grid_y_0", {1, 0, 1}, {1, 1, 1}, 0},
      {"grid_z_0", {1, 1, 0}, {1, 1, 1}, 0},
      {"block_x_0", {1, 1, 1}, {0, 1, 1}, 0},
      {"block_y_0", {1, 1, 1}, {1, 0, 1}, 0},
      {"block_z_0", {1, 1, 1}, {1, 1, 0}, 0},
      {"limit.block_1025", {1, 1, 1}, {1025, 1, 1}, 0},
      {"limit.block_64x32", {1, 1, 1}, {64, 32, 1}, 0},
      {"limit.block_z_65", {1, 1, 1}, {1, 1, 65}, 0},
      {"limit.block_huge", {1, 1, 1}, {1u << 30, 1, 1}, 0},
      {"limit.grid_y_65536", {1, 65536, 1}, {1, 1, 1}, 0},
      {"limit.grid_z_65536", {1, 1, 65536}, {1, 1, 1}, 0},
      {"limit.grid_x_65536", {65536, 1, 1}, {1, 1, 1}, 0},
      {"limit.shared_1g", {1, 1, 1}, {1, 1, 1}, 1u << 30},
      {"limit.shared_100k", {1, 1, 1}, {1, 1, 1}, 100 * 1024},
  };
  for (const Shape& s : shapes)
    add_case(std::string("kernel.add.") + s.name, [=] {
      auto k =
          kernel_call(P_KERNEL(k_noop), dims(s.g[0], s.g[1], s.g[2]), dims(s.b[0], s.b[1], s.b[2]));
      k.params.sharedMemBytes = s.shared;
      Graph g = new_graph();
      if (rc("add", add(g, &k)) == P(Success)) try_run(g);
    });
}
CASES {  // the same, set on a node that is fine
  struct Shape {
    const char* name;
    unsigned g[3], b[3], shared;
  };
  static const Shape shapes[] = {
      {"grid_x_0", {0, 1, 1}, {1, 1, 1}, 0},
      {"block_x_0", {1, 1, 1}, {0, 1, 1}, 0},
      {"limit.block_1025", {1, 1, 1}, {1025, 1, 1}, 0},
      {"limit.shared_1g", {1, 1, 1}, {1, 1, 1}, 1u << 30},
  };
  for (const Shape& s : shapes)
    add_case(std::string("kernel.set.") + s.name, [=] {
      auto k =
          kernel_call(P_KERNEL(k_noop), dims(s.g[0], s.g[1], s.g[2]), dims(s.b[0], s.b[1], s.b[2]));
      k.params.sharedMemBytes = s.shared;
      Graph g = new_graph();
      Node n = add_noop(g);
      if (rc("set", P(GraphKernelNodeSetParams)(n, &k)) == P(Success)) try_run(g);
    });
}
