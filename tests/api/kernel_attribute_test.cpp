// SPDX-License-Identifier: Apache-2.0
// Attributes of kernel nodes and of launches: which there are, and which values.
#include <math.h>

#include "attributes.h"

using namespace xpu::test;

static xpuLaunchAttributeValue of_window(float ratio, int hit, int miss) {
  xpuLaunchAttributeValue value = none();
  value.accessPolicyWindow = {&value,
                              4096,
                              ratio,
                              static_cast<xpuAccessProperty>(hit),
                              static_cast<xpuAccessProperty>(miss),
                              0};
  return value;
}
static void a_node_has_cudas_values_until_they_are_set(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t node = add_one(graph, nullptr, "noop");
  const xpuLaunchAttributeValue zero = none();
  static const xpuLaunchAttributeID zeros[] = {xpuLaunchAttributeAccessPolicyWindow,
                                               xpuLaunchAttributeCooperative,
                                               xpuLaunchAttributeClusterDimension,
                                               xpuLaunchAttributeClusterSchedulingPolicyPreference,
                                               xpuLaunchAttributePriority,
                                               xpuLaunchAttributeMemSyncDomain,
                                               xpuLaunchAttributePreferredClusterDimension,
                                               xpuLaunchAttributeDeviceUpdatableKernelNode,
                                               xpuLaunchAttributeNvlinkUtilCentricScheduling};
  for (const xpuLaunchAttributeID id : zeros) {
    const xpuLaunchAttributeValue value = get(node, id);
    assert_memory_equal(&zero, &value, sizeof value);
  }
  assert_int_equal(0, get(node, xpuLaunchAttributeMemSyncDomainMap).memSyncDomainMap.default_);
  assert_int_equal(1, get(node, xpuLaunchAttributeMemSyncDomainMap).memSyncDomainMap.remote);
  assert_int_equal(UINT32_MAX,
                   get(node, xpuLaunchAttributePreferredSharedMemoryCarveout).sharedMemCarveout);
  assert_ok(xpuGraphDestroy(graph));
}

struct Row {
  int id;
  xpuLaunchAttributeValue value;
  xpuError_t code;
};

static void what_is_set_is_told_and_the_rest_refused(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t node = add_one(graph, nullptr, "noop");
  xpuLaunchAttributeValue updatable = none(), map = none();
  updatable.deviceUpdatableKernelNode.deviceUpdatable = 1;
  map.memSyncDomainMap = {1, 0};
  const Row rows[] = {
      {xpuLaunchAttributeAccessPolicyWindow, of_window(0.5f, 2, 1), xpuSuccess},
      {xpuLaunchAttributeAccessPolicyWindow, of_window(1.5f, 2, 1), xpuErrorInvalidValue},
      {xpuLaunchAttributeAccessPolicyWindow, of_window(-0.1f, 2, 1), xpuErrorInvalidValue},
      {xpuLaunchAttributeAccessPolicyWindow, of_window(NAN, 2, 1), xpuErrorInvalidValue},
      {xpuLaunchAttributeAccessPolicyWindow, of_window(0, 3, 0), xpuErrorInvalidValue},
      {xpuLaunchAttributeAccessPolicyWindow, of_window(0, 0, 2), xpuErrorInvalidValue},
      {xpuLaunchAttributeClusterDimension, of_clusters(1, 1, 1), xpuSuccess},
      {xpuLaunchAttributeClusterDimension, of_clusters(2, 1, 1), xpuErrorNotSupported},
      {xpuLaunchAttributeClusterDimension, of_clusters(1, 0, 1), xpuErrorInvalidValue},
      {xpuLaunchAttributePreferredClusterDimension, of_clusters(4, 1, 1), xpuErrorNotSupported},
      {xpuLaunchAttributeClusterSchedulingPolicyPreference, of_number(2), xpuSuccess},
      {xpuLaunchAttributeClusterSchedulingPolicyPreference, of_number(3), xpuErrorInvalidValue},
      {xpuLaunchAttributePriority, of_number(-1), xpuSuccess},
      {xpuLaunchAttributeMemSyncDomainMap, map, xpuSuccess},
      {xpuLaunchAttributeMemSyncDomain, of_number(1), xpuSuccess},
      {xpuLaunchAttributeMemSyncDomain, of_number(2), xpuErrorInvalidValue},
      {xpuLaunchAttributeDeviceUpdatableKernelNode, none(), xpuSuccess},
      {xpuLaunchAttributeDeviceUpdatableKernelNode, updatable, xpuErrorNotSupported},
      {xpuLaunchAttributePreferredSharedMemoryCarveout, of_number(50), xpuSuccess},
      {xpuLaunchAttributePreferredSharedMemoryCarveout, of_number(101), xpuErrorInvalidValue},
      {xpuLaunchAttributePreferredSharedMemoryCarveout, of_number(-1), xpuSuccess},
      {xpuLaunchAttributeNvlinkUtilCentricScheduling, of_number(1), xpuSuccess},
      {xpuLaunchAttributeNvlinkUtilCentricScheduling, of_number(2), xpuErrorInvalidValue},
      {xpuLaunchAttributeIgnore, none(), xpuErrorInvalidValue},
      {xpuLaunchAttributeSynchronizationPolicy, none(), xpuErrorInvalidValue},
      {xpuLaunchAttributeProgrammaticStreamSerialization, none(), xpuErrorInvalidValue},
      {xpuLaunchAttributeProgrammaticEvent, none(), xpuErrorInvalidValue},
      {xpuLaunchAttributeLaunchCompletionEvent, none(), xpuErrorInvalidValue},
      {15, none(), xpuErrorInvalidValue},
      {99, none(), xpuErrorInvalidValue},
      {-1, none(), xpuErrorInvalidValue},
  };
  for (const Row& row : rows) {
    const auto id = static_cast<xpuLaunchAttributeID>(row.id);
    xpuLaunchAttributeValue before = none(), after = none();
    const bool known = xpuGraphKernelNodeGetAttribute(node, id, &before) == xpuSuccess;
    const xpuError_t got = xpuGraphKernelNodeSetAttribute(node, id, &row.value);
    if (got != row.code) print_error("attribute %d: %s\n", row.id, xpuGetErrorName(got));
    assert_int_equal(row.code, got);
    if (!known) continue;
    assert_ok(xpuGraphKernelNodeGetAttribute(node, id, &after));
    assert_memory_equal(got == xpuSuccess ? &row.value : &before, &after, sizeof after);
  }
  assert_ok(xpuGraphDestroy(graph));
}

static void attributes_are_of_kernel_nodes(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t node = add_one(graph, nullptr, "noop");
  xpuGraphNode_t empty = nullptr;
  xpuLaunchAttributeValue value = of_number(-1);
  const xpuLaunchAttributeID id = xpuLaunchAttributePriority;
  assert_ok(xpuGraphAddEmptyNode(&empty, graph, nullptr, 0));
  assert_code(xpuGraphKernelNodeSetAttribute(nullptr, id, &value), xpuErrorInvalidValue);
  assert_code(xpuGraphKernelNodeSetAttribute(empty, id, &value), xpuErrorInvalidValue);
  assert_string_equal("hNode", last_failure().argument);
  assert_code(xpuGraphKernelNodeSetAttribute(node, id, nullptr), xpuErrorInvalidValue);
  assert_code(xpuGraphKernelNodeGetAttribute(nullptr, id, &value), xpuErrorInvalidValue);
  assert_code(xpuGraphKernelNodeGetAttribute(empty, id, &value), xpuErrorInvalidValue);
  assert_code(xpuGraphKernelNodeGetAttribute(node, id, nullptr), xpuErrorInvalidValue);
  assert_code(xpuGraphKernelNodeCopyAttributes(nullptr, node), xpuErrorInvalidValue);
  assert_code(xpuGraphKernelNodeCopyAttributes(node, empty), xpuErrorInvalidValue);
  assert_string_equal("hSrc", last_failure().argument);
  assert_ok(xpuGraphDestroy(graph));
}

static void attributes_stay_and_are_copied(void**) {
  const xpuGraph_t graph = new_graph(), other = new_graph();
  const xpuGraphNode_t node = add_one(graph, nullptr, "noop");
  const xpuGraphNode_t target = add_one(other, nullptr, "noop");
  const xpuLaunchAttributeValue priority = of_number(-1), domain = of_number(1);
  xpuGraph_t clone = nullptr;
  xpuGraphNode_t twin = nullptr;
  xpuKernelNodeParams params = {};
  params.struct_size = sizeof params;
  assert_ok(xpuGraphKernelNodeSetAttribute(node, xpuLaunchAttributePriority, &priority));
  assert_ok(xpuGraphKernelNodeSetAttribute(target, xpuLaunchAttributeMemSyncDomain, &domain));

  // Parameters are something else.
  assert_ok(xpuGraphKernelNodeGetParams(node, &params));
  assert_ok(xpuGraphKernelNodeSetParams(node, &params));
  assert_int_equal(-1, get(node, xpuLaunchAttributePriority).priority);
  assert_ok(xpuGraphClone(&clone, graph));
  assert_ok(xpuGraphNodeFindInClone(&twin, node, clone));
  assert_int_equal(-1, get(twin, xpuLaunchAttributePriority).priority);
  // All of them are copied, and what was there goes.
  assert_ok(xpuGraphKernelNodeCopyAttributes(target, twin));
  assert_int_equal(-1, get(target, xpuLaunchAttributePriority).priority);
  assert_int_equal(0, get(target, xpuLaunchAttributeMemSyncDomain).memSyncDomain);
  assert_ok(xpuGraphKernelNodeCopyAttributes(target, target));
  run(other);
  assert_ok(xpuGraphDestroy(clone));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphDestroy(other));
}

// ---- launches with attributes

static xpuLaunchConfig_t config_for(xpuStream_t stream, xpuLaunchAttribute* attrs = nullptr,
                                    unsigned count = 0) {
  xpuLaunchConfig_t config = {};
  config.struct_size = sizeof config;
  config.gridDim = dim(1);
  config.blockDim = dim(1);
  config.stream = stream;
  config.attrs = attrs;
  config.numAttrs = count;
  return config;
}

static void a_launch_has_attributes(void**) {
  int* p = device_ints(1);
  const xpuStream_t stream = new_stream();
  Args<int*, int, int> args(p, 0, 3);
  xpuLaunchAttribute attrs[4] = {};
  attrs[0].id = xpuLaunchAttributeIgnore;
  attrs[1].id = xpuLaunchAttributePriority;
  attrs[1].val = of_number(5);
  attrs[2].id = xpuLaunchAttributeProgrammaticStreamSerialization;
  attrs[2].val = of_number(1);
  attrs[3].id = xpuLaunchAttributePriority;
  attrs[3].val = of_number(-1);
  xpuLaunchConfig_t config = config_for(stream, attrs, 4);
  xpuGraph_t graph = nullptr;
  xpuGraphNode_t node = nullptr;
  size_t count = 1;
  assert_ok(xpuLaunchKernelExC(&config, kernel("add"), args.get()));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(3, fetch(p));

  assert_ok(xpuStreamBeginCapture(stream, xpuStreamCaptureModeThreadLocal));
  assert_ok(xpuLaunchKernelExC(&config, kernel("add"), args.get()));
  assert_ok(xpuStreamEndCapture(stream, &graph));
  assert_ok(xpuGraphGetNodes(graph, &node, &count));
  assert_int_equal(-1, get(node, xpuLaunchAttributePriority).priority);
  run(graph);
  if (shown(executes)) assert_int_equal(6, fetch(p));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuFree(p));
}

static void a_captured_kernel_has_its_streams_priority(void**) {
  xpuStream_t stream = nullptr;
  xpuGraph_t graph = nullptr;
  xpuGraphNode_t node = nullptr;
  size_t count = 1;
  int greatest = 0;
  assert_ok(xpuDeviceGetStreamPriorityRange(nullptr, &greatest));
  assert_ok(xpuStreamCreateWithPriority(&stream, xpuStreamNonBlocking, greatest));
  assert_ok(xpuStreamBeginCapture(stream, xpuStreamCaptureModeThreadLocal));
  launch_one(stream, "noop");
  assert_ok(xpuStreamEndCapture(stream, &graph));
  assert_ok(xpuGraphGetNodes(graph, &node, &count));
  assert_int_equal(greatest, get(node, xpuLaunchAttributePriority).priority);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(stream));
}

static void a_launch_refuses_what_is_wrong(void**) {
  const xpuStream_t stream = new_stream();
  xpuLaunchAttribute attr = {};
  xpuLaunchConfig_t config = config_for(stream, &attr, 1);
  const xpuKernel_t noop = kernel("noop");
  const Row rows[] = {
      {xpuLaunchAttributeSynchronizationPolicy, none(), xpuErrorInvalidValue},
      {xpuLaunchAttributeProgrammaticStreamSerialization, of_number(2), xpuErrorInvalidValue},
      {xpuLaunchAttributeProgrammaticEvent, none(), xpuErrorNotSupported},
      {xpuLaunchAttributeLaunchCompletionEvent, none(), xpuErrorNotSupported},
      {xpuLaunchAttributeClusterDimension, of_clusters(2, 1, 1), xpuErrorNotSupported},
      {77, none(), xpuErrorInvalidValue},
  };
  for (const Row& row : rows) {
    attr.id = static_cast<xpuLaunchAttributeID>(row.id);
    attr.val = row.value;
    assert_code(xpuLaunchKernelExC(&config, noop, nullptr), row.code);
    assert_string_equal("config->attrs", last_failure().argument);
  }
  config.attrs = nullptr;
  assert_code(xpuLaunchKernelExC(&config, noop, nullptr), xpuErrorInvalidValue);
  config = config_for(stream);
  config.gridDim.y = 0;
  assert_code(xpuLaunchKernelExC(&config, noop, nullptr), xpuErrorInvalidConfiguration);
  assert_string_equal("config->gridDim", last_failure().argument);
  config = config_for(stream);
  assert_code(xpuLaunchKernelExC(&config, nullptr, nullptr), xpuErrorInvalidDeviceFunction);
  assert_code(xpuLaunchKernelExC(nullptr, noop, nullptr), xpuErrorInvalidValue);
  config.struct_size = 4;
  assert_code(xpuLaunchKernelExC(&config, noop, nullptr), xpuErrorInvalidValue);
  config = config_for(reinterpret_cast<xpuStream_t>(noop));
  assert_code(xpuLaunchKernelExC(&config, noop, nullptr), xpuErrorInvalidResourceHandle);
  assert_string_equal("config->stream", last_failure().argument);
  assert_code(xpuLaunchCooperativeKernel(nullptr, dim(1), dim(1), nullptr, 0, stream),
              xpuErrorInvalidDeviceFunction);
  assert_ok(xpuStreamDestroy(stream));
}

int main(void) {
  const Test tests[] = {
      xpu_test(a_node_has_cudas_values_until_they_are_set),
      xpu_test(what_is_set_is_told_and_the_rest_refused),
      xpu_test(attributes_are_of_kernel_nodes),
      xpu_test(attributes_stay_and_are_copied),
      xpu_test(a_launch_has_attributes, results(executes)),
      xpu_test(a_captured_kernel_has_its_streams_priority),
      xpu_test(a_launch_refuses_what_is_wrong),
  };
  return run_all(tests, load_first);
}
