// SPDX-License-Identifier: Apache-2.0
// Graphs that an executable cannot be updated from: how that is told, and that nothing changes.
#include "updating.h"

using namespace xpu::test;

// Everything below is refused, and the executable does what it did.
static xpuGraph_t graph;

static void check_as_before(xpuGraphExec_t exec) {
  const int before = run_from(exec, 9);
  assert_int_equal(9123, before);
  // And it can still be updated.
  const xpuGraph_t other = steps(4, 5, 6);
  update(exec, other);
  assert_ok(xpuGraphDestroy(other));
  const int after = run_from(exec, 9);
  assert_int_equal(9456, after);
}
#define REFUSED_AND_AS_BEFORE(other, ...)           \
  do {                                              \
    const xpuGraphExec_t exec = instantiate(graph); \
    refuse(exec, other, __VA_ARGS__);               \
    if (shown(executes)) check_as_before(exec);     \
    assert_ok(xpuGraphExecDestroy(exec));           \
    assert_ok(xpuGraphDestroy(other));              \
  } while (0)

static void more_or_fewer_nodes_are_told_without_a_node(void**) {
  const xpuGraph_t more = steps(4, 5, 6), fewer = new_graph(), none = new_graph();
  add_one(more, nullptr, "step", p, 1, 0);
  add_one(fewer, add_one(fewer, nullptr, "step", p, 10, 4), "step", p, 10, 5);

  REFUSED_AND_AS_BEFORE(more, xpuGraphExecUpdateErrorTopologyChanged);
  REFUSED_AND_AS_BEFORE(fewer, xpuGraphExecUpdateErrorTopologyChanged);
  REFUSED_AND_AS_BEFORE(none, xpuGraphExecUpdateErrorTopologyChanged);
}

static void another_last_node_is_named(void**) {
  const xpuGraph_t fork = new_graph();
  const xpuGraphNode_t root = add_one(fork, nullptr, "step", p, 10, 4);
  add_one(fork, root, "step", p, 10, 5);
  const xpuGraphNode_t second = add_one(fork, root, "step", p, 10, 6);

  REFUSED_AND_AS_BEFORE(fork, xpuGraphExecUpdateErrorTopologyChanged, second);
}

static void another_number_of_dependencies_is_told_at_the_node(void**) {
  const xpuGraph_t join = new_graph();
  const xpuGraphNode_t roots[2] = {add_one(join, nullptr, "step", p, 10, 4),
                                   add_one(join, nullptr, "step", p, 10, 5)};
  xpuGraphNode_t last = nullptr;
  Args<int*, int, int> args(p, 10, 6);
  const xpuKernelNodeParams params = node_params(kernel("step"), dim(1), dim(1), args.get());
  assert_ok(xpuGraphAddKernelNode(&last, join, roots, 2, &params));

  REFUSED_AND_AS_BEFORE(join, xpuGraphExecUpdateErrorTopologyChanged, last);
}

// Two diamonds whose last node has its dependencies the other way round: the second is met at a
// node that is taken already.
static void an_edge_that_does_not_match_is_told_with_both_its_ends(void**) {
  xpuGraph_t made[2];
  xpuGraphNode_t n[2][4];
  for (int i = 0; i < 2; i++) {
    made[i] = new_graph();
    for (auto& node : n[i]) assert_ok(xpuGraphAddEmptyNode(&node, made[i], nullptr, 0));
    // 3 after 2 and 1; 2 after 1 in one, after 0 in the other; 1 after 0 in one, 0 after 1.
    const xpuGraphNode_t first[4] = {n[i][2], n[i][1], n[i][i == 0 ? 1 : 0], n[i][0]};
    const xpuGraphNode_t then[4] = {n[i][3], n[i][3], n[i][2], n[i][1]};
    assert_ok(xpuGraphAddDependencies(made[i], first, then, nullptr, 4));
  }
  const xpuGraphExec_t exec = instantiate(made[0]);
  xpuGraphExecUpdateResultInfo info = {};
  info.struct_size = sizeof info;

  assert_code(xpuGraphExecUpdate(exec, made[1], &info), xpuErrorGraphExecUpdateFailure);

  assert_int_equal(xpuGraphExecUpdateErrorTopologyChanged, info.result);
  assert_non_null(info.errorNode);
  assert_non_null(info.errorFromNode);
  size_t count = 8;
  xpuGraphNode_t before[8];
  assert_ok(xpuGraphNodeGetDependencies(info.errorNode, before, nullptr, &count));
  bool is_edge = false;
  for (size_t i = 0; i < count; i++) is_edge |= before[i] == info.errorFromNode;
  assert_true(is_edge);
  (void)xpuGetLastError();
  assert_ok(xpuGraphExecDestroy(exec));
  for (xpuGraph_t g : made) assert_ok(xpuGraphDestroy(g));
}

static void a_graph_with_a_cycle_is_refused(void**) {
  xpuGraphNode_t nodes[3];
  const xpuGraph_t cycle = steps(4, 5, 6, nodes);
  assert_ok(xpuGraphAddDependencies(cycle, &nodes[1], &nodes[0], nullptr, 1));

  REFUSED_AND_AS_BEFORE(cycle, xpuGraphExecUpdateErrorTopologyChanged, nodes[0]);
}

static void another_type_of_node_is_named(void**) {
  const xpuGraph_t other = new_graph();
  xpuGraphNode_t fill_node = nullptr;
  const xpuGraphNode_t first = add_one(other, nullptr, "step", p, 10, 4);
  const xpuMemsetParams fill = {sizeof fill, 0, p, 0, 1, 4, 1, 1};
  assert_ok(xpuGraphAddMemsetNode(&fill_node, other, &first, 1, &fill));
  add_one(other, fill_node, "step", p, 10, 6);

  REFUSED_AND_AS_BEFORE(other, xpuGraphExecUpdateErrorNodeTypeChanged, fill_node);
}

// One node, then its change.
struct Single {
  xpuGraph_t graph;
  xpuGraphNode_t node;
};
static Single copy_of(const xpuMemcpy3DParms& params) {
  Single s = {new_graph(), nullptr};
  assert_ok(xpuGraphAddMemcpyNode(&s.node, s.graph, nullptr, 0, &params));
  return s;
}
static Single fill_of(const xpuMemsetParams& params) {
  Single s = {new_graph(), nullptr};
  assert_ok(xpuGraphAddMemsetNode(&s.node, s.graph, nullptr, 0, &params));
  return s;
}
static void refuse_change(const Single& from, const Single& to) {
  const xpuGraphExec_t exec = instantiate(from.graph);
  refuse(exec, to.graph, xpuGraphExecUpdateErrorParametersChanged, to.node);
  update(exec, from.graph);
  run(exec);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(from.graph));
  assert_ok(xpuGraphDestroy(to.graph));
}

static void what_a_copy_must_keep_is_refused(void**) {
  void* host = nullptr;
  assert_ok(xpuMallocHost(&host, 256));
  int* q = device_ints(64);
  xpuMemcpy3DParms row = {};
  row.struct_size = sizeof row;
  row.dstPtr = {q, 64, 64, 2};
  row.srcPtr = {q + 32, 64, 64, 2};
  row.extent = {16, 1, 1};
  row.kind = xpuMemcpyDefault;
  xpuMemcpy3DParms rows = row, moved = row, to_host = row, said = row, said_else = row;
  rows.extent.height = 2;
  moved = rows;
  moved.dstPos.x = 16;
  to_host.dstPtr.ptr = host;
  said.kind = xpuMemcpyDeviceToDevice;
  said_else.kind = xpuMemcpyDeviceToHost;

  refuse_change(copy_of(row), copy_of(rows));
  refuse_change(copy_of(rows), copy_of(row));
  refuse_change(copy_of(rows), copy_of(moved));
  refuse_change(copy_of(row), copy_of(to_host));
  refuse_change(copy_of(said), copy_of(said_else));
  assert_ok(xpuFreeHost(host));
  assert_ok(xpuFree(q));
}

static void what_a_fill_must_keep_is_refused(void**) {
  void* host = nullptr;
  assert_ok(xpuMallocHost(&host, 256));
  int* q = device_ints(64);
  const xpuMemsetParams row = {sizeof row, 0, q, 0, 1, 4, 2, 1};
  const xpuMemsetParams rows = {sizeof rows, 0, q, 32, 1, 4, 2, 3};
  xpuMemsetParams wider = rows, shorter = rows, smaller = rows, pitched = rows, to_host = row;
  wider.width = 3;
  shorter.height = 2;
  smaller.elementSize = 2;
  pitched.pitch = 64;
  to_host.dst = host;

  refuse_change(fill_of(row), fill_of(rows));
  refuse_change(fill_of(rows), fill_of(row));
  refuse_change(fill_of(rows), fill_of(wider));
  refuse_change(fill_of(rows), fill_of(shorter));
  refuse_change(fill_of(rows), fill_of(smaller));
  refuse_change(fill_of(rows), fill_of(pitched));
  refuse_change(fill_of(row), fill_of(to_host));
  assert_ok(xpuFreeHost(host));
  assert_ok(xpuFree(q));
}

static xpuGraph_t allocating() {
  const xpuGraph_t g = new_graph();
  xpuMemAllocNodeParams params = {};
  params.struct_size = sizeof params;
  params.poolProps.struct_size = sizeof params.poolProps;
  params.poolProps.allocType = xpuMemAllocationTypePinned;
  params.poolProps.location.type = xpuMemLocationTypeDevice;
  params.bytesize = 64;
  xpuGraphNode_t alloc = nullptr, end = nullptr;
  assert_ok(xpuGraphAddMemAllocNode(&alloc, g, nullptr, 0, &params));
  const xpuGraphNode_t use = add_one(g, alloc, "store", static_cast<int*>(params.dptr), 0, 1);
  assert_ok(xpuGraphAddMemFreeNode(&end, g, &use, 1, params.dptr));
  return g;
}

static void memory_of_another_graph_is_refused_and_the_own_is_not(void**) {
  const xpuGraph_t own = allocating(), other = allocating();
  const xpuGraphExec_t exec = instantiate(own);
  xpuGraphExecUpdateResultInfo info = {};
  info.struct_size = sizeof info;

  update(exec, own);
  assert_code(xpuGraphExecUpdate(exec, other, &info), xpuErrorGraphExecUpdateFailure);
  assert_int_equal(xpuGraphExecUpdateErrorParametersChanged, info.result);
  assert_non_null(info.errorNode);
  (void)xpuGetLastError();
  run(exec);
  run(exec);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(own));
  assert_ok(xpuGraphDestroy(other));
}

// Of all that would change, nothing does.
static void a_refusal_at_the_last_node_leaves_the_first_ones(void**) {
  const xpuGraph_t other = new_graph();
  const xpuGraphNode_t first = add_one(other, nullptr, "step", p, 10, 4);
  const xpuGraphNode_t second = add_one(other, first, "step", p, 10, 5);
  xpuGraphNode_t last = nullptr;
  assert_ok(xpuGraphAddEmptyNode(&last, other, &second, 1));

  REFUSED_AND_AS_BEFORE(other, xpuGraphExecUpdateErrorNodeTypeChanged, last);
}

static void a_refusal_inside_a_child_graph_names_the_node_there(void**) {
  xpuGraph_t made[2];
  xpuGraphNode_t child[2];
  for (int i = 0; i < 2; i++) {
    made[i] = new_graph();
    const xpuGraph_t inner = new_graph();
    const xpuGraphNode_t first = add_one(inner, nullptr, "step", p, 10, 1);
    if (i == 0) {
      add_one(inner, first, "step", p, 10, 2);
    } else {
      xpuGraphNode_t empty = nullptr;
      assert_ok(xpuGraphAddEmptyNode(&empty, inner, &first, 1));
    }
    assert_ok(xpuGraphAddChildGraphNode(&child[i], made[i], nullptr, 0, inner));
    assert_ok(xpuGraphDestroy(inner));
  }
  xpuGraph_t inside = nullptr;
  xpuGraphNode_t nodes[2];
  size_t two = 2;
  assert_ok(xpuGraphChildGraphNodeGetGraph(child[1], &inside));
  assert_ok(xpuGraphGetNodes(inside, nodes, &two));
  const xpuGraphExec_t exec = instantiate(made[0]);

  refuse(exec, made[1], xpuGraphExecUpdateErrorNodeTypeChanged, nodes[1]);
  assert_code(xpuGraphExecChildGraphNodeSetParams(exec, child[0], inside), xpuErrorInvalidValue);
  assert_code(xpuGraphExecChildGraphNodeSetParams(exec, child[0], made[0]), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  const int after = run_from(exec, 9);

  if (shown(executes)) assert_int_equal(912, after);
  assert_ok(xpuGraphExecDestroy(exec));
  for (xpuGraph_t g : made) assert_ok(xpuGraphDestroy(g));
}

static int open_all(void**) {
  stream = new_stream();
  p = device_ints(1);
  graph = steps(1, 2, 3);
  return 0;
}
static int close_all(void**) {
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(stream));
  return 0;
}

int main() {
  const Test tests[] = {
      xpu_test(more_or_fewer_nodes_are_told_without_a_node, results(executes)),
      xpu_test(another_last_node_is_named, results(executes)),
      xpu_test(another_number_of_dependencies_is_told_at_the_node, results(executes)),
      xpu_test(an_edge_that_does_not_match_is_told_with_both_its_ends),
      xpu_test(a_graph_with_a_cycle_is_refused, results(executes)),
      xpu_test(another_type_of_node_is_named, results(executes)),
      xpu_test(what_a_copy_must_keep_is_refused),
      xpu_test(what_a_fill_must_keep_is_refused),
      xpu_test(memory_of_another_graph_is_refused_and_the_own_is_not),
      xpu_test(a_refusal_at_the_last_node_leaves_the_first_ones, results(executes)),
      xpu_test(a_refusal_inside_a_child_graph_names_the_node_there, results(executes)),
  };
  return run_all(tests, open_all, close_all);
}
