// SPDX-License-Identifier: Apache-2.0
// Profiles: a row for every node, times that respect the edges, results as those of a launch. With
// the argument `trace` and a path it writes the trace of one graph instead, for profile.py.
#include <time.h>

#include "profiling.h"

using namespace xpu::test;

static uint64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

// A node's number is its place in the order in which nodes were added.
static unsigned id_of(xpuGraph_t graph, xpuGraphNode_t node) {
  xpuGraphNode_t nodes[kMost] = {};
  size_t n = kMost;
  assert_ok(xpuGraphGetNodes(graph, nodes, &n));
  for (unsigned i = 0; i < n; i++)
    if (nodes[i] == node) return i;
  fail_msg("the node is not in the graph");
  return 0;
}
// The number of edges of the graph whose second node started before the first had ended, or whose
// rows stand the wrong way round.
static int edges_ignored(xpuGraph_t graph, unsigned parent = XPU_PROFILE_NONE) {
  xpuGraphNode_t from[kMost] = {}, to[kMost] = {};
  size_t n = kMost;
  assert_ok(xpuGraphGetEdges(graph, from, to, nullptr, &n));
  int ignored = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t a = row_of(id_of(graph, from[i]), parent), b = row_of(id_of(graph, to[i]), parent);
    ignored += a > b || end_of(rows[a]) > rows[b].startNs;
  }
  return ignored;
}

static xpuGraphNode_t add_host(xpuGraph_t graph, xpuGraphNode_t after, xpuHostFn_t fn) {
  const xpuHostNodeParams p = {sizeof p, 0, fn, nullptr};
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddHostNode(&node, graph, &after, after ? 1 : 0, &p));
  return node;
}
static void sleep_20_ms(void*) { sleep_ms(20); }

static void a_chain_is_told_in_its_order(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1, 1);
  xpuGraphNode_t last = nullptr;
  unsigned expected = 1;
  for (int i = 0; i < 30; i++) {
    last = add_one(graph, last, "slow_step", p, 3, i, 1000);
    expected = expected * 3 + static_cast<unsigned>(i);
  }
  const xpuGraphExec_t exec = instantiate(graph);
  const uint64_t before = now_ns();
  profile(exec);
  const uint64_t took = now_ns() - before;

  assert_int_equal(30, count);
  for (size_t i = 0; i < 30; i++) {
    assert_int_equal(i, rows[i].localId);
    assert_int_equal(xpuGraphNodeTypeKernel, rows[i].type);
    assert_int_equal(XPU_PROFILE_NONE, rows[i].parent);
    assert_int_equal(0, rows[i].lane);
    assert_int_equal(sizeof *rows, rows[i].struct_size);
    assert_string_equal("slow_step", rows[i].name);
  }
  if (shown(timestamps)) {
    uint64_t sum = 0;
    for (size_t i = 0; i < 30; i++) {
      assert_true(rows[i].timed == 1 && rows[i].durationNs > 0);
      sum += rows[i].durationNs;
    }
    assert_int_equal(0, edges_ignored(graph));
    // They ran one after another inside the call.
    assert_true(sum <= end_of(rows[29]) && end_of(rows[29]) < took);
  }
  if (shown(executes)) assert_int_equal(static_cast<int>(expected), fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void a_node_that_does_more_takes_longer(void**) {
  const size_t ints = 1 << 22;
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(ints, 1);
  int* out = device_ints(1, 0);
  const int little = 1, much = ints;
  const xpuGraphNode_t first = add_one(graph, nullptr, "sum", out, p, little);
  (void)add_one(graph, first, "sum", out, p, much);
  (void)add_host(graph, nullptr, sleep_20_ms);
  const xpuGraphExec_t exec = instantiate(graph);
  // The least of some runs: a first one may compile, and a busy machine takes the processor away.
  unsigned long long least[3] = {~0ull, ~0ull, ~0ull};
  for (int i = 0; i < 8; i++) {
    profile(exec);
    for (unsigned node = 0; node < 3; node++)
      if (rows[row_of(node)].durationNs < least[node]) least[node] = rows[row_of(node)].durationNs;
  }

  if (shown(timestamps | calls_back)) {
    // Four million times the work; it reads 16 MiB, which no memory does in 20 us.
    assert_true(least[1] > 4 * least[0] && least[1] > 20000);
    assert_true(least[2] >= 20000000);
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(out));
  assert_ok(xpuFree(p));
}

// 0 fill -> 1 kernel -> 2 block copy -> 3 child -> 4 empty -> 5 record -> 6 wait -> 7 host -> 8
// block fill -> 9 alloc -> 10 kernel -> 11 free. The child: 0 kernel -> 1 child of its own (0
// kernel, beside it 1 kernel) -> 2 empty.
struct Zoo {
  xpuGraph_t graph, child, inner;
  xpuEvent_t event;
  int* p;
};
static Zoo make_zoo() {
  Zoo z = {new_graph(), new_graph(), new_graph(), new_event(), device_ints(256, 9)};
  xpuGraphNode_t n = nullptr, c = nullptr;
  const xpuMemsetParams line = {sizeof line, 0, z.p, 0, 0, 4, 8, 1};
  assert_ok(xpuGraphAddMemsetNode(&n, z.graph, nullptr, 0, &line));
  n = add_one(z.graph, n, "store", z.p, 0, 5);
  xpuMemcpy3DParms block = {};
  block.struct_size = sizeof block;
  block.dstPtr = {z.p + 128, 32, 16, 4};
  block.srcPtr = {z.p, 32, 16, 4};
  block.extent = {16, 4, 1};
  block.kind = xpuMemcpyDeviceToDevice;
  assert_ok(xpuGraphAddMemcpyNode(&n, z.graph, &n, 1, &block));
  (void)add_one(z.inner, nullptr, "step", z.p, 10, 2);
  (void)add_one(z.inner, nullptr, "store", z.p, 1, 2);
  c = add_one(z.child, nullptr, "step", z.p, 10, 1);
  assert_ok(xpuGraphAddChildGraphNode(&c, z.child, &c, 1, z.inner));
  assert_ok(xpuGraphAddEmptyNode(&c, z.child, &c, 1));
  assert_ok(xpuGraphAddChildGraphNode(&n, z.graph, &n, 1, z.child));
  assert_ok(xpuGraphAddEmptyNode(&n, z.graph, &n, 1));
  assert_ok(xpuGraphAddEventRecordNode(&n, z.graph, &n, 1, z.event));
  assert_ok(xpuGraphAddEventWaitNode(&n, z.graph, &n, 1, z.event));
  n = add_host(z.graph, n, sleep_20_ms);
  const xpuMemsetParams rows_of = {sizeof rows_of, 0, z.p + 64, 40, 1, 4, 3, 8};
  assert_ok(xpuGraphAddMemsetNode(&n, z.graph, &n, 1, &rows_of));
  const Alloc a = add_alloc(z.graph, n, 4096);
  n = add_one(z.graph, a.node, "store", a.at, 0, 1);
  (void)add_free(z.graph, n, a.at);
  return z;
}
static void destroy_zoo(const Zoo& z) {
  assert_ok(xpuGraphDestroy(z.graph));
  assert_ok(xpuGraphDestroy(z.child));
  assert_ok(xpuGraphDestroy(z.inner));
  assert_ok(xpuEventDestroy(z.event));
  assert_ok(xpuFree(z.p));
}

static void every_kind_of_node_has_a_row(void**) {
  static const struct {
    xpuGraphNodeType type;
    const char* name;
    bool timed;
  } expected[] = {
      {xpuGraphNodeTypeMemset, "memset", true},
      {xpuGraphNodeTypeKernel, "store", true},
      {xpuGraphNodeTypeMemcpy, "memcpy", true},
      {xpuGraphNodeTypeGraph, "child graph", true},
      {xpuGraphNodeTypeEmpty, "empty", false},
      {xpuGraphNodeTypeEventRecord, "event record", true},
      {xpuGraphNodeTypeWaitEvent, "event wait", true},
      {xpuGraphNodeTypeHost, "host", true},
      {xpuGraphNodeTypeMemset, "memset", true},
      {xpuGraphNodeTypeMemAlloc, "memory allocation", false},
      {xpuGraphNodeTypeKernel, "store", true},
      {xpuGraphNodeTypeMemFree, "memory free", false},
  };
  const Zoo z = make_zoo();
  profile_and_destroy(z.graph);

  // 12 nodes, 3 of the child, 2 of the child in that.
  assert_int_equal(12 + 3 + 2, count);
  const auto child = static_cast<unsigned>(row_of(3)),
             inner = static_cast<unsigned>(row_of(1, child));
  assert_int_equal(xpuGraphNodeTypeGraph, rows[inner].type);
  assert_string_equal("step", rows[row_of(0, inner)].name);
  assert_string_equal("store", rows[row_of(1, inner)].name);
  assert_true(row_of(0, child) > child && row_of(0, inner) > inner && row_of(1, inner) > inner);
  for (unsigned i = 0; i < 12; i++) {
    const xpuGraphNodeProfile& row = rows[row_of(i)];
    assert_int_equal(expected[i].type, row.type);
    assert_string_equal(expected[i].name, row.name);
    assert_int_equal(!expected[i].timed || expected[i].type == xpuGraphNodeTypeGraph,
                     row.lane == XPU_PROFILE_NONE);
  }
  if (shown(timestamps)) {
    for (unsigned i = 0; i < 12; i++) {
      assert_int_equal(expected[i].timed, rows[row_of(i)].timed);
      if (!expected[i].timed) assert_int_equal(0, rows[row_of(i)].durationNs);
    }
    assert_int_equal(0, edges_ignored(z.graph));
    assert_int_equal(0, edges_ignored(z.child, child));
    // A child graph lasts as long as its nodes.
    assert_true(rows[child].startNs == rows[row_of(0, child)].startNs);
    assert_true(end_of(rows[child]) == end_of(rows[inner]));
    assert_true(rows[inner].startNs <= rows[row_of(0, inner)].startNs);
    assert_true(end_of(rows[inner]) >= end_of(rows[row_of(1, inner)]));
  }
  if (shown(timestamps | calls_back)) assert_true(rows[row_of(7)].durationNs >= 20000000);
  if (shown(executes)) {
    assert_int_equal((5 * 10 + 1) * 10 + 2, fetch(z.p));
    assert_int_equal(5, fetch(z.p + 128));
    assert_int_equal(1, fetch(z.p + 64 + 7 * 10));
  }
  destroy_zoo(z);
}

// Wide enough, and its copies long enough, for every lane that the device has.
static xpuGraph_t make_wide(int* p, void* host, size_t bytes) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t root = add_one(graph, nullptr, "store", p, 0, 1);
  xpuGraphNode_t ends[5] = {};
  for (int branch = 0; branch < 4; branch++) {
    ends[branch] = root;
    for (int i = 0; i < 20; i++)
      ends[branch] = add_one(graph, ends[branch], "add", p, 1 + branch, i);
  }
  assert_ok(
      xpuGraphAddMemcpyNode1D(&ends[4], graph, &root, 1, host, p, bytes, xpuMemcpyDeviceToHost));
  xpuGraphNode_t join = nullptr;
  assert_ok(xpuGraphAddEmptyNode(&join, graph, ends, 5));
  (void)add_one(graph, join, "add", p, 0, 1);
  return graph;
}

static void branches_on_several_lanes_respect_their_edges(void**) {
  const size_t ints = 1 << 18;
  int* p = device_ints(ints, 0);
  void* host = nullptr;
  assert_ok(xpuMallocHost(&host, ints * sizeof(int)));
  const xpuGraph_t graph = make_wide(p, host, ints * sizeof(int));
  const xpuGraphExec_t exec = instantiate(graph);
  for (int i = 0; i < 3; i++) {
    profile(exec);
    assert_int_equal(84, count);
    if (shown(timestamps)) assert_int_equal(0, edges_ignored(graph));
    assert_ok(xpuGraphLaunch(exec, stream));
  }
  assert_ok(xpuStreamSynchronize(stream));
  // Six runs, each adds 0 + 1 + ... + 19 to a branch.
  if (shown(executes)) {
    for (int branch = 0; branch < 4; branch++) assert_int_equal(6 * 190, fetch(p + 1 + branch));
    assert_int_equal(2, fetch(p));
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFreeHost(host));
  assert_ok(xpuFree(p));
}

static void what_was_updated_is_told_and_what_is_off_has_no_time(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1, 1);
  xpuGraphNode_t nodes[3] = {};
  for (int i = 0; i < 3; i++)
    nodes[i] = add_one(graph, i ? nodes[i - 1] : nullptr, "step", p, 10, i + 1);
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphNodeSetEnabled(exec, nodes[1], 0));
  Args<int*, int, int> args(p, 0, 7);
  const xpuKernelNodeParams store = node_params(kernel("store"), dim(1), dim(1), args.get());
  assert_ok(xpuGraphExecKernelNodeSetParams(exec, nodes[2], &store));
  profile(exec);

  assert_int_equal(3, count);
  assert_string_equal("step", rows[1].name);
  assert_string_equal("store", rows[2].name);
  assert_int_equal(0, rows[1].timed);
  if (shown(timestamps)) {
    assert_true(rows[0].timed && rows[2].timed);
    assert_true(rows[1].startNs == end_of(rows[0]) && rows[1].durationNs == 0);
  }
  if (shown(executes)) assert_int_equal(7, fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void a_profile_takes_its_turn_among_launches(void**) {
  const xpuStream_t other = new_stream();
  int* p = device_ints(1, 0);
  const xpuGraph_t graph = new_graph();
  (void)add_one(graph, add_one(graph, nullptr, "slow_step", p, 3, 1, 100000), "step", p, 5, 2);
  const xpuGraphExec_t exec = instantiate(graph);
  unsigned expected = 0;
  for (int i = 0; i < 6; i++) {
    if (i % 3 == 2)
      profile(exec);
    else
      assert_ok(xpuGraphLaunch(exec, i % 2 ? stream : other));
    expected = (expected * 3 + 1) * 5 + 2;
  }
  assert_ok(xpuStreamSynchronize(stream));
  assert_ok(xpuStreamSynchronize(other));
  if (shown(executes)) assert_int_equal(static_cast<int>(expected), fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(other));
  assert_ok(xpuFree(p));
}

static int write_trace(const char* path) {
  (void)open_all(nullptr);
  const Zoo z = make_zoo();
  const xpuGraphExec_t exec = instantiate(z.graph);
  assert_ok(xpuGraphExecProfile(exec, stream, nullptr, nullptr, path));
  assert_ok(xpuGraphExecDestroy(exec));
  destroy_zoo(z);
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "trace") == 0) return write_trace(argv[2]);
  const Test tests[] = {
      xpu_test(a_chain_is_told_in_its_order, results(executes | timestamps)),
      xpu_test(a_node_that_does_more_takes_longer, results(timestamps | calls_back)),
      xpu_test(every_kind_of_node_has_a_row, results(executes | timestamps | calls_back)),
      xpu_test(branches_on_several_lanes_respect_their_edges, results(executes | timestamps)),
      xpu_test(what_was_updated_is_told_and_what_is_off_has_no_time,
               results(executes | timestamps)),
      xpu_test(a_profile_takes_its_turn_among_launches, results(executes)),
  };
  return run_all(tests, open_all, close_all);
}
