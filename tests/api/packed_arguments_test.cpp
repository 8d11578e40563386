// SPDX-License-Identifier: Apache-2.0
// Kernel nodes whose arguments come as one block.
#include "capturing.h"

using namespace xpu::test;

struct Block {
  int* p;
  int at, value;
};
static void* key(uintptr_t number) { return reinterpret_cast<void*>(number); }

static void packed_arguments_are_taken_and_told(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(4);
  Block block = {p, 1, 9};
  size_t size = sizeof block;
  void* extra[5] = {key(1), &block, key(2), &size, nullptr};
  xpuKernelNodeParams params = node_params(kernel("store"), dim(1), dim(1), nullptr), got = {};
  params.extra = extra;
  got.struct_size = sizeof got;
  xpuGraphNode_t node = nullptr, twin = nullptr;
  assert_ok(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  block = {nullptr, 0, 0};
  size = 0;
  memset(extra, 0xa5, sizeof extra);

  assert_ok(xpuGraphKernelNodeGetParams(node, &got));
  assert_null(got.kernelParams);
  assert_non_null(got.extra);
  // What is told can be given.
  assert_ok(xpuGraphAddKernelNode(&twin, graph, &node, 1, &got));
  assert_ok(xpuGraphKernelNodeSetParams(node, &got));
  run(graph);
  if (shown(executes)) assert_int_equal(9, fetch(p + 1));

  // One form replaces the other.
  Args<int*, int, int> args(p, 2, 8);
  const xpuKernelNodeParams pointers = node_params(kernel("store"), dim(1), dim(1), args.get());
  assert_ok(xpuGraphKernelNodeSetParams(node, &pointers));
  assert_ok(xpuGraphKernelNodeGetParams(node, &got));
  assert_non_null(got.kernelParams);
  assert_null(got.extra);
  run(graph);
  if (shown(executes)) assert_int_equal(8, fetch(p + 2));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void packed_arguments_that_are_not_right_are_refused(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(4);
  Block block = {p, 1, 9};
  size_t size = sizeof block, small = 8, large = 24, zero = 0;
  void* one_argument[] = {nullptr};
  void* const rows[][8] = {
      {key(1), &block, key(2), &small, nullptr},
      {key(1), &block, key(2), &large, nullptr},
      {key(1), &block, key(2), &zero, nullptr},
      {nullptr},
      {key(7), &block, key(2), &size, nullptr},
      {key(1), &block, nullptr},
      {key(2), &size, nullptr},
      {key(1), nullptr, key(2), &size, nullptr},
      {key(1), &block, key(2), nullptr, nullptr},
  };
  xpuKernelNodeParams params = node_params(kernel("store"), dim(1), dim(1), nullptr);
  xpuGraphNode_t node = nullptr;
  for (const auto& row : rows) {
    params.extra = const_cast<void**>(row);
    assert_code(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &params), xpuErrorInvalidValue);
    assert_string_equal("pNodeParams->extra", last_failure().argument);
  }
  void* without_end[16];
  for (int i = 0; i < 16; i += 2) {
    without_end[i] = key(1);
    without_end[i + 1] = &block;
  }
  params.extra = without_end;
  assert_code(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &params), xpuErrorInvalidValue);
  params.extra = const_cast<void**>(rows[0]);
  params.kernelParams = one_argument;
  assert_code(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &params), xpuErrorInvalidValue);
  assert_null(node);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

int main(void) {
  const Test tests[] = {
      xpu_test(packed_arguments_are_taken_and_told, results(executes)),
      xpu_test(packed_arguments_that_are_not_right_are_refused),
  };
  return run_all(tests, load_first);
}
