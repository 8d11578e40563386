// SPDX-License-Identifier: Apache-2.0
// Adding nodes of any kind through one call.
#include "any_node.h"

using namespace xpu::test;

static void each_kind_is_added_and_runs(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t last = nullptr;
  clear_memory();
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
  static const uint32_t bad_sizes[] = {1, 4, 47, 233, 4096, UINT32_MAX};
  for (const uint32_t size : bad_sizes) {
    xpuGraphNode_t node = nullptr;
    p[2].memset.struct_size = size;
    assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p[2]), xpuErrorInvalidValue);
    assert_null(node);
  }
  // As large as the room is a newer program's, if the rest of it is 0; one byte more is nothing.
  p[1].memcpy.copyParams.struct_size = 29 * 8 - 16;
  (void)add_any(graph, nullptr, &p[1]);
  p[1].memcpy.copyParams.struct_size++;
  xpuGraphNode_t none = nullptr;
  assert_code(xpuGraphAddNode(&none, graph, nullptr, nullptr, 0, &p[1]), xpuErrorInvalidValue);
  assert_ok(xpuGraphDestroy(graph));
}

static void each_fault_is_named(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t node = nullptr;
  xpuGraphNodeParams p = of_type(static_cast<xpuGraphNodeType>(99));
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->type", last_failure().argument);
  p = of_type(xpuGraphNodeTypeBatchMemOp);
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->memOp.count", last_failure().argument);
  p = of_type(xpuGraphNodeTypeExtSemaphoreWait);
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), xpuErrorInvalidValue);
  assert_string_equal("nodeParams->extSemWait.numExtSems", last_failure().argument);
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

int main(void) {
  const Test tests[] = {
      xpu_test(each_kind_is_added_and_runs, results(executes | calls_back)),
      xpu_test(an_allocation_is_told_and_can_be_freed, results(executes)),
      xpu_test(edges_carry_the_data_they_are_given),
      xpu_test(what_has_no_meaning_must_be_zero),
      xpu_test(a_member_may_leave_its_size_to_the_union),
      xpu_test(each_fault_is_named),
  };
  return run_all(tests, open_all, close_all);
}
