// SPDX-License-Identifier: Apache-2.0
// Reading and replacing what nodes do, copying graphs, taking nodes out.
#include "ground.h"

using namespace xpu::test;

static void run(xpuGraph_t graph) {
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphLaunch(exec, nullptr));
  assert_ok(xpuDeviceSynchronize());
  assert_ok(xpuGraphExecDestroy(exec));
}

static xpuKernelNodeParams kernel_params_of(xpuGraphNode_t node) {
  xpuKernelNodeParams p;
  memset(&p, 0xa5, sizeof p);
  p.struct_size = sizeof p;
  assert_ok(xpuGraphKernelNodeGetParams(node, &p));
  return p;
}

static void a_kernel_node_tells_what_it_was_given(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(64);
  Args<int*, int, int> args(p, 5, 7);
  xpuKernelNodeParams params = node_params(kernel("store"), dim(2, 3, 4), dim(5, 6, 7), args.get());
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &params));

  const xpuKernelNodeParams got = kernel_params_of(node);

  assert_ptr_equal(kernel("store"), got.func);
  assert_memory_equal(&params.gridDim, &got.gridDim, sizeof got.gridDim);
  assert_memory_equal(&params.blockDim, &got.blockDim, sizeof got.blockDim);
  assert_int_equal(0, got.sharedMemBytes);
  assert_null(got.extra);
  assert_ptr_not_equal(args.get(), got.kernelParams);
  assert_ptr_equal(p, *static_cast<int**>(got.kernelParams[0]));
  assert_int_equal(5, *static_cast<int*>(got.kernelParams[1]));
  assert_int_equal(7, *static_cast<int*>(got.kernelParams[2]));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void what_was_read_can_be_set_and_added(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1);
  const xpuGraphNode_t node = add_one(graph, nullptr, "add", p, 0, 3);
  xpuGraphNode_t twin = nullptr;
  const xpuKernelNodeParams own = kernel_params_of(node);

  assert_ok(xpuGraphAddKernelNode(&twin, graph, &node, 1, &own));
  assert_ok(xpuGraphKernelNodeSetParams(node, &own));
  run(graph);

  if (shown(executes)) assert_int_equal(6, fetch(p));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void a_kernel_node_can_get_another_kernel_and_keeps_its_edges(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1, 2);
  const xpuGraphNode_t first = add_one(graph, nullptr, "add", p, 0, 1);
  const xpuGraphNode_t node = add_one(graph, first, "add", p, 0, 1);
  const xpuGraphNode_t last = add_one(graph, node, "step", p, 10, 0);
  Args<int*, int, int> args(p, 5, 4);
  const xpuKernelNodeParams step = node_params(kernel("step"), dim(1), dim(1), args.get());
  size_t before = 0, after = 0;

  assert_ok(xpuGraphKernelNodeSetParams(node, &step));
  run(graph);

  if (shown(executes)) assert_int_equal(((2 + 1) * 5 + 4) * 10, fetch(p));
  assert_ok(xpuGraphNodeGetDependencies(node, nullptr, nullptr, &before));
  assert_ok(xpuGraphNodeGetDependentNodes(node, nullptr, nullptr, &after));
  assert_int_equal(1, before);
  assert_int_equal(1, after);
  (void)last;
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void a_refused_change_leaves_the_node(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1);
  const xpuGraphNode_t node = add_one(graph, nullptr, "store", p, 0, 17);
  xpuKernelNodeParams bad = kernel_params_of(node);
  bad.gridDim.x = 0;
  xpuKernelNodeParams worse = kernel_params_of(node);
  worse.func = nullptr;

  assert_code(xpuGraphKernelNodeSetParams(node, &bad), xpuErrorInvalidValue);
  assert_code(xpuGraphKernelNodeSetParams(node, &worse), xpuErrorInvalidDeviceFunction);
  run(graph);

  if (shown(executes)) assert_int_equal(17, fetch(p));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void copy_and_fill_nodes_tell_and_take_their_parameters(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(64, 1);
  xpuGraphNode_t c = nullptr, f = nullptr;
  xpuMemcpy3DParms copy = {sizeof copy, xpuMemcpyDeviceToDevice, {},       {p, 8, 8, 2},
                           {4, 0, 0},   {p + 16, 16, 12, 2},     {8, 2, 1}};
  xpuMemsetParams fill = {sizeof fill, 0, p + 32, 16, 7, 4, 2, 3};
  xpuMemcpy3DParms copy_got;
  xpuMemsetParams fill_got;
  assert_ok(xpuGraphAddMemsetNode(&f, graph, nullptr, 0, &fill));
  assert_ok(xpuGraphAddMemcpyNode(&c, graph, &f, 1, &copy));

  memset(&copy_got, 0xa5, sizeof copy_got);
  memset(&fill_got, 0xa5, sizeof fill_got);
  copy_got.struct_size = sizeof copy_got;
  fill_got.struct_size = sizeof fill_got;
  assert_ok(xpuGraphMemcpyNodeGetParams(c, &copy_got));
  assert_ok(xpuGraphMemsetNodeGetParams(f, &fill_got));
  assert_memory_equal(&copy, &copy_got, sizeof copy);
  assert_memory_equal(&fill, &fill_got, sizeof fill);

  // One row of the filled part is copied to the front.
  assert_ok(xpuGraphMemcpyNodeSetParams1D(c, p, p + 32, 8, xpuMemcpyDefault));
  fill.value = 9;
  assert_ok(xpuGraphMemsetNodeSetParams(f, &fill));
  run(graph);

  if (shown(executes)) assert_int_equal(9, fetch(p));
  if (shown(executes)) assert_int_equal(9, fetch(p + 1));
  if (shown(executes)) assert_int_equal(1, fetch(p + 2));
  assert_ok(xpuGraphMemcpyNodeGetParams(c, &copy_got));
  assert_int_equal(8, copy_got.extent.width);
  assert_int_equal(1, copy_got.extent.height);
  assert_int_equal(1, copy_got.extent.depth);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void count_up(void* counter) { ++*static_cast<int*>(counter); }
static void count_ten(void* counter) { *static_cast<int*>(counter) += 10; }

static void host_and_event_nodes_tell_and_take_their_parameters(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuEvent_t e = new_event(), other = new_event();
  int counter = 0, second = 0;
  xpuGraphNode_t h = nullptr, r = nullptr, w = nullptr;
  xpuHostNodeParams host = {sizeof host, 0, count_up, &counter};
  xpuHostNodeParams got = {};
  xpuEvent_t seen = nullptr;
  assert_ok(xpuGraphAddHostNode(&h, graph, nullptr, 0, &host));
  assert_ok(xpuGraphAddEventRecordNode(&r, graph, &h, 1, e));
  assert_ok(xpuGraphAddEventWaitNode(&w, graph, nullptr, 0, e));

  got.struct_size = sizeof got;
  assert_ok(xpuGraphHostNodeGetParams(h, &got));
  assert_memory_equal(&host, &got, sizeof host);
  assert_ok(xpuGraphEventRecordNodeGetEvent(r, &seen));
  assert_ptr_equal(e, seen);
  assert_ok(xpuGraphEventWaitNodeGetEvent(w, &seen));
  assert_ptr_equal(e, seen);

  host = {sizeof host, 0, count_ten, &second};
  assert_ok(xpuGraphHostNodeSetParams(h, &host));
  assert_ok(xpuGraphEventRecordNodeSetEvent(r, other));
  assert_ok(xpuGraphEventWaitNodeSetEvent(w, other));
  assert_ok(xpuGraphEventRecordNodeGetEvent(r, &seen));
  assert_ptr_equal(other, seen);
  assert_ok(xpuEventDestroy(e));
  run(graph);

  assert_int_equal(0, counter);
  if (shown(calls_back)) assert_int_equal(10, second);
  if (shown(polls)) assert_ok(xpuEventQuery(other));
  assert_ok(xpuEventDestroy(other));
  assert_ok(xpuGraphDestroy(graph));
}

static void the_graph_of_a_child_node_is_edited_in_place(void**) {
  const xpuGraph_t graph = new_graph(), child = new_graph();
  int* p = device_ints(1, 1);
  add_one(child, nullptr, "add", p, 0, 100);
  xpuGraphNode_t c = nullptr, inside = nullptr;
  xpuGraph_t copy = nullptr;
  size_t one = 1;
  assert_ok(xpuGraphAddChildGraphNode(&c, graph, nullptr, 0, child));
  assert_ok(xpuGraphChildGraphNodeGetGraph(c, &copy));
  assert_ptr_not_equal(child, copy);
  add_one(child, nullptr, "add", p, 0, 5000);

  assert_ok(xpuGraphGetNodes(copy, &inside, &one));
  add_one(copy, inside, "step", p, 2, 0);
  run(graph);

  if (shown(executes)) assert_int_equal(202, fetch(p));
  assert_ok(xpuGraphDestroy(child));
  assert_ok(xpuGraphDestroy(graph));
  assert_code(xpuGraphGetNodes(copy, nullptr, &one), xpuErrorInvalidValue);
  assert_ok(xpuFree(p));
}

static void a_clone_has_copies_of_all_nodes_and_edges(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1, 1);
  const xpuGraphNode_t a = add_one(graph, nullptr, "step", p, 2, 1);
  const xpuGraphNode_t b = add_one(graph, a, "step", p, 10, 5);
  xpuGraph_t clone = nullptr;
  xpuGraphNode_t a2 = nullptr, b2 = nullptr, before = nullptr;
  size_t nodes = 0, edges = 0, one = 1;

  assert_ok(xpuGraphClone(&clone, graph));
  assert_ok(xpuGraphNodeFindInClone(&a2, a, clone));
  assert_ok(xpuGraphNodeFindInClone(&b2, b, clone));
  assert_ok(xpuGraphGetNodes(clone, nullptr, &nodes));
  assert_ok(xpuGraphGetEdges(clone, nullptr, nullptr, nullptr, &edges));
  assert_ok(xpuGraphNodeGetDependencies(b2, &before, nullptr, &one));
  assert_int_equal(2, nodes);
  assert_int_equal(1, edges);
  assert_ptr_equal(a2, before);
  assert_ptr_not_equal(a, a2);

  // Each of the two is its own.
  Args<int*, int, int> args(p, 3, 0);
  const xpuKernelNodeParams other = node_params(kernel("step"), dim(1), dim(1), args.get());
  assert_ok(xpuGraphKernelNodeSetParams(a2, &other));
  run(graph);
  if (shown(executes)) assert_int_equal(35, fetch(p));
  assert_ok(xpuGraphDestroy(graph));
  run(clone);
  if (shown(executes)) assert_int_equal(35 * 3 * 10 + 5, fetch(p));
  assert_code(xpuGraphNodeFindInClone(&a2, a, clone), xpuErrorInvalidValue);
  assert_ok(xpuGraphDestroy(clone));
  assert_ok(xpuFree(p));
}

static void a_destroyed_node_takes_its_edges_with_it(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1, 1);
  const xpuGraphNode_t a = add_one(graph, nullptr, "add", p, 0, 1);
  const xpuGraphNode_t b = add_one(graph, a, "add", p, 0, 1000);
  const xpuGraphNode_t c = add_one(graph, b, "noop");
  size_t nodes = 0, edges = 1, roots = 0;
  xpuGraphNodeType type = xpuGraphNodeTypeEmpty;

  assert_ok(xpuGraphDestroyNode(b));
  assert_code(xpuGraphDestroyNode(b), xpuErrorInvalidValue);
  assert_code(xpuGraphNodeGetType(b, &type), xpuErrorInvalidValue);

  assert_ok(xpuGraphGetNodes(graph, nullptr, &nodes));
  assert_ok(xpuGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  assert_ok(xpuGraphGetRootNodes(graph, nullptr, &roots));
  assert_int_equal(2, nodes);
  assert_int_equal(0, edges);
  assert_int_equal(2, roots);
  run(graph);
  if (shown(executes)) assert_int_equal(2, fetch(p));
  assert_ok(xpuGraphDestroy(graph));
  assert_code(xpuGraphNodeGetType(c, &type), xpuErrorInvalidValue);
  assert_ok(xpuFree(p));
}

static void a_kernel_node_outlives_its_module_without_a_handle(void**) {
  const xpuModule_t module = load_kernels();
  xpuKernel_t store = nullptr;
  assert_ok(xpuModuleGetKernel(&store, module, "store"));
  int* p = device_ints(1);
  Args<int*, int, int> args(p, 0, 5);
  const xpuKernelNodeParams given = node_params(store, dim(1), dim(1), args.get());
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &given));
  xpuKernelNodeParams told = {};
  told.struct_size = sizeof told;

  assert_ok(xpuModuleUnload(module));

  assert_ok(xpuGraphKernelNodeGetParams(node, &told));
  assert_null(told.func);
  run(graph);
  if (shown(executes)) assert_int_equal(5, fetch(p));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

int main() {
  const Test tests[] = {
      xpu_test(a_kernel_node_tells_what_it_was_given),
      xpu_test(what_was_read_can_be_set_and_added, results(executes)),
      xpu_test(a_kernel_node_can_get_another_kernel_and_keeps_its_edges, results(executes)),
      xpu_test(a_refused_change_leaves_the_node, results(executes)),
      xpu_test(copy_and_fill_nodes_tell_and_take_their_parameters, results(executes)),
      xpu_test(host_and_event_nodes_tell_and_take_their_parameters, results(calls_back | polls)),
      xpu_test(the_graph_of_a_child_node_is_edited_in_place, results(executes)),
      xpu_test(a_clone_has_copies_of_all_nodes_and_edges, results(executes)),
      xpu_test(a_destroyed_node_takes_its_edges_with_it, results(executes)),
      xpu_test(a_kernel_node_outlives_its_module_without_a_handle, results(executes)),
  };
  return run_all(tests);
}
