// SPDX-License-Identifier: Apache-2.0
// Copies and fills stay inside the allocations of graphs, whether they become nodes, are captured
// or run at once.
#include "graph_memory.h"

using namespace xpu::test;

static char host[1 << 16];
static xpuStream_t stream;

// A refusal that names the argument, the bytes that were asked for and those that are there.
static void assert_told(xpuError_t got, const char* argument, size_t asked, size_t there) {
  assert_code(got, xpuErrorInvalidValue);
  const xpuErrorInfo info = last_failure();
  char bytes[64], left[64];
  snprintf(bytes, sizeof bytes, "%zu bytes", asked);
  snprintf(left, sizeof left, there ? "after %zu" : "(%zu bytes)", there);
  assert_true(names(info.argument, argument));
  assert_non_null(strstr(info.sentence, bytes));
  assert_non_null(strstr(info.sentence, left));
}

static xpuError_t add_copy(xpuGraph_t graph, void* dst, const void* src, size_t bytes) {
  xpuGraphNode_t node = nullptr;
  return xpuGraphAddMemcpyNode1D(&node, graph, nullptr, 0, dst, src, bytes, xpuMemcpyDefault);
}
static xpuError_t add_fill(xpuGraph_t graph, void* dst, size_t width) {
  const xpuMemsetParams params = {sizeof params, 0, dst, 0, 7, 4, width, 1};
  xpuGraphNode_t node = nullptr;
  return xpuGraphAddMemsetNode(&node, graph, nullptr, 0, &params);
}

static void a_node_stays_inside_an_allocation_of_its_graph(void**) {
  const xpuGraph_t graph = new_graph();
  char* p = add_alloc(graph, nullptr, 1000).bytes();
  char* other = add_alloc(graph, nullptr, 5000).bytes();
  assert_true(other != p);

  assert_ok(add_copy(graph, p, host, 1000));
  assert_ok(add_copy(graph, host, p + 999, 1));
  assert_ok(add_fill(graph, p, 250));
  assert_told(add_copy(graph, p, host, 1001), "dst", 1001, 1000);
  assert_told(add_copy(graph, host, p + 10, 1000), "src", 1000, 990);
  assert_told(add_fill(graph, p + 4, 250), "pMemsetParams", 1000, 996);
  // What lies behind 1,000 bytes that take 1,024 is nobody's.
  assert_told(add_copy(graph, p + 1000, host, 1), "dst", 1, 0);

  assert_ok(xpuGraphDestroy(graph));
}

static void rows_count_up_to_the_end_of_the_last(void**) {
  const xpuGraph_t graph = new_graph();
  char* p = add_alloc(graph, nullptr, 256 * 3 + 100).bytes();
  xpuMemcpy3DParms params = {};
  params.struct_size = sizeof params;
  params.kind = xpuMemcpyDefault;
  params.srcPtr = {host, 256, 100, 4};
  params.dstPtr = {p, 256, 100, 4};
  params.extent = {100, 4, 1};
  xpuGraphNode_t node = nullptr;

  assert_ok(xpuGraphAddMemcpyNode(&node, graph, nullptr, 0, &params));
  params.extent.width = 101;
  assert_told(xpuGraphAddMemcpyNode(&node, graph, nullptr, 0, &params), "pCopyParams", 869, 868);
  assert_told(xpuGraphMemcpyNodeSetParams(node, &params), "pNodeParams", 869, 868);

  assert_ok(xpuGraphDestroy(graph));
}

// Two allocations use the same bytes one after the other: which one a copy means, only its place in
// the graph says, so the larger one counts.
static void of_allocations_that_share_an_address_the_larger_counts(void**) {
  const xpuGraph_t graph = new_graph();
  const Alloc large = add_alloc(graph, nullptr, 4096);
  const xpuGraphNode_t freed = add_free(graph, large.node, large.bytes());
  const Alloc small = add_alloc(graph, freed, 1024);
  assert_ptr_equal(large.bytes(), small.bytes());

  assert_ok(add_copy(graph, small.bytes(), host, 4096));
  assert_told(add_copy(graph, small.bytes(), host, 4097), "dst", 4097, 4096);
  assert_told(add_copy(graph, small.bytes() + 4096, host, 1), "dst", 1, 0);

  assert_ok(xpuGraphDestroy(graph));
}

static void captured_and_eager_work_is_refused_alike(void**) {
  const xpuGraph_t owner = new_graph();
  char* p = add_alloc(owner, nullptr, 1000).bytes();
  const xpuGraphExec_t exec = instantiate(owner);
  assert_ok(xpuGraphLaunch(exec, stream));

  assert_told(xpuMemcpyAsync(p, host, 1001, xpuMemcpyDefault, stream), "dst", 1001, 1000);
  assert_told(xpuMemsetAsync(p + 1, 0, 1000, stream), "devPtr", 1000, 999);
  assert_told(xpuMemcpy(host, p + 500, 501, xpuMemcpyDefault), "src", 501, 500);
  assert_ok(xpuMemsetAsync(p, 5, 1000, stream));
  assert_ok(xpuStreamSynchronize(stream));  // the graph runs in a stream of its own
  begin(stream);
  assert_told(xpuMemcpyAsync(host, p, 1001, xpuMemcpyDefault, stream), "src", 1001, 1000);
  assert_ok(xpuMemcpyAsync(host, p, 1000, xpuMemcpyDefault, stream));
  const xpuGraph_t captured = end(stream);
  assert_int_equal(1, node_count(captured));
  run_and_destroy(captured);
  if (shown(executes)) assert_int_equal(5, host[999]);

  assert_ok(xpuStreamSynchronize(stream));
  assert_ok(xpuFree(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(owner));
}

static void thousands_of_allocations_are_told_apart(void**) {
  constexpr size_t kCount = 4000;
  static char* at[kCount];
  const xpuGraph_t graph = new_graph();
  for (size_t i = 0; i < kCount; i++) at[i] = add_alloc(graph, nullptr, 512 + i % 100).bytes();

  for (size_t i = 0; i < kCount; i += 37) {
    const size_t bytes = 512 + i % 100;
    assert_ok(add_copy(graph, at[i], host, bytes));
    assert_told(add_copy(graph, at[i], host, bytes + 1), "dst", bytes + 1, bytes);
  }

  assert_ok(xpuGraphDestroy(graph));
}

static int open_all(void** state) {
  stream = new_stream();
  return load_first(state);
}
static int close_all(void**) { return xpuStreamDestroy(stream); }

int main() {
  const Test tests[] = {
      xpu_test(a_node_stays_inside_an_allocation_of_its_graph),
      xpu_test(rows_count_up_to_the_end_of_the_last),
      xpu_test(of_allocations_that_share_an_address_the_larger_counts),
      xpu_test(captured_and_eager_work_is_refused_alike, results(executes)),
      xpu_test(thousands_of_allocations_are_told_apart),
  };
  return run_all(tests, open_all, close_all);
}
