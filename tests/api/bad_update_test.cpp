// SPDX-License-Identifier: Apache-2.0
// Updates of executables that cannot be: handles, nodes of others, parameters that must stay.
#include "zoo.h"

using namespace xpu::test;

#define WRONG(function, argument, what, ...) \
  REFUSED(xpuErrorInvalidValue, function, argument, what, __VA_ARGS__)

static char* device;  // 4096 bytes, of device memory
static void* pinned;
static xpuGraph_t graph, other;
static xpuGraphNode_t k, c, c2, f, f2, call, g, e, r, w;  // of `graph`
static xpuGraphNode_t late, foreign;                      // added later, and of `other`
static xpuGraphExec_t exec;
static xpuGraphExecUpdateResultInfo info, short_info;

static void host_nothing(void*) {}

static xpuKernelNodeParams kernel_params;
static xpuMemcpy3DParms copy_params, rows_params;
static xpuMemsetParams fill_params, area_params;
static xpuHostNodeParams host_params;

static int open_all(void** state) {
  open_zoo(state);
  void* memory = nullptr;
  assert_ok(xpuMalloc(&memory, 4096));
  assert_ok(xpuMallocHost(&pinned, 4096));
  device = static_cast<char*>(memory);
  graph = new_graph();
  other = new_graph();
  kernel_params = node_params(zoo.kernel(), dim(1), dim(1), nullptr);
  copy_params = {sizeof copy_params,
                 xpuMemcpyDeviceToDevice,
                 {},
                 {device, 64, 64, 4},
                 {},
                 {device + 2048, 64, 64, 4},
                 {64, 1, 1}};
  rows_params = copy_params;
  rows_params.extent.height = 2;
  fill_params = {sizeof fill_params, 0, device, 0, 1, 4, 16, 1};
  area_params = {sizeof area_params, 0, device, 64, 1, 4, 16, 4};
  host_params = {sizeof host_params, 0, host_nothing, nullptr};
  info.struct_size = sizeof info;
  short_info.struct_size = 8;
  assert_ok(xpuGraphAddEmptyNode(&foreign, other, nullptr, 0));
  assert_ok(xpuGraphAddKernelNode(&k, graph, nullptr, 0, &kernel_params));
  assert_ok(xpuGraphAddMemcpyNode(&c, graph, nullptr, 0, &copy_params));
  assert_ok(xpuGraphAddMemcpyNode(&c2, graph, nullptr, 0, &rows_params));
  assert_ok(xpuGraphAddMemsetNode(&f, graph, nullptr, 0, &fill_params));
  assert_ok(xpuGraphAddMemsetNode(&f2, graph, nullptr, 0, &area_params));
  assert_ok(xpuGraphAddHostNode(&call, graph, nullptr, 0, &host_params));
  assert_ok(xpuGraphAddChildGraphNode(&g, graph, nullptr, 0, other));
  assert_ok(xpuGraphAddEmptyNode(&e, graph, nullptr, 0));
  assert_ok(xpuGraphAddEventRecordNode(&r, graph, nullptr, 0, zoo.event()));
  assert_ok(xpuGraphAddEventWaitNode(&w, graph, nullptr, 0, zoo.event()));
  exec = instantiate(graph);
  assert_ok(xpuGraphAddKernelNode(&late, graph, nullptr, 0, &kernel_params));
  assert_ok(xpuGraphAddKernelNode(&foreign, other, nullptr, 0, &kernel_params));
  return 0;
}
static int close_all(void** state) {
  // After all that was refused it still runs.
  assert_ok(xpuGraphLaunch(exec, nullptr));
  assert_ok(xpuDeviceSynchronize());
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphDestroy(other));
  assert_ok(xpuFree(device));
  assert_ok(xpuFreeHost(pinned));
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

static void bad_executables_are_refused(void**) {
  static const HandleRow rows[] = {
      HANDLE(exec, xpuGraphExecUpdate, "hGraphExec", h, graph, &info),
      HANDLE(exec, xpuGraphExecKernelNodeSetParams, "hGraphExec", h, k, &kernel_params),
      HANDLE(exec, xpuGraphExecMemcpyNodeSetParams, "hGraphExec", h, c, &copy_params),
      HANDLE(exec, xpuGraphExecMemcpyNodeSetParams1D, "hGraphExec", h, c, device, device + 64, 64,
             xpuMemcpyDeviceToDevice),
      HANDLE(exec, xpuGraphExecMemsetNodeSetParams, "hGraphExec", h, f, &fill_params),
      HANDLE(exec, xpuGraphExecHostNodeSetParams, "hGraphExec", h, call, &host_params),
      HANDLE(exec, xpuGraphExecChildGraphNodeSetParams, "hGraphExec", h, g, other),
      HANDLE(exec, xpuGraphExecEventRecordNodeSetEvent, "hGraphExec", h, r, zoo.event()),
      HANDLE(exec, xpuGraphExecEventWaitNodeSetEvent, "hGraphExec", h, w, zoo.event()),
      HANDLE(exec, xpuGraphNodeSetEnabled, "hGraphExec", h, k, 0),
      HANDLE(exec, xpuGraphNodeGetEnabled, "hGraphExec", h, k, &outs.word),
  };
  assert_no_bad_handle_taken(rows);
}

static void bad_nodes_are_refused(void**) {
  static const HandleRow rows[] = {
      HANDLE(node, xpuGraphExecKernelNodeSetParams, "node", exec, h, &kernel_params),
      HANDLE(node, xpuGraphExecMemcpyNodeSetParams, "node", exec, h, &copy_params),
      HANDLE(node, xpuGraphExecMemcpyNodeSetParams1D, "node", exec, h, device, device + 64, 64,
             xpuMemcpyDeviceToDevice),
      HANDLE(node, xpuGraphExecMemsetNodeSetParams, "node", exec, h, &fill_params),
      HANDLE(node, xpuGraphExecHostNodeSetParams, "node", exec, h, &host_params),
      HANDLE(node, xpuGraphExecChildGraphNodeSetParams, "node", exec, h, other),
      HANDLE(node, xpuGraphExecEventRecordNodeSetEvent, "hNode", exec, h, zoo.event()),
      HANDLE(node, xpuGraphExecEventWaitNodeSetEvent, "hNode", exec, h, zoo.event()),
      HANDLE(node, xpuGraphNodeSetEnabled, "hNode", exec, h, 0),
      HANDLE(node, xpuGraphNodeGetEnabled, "hNode", exec, h, &outs.word),
  };
  assert_no_bad_handle_taken(rows);
}

static void bad_graphs_and_events_are_refused(void**) {
  static const HandleRow rows[] = {
      HANDLE(graph, xpuGraphExecUpdate, "hGraph", exec, h, &info),
      HANDLE(graph, xpuGraphExecChildGraphNodeSetParams, "childGraph", exec, g, h),
      HANDLE_ROW(event, xpuErrorInvalidValue, false, xpuGraphExecEventRecordNodeSetEvent, "event",
                 exec, r, h),
      HANDLE_ROW(event, xpuErrorInvalidValue, false, xpuGraphExecEventWaitNodeSetEvent, "event",
                 exec, w, h),
  };
  assert_no_bad_handle_taken(rows);
}

static void nodes_of_another_kind_are_refused(void**) {
  static const Refusal rows[] = {
      WRONG(xpuGraphExecKernelNodeSetParams, "node", "is a copy", exec, c, &kernel_params),
      WRONG(xpuGraphExecMemcpyNodeSetParams, "node", "is a kernel", exec, k, &copy_params),
      WRONG(xpuGraphExecMemcpyNodeSetParams1D, "node", "is a fill", exec, f, device, device + 64,
            64, xpuMemcpyDeviceToDevice),
      WRONG(xpuGraphExecMemsetNodeSetParams, "node", "is a host node", exec, call, &fill_params),
      WRONG(xpuGraphExecHostNodeSetParams, "node", "is a child graph", exec, g, &host_params),
      WRONG(xpuGraphExecChildGraphNodeSetParams, "node", "is empty", exec, e, other),
      WRONG(xpuGraphExecEventRecordNodeSetEvent, "hNode", "waits", exec, w, zoo.event()),
      WRONG(xpuGraphExecEventWaitNodeSetEvent, "hNode", "records", exec, r, zoo.event()),
      WRONG(xpuGraphNodeSetEnabled, "hNode", "is a host node", exec, call, 0),
      WRONG(xpuGraphNodeSetEnabled, "hNode", "is a child graph", exec, g, 0),
      WRONG(xpuGraphNodeSetEnabled, "hNode", "is empty", exec, e, 0),
      WRONG(xpuGraphNodeSetEnabled, "hNode", "records", exec, r, 0),
      WRONG(xpuGraphNodeGetEnabled, "hNode", "waits", exec, w, &outs.word),
  };
  assert_all_refused(rows);
  assert_code(xpuGraphExecChildGraphNodeSetParams(exec, e, other), xpuErrorInvalidValue);
  assert_string_equal("node is an empty node; this call needs a child graph node",
                      last_failure().sentence);
}

static void nodes_that_the_executable_does_not_have_are_refused(void**) {
  static const Refusal rows[] = {
      WRONG(xpuGraphExecKernelNodeSetParams, "node", "came later", exec, late, &kernel_params),
      WRONG(xpuGraphExecKernelNodeSetParams, "node", "is of another graph", exec, foreign,
            &kernel_params),
      WRONG(xpuGraphNodeSetEnabled, "hNode", "came later", exec, late, 0),
      WRONG(xpuGraphNodeSetEnabled, "hNode", "is of another graph", exec, foreign, 0),
      WRONG(xpuGraphNodeGetEnabled, "hNode", "came later", exec, late, &outs.word),
      WRONG(xpuGraphNodeGetEnabled, "hNode", "is of another graph", exec, foreign, &outs.word),
  };
  assert_all_refused(rows);
}

static void missing_and_misshapen_structs_are_refused(void**) {
  static const Refusal rows[] = {
      WRONG(xpuGraphExecUpdate, "resultInfo", "is NULL", exec, graph, nullptr),
      WRONG(xpuGraphExecUpdate, "resultInfo", "is too small", exec, graph, &short_info),
      WRONG(xpuGraphExecKernelNodeSetParams, "pNodeParams", "is NULL", exec, k, nullptr),
      WRONG(xpuGraphExecMemcpyNodeSetParams, "pNodeParams", "is NULL", exec, c, nullptr),
      WRONG(xpuGraphExecMemsetNodeSetParams, "pNodeParams", "is NULL", exec, f, nullptr),
      WRONG(xpuGraphExecHostNodeSetParams, "pNodeParams", "is NULL", exec, call, nullptr),
      WRONG(xpuGraphNodeGetEnabled, "isEnabled", "is NULL", exec, k, nullptr),
      WRONG(xpuGraphExecKernelNodeSetParams, "pNodeParams", "has no size", exec, k,
            but(kernel_params, [](xpuKernelNodeParams& p) { p.struct_size = 0; })),
  };
  assert_all_refused(rows);
}

#define KERNEL_BUT(code, argument, what, change)                          \
  REFUSED(code, xpuGraphExecKernelNodeSetParams, argument, what, exec, k, \
          but(kernel_params, [](xpuKernelNodeParams& p) { change; }))
#define COPY_BUT(argument, what, change)                          \
  WRONG(xpuGraphExecMemcpyNodeSetParams, argument, what, exec, c, \
        but(copy_params, [](xpuMemcpy3DParms& p) { change; }))
#define FILL_BUT(argument, what, change)                          \
  WRONG(xpuGraphExecMemsetNodeSetParams, argument, what, exec, f, \
        but(fill_params, [](xpuMemsetParams& p) { change; }))
#define AREA_BUT(argument, what, change)                           \
  WRONG(xpuGraphExecMemsetNodeSetParams, argument, what, exec, f2, \
        but(area_params, [](xpuMemsetParams& p) { change; }))

static void parameters_that_no_node_could_have_are_refused(void**) {
  static const Refusal rows[] = {
      KERNEL_BUT(xpuErrorInvalidDeviceFunction, "pNodeParams->func", "is NULL", p.func = nullptr),
      KERNEL_BUT(xpuErrorInvalidValue, "pNodeParams->gridDim", "is 0", p.gridDim.y = 0),
      KERNEL_BUT(xpuErrorInvalidValue, "pNodeParams->blockDim", "is 0", p.blockDim.z = 0),
      COPY_BUT("pNodeParams->srcPtr", "is NULL", p.srcPtr.ptr = nullptr),
      COPY_BUT("pNodeParams->extent", "is empty", p.extent.width = 0),
      COPY_BUT("pNodeParams->dstPtr", "is too small", p.dstPtr.ptr = device + 4090),
      WRONG(xpuGraphExecMemcpyNodeSetParams1D, "dst", "is NULL", exec, c, nullptr, device, 64,
            xpuMemcpyDeviceToDevice),
      WRONG(xpuGraphExecMemcpyNodeSetParams1D, "count", "is 0", exec, c, device, device + 64, 0,
            xpuMemcpyDeviceToDevice),
      REFUSED(xpuErrorInvalidMemcpyDirection, xpuGraphExecMemcpyNodeSetParams1D, "kind", "is none",
              exec, c, device, device + 64, 64, static_cast<xpuMemcpyKind>(9)),
      FILL_BUT("pNodeParams->dst", "is NULL", p.dst = nullptr),
      FILL_BUT("pNodeParams->elementSize", "is 3", p.elementSize = 3),
      FILL_BUT("pNodeParams->width", "is 0", p.width = 0),
      WRONG(xpuGraphExecHostNodeSetParams, "pNodeParams->fn", "is NULL", exec, call,
            but(host_params, [](xpuHostNodeParams& p) { p.fn = nullptr; })),
  };
  assert_all_refused(rows);
}

static void what_must_stay_is_refused(void**) {
  static const Refusal rows[] = {
    COPY_BUT("pNodeParams->extent", "has rows", p.extent.height = 2),
    COPY_BUT("pNodeParams->extent", "has slices", p.extent.depth = 2),
    COPY_BUT("pNodeParams->dstPtr", "is host memory", p.dstPtr.ptr = pinned),
    COPY_BUT("pNodeParams->srcPtr", "is host memory", p.srcPtr.ptr = pinned),
    COPY_BUT("pNodeParams->kind", "is another one", p.kind = xpuMemcpyDeviceToHost),
    WRONG(xpuGraphExecMemcpyNodeSetParams1D, "dst", "is host memory", exec, c, pinned, device, 64,
          xpuMemcpyDeviceToDevice),
    WRONG(xpuGraphExecMemcpyNodeSetParams, "", "was of several rows", exec, c2, &copy_params),
    FILL_BUT("pNodeParams->height", "has rows", p.height = 2; p.pitch = 64),
    FILL_BUT("pNodeParams->dst", "is host memory", p.dst = pinned),
    AREA_BUT("pNodeParams->height", "is another one", p.height = 3),
    AREA_BUT("pNodeParams->width", "is another one", p.width = 8),
    AREA_BUT("pNodeParams->elementSize", "is another one", p.elementSize = 2),
    AREA_BUT("pNodeParams->pitch", "is another one", p.pitch = 128),
    WRONG(xpuGraphExecChildGraphNodeSetParams, "childGraph", "has another node", exec, g, other),
    WRONG(xpuGraphExecChildGraphNodeSetParams, "childGraph", "is the graph itself", exec, g, graph),
  };
  assert_all_refused(rows);
}

int main() {
  const Test tests[] = {
      xpu_test(bad_executables_are_refused),
      xpu_test(bad_nodes_are_refused),
      xpu_test(bad_graphs_and_events_are_refused),
      xpu_test(nodes_of_another_kind_are_refused),
      xpu_test(nodes_that_the_executable_does_not_have_are_refused),
      xpu_test(missing_and_misshapen_structs_are_refused),
      xpu_test(parameters_that_no_node_could_have_are_refused),
      xpu_test(what_must_stay_is_refused),
  };
  return run_all(tests, open_all, close_all);
}
