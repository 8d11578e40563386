// SPDX-License-Identifier: Apache-2.0
// Replacing what nodes of any kind do, in graphs and in executables, and graphs that move into a
// node.
#include "any_node.h"

using namespace xpu::test;

static void what_a_node_does_is_replaced(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t nodes[kAlone], last = nullptr;
  for (int i = 0; i < kAlone; i++) nodes[i] = last = add_any(graph, last, &good[i]);
  const xpuEvent_t other = new_event();
  xpuGraphNodeParams p = store_params(0, 43);
  assert_ok(xpuGraphNodeSetParams(nodes[0], &p));
  (void)store_params(0, 41);
  p = good[1];
  p.memcpy.copyParams.dstPtr.ptr = memory + 9;
  assert_ok(xpuGraphNodeSetParams(nodes[1], &p));
  p = good[2];
  p.memset.value = 8;
  assert_ok(xpuGraphNodeSetParams(nodes[2], &p));
  p = good[3];
  p.host.fn = count_ten;
  assert_ok(xpuGraphNodeSetParams(nodes[3], &p));
  assert_code(xpuGraphNodeSetParams(nodes[4], &good[4]), xpuErrorNotSupported);
  assert_ok(xpuGraphNodeSetParams(nodes[5], &good[5]));
  p = good[7];
  p.eventRecord.event = other;
  assert_ok(xpuGraphNodeSetParams(nodes[7], &p));
  clear_memory();
  calls = 0;

  run(graph);

  if (shown(executes)) {
    assert_int_equal(43, fetch(memory));
    assert_int_equal(43, fetch(memory + 9));
    assert_int_equal(0, fetch(memory + 8));
    assert_int_equal(8, fetch(memory + 16));
  }
  if (shown(calls_back)) assert_int_equal(10, calls);
  xpuEvent_t seen = nullptr;
  assert_ok(xpuGraphEventRecordNodeGetEvent(nodes[7], &seen));
  assert_ptr_equal(other, seen);
  assert_code(xpuGraphNodeSetParams(nodes[0], &good[2]), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->type", last_failure().argument);
  assert_code(xpuGraphNodeSetParams(nullptr, &good[0]), xpuErrorInvalidValue);
  assert_code(xpuGraphNodeSetParams(nodes[0], nullptr), xpuErrorInvalidValue);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuEventDestroy(other));
}

static void what_a_node_of_an_executable_does_is_changed(void**) {
  const xpuGraph_t graph = new_graph(), other = new_graph();
  xpuGraphNode_t nodes[kAlone], last = nullptr;
  for (int i = 0; i < kAlone; i++) nodes[i] = last = add_any(graph, last, &good[i]);
  (void)add_one(other, nullptr, "add", memory, 1, 50);
  const xpuGraphExec_t exec = instantiate(graph);
  const xpuStream_t stream = new_stream();
  xpuGraphNodeParams p = store_params(0, 43);
  assert_ok(xpuGraphExecNodeSetParams(exec, nodes[0], &p));
  (void)store_params(0, 41);
  p = good[1];
  p.memcpy.copyParams.dstPtr.ptr = memory + 9;
  assert_ok(xpuGraphExecNodeSetParams(exec, nodes[1], &p));
  p = good[2];
  p.memset.value = 8;
  assert_ok(xpuGraphExecNodeSetParams(exec, nodes[2], &p));
  p = good[3];
  p.host.fn = count_ten;
  assert_ok(xpuGraphExecNodeSetParams(exec, nodes[3], &p));
  p = good[4];
  p.graph.graph = other;
  assert_ok(xpuGraphExecNodeSetParams(exec, nodes[4], &p));
  assert_ok(xpuGraphExecNodeSetParams(exec, nodes[5], &good[5]));
  assert_ok(xpuGraphExecNodeSetParams(exec, nodes[6], &good[6]));
  assert_ok(xpuGraphExecNodeSetParams(exec, nodes[7], &good[7]));
  clear_memory();
  calls = 0;

  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));

  if (shown(executes)) {
    assert_int_equal(43, fetch(memory));
    assert_int_equal(50, fetch(memory + 1));
    assert_int_equal(43, fetch(memory + 9));
    assert_int_equal(0, fetch(memory + 8));
    assert_int_equal(8, fetch(memory + 16));
  }
  if (shown(calls_back)) assert_int_equal(10, calls);
  // The template is as it was.
  run(graph);
  if (shown(executes)) assert_int_equal(41, fetch(memory));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphDestroy(other));
  assert_ok(xpuStreamDestroy(stream));
}

static void an_executable_refuses_what_its_node_cannot_do(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t nodes[kAlone], late = nullptr;
  for (int i = 0; i < kAlone; i++) nodes[i] = add_any(graph, nullptr, &good[i]);
  const xpuGraphExec_t exec = instantiate(graph);
  late = add_any(graph, nullptr, &good[0]);
  xpuGraphNodeParams p = good[0];
  assert_code(xpuGraphExecNodeSetParams(nullptr, nodes[0], &p), xpuErrorInvalidValue);
  assert_code(xpuGraphExecNodeSetParams(exec, nullptr, &p), xpuErrorInvalidValue);
  assert_code(xpuGraphExecNodeSetParams(exec, nodes[0], nullptr), xpuErrorInvalidValue);
  assert_code(xpuGraphExecNodeSetParams(exec, late, &p), xpuErrorInvalidValue);
  assert_string_equal("node", last_failure().argument);
  assert_code(xpuGraphExecNodeSetParams(exec, nodes[0], &good[2]), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->type", last_failure().argument);
  p.reserved2 = 1;
  assert_code(xpuGraphExecNodeSetParams(exec, nodes[0], &p), xpuErrorInvalidValue);
  p = good[2];
  p.memset.height = 2;
  p.memset.pitch = 64;
  assert_code(xpuGraphExecNodeSetParams(exec, nodes[2], &p), xpuErrorInvalidValue);
  p = good[4];
  p.graph.ownership = xpuGraphChildGraphOwnershipMove;
  assert_code(xpuGraphExecNodeSetParams(exec, nodes[4], &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->graph.ownership", last_failure().argument);
  p = good[4];
  p.graph.graph = graph;
  assert_code(xpuGraphExecNodeSetParams(exec, nodes[4], &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->graph.graph", last_failure().argument);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static xpuGraphNodeParams moving(xpuGraph_t graph) {
  xpuGraphNodeParams p = of_type(xpuGraphNodeTypeGraph);
  p.graph.graph = graph;
  p.graph.ownership = xpuGraphChildGraphOwnershipMove;
  return p;
}

static void a_graph_that_moves_keeps_its_handle_and_is_the_nodes(void**) {
  const xpuGraph_t graph = new_graph(), child = new_graph(), third = new_graph();
  xpuGraphNode_t other = nullptr;
  xpuGraph_t seen = nullptr;
  clear_memory();
  const xpuGraphNode_t first = add_one(child, nullptr, "store", memory, 0, 3);
  xpuGraphNodeParams p = moving(child);

  const xpuGraphNode_t node = add_any(graph, nullptr, &p);

  assert_ok(xpuGraphChildGraphNodeGetGraph(node, &seen));
  assert_ptr_equal(child, seen);
  // Edits reach the node, because it is the same graph.
  (void)add_one(child, first, "step", memory, 10, 4);
  run(graph);
  if (shown(executes)) assert_int_equal(34, fetch(memory));
  assert_code(xpuGraphDestroy(child), xpuErrorInvalidValue);
  assert_code(xpuGraphInstantiate(&outs.exec, child, 0), xpuErrorInvalidValue);
  assert_code(xpuGraphAddNode(&other, third, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  assert_code(xpuGraphAddChildGraphNode(&other, third, nullptr, 0, child), xpuErrorInvalidValue);
  xpuMemAllocNodeParams alloc = alloc_params(64);
  assert_code(xpuGraphAddMemAllocNode(&other, child, nullptr, 0, &alloc), xpuErrorNotSupported);
  assert_null(other);
  assert_ok(xpuGraphDestroy(graph));
  assert_code(xpuGraphDestroy(child), xpuErrorInvalidValue);
  assert_ok(xpuGraphDestroy(third));
}

static void a_refused_move_leaves_the_graph_to_its_owner(void**) {
  const xpuGraph_t graph = new_graph(), child = new_graph();
  (void)add_one(child, nullptr, "noop");
  const xpuGraphNode_t foreign = add_one(child, nullptr, "noop");
  xpuGraphNode_t node = nullptr;
  xpuGraphNodeParams p = moving(child);
  assert_code(xpuGraphAddNode(&node, graph, &foreign, nullptr, 1, &p), xpuErrorInvalidValue);
  p = moving(graph);
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  const xpuGraph_t conditional = new_graph();
  xpuGraphConditionalHandle handle = 0;
  assert_ok(xpuGraphConditionalHandleCreate(&handle, conditional, 0, 0));
  p = moving(conditional);
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorNotSupported);
  assert_null(node);
  assert_ok(xpuGraphDestroy(conditional));
  run(child);
  assert_ok(xpuGraphDestroy(child));
  assert_ok(xpuGraphDestroy(graph));
}

int main(void) {
  const Test tests[] = {
      xpu_test(what_a_node_does_is_replaced, results(executes | calls_back)),
      xpu_test(what_a_node_of_an_executable_does_is_changed, results(executes | calls_back)),
      xpu_test(an_executable_refuses_what_its_node_cannot_do),
      xpu_test(a_graph_that_moves_keeps_its_handle_and_is_the_nodes, results(executes)),
      xpu_test(a_refused_move_leaves_the_graph_to_its_owner),
  };
  return run_all(tests, open_all, close_all);
}
