// SPDX-License-Identifier: Apache-2.0
// Entry points of conditional.h, and conditional nodes for xpuGraphAddNode.
#include "capi/conditional.h"

#include <string>

#include "capi/memory_place.h"
#include "runtime/word.h"

using namespace xpu;
using namespace xpu::capi;

namespace xpu::capi {
namespace {

// More bodies than this are taken for a mistake: each is a graph with a handle.
constexpr unsigned kMostBodies = 1 << 16;

Status make_condition(xpuGraphConditionalHandle* out, xpuGraph_t graph, unsigned value,
                      unsigned flags) {
  XPU_TRY(require(out, "pHandle_out"));
  XPU_TRY_ASSIGN(graph::Graph * g, settled_graph(graph));
  if (flags & ~static_cast<unsigned>(xpuGraphCondAssignDefault))
    return invalid_value("flags must be 0 or xpuGraphCondAssignDefault", "flags");
  if (g->around(graph::NodeKind::child))
    return Status::error(
        xpuErrorNotSupported,
        "the graph is inside a child graph node, where conditional nodes cannot be", "graph");
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  XPU_TRY_ASSIGN(std::shared_ptr<uint32_t> word, runtime::make_word(runtime->current()));
  auto condition = std::make_shared<graph::Condition>(
      std::move(word),
      flags & xpuGraphCondAssignDefault ? std::optional<uint32_t>(value) : std::nullopt);
  *out = condition->handle();
  g->add_condition(std::move(condition));
  return {};
}

Result<graph::ParamsRef> make_params(const graph::Graph& graph,
                                     const xpuConditionalNodeParams& params) {
  std::shared_ptr<graph::Condition> condition = graph.find_condition(params.handle);
  if (!condition)
    return invalid_value(
        "this is no handle that xpuGraphConditionalHandleCreate gave for the graph or for one "
        "around it",
        "handle");
  if (params.size > kMostBodies)
    return invalid_value("size is " + std::to_string(params.size) + "; at most " +
                             std::to_string(kMostBodies) + " bodies are possible",
                         "size");
  std::vector<std::shared_ptr<graph::Graph>> bodies;
  for (unsigned i = 0; i < params.size; i++) {
    bodies.push_back(graph::Graph::make());
    bodies.back()->moved();
  }
  return graph::ConditionalParams::make(std::move(condition),
                                        static_cast<graph::Choice>(params.type), std::move(bodies));
}

}  // namespace

Status add_conditional(const Place& place, xpuConditionalNodeParams* params) {
  const auto put = [&](graph::Graph& graph,
                       std::span<graph::Node* const> dependencies) -> Result<graph::Node*> {
    XPU_TRY_ASSIGN(graph::ParamsRef made, make_params(graph, *params));
    xpuGraph_t* const bodies = made.as<graph::ConditionalParams>()->handles();
    XPU_TRY_ASSIGN(graph::Node * node,
                   graph.add(std::move(made), dependencies, place.count ? place.data : nullptr));
    params->phGraph_out = bodies;
    return node;
  };
  return spelled(put_node(place, put), {{"handle", "nodeParams->conditional.handle"},
                                        {"size", "nodeParams->conditional.size"},
                                        {"type", "nodeParams->conditional.type"}});
}

Status check_copyable(const graph::Graph& graph, const char* what, const char* argument) {
  XPU_TRY(check_no_memory(graph, what, argument));
  if (!graph.is_conditional()) return {};
  return Status::error(xpuErrorNotSupported,
                       std::string("a graph with conditional nodes cannot be ") + what, argument);
}

}  // namespace xpu::capi

xpuError_t xpuGraphConditionalHandleCreate(xpuGraphConditionalHandle* pHandle_out, xpuGraph_t graph,
                                           unsigned int defaultLaunchValue, unsigned int flags) {
  return guard(__func__,
               [&] { return make_condition(pHandle_out, graph, defaultLaunchValue, flags); });
}
