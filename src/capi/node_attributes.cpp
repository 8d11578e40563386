// SPDX-License-Identifier: Apache-2.0
// Entry points of launch.h for attributes of kernel nodes.
#include <xpugraph/launch.h>

#include "capi/guard.h"
#include "capi/node_params.h"
#include "runtime/device.h"
#include "runtime/kernel.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

const runtime::Kernel& kernel_of(const graph::Node& node) {
  return static_cast<const runtime::Kernel&>(node.as<graph::KernelParams>()->signature());
}

Result<graph::Node*> kernel_node(xpuGraphNode_t handle, const char* argument) {
  return node_of_kind(handle, graph::NodeKind::kernel, argument);
}

Status check_device(const graph::Node& node, xpuLaunchAttributeID attr,
                    const xpuLaunchAttributeValue& value) {
  if (attr != xpuLaunchAttributeCooperative || !value.cooperative) return {};
  if (kernel_of(node).device().ze().engines().cooperative) return {};
  return Status::error(xpuErrorNotSupported,
                       "the device has no cooperative launches; xpuDevAttrCooperativeLaunch tells",
                       "value");
}

}  // namespace

xpuError_t xpuGraphKernelNodeSetAttribute(xpuGraphNode_t hNode, xpuLaunchAttributeID attr,
                                          const xpuLaunchAttributeValue* value) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(graph::Node * node, node_to_set(hNode, graph::NodeKind::kernel, "hNode"));
    XPU_TRY(require(value, "value"));
    XPU_TRY(graph::check_node_attribute(attr, *value));
    XPU_TRY(check_device(*node, attr, *value));
    const auto* params = node->as<graph::KernelParams>();
    auto attributes = std::make_shared<graph::LaunchAttributes>();
    if (params->attributes()) *attributes = *params->attributes();
    attributes->set(attr, *value);
    node->set_params(params->with(std::move(attributes)));
    return {};
  });
}

xpuError_t xpuGraphKernelNodeGetAttribute(xpuGraphNode_t hNode, xpuLaunchAttributeID attr,
                                          xpuLaunchAttributeValue* value_out) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const graph::Node* node, kernel_node(hNode, "hNode"));
    XPU_TRY(require(value_out, "value_out"));
    if (!graph::is_node_attribute(attr))
      return invalid_value(
          "attribute " + std::to_string(static_cast<int>(attr)) + " is none that a kernel node has",
          "attr");
    const auto& attributes = node->as<graph::KernelParams>()->attributes();
    *value_out = attributes ? attributes->get(attr) : graph::LaunchAttributes().get(attr);
    return {};
  });
}

xpuError_t xpuGraphKernelNodeCopyAttributes(xpuGraphNode_t hDst, xpuGraphNode_t hSrc) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(graph::Node * to, node_to_set(hDst, graph::NodeKind::kernel, "hDst"));
    XPU_TRY_ASSIGN(const graph::Node* from, kernel_node(hSrc, "hSrc"));
    if (&kernel_of(*to).device() != &kernel_of(*from).device())
      return invalid_value("the kernels of the two nodes are of different devices", "hSrc");
    to->set_params(
        to->as<graph::KernelParams>()->with(from->as<graph::KernelParams>()->attributes()));
    return {};
  });
}
