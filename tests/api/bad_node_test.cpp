// SPDX-License-Identifier: Apache-2.0
// Nodes and edges that cannot be: parameters, kinds, foreign nodes, cycles.
#include "zoo.h"

using namespace xpu::test;

#define WRONG(function, argument, what, ...) \
  REFUSED(xpuErrorInvalidValue, function, argument, what, __VA_ARGS__)

static char* device;  // 4096 bytes
static char host[4096];
static xpuGraph_t graph, other;
static xpuGraphNode_t k, c, f, h, g, e, r, w;  // one of each kind in `graph`
static xpuGraphNode_t foreign, inside;         // in `other`, and in the graph of g

static void host_nothing(void*) {}

static xpuKernelNodeParams kernel_params;
static xpuMemcpy3DParms copy_params;
static xpuMemsetParams fill_params;
static xpuHostNodeParams host_params;

static int open_all(void** state) {
  open_zoo(state);
  void* memory = nullptr;
  assert_ok(xpuMalloc(&memory, 4096));
  device = static_cast<char*>(memory);
  graph = new_graph();
  other = new_graph();
  kernel_params = node_params(zoo.kernel(), dim(1), dim(1), nullptr);
  copy_params = {sizeof copy_params,  xpuMemcpyDefault, {}, {host, 64, 64, 4}, {},
                 {device, 64, 64, 4}, {64, 4, 2}};
  fill_params = {sizeof fill_params, 0, device, 64, 1, 4, 16, 4};
  host_params = {sizeof host_params, 0, host_nothing, nullptr};
  assert_ok(xpuGraphAddEmptyNode(&foreign, other, nullptr, 0));
  assert_ok(xpuGraphAddKernelNode(&k, graph, nullptr, 0, &kernel_params));
  assert_ok(xpuGraphAddMemcpyNode(&c, graph, nullptr, 0, &copy_params));
  assert_ok(xpuGraphAddMemsetNode(&f, graph, nullptr, 0, &fill_params));
  assert_ok(xpuGraphAddHostNode(&h, graph, nullptr, 0, &host_params));
  assert_ok(xpuGraphAddChildGraphNode(&g, graph, nullptr, 0, other));
  assert_ok(xpuGraphAddEmptyNode(&e, graph, nullptr, 0));
  assert_ok(xpuGraphAddEventRecordNode(&r, graph, nullptr, 0, zoo.event()));
  assert_ok(xpuGraphAddEventWaitNode(&w, graph, nullptr, 0, zoo.event()));
  xpuGraph_t child = nullptr;
  size_t one = 1;
  assert_ok(xpuGraphChildGraphNodeGetGraph(g, &child));
  assert_ok(xpuGraphGetNodes(child, &inside, &one));
  return 0;
}
static int close_all(void** state) {
  size_t nodes = 0, edges = 0;
  assert_ok(xpuGraphGetNodes(graph, nullptr, &nodes));
  assert_ok(xpuGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  assert_int_equal(8, nodes);
  assert_int_equal(0, edges);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphDestroy(other));
  assert_ok(xpuFree(device));
  return close_zoo(state);
}

// A wrong variant of good parameters, alive until the next call.
template <class T, class Change>
const T* but(const T& good, Change change) {
  static T bad;
  bad = good;
  change(bad);
  return &bad;
}

#define KERNEL_BUT(code, argument, what, change)                                      \
  REFUSED(code, xpuGraphAddKernelNode, argument, what, &outs.node, graph, nullptr, 0, \
          but(kernel_params, [](xpuKernelNodeParams& p) { change; })),                \
      REFUSED(code, xpuGraphKernelNodeSetParams, argument, what, k,                   \
              but(kernel_params, [](xpuKernelNodeParams& p) { change; }))
#define COPY_BUT(code, what, change)                                                       \
  REFUSED(code, xpuGraphAddMemcpyNode, "pCopyParams", what, &outs.node, graph, nullptr, 0, \
          but(copy_params, [](xpuMemcpy3DParms& p) { change; })),                          \
      REFUSED(code, xpuGraphMemcpyNodeSetParams, "pNodeParams", what, c,                   \
              but(copy_params, [](xpuMemcpy3DParms& p) { change; }))
#define FILL_BUT(what, change)                                                       \
  WRONG(xpuGraphAddMemsetNode, "pMemsetParams", what, &outs.node, graph, nullptr, 0, \
        but(fill_params, [](xpuMemsetParams& p) { change; })),                       \
      WRONG(xpuGraphMemsetNodeSetParams, "pNodeParams", what, f,                     \
            but(fill_params, [](xpuMemsetParams& p) { change; }))

static void a_kernel_node_is_checked_when_it_is_added(void**) {
  static void* extra[1] = {};
  static const Refusal rows[] = {
      KERNEL_BUT(xpuErrorInvalidValue, "pNodeParams", "has grid.x = 0", p.gridDim.x = 0),
      KERNEL_BUT(xpuErrorInvalidValue, "pNodeParams", "has grid.z = 0", p.gridDim.z = 0),
      KERNEL_BUT(xpuErrorInvalidValue, "pNodeParams", "has block.y = 0", p.blockDim.y = 0),
      KERNEL_BUT(xpuErrorInvalidValue, "pNodeParams", "has a huge block",
                 p.blockDim = dim(UINT32_MAX)),
      KERNEL_BUT(xpuErrorInvalidValue, "pNodeParams", "has a block that overflows",
                 p.blockDim = dim(65536, 65536)),
      KERNEL_BUT(xpuErrorInvalidValue, "pNodeParams", "has huge shared memory",
                 p.sharedMemBytes = UINT32_MAX),
      KERNEL_BUT(xpuErrorInvalidValue, "pNodeParams", "has packed arguments", p.extra = extra),
      KERNEL_BUT(xpuErrorInvalidValue, "pNodeParams", "has no arguments", p.func = kernel("store")),
      KERNEL_BUT(xpuErrorInvalidValue, "pNodeParams", "has another group size than demanded",
                 p.func = kernel("only_8_4_2")),
  };
  assert_all_refused(rows);
}

static void a_copy_node_is_checked_when_it_is_added(void**) {
  static const Refusal rows[] = {
      COPY_BUT(xpuErrorInvalidMemcpyDirection, "has kind 5",
               p.kind = static_cast<xpuMemcpyKind>(5)),
      COPY_BUT(xpuErrorInvalidMemcpyDirection, "has kind -1",
               p.kind = static_cast<xpuMemcpyKind>(-1)),
      COPY_BUT(xpuErrorInvalidPitchValue, "has a narrow source", p.srcPtr.pitch = 63),
      COPY_BUT(xpuErrorInvalidPitchValue, "has a narrow target", p.dstPtr.pitch = 1),
      COPY_BUT(xpuErrorInvalidValue, "has no width", p.extent.width = 0),
      COPY_BUT(xpuErrorInvalidValue, "has no height", p.extent.height = 0),
      COPY_BUT(xpuErrorInvalidValue, "has no depth", p.extent.depth = 0),
      COPY_BUT(xpuErrorInvalidValue, "has no source", p.srcPtr.ptr = nullptr),
      COPY_BUT(xpuErrorInvalidValue, "has no target", p.dstPtr.ptr = nullptr),
      COPY_BUT(xpuErrorInvalidValue, "begins past the row", p.srcPos.x = 1),
      COPY_BUT(xpuErrorInvalidValue, "begins past the slice", p.dstPos.y = 1),
      COPY_BUT(xpuErrorInvalidValue, "has slices that are too small", p.srcPtr.ysize = 3),
      COPY_BUT(xpuErrorInvalidValue, "leaves the allocation", p.dstPos.z = 15),
      COPY_BUT(xpuErrorInvalidValue, "begins past the allocation", p.dstPos.z = 16),
      COPY_BUT(xpuErrorInvalidValue, "begins far past the allocation",
               p.dstPos.z = size_t{1} << 40),
      COPY_BUT(xpuErrorInvalidValue, "has absurd slices", p.extent.depth = SIZE_MAX),
      COPY_BUT(xpuErrorInvalidValue, "has an absurd pitch", p.dstPtr.pitch = SIZE_MAX),
      COPY_BUT(xpuErrorInvalidValue, "has an absurd position", p.srcPos.z = SIZE_MAX),
  };
  assert_all_refused(rows);
}

static void a_linear_copy_node_is_checked_when_it_is_added(void**) {
  static const Refusal rows[] = {
      WRONG(xpuGraphAddMemcpyNode1D, "count", "is 0", &outs.node, graph, nullptr, 0, device, host,
            0, xpuMemcpyDefault),
      WRONG(xpuGraphAddMemcpyNode1D, "dst", "ends too early", &outs.node, graph, nullptr, 0,
            device + 1, host, 4096, xpuMemcpyDefault),
      WRONG(xpuGraphAddMemcpyNode1D, "src", "ends too early", &outs.node, graph, nullptr, 0, host,
            device + 4095, 2, xpuMemcpyDefault),
      WRONG(xpuGraphAddMemcpyNode1D, "dst", "is not that large", &outs.node, graph, nullptr, 0,
            device, host, SIZE_MAX, xpuMemcpyDefault),
      REFUSED(xpuErrorInvalidMemcpyDirection, xpuGraphAddMemcpyNode1D, "kind", "is 9", &outs.node,
              graph, nullptr, 0, device, host, 8, static_cast<xpuMemcpyKind>(9)),
      WRONG(xpuGraphMemcpyNodeSetParams1D, "count", "is 0", c, device, host, 0, xpuMemcpyDefault),
      WRONG(xpuGraphMemcpyNodeSetParams1D, "dst", "ends too early", c, device, host, 4097,
            xpuMemcpyDefault),
      REFUSED(xpuErrorInvalidMemcpyDirection, xpuGraphMemcpyNodeSetParams1D, "kind", "is -1", c,
              device, host, 8, static_cast<xpuMemcpyKind>(-1)),
  };
  assert_all_refused(rows);
}

static void a_fill_node_is_checked_when_it_is_added(void**) {
  static const Refusal rows[] = {
      FILL_BUT("has elements of 0 bytes", p.elementSize = 0),
      FILL_BUT("has elements of 3 bytes", p.elementSize = 3),
      FILL_BUT("has elements of 8 bytes", p.elementSize = 8),
      FILL_BUT("has no width", p.width = 0),
      FILL_BUT("has no height", p.height = 0),
      FILL_BUT("has no address", p.dst = nullptr),
      FILL_BUT("is memory of malloc", p.dst = host),
      FILL_BUT("is not aligned", p.dst = device + 1),
      FILL_BUT("is wider than its pitch", p.width = 17),
      FILL_BUT("leaves the allocation", p.height = 65),
      FILL_BUT("has an absurd width", p.width = SIZE_MAX / 2),
      FILL_BUT("has an absurd height", p.height = SIZE_MAX),
      FILL_BUT("has an absurd pitch", p.pitch = SIZE_MAX - 3),
  };
  assert_all_refused(rows);
}

static void a_host_node_needs_a_function(void**) {
  static const Refusal rows[] = {
      WRONG(xpuGraphAddHostNode, "pNodeParams", "has no function", &outs.node, graph, nullptr, 0,
            but(host_params, [](xpuHostNodeParams& p) { p.fn = nullptr; })),
      WRONG(xpuGraphHostNodeSetParams, "pNodeParams", "has no function", h,
            but(host_params, [](xpuHostNodeParams& p) { p.fn = nullptr; })),
  };
  assert_all_refused(rows);
}

// Calls `call(node)` with a node of every kind but `right`; the number of wrong answers.
template <class Call>
int taken_by_others(const char* function, xpuGraphNode_t right, Call call) {
  const xpuGraphNode_t all[] = {k, c, f, h, g, e, r, w};
  int wrong = 0;
  for (xpuGraphNode_t node : all) {
    if (node == right) continue;
    (void)xpuGetLastError();
    clear_outs();
    const Refusal row = {function, "node", "is of another kind", nullptr, xpuErrorInvalidValue};
    const char* about = wrong_about(row, call(node));
    if (about) print_error("%s with a node of another kind: wrong is %s\n", function, about);
    if (about) wrong++;
  }
  return wrong;
}
#define ONLY_FOR(right, function, ...)                  \
  assert_int_equal(0, taken_by_others(#function, right, \
                                      [](xpuGraphNode_t n) { return function(n, __VA_ARGS__); }))

static void a_call_for_one_kind_refuses_nodes_of_all_others(void**) {
  ONLY_FOR(k, xpuGraphKernelNodeGetParams, &outs.kernel_params);
  ONLY_FOR(k, xpuGraphKernelNodeSetParams, &kernel_params);
  ONLY_FOR(c, xpuGraphMemcpyNodeGetParams, &outs.copy_params);
  ONLY_FOR(c, xpuGraphMemcpyNodeSetParams, &copy_params);
  ONLY_FOR(c, xpuGraphMemcpyNodeSetParams1D, device, host, 8, xpuMemcpyDefault);
  ONLY_FOR(f, xpuGraphMemsetNodeGetParams, &outs.fill_params);
  ONLY_FOR(f, xpuGraphMemsetNodeSetParams, &fill_params);
  ONLY_FOR(h, xpuGraphHostNodeGetParams, &outs.host_params);
  ONLY_FOR(h, xpuGraphHostNodeSetParams, &host_params);
  ONLY_FOR(g, xpuGraphChildGraphNodeGetGraph, &outs.graph);
  ONLY_FOR(r, xpuGraphEventRecordNodeGetEvent, &outs.event);
  ONLY_FOR(r, xpuGraphEventRecordNodeSetEvent, zoo.event());
  ONLY_FOR(w, xpuGraphEventWaitNodeGetEvent, &outs.event);
  ONLY_FOR(w, xpuGraphEventWaitNodeSetEvent, zoo.event());
}

static void a_dependency_is_a_node_of_the_same_graph(void**) {
  static xpuGraphNode_t twice[2];
  twice[0] = twice[1] = e;
  static const Refusal rows[] = {
      WRONG(xpuGraphAddEmptyNode, "pDependencies", "is of another graph", &outs.node, graph,
            &foreign, 1),
      WRONG(xpuGraphAddEmptyNode, "pDependencies", "is of the child", &outs.node, graph, &inside,
            1),
      WRONG(xpuGraphAddKernelNode, "pDependencies", "is of another graph", &outs.node, graph,
            &foreign, 1, &kernel_params),
      WRONG(xpuGraphAddEmptyNode, "pDependencies", "is there twice", &outs.node, graph, twice, 2),
      WRONG(xpuGraphAddDependencies, "from", "is of another graph", graph, &foreign, &e, nullptr,
            1),
      WRONG(xpuGraphAddDependencies, "to", "is of another graph", graph, &e, &foreign, nullptr, 1),
      WRONG(xpuGraphAddDependencies, "from", "is of the child", graph, &inside, &e, nullptr, 1),
      WRONG(xpuGraphRemoveDependencies, "from", "is of another graph", graph, &foreign, &e, nullptr,
            1),
      WRONG(xpuStreamBeginCaptureToGraph, "dependencies", "is of another graph", zoo.stream(),
            graph, &foreign, nullptr, 1, xpuStreamCaptureModeRelaxed),
      WRONG(xpuGraphNodeFindInClone, "clonedGraph", "is no clone", &outs.node, e, other),
  };
  assert_all_refused(rows);
}

static void an_absurd_number_of_dependencies_fails_at_the_first_bad_one(void**) {
  static const xpuGraphNode_t list[2] = {e, nullptr};
  static const Refusal rows[] = {
      WRONG(xpuGraphAddEmptyNode, "pDependencies", "has a hole", &outs.node, graph, list, SIZE_MAX),
      WRONG(xpuGraphAddDependencies, "from", "has a hole", graph, list, list, nullptr, SIZE_MAX),
  };
  assert_all_refused(rows);
}

static void the_graph_of_a_child_node_is_not_destroyed(void**) {
  static xpuGraph_t child;
  assert_ok(xpuGraphChildGraphNodeGetGraph(g, &child));
  static const Refusal rows[] = {WRONG(xpuGraphDestroy, "graph", "belongs to a node", child)};
  assert_all_refused(rows);
}

static void a_cycle_is_found_and_named_when_the_graph_is_instantiated(void**) {
  const xpuGraphNode_t from[] = {k, e}, to[] = {e, k};
  assert_ok(xpuGraphAddDependencies(graph, from, to, nullptr, 2));
  static const Refusal rows[] = {
      WRONG(xpuGraphInstantiate, "graph", "has a cycle", &outs.exec, graph, 0)};

  assert_all_refused(rows);
  assert_non_null(strstr(last_failure().sentence, "cycle"));

  assert_ok(xpuGraphRemoveDependencies(graph, from, to, nullptr, 2));
}

static void a_picture_needs_a_file_that_can_be_written(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorOperatingSystem, xpuGraphDebugDotPrint, "path", "is in no folder", graph,
              "/no/such/folder/graph.dot", 0),
      REFUSED(xpuErrorOperatingSystem, xpuGraphDebugDotPrint, "path", "is a folder", graph, "/", 0),
      REFUSED(xpuErrorOperatingSystem, xpuGraphDebugDotPrint, "path", "is empty", graph, "", 0),
      REFUSED(xpuErrorOperatingSystem, xpuGraphDebugDotPrint, "path", "is a full disk", graph,
              "/dev/full", 0),
  };
  assert_all_refused(rows);
}

int main() {
  const Test tests[] = {
      xpu_test(a_kernel_node_is_checked_when_it_is_added),
      xpu_test(a_copy_node_is_checked_when_it_is_added),
      xpu_test(a_linear_copy_node_is_checked_when_it_is_added),
      xpu_test(a_fill_node_is_checked_when_it_is_added),
      xpu_test(a_host_node_needs_a_function),
      xpu_test(a_call_for_one_kind_refuses_nodes_of_all_others),
      xpu_test(a_dependency_is_a_node_of_the_same_graph),
      xpu_test(an_absurd_number_of_dependencies_fails_at_the_first_bad_one),
      xpu_test(the_graph_of_a_child_node_is_not_destroyed),
      xpu_test(a_cycle_is_found_and_named_when_the_graph_is_instantiated),
      xpu_test(a_picture_needs_a_file_that_can_be_written),
  };
  return run_all(tests, open_all, close_all);
}
