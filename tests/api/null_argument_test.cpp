// SPDX-License-Identifier: Apache-2.0
// Every pointer that must not be NULL, as NULL.
#include "zoo.h"

using namespace xpu::test;

#define NULL_IN(function, argument, ...) \
  REFUSED(xpuErrorInvalidValue, function, argument, "is NULL", __VA_ARGS__)

static void* memory;
static xpuGraphNode_t a_node;
static char host[64];

static int open_all(void** state) {
  open_zoo(state);
  a_node = zoo.node();
  assert_ok(xpuMalloc(&memory, 256));
  return 0;
}
static int close_all(void** state) {
  assert_ok(xpuFree(memory));
  return close_zoo(state);
}

static void of_device_h(void**) {
  static const Refusal rows[] = {
      NULL_IN(xpuRuntimeGetVersion, "runtimeVersion", nullptr),
      NULL_IN(xpuDriverGetVersion, "driverVersion", nullptr),
      NULL_IN(xpuGetDeviceCount, "count", nullptr),
      NULL_IN(xpuGetDevice, "device", nullptr),
      NULL_IN(xpuGetDeviceProperties, "prop", nullptr, 0),
      NULL_IN(xpuDeviceGetAttribute, "value", nullptr, xpuDevAttrWarpSize, 0),
      NULL_IN(xpuDeviceCanAccessPeer, "canAccessPeer", nullptr, 0, 0),
  };
  assert_all_refused(rows);
}

static void of_stream_h_and_event_h(void**) {
  static const Refusal rows[] = {
      NULL_IN(xpuStreamCreate, "pStream", nullptr),
      NULL_IN(xpuStreamCreateWithFlags, "pStream", nullptr, xpuStreamNonBlocking),
      NULL_IN(xpuStreamCreateWithPriority, "pStream", nullptr, 0, 0),
      NULL_IN(xpuLaunchHostFunc, "fn", zoo.stream(), nullptr, host),
      NULL_IN(xpuStreamGetFlags, "flags", zoo.stream(), nullptr),
      NULL_IN(xpuStreamGetPriority, "priority", zoo.stream(), nullptr),
      NULL_IN(xpuStreamGetDevice, "device", zoo.stream(), nullptr),
      NULL_IN(xpuStreamGetId, "streamId", zoo.stream(), nullptr),
      NULL_IN(xpuEventCreate, "event", nullptr),
      NULL_IN(xpuEventCreateWithFlags, "event", nullptr, 0),
      NULL_IN(xpuEventElapsedTime, "ms", nullptr, zoo.event(), zoo.event()),
  };
  assert_all_refused(rows);
}

static void of_memory_h_allocations(void**) {
  static const Refusal rows[] = {
      NULL_IN(xpuMalloc, "devPtr", nullptr, 16),
      NULL_IN(xpuMallocPitch, "devPtr", nullptr, &outs.size, 16, 16),
      NULL_IN(xpuMallocPitch, "pitch", &outs.pointer, nullptr, 16, 16),
      NULL_IN(xpuMallocHost, "ptr", nullptr, 16),
      NULL_IN(xpuHostAlloc, "pHost", nullptr, 16, 0),
      NULL_IN(xpuHostGetDevicePointer, "pDevice", nullptr, host, 0),
      NULL_IN(xpuHostGetDevicePointer, "pHost", &outs.pointer, nullptr, 0),
      NULL_IN(xpuMallocManaged, "devPtr", nullptr, 16, xpuMemAttachGlobal),
      NULL_IN(xpuMemGetInfo, "free", nullptr, &outs.size),
      NULL_IN(xpuMemGetInfo, "total", &outs.size, nullptr),
      NULL_IN(xpuPointerGetAttributes, "attributes", nullptr, host),
  };
  assert_all_refused(rows);
}

static void of_memory_h_transfers(void**) {
  static const Refusal rows[] = {
      NULL_IN(xpuMemcpy, "dst", nullptr, host, 8, xpuMemcpyDefault),
      NULL_IN(xpuMemcpy, "src", memory, nullptr, 8, xpuMemcpyDefault),
      NULL_IN(xpuMemcpyAsync, "dst", nullptr, host, 8, xpuMemcpyDefault, zoo.stream()),
      NULL_IN(xpuMemcpyAsync, "src", memory, nullptr, 8, xpuMemcpyDefault, zoo.stream()),
      NULL_IN(xpuMemcpy2D, "dst", nullptr, 8, host, 8, 8, 2, xpuMemcpyDefault),
      NULL_IN(xpuMemcpy2D, "src", memory, 8, nullptr, 8, 8, 2, xpuMemcpyDefault),
      NULL_IN(xpuMemcpy2DAsync, "dst", nullptr, 8, host, 8, 8, 2, xpuMemcpyDefault, zoo.stream()),
      NULL_IN(xpuMemcpy2DAsync, "src", memory, 8, nullptr, 8, 8, 2, xpuMemcpyDefault, zoo.stream()),
      NULL_IN(xpuMemcpy3D, "p", nullptr),
      NULL_IN(xpuMemcpy3DAsync, "p", nullptr, zoo.stream()),
      NULL_IN(xpuMemset, "devPtr", nullptr, 1, 8),
      NULL_IN(xpuMemsetAsync, "devPtr", nullptr, 1, 8, zoo.stream()),
      NULL_IN(xpuMemset2D, "devPtr", nullptr, 8, 1, 8, 2),
      NULL_IN(xpuMemset2DAsync, "devPtr", nullptr, 8, 1, 8, 2, zoo.stream()),
  };
  assert_all_refused(rows);
}

static void of_module_h_and_interop_h(void**) {
  static xpuModuleDesc module_desc;
  module_desc = {};
  module_desc.struct_size = sizeof module_desc;
  module_desc.image = kernels_image().bytes;
  module_desc.imageSize = kernels_image().size;
  static const Refusal rows[] = {
      NULL_IN(xpuModuleLoadData, "pModule", nullptr, kernels_image().bytes, kernels_image().size),
      NULL_IN(xpuModuleLoadData, "image", &outs.module, nullptr, 64),
      NULL_IN(xpuModuleLoad, "pModule", nullptr, &module_desc),
      NULL_IN(xpuModuleLoad, "desc", &outs.module, nullptr),
      NULL_IN(xpuModuleGetKernel, "pKernel", nullptr, zoo.module(), "noop"),
      NULL_IN(xpuModuleGetKernel, "name", &outs.kernel, zoo.module(), nullptr),
      NULL_IN(xpuKernelGetAttributes, "attr", nullptr, zoo.kernel()),
      NULL_IN(xpuKernelGetParamInfo, "paramOffset", kernel("store"), 0, nullptr, &outs.size),
      NULL_IN(xpuInitFromNative, "desc", nullptr),
      NULL_IN(xpuStreamCreateFromNative, "pStream", nullptr, 0, nullptr),
      NULL_IN(xpuStreamCreateFromNative, "command_list", &outs.stream, 0, nullptr),
      NULL_IN(xpuStreamGetNative, "command_list", zoo.stream(), nullptr),
      NULL_IN(xpuEventGetNative, "native_event", zoo.event(), nullptr),
      NULL_IN(xpuKernelCreateFromNative, "pKernel", nullptr, 0, nullptr, "noop", 0, nullptr),
      NULL_IN(xpuKernelCreateFromNative, "module", &outs.kernel, 0, nullptr, "noop", 0, nullptr),
  };
  assert_all_refused(rows);
}

static void of_graph_h(void**) {
  static const Refusal rows[] = {
      NULL_IN(xpuGraphCreate, "pGraph", nullptr, 0),
      NULL_IN(xpuGraphClone, "pGraphClone", nullptr, zoo.graph()),
      NULL_IN(xpuGraphNodeFindInClone, "pNode", nullptr, zoo.node(), zoo.graph()),
      NULL_IN(xpuGraphAddDependencies, "from", zoo.graph(), nullptr, &a_node, nullptr, 1),
      NULL_IN(xpuGraphAddDependencies, "to", zoo.graph(), &a_node, nullptr, nullptr, 1),
      NULL_IN(xpuGraphAddDependencies, "from", zoo.graph(), nullptr, nullptr, nullptr, SIZE_MAX),
      NULL_IN(xpuGraphRemoveDependencies, "from", zoo.graph(), nullptr, &a_node, nullptr, 1),
      NULL_IN(xpuGraphRemoveDependencies, "to", zoo.graph(), &a_node, nullptr, nullptr, 1),
      NULL_IN(xpuGraphNodeGetType, "pType", zoo.node(), nullptr),
      NULL_IN(xpuGraphGetNodes, "numNodes", zoo.graph(), outs.from, nullptr),
      NULL_IN(xpuGraphGetRootNodes, "pNumRootNodes", zoo.graph(), outs.from, nullptr),
      NULL_IN(xpuGraphGetEdges, "numEdges", zoo.graph(), outs.from, outs.to, outs.edges, nullptr),
      NULL_IN(xpuGraphGetEdges, "to", zoo.graph(), outs.from, nullptr, outs.edges, &outs.count),
      NULL_IN(xpuGraphGetEdges, "from", zoo.graph(), nullptr, outs.to, outs.edges, &outs.count),
      NULL_IN(xpuGraphNodeGetDependencies, "pNumDependencies", zoo.node(), outs.from, outs.edges,
              nullptr),
      NULL_IN(xpuGraphNodeGetDependencies, "pDependencies", zoo.node(), nullptr, outs.edges,
              &outs.count),
      NULL_IN(xpuGraphNodeGetDependentNodes, "pNumDependentNodes", zoo.node(), outs.from,
              outs.edges, nullptr),
      NULL_IN(xpuGraphNodeGetDependentNodes, "pDependentNodes", zoo.node(), nullptr, outs.edges,
              &outs.count),
      NULL_IN(xpuGraphDebugDotPrint, "path", zoo.graph(), nullptr, 0),
      NULL_IN(xpuGraphMemoryReport, "size", zoo.graph(), xpuGraphMemoryReportText, nullptr,
              nullptr),
      NULL_IN(xpuGraphInstantiate, "pGraphExec", nullptr, zoo.graph(), 0),
      NULL_IN(xpuGraphInstantiateWithFlags, "pGraphExec", nullptr, zoo.graph(), 0),
      NULL_IN(xpuGraphExecGetFlags, "flags", zoo.exec(), nullptr),
  };
  assert_all_refused(rows);
}

static void host_nothing(void*) {}
static xpuKernelNodeParams kernel_params;
static xpuMemcpy3DParms copy_params;
static xpuMemsetParams fill_params;
static xpuHostNodeParams host_params;

static void of_node_h_adding(void**) {
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
  static const Refusal rows[] = {
      NULL_IN(xpuGraphAddKernelNode, "pGraphNode", nullptr, zoo.graph(), nullptr, 0,
              &kernel_params),
      NULL_IN(xpuGraphAddKernelNode, "pDependencies", &outs.node, zoo.graph(), nullptr, 1,
              &kernel_params),
      NULL_IN(xpuGraphAddKernelNode, "pNodeParams", &outs.node, zoo.graph(), nullptr, 0, nullptr),
      NULL_IN(xpuGraphAddMemcpyNode, "pGraphNode", nullptr, zoo.graph(), nullptr, 0, &copy_params),
      NULL_IN(xpuGraphAddMemcpyNode, "pCopyParams", &outs.node, zoo.graph(), nullptr, 0, nullptr),
      NULL_IN(xpuGraphAddMemcpyNode1D, "pGraphNode", nullptr, zoo.graph(), nullptr, 0, memory, host,
              8, xpuMemcpyDefault),
      NULL_IN(xpuGraphAddMemcpyNode1D, "dst", &outs.node, zoo.graph(), nullptr, 0, nullptr, host, 8,
              xpuMemcpyDefault),
      NULL_IN(xpuGraphAddMemcpyNode1D, "src", &outs.node, zoo.graph(), nullptr, 0, memory, nullptr,
              8, xpuMemcpyDefault),
      NULL_IN(xpuGraphAddMemsetNode, "pGraphNode", nullptr, zoo.graph(), nullptr, 0, &fill_params),
      NULL_IN(xpuGraphAddMemsetNode, "pMemsetParams", &outs.node, zoo.graph(), nullptr, 0, nullptr),
      NULL_IN(xpuGraphAddHostNode, "pGraphNode", nullptr, zoo.graph(), nullptr, 0, &host_params),
      NULL_IN(xpuGraphAddHostNode, "pNodeParams", &outs.node, zoo.graph(), nullptr, 0, nullptr),
      NULL_IN(xpuGraphAddChildGraphNode, "pGraphNode", nullptr, zoo.graph(), nullptr, 0,
              zoo.graph()),
      NULL_IN(xpuGraphAddEmptyNode, "pGraphNode", nullptr, zoo.graph(), nullptr, 0),
      NULL_IN(xpuGraphAddEmptyNode, "pDependencies", &outs.node, zoo.graph(), nullptr, SIZE_MAX),
      NULL_IN(xpuGraphAddEventRecordNode, "pGraphNode", nullptr, zoo.graph(), nullptr, 0,
              zoo.event()),
      NULL_IN(xpuGraphAddEventWaitNode, "pGraphNode", nullptr, zoo.graph(), nullptr, 0,
              zoo.event()),
  };
  assert_all_refused(rows);
}

static void of_node_h_reading_and_replacing(void**) {
  static xpuGraphNode_t k, c, f, h, g, r, w;
  k = add_one(zoo.graph(), nullptr, "noop");
  assert_ok(xpuGraphAddMemcpyNode(&c, zoo.graph(), nullptr, 0, &copy_params));
  assert_ok(xpuGraphAddMemsetNode(&f, zoo.graph(), nullptr, 0, &fill_params));
  assert_ok(xpuGraphAddHostNode(&h, zoo.graph(), nullptr, 0, &host_params));
  assert_ok(xpuGraphAddChildGraphNode(&g, zoo.graph(), nullptr, 0, zoo.graph()));
  assert_ok(xpuGraphAddEventRecordNode(&r, zoo.graph(), nullptr, 0, zoo.event()));
  assert_ok(xpuGraphAddEventWaitNode(&w, zoo.graph(), nullptr, 0, zoo.event()));
  static const Refusal rows[] = {
      NULL_IN(xpuGraphKernelNodeGetParams, "pNodeParams", k, nullptr),
      NULL_IN(xpuGraphKernelNodeSetParams, "pNodeParams", k, nullptr),
      NULL_IN(xpuGraphMemcpyNodeGetParams, "pNodeParams", c, nullptr),
      NULL_IN(xpuGraphMemcpyNodeSetParams, "pNodeParams", c, nullptr),
      NULL_IN(xpuGraphMemcpyNodeSetParams1D, "dst", c, nullptr, host, 8, xpuMemcpyDefault),
      NULL_IN(xpuGraphMemcpyNodeSetParams1D, "src", c, memory, nullptr, 8, xpuMemcpyDefault),
      NULL_IN(xpuGraphMemsetNodeGetParams, "pNodeParams", f, nullptr),
      NULL_IN(xpuGraphMemsetNodeSetParams, "pNodeParams", f, nullptr),
      NULL_IN(xpuGraphHostNodeGetParams, "pNodeParams", h, nullptr),
      NULL_IN(xpuGraphHostNodeSetParams, "pNodeParams", h, nullptr),
      NULL_IN(xpuGraphChildGraphNodeGetGraph, "pGraph", g, nullptr),
      NULL_IN(xpuGraphEventRecordNodeGetEvent, "event_out", r, nullptr),
      NULL_IN(xpuGraphEventWaitNodeGetEvent, "event_out", w, nullptr),
  };
  assert_all_refused(rows);
}

static void of_capture_h(void**) {
  static const Refusal rows[] = {
      NULL_IN(xpuStreamBeginCaptureToGraph, "dependencies", zoo.stream(), zoo.graph(), nullptr,
              nullptr, 1, xpuStreamCaptureModeRelaxed),
      NULL_IN(xpuStreamIsCapturing, "pCaptureStatus", zoo.stream(), nullptr),
      NULL_IN(xpuStreamGetCaptureInfo, "captureStatus_out", zoo.stream(), nullptr, &outs.wide,
              nullptr, nullptr, nullptr, nullptr),
      NULL_IN(xpuThreadExchangeStreamCaptureMode, "mode", nullptr),
  };
  assert_all_refused(rows);
}

static void the_query_of_the_last_failure_is_not_recorded(void**) {
  clear_outs();
  assert_code(xpuGetDeviceCount(nullptr), xpuErrorInvalidValue);
  xpuErrorInfo small = {};
  small.struct_size = 8;

  assert_code(xpuGetLastErrorInfo(nullptr), xpuErrorInvalidValue);
  assert_code(xpuGetLastErrorInfo(&small), xpuErrorInvalidValue);

  assert_string_equal("xpuGetDeviceCount", last_failure().function);
  assert_code(xpuGetLastError(), xpuErrorInvalidValue);
}

int main() {
  const Test tests[] = {
      xpu_test(of_device_h),
      xpu_test(of_stream_h_and_event_h),
      xpu_test(of_memory_h_allocations),
      xpu_test(of_memory_h_transfers),
      xpu_test(of_module_h_and_interop_h),
      xpu_test(of_graph_h),
      xpu_test(of_node_h_adding),
      xpu_test(of_node_h_reading_and_replacing),
      xpu_test(of_capture_h),
      xpu_test(the_query_of_the_last_failure_is_not_recorded),
  };
  return run_all(tests, open_all, close_all);
}
