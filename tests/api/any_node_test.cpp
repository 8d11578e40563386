// SPDX-License-Identifier: Apache-2.0
// Nodes of any kind through one call, and graphs that move into a node.
#include "graph_memory.h"

using namespace xpu::test;

static xpuGraphNodeParams of_type(xpuGraphNodeType type) {
  xpuGraphNodeParams p;
  memset(&p, 0, sizeof p);
  p.struct_size = sizeof p;
  p.type = type;
  return p;
}
static xpuGraphNode_t add_any(xpuGraph_t graph, xpuGraphNode_t after, xpuGraphNodeParams* params) {
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddNode(&node, graph, &after, nullptr, after ? 1 : 0, params));
  return node;
}
static void count_up(void* counter) { ++*static_cast<int*>(counter); }
static void count_ten(void* counter) { *static_cast<int*>(counter) += 10; }

// One good struct of each kind that can stand alone.
static int* memory;
static xpuEvent_t event;
static xpuGraph_t inner;
static int calls;
enum { kAlone = 8 };
static xpuGraphNodeParams good[kAlone];

static xpuGraphNodeParams store_params(int at, int value) {
  Args<int*, int, int> args(memory, at, value);
  xpuGraphNodeParams p = of_type(xpuGraphNodeTypeKernel);
  p.kernel = node_params(kernel("store"), dim(1), dim(1), nullptr);
  // The arguments must outlive this call.
  static int* where;
  static int index, what;
  static void* pointers[3] = {&where, &index, &what};
  where = memory;
  index = at;
  what = value;
  p.kernel.kernelParams = pointers;
  return p;
}

static int open_all(void**) {
  memory = device_ints(64);
  event = new_event();
  inner = new_graph();
  (void)add_one(inner, nullptr, "add", memory, 1, 5);
  good[0] = store_params(0, 41);
  good[1] = of_type(xpuGraphNodeTypeMemcpy);
  good[1].memcpy.copyParams = {sizeof(xpuMemcpy3DParms),
                               xpuMemcpyDeviceToDevice,
                               {},
                               {memory, 4, 4, 1},
                               {},
                               {memory + 8, 4, 4, 1},
                               {4, 1, 1}};
  good[2] = of_type(xpuGraphNodeTypeMemset);
  good[2].memset = {sizeof(xpuMemsetParams), 0, memory + 16, 0, 7, 4, 2, 1};
  good[3] = of_type(xpuGraphNodeTypeHost);
  good[3].host = {sizeof(xpuHostNodeParams), 0, count_up, &calls};
  good[4] = of_type(xpuGraphNodeTypeGraph);
  good[4].graph = {inner, xpuGraphChildGraphOwnershipClone, 0};
  good[5] = of_type(xpuGraphNodeTypeEmpty);
  good[6] = of_type(xpuGraphNodeTypeWaitEvent);
  good[6].eventWait.event = event;
  good[7] = of_type(xpuGraphNodeTypeEventRecord);
  good[7].eventRecord.event = event;
  return 0;
}
static int close_all(void**) {
  assert_ok(xpuGraphDestroy(inner));
  assert_ok(xpuEventDestroy(event));
  assert_ok(xpuFree(memory));
  return 0;
}

static void each_kind_is_added_and_runs(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t last = nullptr;
  assert_ok(xpuMemset(memory, 0, 64 * sizeof(int)));
  calls = 0;
  (void)store_params(0, 41);
  for (int i = 0; i < kAlone; i++) {
    xpuGraphNodeType type = xpuGraphNodeTypeMemFree;
    last = add_any(graph, last, &good[i]);
    assert_ok(xpuGraphNodeGetType(last, &type));
    assert_int_equal(good[i].type, type);
  }

  run(graph);

  if (shown(executes)) {
    assert_int_equal(41, fetch(memory));
    assert_int_equal(5, fetch(memory + 1));
    assert_int_equal(41, fetch(memory + 8));
    assert_int_equal(7, fetch(memory + 16));
    assert_int_equal(7, fetch(memory + 17));
    assert_int_equal(0, fetch(memory + 18));
  }
  if (shown(calls_back)) assert_int_equal(1, calls);
  assert_ok(xpuEventQuery(event));
  assert_ok(xpuGraphDestroy(graph));
}

static void an_allocation_is_told_and_can_be_freed(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNodeParams a = of_type(xpuGraphNodeTypeMemAlloc);
  a.alloc = alloc_params(4096);
  const xpuGraphNode_t alloc = add_any(graph, nullptr, &a);
  int* const at = static_cast<int*>(a.alloc.dptr);
  assert_non_null(at);
  const xpuGraphNode_t set = add_one(graph, alloc, "store", at, 3, 12);
  const xpuGraphNode_t copy = add_one(graph, set, "copy_one", memory, 5, at, 3);
  xpuGraphNodeParams f = of_type(xpuGraphNodeTypeMemFree);
  f.free.dptr = at;
  (void)add_any(graph, copy, &f);

  run(graph);

  if (shown(executes)) assert_int_equal(12, fetch(memory + 5));
  xpuGraphNode_t node = nullptr;
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &f), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->free.dptr", last_failure().argument);
  assert_code(xpuGraphNodeSetParams(alloc, &a), xpuErrorNotSupported);
  assert_ok(xpuGraphDestroy(graph));
}

static void edges_carry_the_data_they_are_given(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t first = add_one(graph, nullptr, "noop");
  const xpuGraphEdgeData programmatic = {
      xpuGraphKernelNodePortProgrammatic, 0, xpuGraphDependencyTypeProgrammatic, {}};
  xpuGraphNode_t node = nullptr, before = nullptr;
  xpuGraphEdgeData seen = {};
  size_t count = 1;

  assert_ok(xpuGraphAddNode(&node, graph, &first, &programmatic, 1, &good[0]));
  assert_ok(xpuGraphNodeGetDependencies(node, &before, &seen, &count));

  assert_ptr_equal(first, before);
  assert_memory_equal(&programmatic, &seen, sizeof seen);
  assert_code(xpuGraphAddNode(&node, graph, &first, &programmatic, 1, &good[2]),
              xpuErrorInvalidValue);
  assert_string_equal("dependencyData", last_failure().argument);
  size_t nodes = 0;
  assert_ok(xpuGraphGetNodes(graph, nullptr, &nodes));
  assert_int_equal(2, nodes);
  assert_ok(xpuGraphDestroy(graph));
}

// Bytes of the struct that this kind gives a meaning, worked out by hand: the rest must be 0.
static size_t meaning_ends(int kind) {
  static const size_t members[kAlone] = {56, 16 + 144, 48, 24, 12, 0, 8, 8};
  return 16 + members[kind];
}
static int taken_with_a_byte_set() {
  const xpuGraph_t graph = new_graph();
  int taken = 0;
  for (int kind = 0; kind < kAlone; kind++)
    for (size_t byte = 8; byte < sizeof(xpuGraphNodeParams); byte++) {
      if (byte >= 16 && byte < meaning_ends(kind)) continue;
      xpuGraphNodeParams bad = good[kind];
      reinterpret_cast<unsigned char*>(&bad)[byte] = 1;
      xpuGraphNode_t node = nullptr;
      if (xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &bad) == xpuErrorInvalidValue)
        continue;
      print_error("kind %d: byte %zu is taken\n", kind, byte);
      taken++;
    }
  size_t nodes = 0;
  assert_ok(xpuGraphGetNodes(graph, nullptr, &nodes));
  assert_int_equal(0, nodes);
  assert_ok(xpuGraphDestroy(graph));
  return taken;
}
static void what_has_no_meaning_must_be_zero(void**) {
  assert_int_equal(0, taken_with_a_byte_set());
}

static void a_member_may_leave_its_size_to_the_union(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNodeParams p[4] = {good[0], good[1], good[2], good[3]};
  p[0].kernel.struct_size = 0;
  p[1].memcpy.copyParams.struct_size = 0;
  p[2].memset.struct_size = 0;
  p[3].host.struct_size = 0;
  for (xpuGraphNodeParams& params : p) (void)add_any(graph, nullptr, &params);
  static const uint32_t bad_sizes[] = {1, 4, 47, 4096, UINT32_MAX};
  for (const uint32_t size : bad_sizes) {
    xpuGraphNode_t node = nullptr;
    p[2].memset.struct_size = size;
    assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p[2]), xpuErrorInvalidValue);
    assert_null(node);
  }
  assert_ok(xpuGraphDestroy(graph));
}

static void each_fault_is_named(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t node = nullptr;
  xpuGraphNodeParams p = of_type(static_cast<xpuGraphNodeType>(99));
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->type", last_failure().argument);
  static const int without[] = {8, 9, 12};
  for (const int type : without) {
    p = of_type(static_cast<xpuGraphNodeType>(type));
    assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorNotSupported);
    assert_string_equal("nodeParams->type", last_failure().argument);
  }
  p = good[0];
  p.kernel.gridDim.y = 0;
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->kernel.gridDim", last_failure().argument);
  p.kernel.func = nullptr;
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p),
              xpuErrorInvalidDeviceFunction);
  assert_string_equal("nodeParams->kernel.func", last_failure().argument);
  p = good[1];
  p.memcpy.copyParams.kind = static_cast<xpuMemcpyKind>(9);
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p),
              xpuErrorInvalidMemcpyDirection);
  assert_string_equal("nodeParams->memcpy.copyParams.kind", last_failure().argument);
  p = good[2];
  p.memset.elementSize = 3;
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->memset.elementSize", last_failure().argument);
  p = good[3];
  p.host.fn = nullptr;
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->host.fn", last_failure().argument);
  p = good[4];
  p.graph.graph = nullptr;
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->graph.graph", last_failure().argument);
  p = good[4];
  p.graph.ownership = static_cast<xpuGraphChildGraphNodeOwnership>(2);
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->graph.ownership", last_failure().argument);
  p = good[6];
  p.eventWait.event = nullptr;
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->eventWait.event", last_failure().argument);
  assert_null(node);
  assert_ok(xpuGraphDestroy(graph));
}

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
  assert_ok(xpuMemset(memory, 0, 64 * sizeof(int)));
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
  assert_ok(xpuMemset(memory, 0, 64 * sizeof(int)));
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
  int* const out = memory;
  const Closed c = closed_graph(out, 1);
  p = moving(c.graph);
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorNotSupported);
  assert_null(node);
  assert_ok(xpuGraphDestroy(c.graph));
  run(child);
  assert_ok(xpuGraphDestroy(child));
  assert_ok(xpuGraphDestroy(graph));
}

int main(void) {
  const Test tests[] = {
      xpu_test(each_kind_is_added_and_runs, results(executes | calls_back)),
      xpu_test(an_allocation_is_told_and_can_be_freed, results(executes)),
      xpu_test(edges_carry_the_data_they_are_given),
      xpu_test(what_has_no_meaning_must_be_zero),
      xpu_test(a_member_may_leave_its_size_to_the_union),
      xpu_test(each_fault_is_named),
      xpu_test(what_a_node_does_is_replaced, results(executes | calls_back)),
      xpu_test(a_graph_that_moves_keeps_its_handle_and_is_the_nodes, results(executes)),
      xpu_test(a_refused_move_leaves_the_graph_to_its_owner),
  };
  return run_all(tests, open_all, close_all);
}
