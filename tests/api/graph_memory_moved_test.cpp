// SPDX-License-Identifier: Apache-2.0
// Graphs with memory nodes inside nodes of other graphs, which they moved into.
#include "any_node.h"

using namespace xpu::test;

static int* out;
static xpuStream_t stream;

static int open_moved(void**) {
  out = device_ints(4);
  stream = new_stream();
  return 0;
}
static int close_moved(void**) {
  destroy(stream);
  assert_ok(xpuFree(out));
  return 0;
}

static xpuGraphNode_t move_into(xpuGraph_t outer, xpuGraph_t inner,
                                xpuGraphNode_t after = nullptr) {
  xpuGraphNodeParams params = of_type(xpuGraphNodeTypeGraph);
  params.graph = {inner, xpuGraphChildGraphOwnershipMove, 0};
  return add_any(outer, after, &params);
}
static void run_in_stream(xpuGraphExec_t exec) {
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
}

static void a_moved_graph_allocates_uses_and_frees_at_every_launch(void**) {
  const Closed inner = closed_graph(out, 71);
  const xpuGraph_t outer = new_graph();
  const xpuGraphNode_t before = add_one(outer, nullptr, "store", out, 1, 1);
  const xpuGraphNode_t moved = move_into(outer, inner.graph, before);
  (void)add_one(outer, moved, "copy_one", out, 2, out, 0);
  const xpuGraphExec_t exec = instantiate(outer);
  for (int i = 0; i < 3; i++) {
    launch_one(stream, "store", out, 0, 0);
    run_in_stream(exec);
    if (shown(executes)) assert_int_equal(71, fetch(out + 2));
  }
  destroy(exec);
  destroy(outer);
  // Its addresses are nobody's any more.
  assert_code(xpuFree(inner.at), xpuErrorInvalidValue);
  (void)xpuGetLastError();
}

static void the_outer_graph_uses_and_frees_what_the_moved_one_allocates(void**) {
  const Kept inner = kept_graph(33);
  const xpuGraph_t outer = new_graph();
  const xpuGraphNode_t moved = move_into(outer, inner.graph);
  const xpuGraphNode_t more = add_one(outer, moved, "add", inner.at, 0, 4);
  const xpuGraphNode_t copy = add_one(outer, more, "copy_one", out, 0, inner.at, 0);
  (void)add_free(outer, copy, inner.at);
  const xpuGraphExec_t exec = instantiate(outer);
  // Nothing is left allocated, so it may be launched again at once.
  for (int i = 0; i < 3; i++) run_in_stream(exec);
  if (shown(executes)) assert_int_equal(37, fetch(out));
  destroy(exec);
  destroy(outer);
}

static void what_nobody_frees_stays_and_is_freed_from_outside(void**) {
  const Kept inner = kept_graph(9);
  const xpuGraph_t outer = new_graph();
  (void)move_into(outer, inner.graph);
  const xpuGraphExec_t exec = instantiate(outer);
  run_in_stream(exec);
  launch_one(stream, "copy_one", out, 0, inner.at, 0);
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(9, fetch(out));
  assert_code(xpuGraphLaunch(exec, stream), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  assert_ok(xpuFreeAsync(inner.at, stream));
  run_in_stream(exec);
  assert_ok(xpuFreeAsync(inner.at, stream));
  assert_ok(xpuStreamSynchronize(stream));
  destroy(exec);
  const xpuGraphExec_t freeing = instantiate(
      outer, xpuGraphInstantiateFlagAutoFreeOnLaunch | xpuGraphInstantiateFlagAutoFreeOnDestroy);
  run_in_stream(freeing);
  run_in_stream(freeing);
  destroy(freeing);
  destroy(outer);
  assert_code(xpuFree(inner.at), xpuErrorInvalidValue);
  (void)xpuGetLastError();
}

static void graphs_around_a_moved_one_have_memory_nodes_too(void**) {
  const Closed inner = closed_graph(out, 5);
  const xpuGraph_t middle = new_graph(), outer = new_graph(), other = new_graph();
  const xpuGraphNode_t moved = move_into(middle, inner.graph);
  const xpuGraphNode_t around = move_into(outer, middle);
  const xpuGraphNode_t e = add_one(outer, around, "noop");
  xpuGraph_t copy = nullptr;
  xpuGraphNode_t node = nullptr;
  assert_code(xpuGraphClone(&copy, outer), xpuErrorNotSupported);
  assert_code(xpuGraphAddChildGraphNode(&node, other, nullptr, 0, outer), xpuErrorNotSupported);
  assert_code(xpuGraphDestroyNode(around), xpuErrorNotSupported);
  assert_code(xpuGraphDestroyNode(moved), xpuErrorNotSupported);
  assert_code(xpuGraphRemoveDependencies(outer, &around, &e, nullptr, 1), xpuErrorNotSupported);
  xpuMemAllocNodeParams more = alloc_params(64);
  assert_code(xpuGraphAddMemAllocNode(&node, inner.graph, nullptr, 0, &more), xpuErrorNotSupported);
  assert_code(xpuGraphAddMemFreeNode(&node, inner.graph, nullptr, 0, inner.at),
              xpuErrorNotSupported);
  xpuGraphExec_t first = instantiate(outer), second = nullptr;
  assert_code(xpuGraphInstantiate(&second, outer, 0), xpuErrorNotSupported);
  assert_null(second);
  run_in_stream(first);
  if (shown(executes)) assert_int_equal(5, fetch(out));
  destroy(first);
  first = instantiate(outer);
  run_in_stream(first);
  destroy(first);
  (void)xpuGetLastError();
  destroy(outer);
  destroy(other);
}

static void an_executable_of_the_moved_graph_comes_first(void**) {
  const Closed inner = closed_graph(out, 6);
  const xpuGraph_t outer = new_graph();
  const Alloc own = add_alloc(outer, nullptr, 4096);
  const xpuGraphNode_t store = add_one(outer, own.node, "store", own.at, 0, 1);
  const xpuGraphExec_t early = instantiate(inner.graph);
  (void)move_into(outer, inner.graph, add_free(outer, store, own.at));
  xpuGraphExec_t late = nullptr;
  assert_code(xpuGraphInstantiate(&late, outer, 0), xpuErrorNotSupported);
  (void)xpuGetLastError();
  run_in_stream(early);
  destroy(early);
  // The memory of the outer graph was given back when its executable was refused.
  late = instantiate(outer);
  run_in_stream(late);
  if (shown(executes)) assert_int_equal(6, fetch(out));
  destroy(late);
  destroy(outer);
}

static void a_refused_move_changes_nothing(void**) {
  const Closed inner = closed_graph(out, 8);
  const xpuGraph_t outer = new_graph(), other = new_graph();
  xpuGraphNode_t stranger = nullptr, node = nullptr;
  assert_ok(xpuGraphAddEmptyNode(&stranger, other, nullptr, 0));
  xpuGraphNodeParams params = of_type(xpuGraphNodeTypeGraph);
  params.graph = {inner.graph, xpuGraphChildGraphOwnershipMove, 0};
  assert_code(xpuGraphAddNode(&node, outer, &stranger, nullptr, 1, &params), xpuErrorInvalidValue);
  assert_null(node);
  (void)xpuGetLastError();
  // Neither has the outer graph memory nodes, nor is the inner one a part of it.
  xpuGraph_t copy = nullptr;
  assert_ok(xpuGraphClone(&copy, outer));
  destroy(copy);
  const xpuGraphExec_t exec = instantiate(inner.graph);
  run_in_stream(exec);
  destroy(exec);
  destroy(inner.graph);
  destroy(outer);
  destroy(other);
}

static xpuGraph_t above, below;
static xpuGraphNodeParams into_itself, below_itself, again;

static void a_graph_is_inside_one_other_graph(void**) {
  above = new_graph();
  below = new_graph();
  into_itself = below_itself = again = of_type(xpuGraphNodeTypeGraph);
  into_itself.graph = below_itself.graph = {above, xpuGraphChildGraphOwnershipMove, 0};
  again.graph = {below, xpuGraphChildGraphOwnershipMove, 0};
  (void)move_into(above, below);
  const Refusal rows[] = {
      REFUSED(xpuErrorInvalidValue, xpuGraphAddNode, "nodeParams->graph.graph", "is the graph",
              &outs.node, above, nullptr, nullptr, 0, &into_itself),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddNode, "nodeParams->graph.graph", "is around it",
              &outs.node, below, nullptr, nullptr, 0, &below_itself),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddNode, "nodeParams->graph.graph", "has moved",
              &outs.node, above, nullptr, nullptr, 0, &again),
  };
  assert_all_refused(rows);
  assert_code(xpuGraphAddNode(&outs.node, above, nullptr, nullptr, 0, &into_itself),
              xpuErrorInvalidValue);
  assert_non_null(strstr(last_failure().sentence, "inside itself"));
  (void)xpuGetLastError();
  destroy(above);
}

static xpuGraph_t frees_it, around_it;
static void* kept_at;

static void a_graph_frees_what_another_one_allocates_once(void**) {
  const Kept kept = kept_graph(3);
  kept_at = kept.at;
  frees_it = freeing_graph(kept.at);
  const xpuGraph_t other = freeing_graph(kept.at);  // which of both runs is the program's business
  around_it = new_graph();
  const Refusal own[] = {REFUSED(xpuErrorInvalidValue, xpuGraphAddMemFreeNode, "dptr",
                                 "is freed by the graph", &outs.node, frees_it, nullptr, 0,
                                 kept_at)};
  assert_all_refused(own);
  (void)move_into(around_it, frees_it);
  const Refusal inside[] = {REFUSED(xpuErrorInvalidValue, xpuGraphAddMemFreeNode, "dptr",
                                    "is freed by a graph inside", &outs.node, around_it, nullptr, 0,
                                    kept_at)};
  assert_all_refused(inside);
  destroy(around_it);
  destroy(other);
  destroy(kept.graph);
}

static void a_capture_allocates_in_a_moved_graph(void**) {
  const xpuGraph_t outer = new_graph();
  begin(stream);
  void* taken = nullptr;
  assert_ok(xpuMallocAsync(&taken, 256, stream));
  launch_one(stream, "store", static_cast<int*>(taken), 0, 12);
  launch_one(stream, "copy_one", out, 0, static_cast<int*>(taken), 0);
  assert_ok(xpuFreeAsync(taken, stream));
  (void)move_into(outer, end(stream));
  const xpuGraphExec_t exec = instantiate(outer);
  run_in_stream(exec);
  run_in_stream(exec);
  if (shown(executes)) assert_int_equal(12, fetch(out));
  destroy(exec);
  destroy(outer);
}

int main() {
  const Test tests[] = {
      xpu_test(a_moved_graph_allocates_uses_and_frees_at_every_launch, results(executes)),
      xpu_test(the_outer_graph_uses_and_frees_what_the_moved_one_allocates, results(executes)),
      xpu_test(what_nobody_frees_stays_and_is_freed_from_outside, results(executes)),
      xpu_test(graphs_around_a_moved_one_have_memory_nodes_too, results(executes)),
      xpu_test(an_executable_of_the_moved_graph_comes_first, results(executes)),
      xpu_test(a_refused_move_changes_nothing),
      xpu_test(a_graph_is_inside_one_other_graph),
      xpu_test(a_graph_frees_what_another_one_allocates_once),
      xpu_test(a_capture_allocates_in_a_moved_graph, results(executes)),
  };
  return run_all(tests, open_moved, close_moved);
}
