// SPDX-License-Identifier: Apache-2.0
// Which allocations of a graph share memory, what graphs with memory nodes refuse, and memory nodes
// by capture.
#include "graph_memory.h"

using namespace xpu::test;

// ---- what shares

static void what_is_freed_before_is_used_again(void**) {
  const xpuGraph_t graph = new_graph();
  const Alloc first = add_alloc(graph, nullptr, kMiB);
  xpuGraphNode_t far = add_free(graph, first.node, first.at);
  // Over any path, not just from the free itself.
  for (int i = 0; i < 5; i++) {
    xpuGraphNode_t next = nullptr;
    assert_ok(xpuGraphAddEmptyNode(&next, graph, &far, 1));
    far = next;
  }
  assert_ptr_equal(first.at, add_alloc(graph, far, kMiB).at);
  destroy(graph);
}

static void branches_do_not_share_until_they_are_joined(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t root = nullptr;
  assert_ok(xpuGraphAddEmptyNode(&root, graph, nullptr, 0));
  const Alloc left = add_alloc(graph, root, kMiB);
  const xpuGraphNode_t left_end = add_free(graph, left.node, left.at);
  const Alloc right = add_alloc(graph, root, kMiB);
  assert_false(overlap(left.at, kMiB, right.at, kMiB));
  const xpuGraphNode_t ends[] = {left_end, add_free(graph, right.node, right.at)};
  const Alloc joined = add_alloc(graph, ends, 2, 2 * kMiB);
  assert_true(overlap(joined.at, 2 * kMiB, left.at, kMiB));
  assert_true(overlap(joined.at, 2 * kMiB, right.at, kMiB));
  destroy(graph);
}

// 16 buffers of 2 MiB, three alive at once.
static void a_chain_reserves_what_is_alive_at_once(void**) {
  const size_t before = reserved();
  const xpuGraph_t graph = new_graph();
  Alloc a[16];
  xpuGraphNode_t last = nullptr;
  for (int i = 0; i < 16; i++) {
    a[i] = add_alloc(graph, last, 2 * kMiB);
    last = a[i].node;
    if (i >= 2) last = add_free(graph, last, a[i - 2].at);
  }
  last = add_free(graph, last, a[14].at);
  (void)add_free(graph, last, a[15].at);
  const xpuGraphExec_t exec = instantiate(graph);
  if (can_map()) assert_int_equal(6 * kMiB, reserved() - before);
  assert_true(reserved() - before < 32 * kMiB);
  destroy(exec);
  destroy(graph);
  assert_int_equal(before, reserved());
}

// ---- what is refused to graphs with memory nodes

static xpuGraph_t with_memory, some_graph;
static xpuGraphNode_t edge_from, edge_to;
static xpuStream_t captured_stream;
static xpuGraphExec_t memory_exec;

static void clones_children_and_removal_are_refused(void**) {
  const Kept k = kept_graph(1);
  with_memory = k.graph;
  edge_from = k.alloc;
  edge_to = k.store;
  some_graph = new_graph();
  const Refusal rows[] = {
      REFUSED(xpuErrorNotSupported, xpuGraphClone, "originalGraph", "has memory nodes", &outs.graph,
              with_memory),
      REFUSED(xpuErrorNotSupported, xpuGraphAddChildGraphNode, "childGraph", "has memory nodes",
              &outs.node, some_graph, nullptr, 0, with_memory),
      REFUSED(xpuErrorNotSupported, xpuGraphDestroyNode, "node", "is in a graph with memory nodes",
              edge_to),
      REFUSED(xpuErrorNotSupported, xpuGraphDestroyNode, "node", "allocates", edge_from),
      REFUSED(xpuErrorNotSupported, xpuGraphRemoveDependencies, "graph", "has memory nodes",
              with_memory, &edge_from, &edge_to, nullptr, 1),
  };
  assert_all_refused(rows);
  assert_int_equal(2, node_count(k.graph));
  assert_int_equal(1, edge_count(k.graph));
  destroy(k.graph);
  destroy(some_graph);
}

static void a_second_executable_is_refused_while_there_is_one(void**) {
  const Kept k = kept_graph(1);
  const xpuGraphExec_t first = instantiate(k.graph);
  xpuGraphExec_t second = nullptr;
  assert_code(xpuGraphInstantiate(&second, k.graph, 0), xpuErrorNotSupported);
  assert_null(second);
  destroy(first);
  destroy(instantiate(k.graph));
  destroy(k.graph);
}

static void a_captured_launch_of_an_executable_with_memory_is_refused(void**) {
  const Kept k = kept_graph(1);
  memory_exec = instantiate(k.graph);
  captured_stream = new_stream();
  begin(captured_stream);
  assert_code(xpuGraphLaunch(memory_exec, captured_stream), xpuErrorNotSupported);
  xpuGraph_t graph = nullptr;
  (void)xpuStreamEndCapture(captured_stream, &graph);
  if (graph) destroy(graph);
  (void)xpuGetLastError();
  destroy(memory_exec);
  destroy(captured_stream);
  destroy(k.graph);
}

// ---- memory nodes by capture

static void captured_allocations_and_frees_become_nodes(void**) {
  const xpuStream_t stream = new_stream();
  int* out = device_ints(1);
  void *p = nullptr, *q = nullptr;
  begin(stream);
  assert_ok(xpuMallocAsync(&p, kMiB, stream));
  launch_one(stream, "store", p, 0, 5);
  launch_one(stream, "copy_one", out, 0, p, 0);
  assert_ok(xpuFreeAsync(p, stream));
  assert_ok(xpuMallocAsync(&q, kMiB, stream));
  assert_ok(xpuFreeAsync(q, stream));
  const xpuGraph_t graph = end(stream);
  assert_ptr_equal(p, q);
  assert_int_equal(6, node_count(graph));
  assert_int_equal(5, edge_count(graph));
  assert_int_equal(xpuGraphNodeTypeMemAlloc, type_of(node_at(graph, 0)));
  assert_int_equal(xpuGraphNodeTypeMemFree, type_of(node_at(graph, 3)));
  run_and_destroy(graph, 3);
  if (shown(executes)) assert_int_equal(5, fetch(out));
  assert_ok(xpuFree(out));
  destroy(stream);
}

static void a_failed_captured_allocation_leaves_the_capture_going(void**) {
  const xpuStream_t stream = new_stream();
  void* p = nullptr;
  begin(stream);
  assert_code(xpuMallocAsync(&p, size_t{1} << 50, stream), xpuErrorMemoryAllocation);
  assert_null(p);
  assert_status(Active, stream);
  assert_ok(xpuMallocAsync(&p, 4096, stream));
  const xpuGraph_t graph = end(stream);
  assert_int_equal(1, node_count(graph));
  destroy(graph);
  destroy(stream);
}

static void a_lost_capture_takes_its_allocations_with_it(void**) {
  const size_t before = reserved();
  const xpuStream_t stream = new_stream();
  void* p = nullptr;
  begin(stream);
  assert_ok(xpuMallocAsync(&p, 4096, stream));
  assert_code(xpuStreamSynchronize(stream), xpuErrorStreamCaptureUnsupported);
  end_lost(stream, xpuErrorStreamCaptureInvalidated);
  assert_code(xpuFree(p), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  assert_int_equal(before, reserved());
  destroy(stream);
}

int main(void) {
  const Test tests[] = {
      xpu_test(what_is_freed_before_is_used_again),
      xpu_test(branches_do_not_share_until_they_are_joined),
      xpu_test(a_chain_reserves_what_is_alive_at_once),
      xpu_test(clones_children_and_removal_are_refused),
      xpu_test(a_second_executable_is_refused_while_there_is_one),
      xpu_test(a_captured_launch_of_an_executable_with_memory_is_refused),
      xpu_test(captured_allocations_and_frees_become_nodes, results(executes)),
      xpu_test(a_failed_captured_allocation_leaves_the_capture_going),
      xpu_test(a_lost_capture_takes_its_allocations_with_it),
  };
  return run_all(tests, load_first);
}
