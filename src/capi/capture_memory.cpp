// SPDX-License-Identifier: Apache-2.0
// Captured allocation: from the capture's private pool, or as a node of the graph.
#include "capi/capture_memory.h"

#include <memory>

#include "memory/graph_memory.h"
#include "memory/graph_pool.h"

namespace xpu::capi {
namespace {

memory::PoolCapture* pool_of(const capture::View& view) noexcept {
  return static_cast<memory::PoolCapture*>(view.session().memory.get());
}

Status malloc_node(const char* call, capture::View& view, void** out, size_t size,
                   runtime::Device& device, std::vector<int> access) {
  if (view.session().recapture) {
    XPU_TRY_ASSIGN(const graph::Node* node,
                   view.memory_again<graph::AllocParams>(
                       call, graph::NodeKind::mem_alloc, [&](const graph::AllocParams& was) {
                         return was.size() == size && was.device() == device.index() &&
                                was.access() == access;
                       }));
    *out = node->as<graph::AllocParams>()->address();
    return {};
  }
  const capture::Frontier& frontier = view.participant().frontier;
  XPU_TRY_ASSIGN(graph::ParamsRef params,
                 graph::AllocParams::make(device.index(), size, std::move(access)));
  XPU_TRY_ASSIGN(graph::Node * node, memory::add_alloc(*view.session().graph, std::move(params),
                                                       device, frontier.nodes(), frontier.data()));
  view.advance(node);
  *out = node->as<graph::AllocParams>()->address();
  return {};
}

}  // namespace

// A failure does not spoil the capture, unless it is one again: the program knows that it has no
// memory.
Status capture_malloc(const char* call, capture::View& view, void** out, size_t size,
                      runtime::Device& device, std::vector<int> access) {
  if (!view.session().ok()) return view.session().invalidated();
  memory::PoolCapture* const pool = pool_of(view);
  if (!pool) return malloc_node(call, view, out, size, device, std::move(access));
  XPU_TRY_ASSIGN(*out, pool->allocate(device, size, view.participant().frontier.nodes()));
  return {};
}

Status capture_free(const char* call, capture::View& view, void* address) {
  if (!view.session().ok()) return view.session().invalidated();
  if (view.session().recapture)
    return view
        .memory_again<graph::FreeParams>(
            call, graph::NodeKind::mem_free,
            [&](const graph::FreeParams& was) { return was.address() == address; })
        .take_status();
  memory::PoolCapture* const pool = pool_of(view);
  if (pool && pool->free(address, view.participant().frontier.nodes())) return {};
  return view.add_node(call, [&](graph::Graph& graph, const capture::Frontier& frontier) {
    return memory::add_free(graph, address, frontier.nodes(), frontier.data());
  });
}

}  // namespace xpu::capi
