// SPDX-License-Identifier: Apache-2.0
// Entry points of node.h for memory nodes, and those of mempool.h about the memory of graphs.
#include <xpugraph/mempool.h>
#include <xpugraph/node.h>

#include <algorithm>
#include <vector>

#include "capi/copy_in.h"
#include "capi/memory_node.h"
#include "capi/memory_place.h"
#include "capi/node_params.h"
#include "memory/graph_memory.h"
#include "memory/ledger.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

xpuMemAllocNodeParams as_public(const graph::AllocParams& params) {
  // Kept for the caller until this thread asks again.
  thread_local std::vector<xpuMemAccessDesc> shown;
  shown.clear();
  for (const int device : params.access())
    shown.push_back({{xpuMemLocationTypeDevice, device}, xpuMemAccessFlagsProtReadWrite});
  xpuMemAllocNodeParams known = {};
  known.struct_size = sizeof known;
  known.poolProps.struct_size = sizeof known.poolProps;
  known.poolProps.allocType = xpuMemAllocationTypePinned;
  known.poolProps.location = {xpuMemLocationTypeDevice, params.device()};
  known.accessDescs = shown.empty() ? nullptr : shown.data();
  known.accessDescCount = shown.size();
  known.bytesize = params.size();
  known.dptr = params.address();
  return known;
}

}  // namespace

namespace xpu::capi {

Status add_alloc(const Place& place, xpuMemAllocNodeParams* params, const char* argument) {
  void* address = nullptr;
  const auto put = [&](graph::Graph& graph,
                       std::span<graph::Node* const> dependencies) -> Result<graph::Node*> {
    xpuMemAllocNodeParams asked;
    XPU_TRY(copy_in(asked, params, argument));
    XPU_TRY_ASSIGN(runtime::Device * device, place_of(asked.poolProps, argument));
    XPU_TRY_ASSIGN(std::vector<int> access,
                   access_of(asked.accessDescs, asked.accessDescCount, *device, argument));
    XPU_TRY_ASSIGN(graph::ParamsRef wanted,
                   graph::AllocParams::make(device->index(), asked.bytesize, std::move(access)));
    XPU_TRY_ASSIGN(graph::Node * node,
                   memory::add_alloc(graph, std::move(wanted), *device, dependencies, place.data));
    address = node->as<graph::AllocParams>()->address();
    return node;
  };
  XPU_TRY(put_node(place, put));
  params->dptr = address;
  return {};
}

Status add_free(const Place& place, void* dptr) {
  return put_node(place, [&](graph::Graph& graph, std::span<graph::Node* const> dependencies) {
    return memory::add_free(graph, dptr, dependencies, place.data);
  });
}

}  // namespace xpu::capi

xpuError_t xpuGraphAddMemAllocNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                   const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                   xpuMemAllocNodeParams* nodeParams) {
  return guard(__func__, [&] {
    return add_alloc({pGraphNode, graph, pDependencies, numDependencies}, nodeParams, "nodeParams");
  });
}

xpuError_t xpuGraphAddMemFreeNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                  const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                  void* dptr) {
  return guard(__func__, [&] {
    return add_free({pGraphNode, graph, pDependencies, numDependencies}, dptr);
  });
}

xpuError_t xpuGraphMemAllocNodeGetParams(xpuGraphNode_t node, xpuMemAllocNodeParams* params_out) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(node, graph::NodeKind::mem_alloc));
    XPU_TRY(check_out_size(params_out, sizeof(xpuMemAllocNodeParams), "params_out"));
    copy_out(params_out, as_public(*n->as<graph::AllocParams>()));
    return {};
  });
}

xpuError_t xpuGraphMemFreeNodeGetParams(xpuGraphNode_t node, void* dptr_out) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(node, graph::NodeKind::mem_free));
    XPU_TRY(require(dptr_out, "dptr_out"));
    *static_cast<void**>(dptr_out) = n->as<graph::FreeParams>()->address();
    return {};
  });
}

xpuError_t xpuDeviceGraphMemTrim(int device) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const runtime::Device* d, find_device(device));
    memory::trim(*d);
    return {};
  });
}

xpuError_t xpuDeviceGetGraphMemAttribute(int device, xpuGraphMemAttributeType attr, void* value) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const runtime::Device* d, find_device(device));
    XPU_TRY(require(value, "value"));
    memory::Ledger& ledger = memory::Ledger::get();
    const std::lock_guard hold(ledger.mutex);
    const memory::Usage& usage = ledger.usage(d->index());
    uint64_t answer = 0;
    switch (attr) {
      case xpuGraphMemAttrUsedMemCurrent:
        answer = usage.used;
        break;
      case xpuGraphMemAttrUsedMemHigh:
        answer = usage.used_high;
        break;
      case xpuGraphMemAttrReservedMemCurrent:
        answer = usage.reserved;
        break;
      case xpuGraphMemAttrReservedMemHigh:
        answer = usage.reserved_high;
        break;
      default:
        return invalid_value("attr is " + std::to_string(static_cast<int>(attr)) +
                                 ", which is no xpuGraphMemAttributeType",
                             "attr");
    }
    *static_cast<uint64_t*>(value) = answer;
    return {};
  });
}

xpuError_t xpuDeviceSetGraphMemAttribute(int device, xpuGraphMemAttributeType attr, void* value) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const runtime::Device* d, find_device(device));
    XPU_TRY(require(value, "value"));
    if (attr != xpuGraphMemAttrUsedMemHigh && attr != xpuGraphMemAttrReservedMemHigh)
      return invalid_value("only the two highs can be set", "attr");
    if (*static_cast<const uint64_t*>(value) != 0)
      return invalid_value("a high can only be set to 0", "value");
    memory::Ledger& ledger = memory::Ledger::get();
    const std::lock_guard hold(ledger.mutex);
    memory::Usage& usage = ledger.usage(d->index());
    if (attr == xpuGraphMemAttrUsedMemHigh) usage.used_high = usage.used;
    if (attr == xpuGraphMemAttrReservedMemHigh) usage.reserved_high = usage.reserved;
    return {};
  });
}
