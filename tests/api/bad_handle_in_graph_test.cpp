// SPDX-License-Identifier: Apache-2.0
// Every call that takes a graph, a node or an executable, with everything that is none; and nodes
// with kernels and events that are none.
#include "zoo.h"

using namespace xpu::test;

static void host_nothing(void*) {}

static xpuKernelNodeParams kernel_params;
static xpuMemcpy3DParms copy_params;
static xpuMemsetParams fill_params;
static xpuHostNodeParams host_params;
static void* memory;
static xpuGraphNode_t a_node;
static xpuLaunchAttributeValue attribute;
// Of which nothing but the handle beside it is wrong.
static xpuGraphNodeParams* empty_params() {
  static xpuGraphNodeParams params;
  memset(&params, 0, sizeof params);
  params.struct_size = sizeof params;
  params.type = xpuGraphNodeTypeEmpty;
  return &params;
}
static xpuGraphInstantiateParams* no_wishes() {
  static xpuGraphInstantiateParams params;
  params = {};
  params.struct_size = sizeof params;
  return &params;
}

static int open_all(void** state) {
  open_zoo(state);
  assert_ok(xpuMalloc(&memory, 256));
  kernel_params = node_params(zoo.kernel(), dim(1), dim(1), nullptr);
  copy_params = {sizeof copy_params,
                 xpuMemcpyDefault,
                 {},
                 {memory, 8, 8, 1},
                 {},
                 {static_cast<char*>(memory) + 64, 8, 8, 1},
                 {8, 1, 1}};
  fill_params = {sizeof fill_params, 0, memory, 8, 1, 1, 8, 1};
  host_params = {sizeof host_params, 0, host_nothing, nullptr};
  a_node = zoo.node();
  return 0;
}
static int close_all(void** state) {
  assert_ok(xpuFree(memory));
  return close_zoo(state);
}

static void a_bad_graph_is_refused(void**) {
  static const HandleRow rows[] = {
      HANDLE(graph, xpuGraphDestroy, "graph", h),
      HANDLE(graph, xpuGraphClone, "originalGraph", &outs.graph, h),
      HANDLE(graph, xpuGraphNodeFindInClone, "clonedGraph", &outs.node, zoo.node(), h),
      HANDLE(graph, xpuGraphAddDependencies, "graph", h, &a_node, &a_node, nullptr, 1),
      HANDLE(graph, xpuGraphAddDependencies, "graph", h, nullptr, nullptr, nullptr, 0),
      HANDLE(graph, xpuGraphRemoveDependencies, "graph", h, &a_node, &a_node, nullptr, 1),
      HANDLE(graph, xpuGraphRemoveDependencies, "graph", h, nullptr, nullptr, nullptr, 0),
      HANDLE(graph, xpuGraphGetNodes, "graph", h, outs.from, &outs.count),
      HANDLE(graph, xpuGraphGetRootNodes, "graph", h, outs.from, &outs.count),
      HANDLE(graph, xpuGraphGetEdges, "graph", h, outs.from, outs.to, outs.edges, &outs.count),
      HANDLE(graph, xpuGraphDebugDotPrint, "graph", h, "/nowhere/graph.dot", 0),
      HANDLE(graph, xpuGraphMemoryReport, "graph", h, xpuGraphMemoryReportText, nullptr,
             &outs.size),
      HANDLE(graph, xpuGraphGetId, "hGraph", h, &outs.word),
      HANDLE(graph, xpuGraphInstantiate, "graph", &outs.exec, h, 0),
      HANDLE(graph, xpuGraphInstantiateWithParams, "graph", &outs.exec, h, no_wishes()),
      HANDLE(graph, xpuGraphInstantiateWithFlags, "graph", &outs.exec, h, 0),
      HANDLE(graph, xpuStreamBeginCaptureToGraph, "graph", zoo.stream(), h, nullptr, nullptr, 0,
             xpuStreamCaptureModeRelaxed),
      HANDLE(graph, xpuStreamBeginRecaptureToGraph, "graph", zoo.stream(),
             xpuStreamCaptureModeRelaxed, h, nullptr),
  };
  assert_no_bad_handle_taken(rows);
}

static void nothing_is_added_to_a_bad_graph(void**) {
  static const HandleRow rows[] = {
      HANDLE(graph, xpuGraphAddNode, "graph", &outs.node, h, nullptr, nullptr, 0, empty_params()),
      HANDLE(graph, xpuGraphAddKernelNode, "graph", &outs.node, h, nullptr, 0, &kernel_params),
      HANDLE(graph, xpuGraphAddMemcpyNode, "graph", &outs.node, h, nullptr, 0, &copy_params),
      HANDLE(graph, xpuGraphAddMemcpyNode1D, "graph", &outs.node, h, nullptr, 0, memory,
             static_cast<char*>(memory) + 64, 8, xpuMemcpyDefault),
      HANDLE(graph, xpuGraphAddMemsetNode, "graph", &outs.node, h, nullptr, 0, &fill_params),
      HANDLE(graph, xpuGraphAddHostNode, "graph", &outs.node, h, nullptr, 0, &host_params),
      HANDLE(graph, xpuGraphAddChildGraphNode, "graph", &outs.node, h, nullptr, 0, zoo.graph()),
      HANDLE(graph, xpuGraphAddChildGraphNode, "childGraph", &outs.node, zoo.graph(), nullptr, 0,
             h),
      HANDLE(graph, xpuGraphAddEmptyNode, "graph", &outs.node, h, nullptr, 0),
      HANDLE(graph, xpuGraphAddEventRecordNode, "graph", &outs.node, h, nullptr, 0, zoo.event()),
      HANDLE(graph, xpuGraphAddEventWaitNode, "graph", &outs.node, h, nullptr, 0, zoo.event()),
  };
  assert_no_bad_handle_taken(rows);
}

static void a_bad_node_is_refused(void**) {
  static const HandleRow rows[] = {
      HANDLE(node, xpuGraphDestroyNode, "node", h),
      HANDLE(node, xpuGraphNodeGetType, "node", h, &outs.type),
      HANDLE(node, xpuGraphNodeGetLocalId, "hNode", h, &outs.word),
      HANDLE(node, xpuGraphNodeGetToolsId, "hNode", h, &outs.wide),
      HANDLE(node, xpuGraphNodeGetContainingGraph, "hNode", h, &outs.graph),
      HANDLE(node, xpuGraphNodeSetParams, "node", h, empty_params()),
      HANDLE(node, xpuGraphKernelNodeSetAttribute, "hNode", h, xpuLaunchAttributePriority,
             &attribute),
      HANDLE(node, xpuGraphKernelNodeGetAttribute, "hNode", h, xpuLaunchAttributePriority,
             &attribute),
      HANDLE(node, xpuGraphKernelNodeCopyAttributes, "hDst", h, a_node),
      HANDLE(node, xpuGraphNodeFindInClone, "originalNode", &outs.node, h, zoo.graph()),
      HANDLE(node, xpuGraphNodeGetDependencies, "node", h, outs.from, outs.edges, &outs.count),
      HANDLE(node, xpuGraphNodeGetDependentNodes, "node", h, outs.from, outs.edges, &outs.count),
      HANDLE(node, xpuGraphKernelNodeGetParams, "node", h, &outs.kernel_params),
      HANDLE(node, xpuGraphKernelNodeSetParams, "node", h, &kernel_params),
      HANDLE(node, xpuGraphMemcpyNodeGetParams, "node", h, &outs.copy_params),
      HANDLE(node, xpuGraphMemcpyNodeSetParams, "node", h, &copy_params),
      HANDLE(node, xpuGraphMemcpyNodeSetParams1D, "node", h, memory,
             static_cast<char*>(memory) + 64, 8, xpuMemcpyDefault),
      HANDLE(node, xpuGraphMemsetNodeGetParams, "node", h, &outs.fill_params),
      HANDLE(node, xpuGraphMemsetNodeSetParams, "node", h, &fill_params),
      HANDLE(node, xpuGraphHostNodeGetParams, "node", h, &outs.host_params),
      HANDLE(node, xpuGraphHostNodeSetParams, "node", h, &host_params),
      HANDLE(node, xpuGraphChildGraphNodeGetGraph, "node", h, &outs.graph),
      HANDLE(node, xpuGraphEventRecordNodeGetEvent, "node", h, &outs.event),
      HANDLE(node, xpuGraphEventRecordNodeSetEvent, "node", h, zoo.event()),
      HANDLE(node, xpuGraphEventWaitNodeGetEvent, "node", h, &outs.event),
      HANDLE(node, xpuGraphEventWaitNodeSetEvent, "node", h, zoo.event()),
  };
  assert_no_bad_handle_taken(rows);
}

// The second entry, so that what was read before it must be forgotten.
static const xpuGraphNode_t* pair(Word bad) {
  static xpuGraphNode_t list[2];
  list[0] = a_node;
  list[1] = bad;
  return list;
}

static void a_bad_node_in_a_list_is_refused(void**) {
  static const HandleRow rows[] = {
      HANDLE(node, xpuGraphAddDependencies, "from", zoo.graph(), pair(h), pair(h), nullptr, 2),
      HANDLE(node, xpuGraphRemoveDependencies, "from", zoo.graph(), pair(h), pair(h), nullptr, 2),
      HANDLE(node, xpuGraphAddKernelNode, "pDependencies", &outs.node, zoo.graph(), pair(h), 2,
             &kernel_params),
      HANDLE(node, xpuGraphAddMemcpyNode, "pDependencies", &outs.node, zoo.graph(), pair(h), 2,
             &copy_params),
      HANDLE(node, xpuGraphAddMemcpyNode1D, "pDependencies", &outs.node, zoo.graph(), pair(h), 2,
             memory, static_cast<char*>(memory) + 64, 8, xpuMemcpyDefault),
      HANDLE(node, xpuGraphAddMemsetNode, "pDependencies", &outs.node, zoo.graph(), pair(h), 2,
             &fill_params),
      HANDLE(node, xpuGraphAddHostNode, "pDependencies", &outs.node, zoo.graph(), pair(h), 2,
             &host_params),
      HANDLE(node, xpuGraphAddChildGraphNode, "pDependencies", &outs.node, zoo.graph(), pair(h), 2,
             zoo.graph()),
      HANDLE(node, xpuGraphAddEmptyNode, "pDependencies", &outs.node, zoo.graph(), pair(h), 2),
      HANDLE(node, xpuGraphAddEventRecordNode, "pDependencies", &outs.node, zoo.graph(), pair(h), 2,
             zoo.event()),
      HANDLE(node, xpuGraphAddEventWaitNode, "pDependencies", &outs.node, zoo.graph(), pair(h), 2,
             zoo.event()),
      HANDLE(node, xpuStreamBeginCaptureToGraph, "dependencies", zoo.stream(), zoo.graph(), pair(h),
             nullptr, 2, xpuStreamCaptureModeRelaxed),
  };

  assert_no_bad_handle_taken(rows);

  size_t count = 0, edges = 0;
  assert_ok(xpuGraphGetNodes(zoo.graph(), nullptr, &count));
  assert_ok(xpuGraphGetEdges(zoo.graph(), nullptr, nullptr, nullptr, &edges));
  assert_int_equal(1, count);
  assert_int_equal(0, edges);
}

static void a_bad_executable_is_refused(void**) {
  static const HandleRow rows[] = {
      HANDLE(exec, xpuGraphExecGetFlags, "graphExec", h, &outs.wide),
      HANDLE(exec, xpuGraphExecGetId, "hGraphExec", h, &outs.word),
      HANDLE(exec, xpuGraphUpload, "graphExec", h, zoo.stream()),
      HANDLE(exec, xpuGraphLaunch, "graphExec", h, zoo.stream()),
      HANDLE(exec, xpuGraphExecDestroy, "graphExec", h),
  };
  assert_no_bad_handle_taken(rows);
}

static const xpuKernelNodeParams* with(Word func) {
  static xpuKernelNodeParams params;
  params = kernel_params;
  params.func = func;
  return &params;
}

static void a_kernel_node_needs_a_kernel(void**) {
  static xpuGraphNode_t node;
  node = add_one(zoo.graph(), nullptr, "noop");
  static const HandleRow rows[] = {
      HANDLE(kernel, xpuGraphAddKernelNode, "pNodeParams", &outs.node, zoo.graph(), nullptr, 0,
             with(h)),
      HANDLE(kernel, xpuGraphKernelNodeSetParams, "pNodeParams", node, with(h)),
      HANDLE(kernel, xpuLaunchCooperativeKernel, "func", h, dim(1), dim(1), nullptr, 0,
             zoo.stream()),
  };

  assert_no_bad_handle_taken(rows);

  assert_ok(xpuGraphDestroyNode(node));
}

// An event of a node is a parameter of it, and wrong parameters of nodes are invalid values.
#define EVENT(...) HANDLE_ROW(event, xpuErrorInvalidValue, false, __VA_ARGS__)

static void an_event_node_needs_an_event(void**) {
  static xpuGraphNode_t record, wait;
  assert_ok(xpuGraphAddEventRecordNode(&record, zoo.graph(), nullptr, 0, zoo.event()));
  assert_ok(xpuGraphAddEventWaitNode(&wait, zoo.graph(), nullptr, 0, zoo.event()));
  static const HandleRow rows[] = {
      EVENT(xpuGraphAddEventRecordNode, "event", &outs.node, zoo.graph(), nullptr, 0, h),
      EVENT(xpuGraphAddEventWaitNode, "event", &outs.node, zoo.graph(), nullptr, 0, h),
      EVENT(xpuGraphEventRecordNodeSetEvent, "event", record, h),
      EVENT(xpuGraphEventWaitNodeSetEvent, "event", wait, h),
  };

  assert_no_bad_handle_taken(rows);

  assert_ok(xpuGraphDestroyNode(record));
  assert_ok(xpuGraphDestroyNode(wait));
}

int main() {
  const Test tests[] = {
      xpu_test(a_bad_graph_is_refused),       xpu_test(nothing_is_added_to_a_bad_graph),
      xpu_test(a_bad_node_is_refused),        xpu_test(a_bad_node_in_a_list_is_refused),
      xpu_test(a_bad_executable_is_refused),  xpu_test(a_kernel_node_needs_a_kernel),
      xpu_test(an_event_node_needs_an_event),
  };
  return run_all(tests, open_all, close_all);
}
