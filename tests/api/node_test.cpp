// SPDX-License-Identifier: Apache-2.0
// Nodes of every kind, made by hand: what they do, and that a graph of them does what eager calls
// do.
#include "block.h"

using namespace xpu::test;

static Gate gate;
static xpuStream_t stream;

static int open_all(void**) {
  stream = new_stream();
  return 0;
}
static int close_all(void**) {
  assert_ok(xpuStreamDestroy(stream));
  return 0;
}

// Instantiates, runs some times, and destroys both.
static void run_and_destroy(xpuGraph_t graph, int times = 1) {
  const xpuGraphExec_t exec = instantiate(graph);
  for (int i = 0; i < times; i++) assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static xpuGraphNode_t add_copy(xpuGraph_t graph, xpuGraphNode_t after, void* dst, const void* src,
                               size_t bytes) {
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddMemcpyNode1D(&node, graph, &after, after ? 1 : 0, dst, src, bytes,
                                    xpuMemcpyDefault));
  return node;
}
static xpuGraphNode_t add_fill(xpuGraph_t graph, xpuGraphNode_t after, void* dst, uint32_t value,
                               uint32_t element, size_t width) {
  const xpuMemsetParams p = {sizeof p, 0, dst, 0, value, element, width, 1};
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddMemsetNode(&node, graph, &after, after ? 1 : 0, &p));
  return node;
}
static xpuGraphNode_t add_host(xpuGraph_t graph, xpuGraphNode_t after, xpuHostFn_t fn, void* user) {
  const xpuHostNodeParams p = {sizeof p, 0, fn, user};
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddHostNode(&node, graph, &after, after ? 1 : 0, &p));
  return node;
}

static void an_empty_graph_runs(void**) { run_and_destroy(new_graph(), 3); }

static void a_chain_of_kernels_runs_in_order(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1, 1);
  xpuGraphNode_t last = nullptr;
  unsigned expected = 1;
  for (int i = 0; i < 30; i++) last = add_one(graph, last, "step", p, 3, i);
  for (int times = 0; times < 2; times++)
    for (unsigned i = 0; i < 30; i++) expected = expected * 3 + i;

  run_and_destroy(graph, 2);

  if (shown(executes)) assert_int_equal(static_cast<int>(expected), fetch(p));
  assert_ok(xpuFree(p));
}

static void a_graph_of_every_kind_does_what_eager_calls_do(void**) {
  static int by_host;
  const xpuGraph_t graph = new_graph(), child = new_graph();
  const xpuEvent_t event = new_event();
  int* p = device_ints(8, 9);
  void* pinned = nullptr;
  assert_ok(xpuMallocHost(&pinned, 8 * sizeof(int)));
  by_host = 0;

  // fill -> kernel -> copy within -> child(kernel -> kernel) -> empty -> record -> copy out -> host
  xpuGraphNode_t n = add_fill(graph, nullptr, p, 0, 4, 8);
  n = add_one(graph, n, "store", p, 0, 5);
  n = add_copy(graph, n, p + 1, p, sizeof(int));
  add_one(child, add_one(child, nullptr, "step", p, 10, 1), "step", p, 10, 2);
  xpuGraphNode_t c = nullptr, e = nullptr, r = nullptr, w = nullptr;
  assert_ok(xpuGraphAddChildGraphNode(&c, graph, &n, 1, child));
  assert_ok(xpuGraphAddEmptyNode(&e, graph, &c, 1));
  assert_ok(xpuGraphAddEventWaitNode(&w, graph, &e, 1, event));
  n = add_copy(graph, w, pinned, p, 2 * sizeof(int));
  assert_ok(xpuGraphAddEventRecordNode(&r, graph, &n, 1, event));
  add_host(
      graph, r,
      [](void* from) { by_host = static_cast<int*>(from)[0] * 1000 + static_cast<int*>(from)[1]; },
      pinned);
  run_and_destroy(graph, 2);

  if (shown(calls_back)) assert_int_equal(512005, by_host);
  if (shown(polls)) assert_ok(xpuEventQuery(event));
  if (shown(executes)) assert_int_equal(0, fetch(p + 7));
  assert_ok(xpuGraphDestroy(child));
  assert_ok(xpuEventDestroy(event));
  assert_ok(xpuFreeHost(pinned));
  assert_ok(xpuFree(p));
}

static void copy_nodes_of_blocks_equal_plain_loops(void**) {
  static const Block blocks[] = {
      {13, 7, 1, {5, 17, 7, 0, 0, 0}, {2, 19, 7, 0, 0, 0}},
      {7, 5, 3, {1, 11, 8, 3, 2, 1}, {3, 13, 6, 5, 1, 2}},
      {256, 16, 2, {128, 300, 16, 20, 0, 3}, {0, 257, 18, 1, 1, 1}},
  };
  static unsigned char source[kBytes], expected[kBytes], got[kBytes];
  const Buffers to = make_buffers(), from = make_buffers();
  int wrong = 0;
  for (const Block& b : blocks)
    for (int dst = 0; dst < 4; dst++)
      for (int src = 0; src < 4; src++) {
        scramble(source, 4);
        scramble(expected, 5);
        assert_ok(xpuMemcpy(from.of[src], source, kBytes, xpuMemcpyDefault));
        assert_ok(xpuMemcpy(to.of[dst], expected, kBytes, xpuMemcpyDefault));
        reference_copy(expected, source, b);
        const xpuMemcpy3DParms p = to_params(b, to.of[dst], from.of[src]);
        const xpuGraph_t graph = new_graph();
        xpuGraphNode_t node = nullptr;
        assert_ok(xpuGraphAddMemcpyNode(&node, graph, nullptr, 0, &p));
        run_and_destroy(graph);
        assert_ok(xpuMemcpy(got, to.of[dst], kBytes, xpuMemcpyDefault));
        wrong += memcmp(got, expected, kBytes) != 0;
      }
  if (shown(executes)) assert_int_equal(0, wrong);
  free_buffers(to);
  free_buffers(from);
}

static void a_diamond_joins_both_sides(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(4);
  const xpuGraphNode_t top = add_one(graph, nullptr, "store", p, 0, 7);
  const xpuGraphNode_t sides[2] = {add_one(graph, top, "copy_one", p, 1, p, 0),
                                   add_one(graph, top, "copy_one", p, 2, p, 0)};
  Args<int*, int*, int> args(p + 3, p, 3);
  const xpuKernelNodeParams sum = node_params(kernel("sum"), dim(1), dim(1), args.get());
  xpuGraphNode_t join = nullptr;
  assert_ok(xpuGraphAddKernelNode(&join, graph, sides, 2, &sum));

  run_and_destroy(graph);

  if (shown(executes)) assert_int_equal(21, fetch(p + 3));
  assert_ok(xpuFree(p));
}

static void a_host_node_holds_back_only_what_depends_on_it(void**) {
  static Gate held;
  const xpuGraph_t graph = new_graph();
  void* memory = nullptr;
  assert_ok(xpuMallocHost(&memory, 2 * sizeof(int)));
  int* p = static_cast<int*>(memory);
  p[0] = p[1] = 0;
  held.open = 0;
  held.reached = 0;
  add_one(graph, add_host(graph, nullptr, Gate::wait, &held), "store", p, 0, 1);
  add_one(graph, nullptr, "store", p, 1, 2);
  const xpuGraphExec_t exec = instantiate(graph);

  assert_ok(xpuGraphLaunch(exec, stream));
  if (shown(calls_back)) held.await();
  volatile int* seen = p;
  for (int i = 0; shown(executes) && i < 5000 && !seen[1]; i++) sleep_ms(1);
  const int free_one = seen[1], held_one = seen[0];
  held.open = 1;
  assert_ok(xpuStreamSynchronize(stream));

  if (shown(executes)) assert_int_equal(2, free_one);
  assert_int_equal(0, held_one);
  if (shown(executes)) assert_int_equal(1, p[0]);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFreeHost(p));
}

static void the_parts_of_a_child_graph_come_after_and_before_its_neighbours(void**) {
  const xpuGraph_t graph = new_graph(), child = new_graph();
  int* log = device_ints(16);
  int seen[16] = {};
  // Two nodes without an order inside would spoil the log: the child is a chain of three.
  add_one(child, add_one(child, add_one(child, nullptr, "note", log, 2), "note", log, 3), "note",
          log, 4);
  const xpuGraphNode_t first = add_one(graph, nullptr, "note", log, 1);
  xpuGraphNode_t middle = nullptr, again = nullptr;
  assert_ok(xpuGraphAddChildGraphNode(&middle, graph, &first, 1, child));
  assert_ok(xpuGraphAddChildGraphNode(&again, graph, &middle, 1, child));
  add_one(graph, again, "note", log, 5);
  assert_ok(xpuGraphDestroy(child));

  run_and_destroy(graph);

  static const int expected[] = {8, 1, 2, 3, 4, 2, 3, 4, 5};
  fetch(seen, log, sizeof seen);
  if (shown(executes)) assert_memory_equal(expected, seen, sizeof expected);
  assert_ok(xpuFree(log));
}

static void event_nodes_order_a_graph_with_a_stream(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuStream_t before = new_stream(), after = new_stream();
  const xpuEvent_t in = new_event(), out = new_event();
  int* p = device_ints(1, 1);
  xpuGraphNode_t w = nullptr, r = nullptr;
  assert_ok(xpuGraphAddEventWaitNode(&w, graph, nullptr, 0, in));
  const xpuGraphNode_t k = add_one(graph, w, "step", p, 10, 5);
  assert_ok(xpuGraphAddEventRecordNode(&r, graph, &k, 1, out));
  const xpuGraphExec_t exec = instantiate(graph);

  gate.shut(before);
  launch_one(before, "step", p, 2, 1);
  assert_ok(xpuEventRecord(in, before));
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamWaitEvent(after, out, 0));
  launch_one(after, "step", p, 3, 2);
  if (shown(waits)) assert_code(xpuEventQuery(out), xpuErrorNotReady);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(after));

  if (shown(executes)) assert_int_equal(107, fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuEventDestroy(in));
  assert_ok(xpuEventDestroy(out));
  assert_ok(xpuStreamDestroy(before));
  assert_ok(xpuStreamDestroy(after));
  assert_ok(xpuFree(p));
}

static void a_launch_is_one_piece_of_work_in_its_stream(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(64, 1);
  for (int i = 0; i < 64; i++) add_one(graph, nullptr, "axpb", p + i, 1, 2, 1);
  const xpuGraphExec_t exec = instantiate(graph);

  launch(stream, "axpb", dim(1), dim(64), p, 64, 3, 0);
  assert_ok(xpuGraphLaunch(exec, stream));
  launch(stream, "axpb", dim(1), dim(64), p, 64, 5, 1);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));

  int seen[64];
  fetch(seen, p, sizeof seen);
  if (shown(executes))
    for (int i = 0; i < 64; i++) assert_int_equal(((1 * 3 * 2 + 1) * 5 + 1) * 2 + 1, seen[i]);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void local_memory_and_structs_work_in_nodes(void**) {
  const xpuGraph_t graph = new_graph();
  int numbers[64], seen[64];
  for (int i = 0; i < 64; i++) numbers[i] = i;
  int* p = device_ints(64);
  assert_ok(xpuMemcpy(p, numbers, sizeof numbers, xpuMemcpyHostToDevice));
  size_t bytes = 16 * sizeof(int);
  void* sized[] = {&p, &bytes};
  void* open[] = {&p, nullptr};
  const xpuKernelNodeParams a = node_params(kernel("reverse"), dim(4), dim(16), sized);
  const xpuKernelNodeParams b = node_params(kernel("reverse"), dim(2), dim(32), open, 128);
  xpuGraphNode_t first = nullptr, second = nullptr;
  assert_ok(xpuGraphAddKernelNode(&first, graph, nullptr, 0, &a));
  assert_ok(xpuGraphAddKernelNode(&second, graph, &first, 1, &b));

  run_and_destroy(graph);

  fetch(seen, p, sizeof seen);
  if (shown(executes))
    for (int i = 0; i < 64; i++) {
      const int j = i / 32 * 32 + 31 - i % 32;
      assert_int_equal(j / 16 * 16 + 15 - j % 16, seen[i]);
    }
  assert_ok(xpuFree(p));
}

int main() {
  const Test tests[] = {
      xpu_test(an_empty_graph_runs),
      xpu_test(a_chain_of_kernels_runs_in_order, results(executes)),
      xpu_test(a_graph_of_every_kind_does_what_eager_calls_do,
               results(calls_back | executes | polls)),
      xpu_test(copy_nodes_of_blocks_equal_plain_loops, results(executes)),
      xpu_test(a_diamond_joins_both_sides, results(executes)),
      xpu_test(a_host_node_holds_back_only_what_depends_on_it, results(calls_back | executes)),
      xpu_test(the_parts_of_a_child_graph_come_after_and_before_its_neighbours, results(executes)),
      xpu_test(event_nodes_order_a_graph_with_a_stream, results(executes | waits)),
      xpu_test(a_launch_is_one_piece_of_work_in_its_stream, results(executes)),
      xpu_test(local_memory_and_structs_work_in_nodes, results(executes)),
  };
  return run_all(tests, open_all, close_all);
}
