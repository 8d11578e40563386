// SPDX-License-Identifier: Apache-2.0
// Changing one node of an executable: what the next launch does, and what the graph does not
// notice.
#include "chain.h"

using namespace xpu::test;

static Gate gate;

static void a_kernel_gets_other_arguments_again_and_again(void**) {
  const Chain c = make_chain();
  unsigned expected = 1;

  for (unsigned i = 0; i < 6; i++) {
    set(c.exec, c.node[1], "step", c.p, static_cast<int>(5 + i % 2), static_cast<int>(i));
    run(c.exec);
    expected = chain_from(expected, 5 + i % 2, i);
  }

  if (shown(executes)) assert_int_equal(expected, value(c.p));
  end_chain(c);
}

static void every_node_can_change_in_turn(void**) {
  const Chain c = make_chain();
  unsigned expected = 1;

  for (unsigned i = 0; i < 9; i++) {
    set(c.exec, c.node[i % 3], "step", c.p, 2, static_cast<int>(i));
    run(c.exec);
    unsigned a[3] = {3, 5, 7}, b[3] = {1, 2, 3};
    for (unsigned k = 0; k <= i; k++) a[k % 3] = 2, b[k % 3] = k;
    for (int k = 0; k < 3; k++) expected = expected * a[k] + b[k];
  }

  if (shown(executes)) assert_int_equal(expected, value(c.p));
  end_chain(c);
}

static void a_pointer_can_become_another_one(void**) {
  const Chain c = make_chain();

  set(c.exec, c.node[2], "step", c.p + 2, 10, 4);
  run(c.exec);

  if (shown(executes)) assert_int_equal((1 * 3 + 1) * 5 + 2, fetch(c.p));
  if (shown(executes)) assert_int_equal(14, fetch(c.p + 2));
  end_chain(c);
}

static void a_kernel_can_be_exchanged_for_another_one(void**) {
  const Chain c = make_chain();

  for (int i = 0; i < 2; i++) {  // while the list is plain, and when it is patchable
    set(c.exec, c.node[1], "add", c.p, 0, 100);
    run(c.exec);
    set(c.exec, c.node[1], "step", c.p, 1, 0);
    run(c.exec);
  }

  unsigned expected = 1;
  for (int i = 0; i < 2; i++) {
    expected = (expected * 3 + 1 + 100) * 7 + 3;
    expected = (expected * 3 + 1) * 7 + 3;
  }
  if (shown(executes)) assert_int_equal(expected, value(c.p));
  end_chain(c);
}

static void grids_and_blocks_change(void**) {
  const xpuGraph_t graph = new_graph();
  int* out = device_ints(6);
  Args<int*> args(out);
  xpuKernelNodeParams params = node_params(kernel("dims"), dim(2, 3, 4), dim(5, 6, 1), args.get());
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  const xpuGraphExec_t exec = instantiate(graph);
  const xpuDim3 shapes[][2] = {{dim(1, 1, 7), dim(5, 6, 1)},
                               {dim(9), dim(8, 4, 2)},
                               {dim(3, 2, 1), dim(1)},
                               {dim(3, 2, 1), dim(16)}};

  for (const auto& shape : shapes) {
    params.gridDim = shape[0];
    params.blockDim = shape[1];
    assert_ok(xpuGraphExecKernelNodeSetParams(exec, node, &params));
    run(exec);

    int seen[6];
    fetch(seen, out, sizeof seen);
    const int expected[6] = {static_cast<int>(shape[0].x), static_cast<int>(shape[0].y),
                             static_cast<int>(shape[0].z), static_cast<int>(shape[1].x),
                             static_cast<int>(shape[1].y), static_cast<int>(shape[1].z)};
    if (shown(executes)) assert_memory_equal(expected, seen, sizeof seen);
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(out));
}

static void local_memory_changes_with_the_block(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(64);
  for (int i = 0; i < 64; i++) launch_one(nullptr, "store", p, i, i);
  assert_ok(xpuDeviceSynchronize());
  size_t room = 16 * sizeof(int);
  Args<int*> pointer(p);
  void* args[] = {pointer.get()[0], &room};
  xpuKernelNodeParams params = node_params(kernel("reverse"), dim(4), dim(16), args);
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  const xpuGraphExec_t exec = instantiate(graph);

  int expected[64], seen[64];
  for (int i = 0; i < 64; i++) expected[i] = i;
  for (unsigned block : {32u, 8u, 64u}) {
    room = block * sizeof(int);
    params.gridDim = dim(64 / block);
    params.blockDim = dim(block);
    assert_ok(xpuGraphExecKernelNodeSetParams(exec, node, &params));
    run(exec);
    for (unsigned g = 0; g < 64; g += block)
      for (unsigned i = 0; i < block / 2; i++)
        std::swap(expected[g + i], expected[g + block - 1 - i]);
  }

  fetch(seen, p, sizeof seen);
  if (shown(executes)) assert_memory_equal(expected, seen, sizeof seen);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void copies_change_their_addresses_and_size(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(8);
  int* from = device_ints(8, 7);
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddMemcpyNode1D(&node, graph, nullptr, 0, p, from, 4, xpuMemcpyDeviceToDevice));
  const xpuGraphExec_t exec = instantiate(graph);

  assert_ok(
      xpuGraphExecMemcpyNodeSetParams1D(exec, node, p + 2, from + 1, 8, xpuMemcpyDeviceToDevice));
  run(exec);
  xpuMemcpy3DParms params = {};
  params.struct_size = sizeof params;
  params.dstPtr = {p, 64, 64, 1};
  params.srcPtr = {from, 64, 64, 1};
  params.dstPos.x = 20;
  params.extent = {4, 1, 1};
  params.kind = xpuMemcpyDefault;
  assert_ok(xpuGraphExecMemcpyNodeSetParams(exec, node, &params));
  run(exec);

  const int expected[8] = {0, 0, 7, 7, 0, 7, 0, 0};
  int seen[8];
  fetch(seen, p, sizeof seen);
  if (shown(executes)) assert_memory_equal(expected, seen, sizeof seen);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
  assert_ok(xpuFree(from));
}

static void fills_change_their_place_value_and_width(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(16);
  xpuMemsetParams row = {sizeof row, 0, p, 0, 1, 4, 2, 1};
  xpuMemsetParams rows = {sizeof rows, 0, p + 8, 16, 2, 4, 1, 2};
  xpuGraphNode_t one = nullptr, several = nullptr;
  assert_ok(xpuGraphAddMemsetNode(&one, graph, nullptr, 0, &row));
  assert_ok(xpuGraphAddMemsetNode(&several, graph, nullptr, 0, &rows));
  const xpuGraphExec_t exec = instantiate(graph);

  row.dst = p + 1;
  row.value = 5;
  row.width = 3;
  rows.dst = p + 9;
  rows.value = 6;
  assert_ok(xpuGraphExecMemsetNodeSetParams(exec, one, &row));
  assert_ok(xpuGraphExecMemsetNodeSetParams(exec, several, &rows));
  run(exec);

  const int expected[16] = {0, 5, 5, 5, 0, 0, 0, 0, 0, 6, 0, 0, 0, 6, 0, 0};
  int seen[16];
  fetch(seen, p, sizeof seen);
  if (shown(executes)) assert_memory_equal(expected, seen, sizeof seen);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void count_up(void* counter) { ++*static_cast<int*>(counter); }
static void count_ten(void* counter) { *static_cast<int*>(counter) += 10; }

static void host_nodes_call_something_else(void**) {
  const xpuGraph_t graph = new_graph();
  static int first, second;
  first = second = 0;
  xpuHostNodeParams params = {sizeof params, 0, count_up, &first};
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddHostNode(&node, graph, nullptr, 0, &params));
  const xpuGraphExec_t exec = instantiate(graph);
  run(exec);

  params = {sizeof params, 0, count_ten, &second};
  assert_ok(xpuGraphExecHostNodeSetParams(exec, node, &params));
  run(exec);

  if (shown(calls_back)) assert_int_equal(1, first);
  if (shown(calls_back)) assert_int_equal(10, second);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static void event_nodes_record_and_await_other_events(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuEvent_t a = new_event(), b = new_event();
  const xpuStream_t other = new_stream();
  int* p = device_ints(1, 1);
  xpuGraphNode_t wait = nullptr, record = nullptr;
  assert_ok(xpuGraphAddEventWaitNode(&wait, graph, nullptr, 0, a));
  const xpuGraphNode_t work = add_one(graph, wait, "step", p, 10, 2);
  assert_ok(xpuGraphAddEventRecordNode(&record, graph, &work, 1, a));
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphExecEventWaitNodeSetEvent(exec, wait, b));
  assert_ok(xpuGraphExecEventRecordNodeSetEvent(exec, record, b));

  gate.shut(other);
  launch_one(other, "step", p, 10, 1);
  assert_ok(xpuEventRecord(b, other));
  assert_ok(xpuGraphLaunch(exec, stream));
  gate.open = 1;
  assert_ok(xpuEventSynchronize(b));

  if (shown(executes)) assert_int_equal(112, fetch(p));
  assert_ok(xpuStreamSynchronize(stream));
  assert_ok(xpuStreamSynchronize(other));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuEventDestroy(a));
  assert_ok(xpuEventDestroy(b));
  assert_ok(xpuStreamDestroy(other));
  assert_ok(xpuFree(p));
}

// A graph with a kernel beside a child graph of two steps.
struct Nest {
  xpuGraph_t graph, inner;
  xpuGraphNode_t child, inside;
  xpuGraphExec_t exec;
  int* p;
};
static Nest make_nest() {
  Nest n = {new_graph(), nullptr, nullptr, nullptr, nullptr, device_ints(1, 1)};
  const xpuGraph_t child = new_graph();
  const xpuGraphNode_t first = add_one(child, nullptr, "step", n.p, 2, 1);
  add_one(child, first, "step", n.p, 3, 1);
  assert_ok(xpuGraphAddChildGraphNode(&n.child, n.graph, nullptr, 0, child));
  add_one(n.graph, n.child, "step", n.p, 5, 1);
  assert_ok(xpuGraphDestroy(child));
  assert_ok(xpuGraphChildGraphNodeGetGraph(n.child, &n.inner));
  size_t one = 1;
  assert_ok(xpuGraphGetNodes(n.inner, &n.inside, &one));
  n.exec = instantiate(n.graph);
  return n;
}
static void end_nest(const Nest& n) {
  assert_ok(xpuGraphExecDestroy(n.exec));
  assert_ok(xpuGraphDestroy(n.graph));
  assert_ok(xpuFree(n.p));
}

static void nodes_inside_child_graphs_change(void**) {
  const Nest n = make_nest();

  set(n.exec, n.inside, "step", n.p, 7, 2);
  run(n.exec);

  if (shown(executes)) assert_int_equal(((1 * 7 + 2) * 3 + 1) * 5 + 1, fetch(n.p));
  end_nest(n);
}

static void a_child_graph_changes_as_a_whole(void**) {
  const Nest n = make_nest();
  const xpuGraph_t child = new_graph();
  const xpuGraphNode_t first = add_one(child, nullptr, "step", n.p, 4, 1);
  add_one(child, first, "add", n.p, 0, 9);

  assert_ok(xpuGraphExecChildGraphNodeSetParams(n.exec, n.child, child));
  assert_ok(xpuGraphDestroy(child));
  run(n.exec);

  if (shown(executes)) assert_int_equal((1 * 4 + 1 + 9) * 5 + 1, fetch(n.p));
  end_nest(n);
}

static void the_graph_and_other_executables_do_not_notice(void**) {
  const Chain c = make_chain();
  const xpuGraphExec_t twin = instantiate(c.graph);
  xpuKernelNodeParams params = {};
  params.struct_size = sizeof params;

  set(c.exec, c.node[1], "step", c.p, 0, 0);
  run(twin);

  if (shown(executes)) assert_int_equal(chain_from(1, 5, 2), value(c.p));
  assert_ok(xpuGraphKernelNodeGetParams(c.node[1], &params));
  assert_int_equal(5, *static_cast<int*>(params.kernelParams[1]));
  assert_ok(xpuGraphExecDestroy(twin));
  end_chain(c);
}

static void changes_of_the_graph_do_not_come_with_it(void**) {
  const Chain c = make_chain();
  Args<int*, int, int> args(c.p, 0, 0);
  const xpuKernelNodeParams params = node_params(kernel("step"), dim(1), dim(1), args.get());
  assert_ok(xpuGraphKernelNodeSetParams(c.node[0], &params));

  set(c.exec, c.node[1], "step", c.p, 6, 2);
  run(c.exec);

  if (shown(executes)) assert_int_equal(chain_from(1, 6, 2), value(c.p));
  end_chain(c);
}

static int open_all(void**) {
  stream = new_stream();
  return 0;
}
static int close_all(void**) {
  assert_ok(xpuStreamDestroy(stream));
  return 0;
}

int main() {
  const Test tests[] = {
      xpu_test(a_kernel_gets_other_arguments_again_and_again, results(executes)),
      xpu_test(every_node_can_change_in_turn, results(executes)),
      xpu_test(a_pointer_can_become_another_one, results(executes)),
      xpu_test(a_kernel_can_be_exchanged_for_another_one, results(executes)),
      xpu_test(grids_and_blocks_change, results(executes)),
      xpu_test(local_memory_changes_with_the_block, results(executes)),
      xpu_test(copies_change_their_addresses_and_size, results(executes)),
      xpu_test(fills_change_their_place_value_and_width, results(executes)),
      xpu_test(host_nodes_call_something_else, results(calls_back)),
      xpu_test(event_nodes_record_and_await_other_events, results(executes)),
      xpu_test(nodes_inside_child_graphs_change, results(executes)),
      xpu_test(a_child_graph_changes_as_a_whole, results(executes)),
      xpu_test(the_graph_and_other_executables_do_not_notice, results(executes)),
      xpu_test(changes_of_the_graph_do_not_come_with_it, results(executes)),
  };
  return run_all(tests, open_all, close_all);
}
