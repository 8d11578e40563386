// SPDX-License-Identifier: Apache-2.0
// Finds the node that a failed instantiation was about, and what was wrong with it.
#include "capi/instantiate_result.h"

#include <algorithm>

#include "capi/cast.h"
#include "graph/order.h"
#include "runtime/kernel.h"

namespace xpu::capi {
namespace {

graph::Node* find_node(const graph::Graph& graph, uint64_t id) {
  for (graph::Node* node : graph.nodes()) {
    if (node->id() == id) return node;
    if (const auto* child = node->as<graph::ChildParams>()) {
      if (graph::Node* found = find_node(*child->graph(), id)) return found;
    }
  }
  return nullptr;
}

bool has_unused_handle(const graph::Graph& graph) {
  for (const std::shared_ptr<graph::Condition>& condition : graph::conditions_in(graph)) {
    if (!condition->node()) return true;
  }
  return false;
}

bool has_kernel_elsewhere(const graph::Graph& graph);

bool is_elsewhere(const graph::Node& node) {
  if (const auto* child = node.as<graph::ChildParams>())
    return has_kernel_elsewhere(*child->graph());
  if (const auto* conditional = node.as<graph::ConditionalParams>()) {
    const auto& bodies = conditional->bodies();
    return std::any_of(bodies.begin(), bodies.end(),
                       [](const auto& body) { return has_kernel_elsewhere(*body); });
  }
  const auto* params = node.as<graph::KernelParams>();
  if (!params) return false;
  Result<runtime::Runtime*> runtime = runtime::Runtime::get();
  const auto& kernel = static_cast<const runtime::Kernel&>(params->signature());
  return runtime.ok() && &kernel.device() != &runtime.value()->current();
}

// Kernels of other devices are refused in bodies alone, and if they are of too many devices.
bool has_kernel_elsewhere(const graph::Graph& graph) {
  const auto& nodes = graph.nodes();
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const graph::Node* node) { return is_elsewhere(*node); });
}

// In the graph, or in one inside it.
bool has_cycle(const graph::Graph& graph) {
  if (!graph::topological_order(graph).ok()) return true;
  for (const graph::Node* node : graph.nodes()) {
    if (const auto* child = node->as<graph::ChildParams>(); child && has_cycle(*child->graph()))
      return true;
    if (const auto* conditional = node->as<graph::ConditionalParams>()) {
      const auto& bodies = conditional->bodies();
      if (std::any_of(bodies.begin(), bodies.end(),
                      [](const std::shared_ptr<graph::Graph>& body) { return has_cycle(*body); }))
        return true;
    }
  }
  return false;
}

xpuGraphInstantiateResult result_of(const Status& status, const graph::Node& node) {
  const bool is_body = node.kind() == graph::NodeKind::conditional;
  if ((is_body || status.code() == xpuErrorNotSupported) && is_elsewhere(node))
    return xpuGraphInstantiateMultipleDevicesNotSupported;
  if (status.code() == xpuErrorNotSupported) return xpuGraphInstantiateNodeOperationNotSupported;
  if (has_cycle(node.graph())) return xpuGraphInstantiateInvalidStructure;
  return xpuGraphInstantiateError;
}

}  // namespace

void tell(const Status& status, xpuGraph_t graph, xpuGraphInstantiateParams* params) {
  params->errNode_out = nullptr;
  params->result_out = status.ok() ? xpuGraphInstantiateSuccess : xpuGraphInstantiateError;
  Result<graph::Graph*> of = live_graph(graph);
  if (status.ok() || !of.ok()) return;
  if (has_unused_handle(*of.value()))
    params->result_out = xpuGraphInstantiateConditionalHandleUnused;
  graph::Node* const node = find_node(*of.value(), status.detail()->node);
  if (!node) return;
  params->errNode_out = xpu::to_public<xpuGraphNode_t>(node->handle());
  params->result_out = result_of(status, *node);
}

}  // namespace xpu::capi
