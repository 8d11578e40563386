// SPDX-License-Identifier: Apache-2.0
// Random calls that add nodes of each kind, and set what they do.
#include <iterator>
#include <vector>

#include "fuzz/params.h"
#include "fuzz/program.h"

namespace fuzz {
namespace {

// Calls `add` with where the node goes, and takes the node up if there is one.
template <class Add>
xpuError_t added(World& world, Bytes& in, Add&& add) {
  const std::vector<xpuGraphNode_t> before = world.some_nodes(in);
  auto node = static_cast<xpuGraphNode_t>(kUntouched);
  const xpuError_t answer =
      add(in.pick(64) ? &node : nullptr, world.graph(in), before.data(), before.size());
  must_hold(answer != xpuSuccess || node != kUntouched, "a node is told if there is one");
  must_hold(answer == xpuSuccess || node == kUntouched, "a failed call writes nothing");
  if (answer == xpuSuccess) world.nodes.add(node);
  return answer;
}

xpuError_t add_kernel(World& world, Bytes& in) {
  KernelNode kernel(world, in);
  return added(world, in, [&](auto... at) { return xpuGraphAddKernelNode(at..., &kernel.params); });
}
xpuError_t set_kernel(World& world, Bytes& in) {
  KernelNode kernel(world, in);
  return xpuGraphKernelNodeSetParams(world.node(in), &kernel.params);
}
xpuError_t get_kernel(World& world, Bytes& in) {
  xpuKernelNodeParams params = {};
  params.struct_size = sizeof params;
  return xpuGraphKernelNodeGetParams(world.node(in), &params);
}
xpuError_t add_fill(World& world, Bytes& in) {
  const xpuMemsetParams params = fill(world, in);
  return added(world, in, [&](auto... at) { return xpuGraphAddMemsetNode(at..., &params); });
}
xpuError_t set_fill(World& world, Bytes& in) {
  const xpuMemsetParams params = fill(world, in);
  return xpuGraphMemsetNodeSetParams(world.node(in), &params);
}
xpuError_t add_copy(World& world, Bytes& in) {
  const CopyOf copy(world, in);
  return added(world, in, [&](auto... at) {
    return xpuGraphAddMemcpyNode1D(at..., copy.to, copy.from, copy.size, copy.kind);
  });
}
xpuError_t set_copy(World& world, Bytes& in) {
  const CopyOf copy(world, in);
  return xpuGraphMemcpyNodeSetParams1D(world.node(in), copy.to, copy.from, copy.size, copy.kind);
}
xpuError_t add_block(World& world, Bytes& in) {
  const xpuMemcpy3DParms params = block(world, in);
  return added(world, in, [&](auto... at) { return xpuGraphAddMemcpyNode(at..., &params); });
}
xpuError_t add_host(World& world, Bytes& in) {
  const xpuHostNodeParams params = host(in);
  return added(world, in, [&](auto... at) { return xpuGraphAddHostNode(at..., &params); });
}
xpuError_t add_child(World& world, Bytes& in) {
  const xpuGraph_t child = world.graph(in);
  return added(world, in, [&](auto... at) { return xpuGraphAddChildGraphNode(at..., child); });
}
xpuError_t child_of(World& world, Bytes& in) {
  auto graph = static_cast<xpuGraph_t>(kUntouched);
  const xpuError_t answer = xpuGraphChildGraphNodeGetGraph(world.node(in), &graph);
  // Its nodes may be edited and used with other graphs by mistake; the graph itself belongs to the
  // node.
  if (answer == xpuSuccess) world.look_at(graph);
  return answer;
}
xpuError_t add_empty(World& world, Bytes& in) {
  return added(world, in, [](auto... at) { return xpuGraphAddEmptyNode(at...); });
}
xpuError_t add_record(World& world, Bytes& in) {
  const xpuEvent_t event = world.event(in);
  return added(world, in, [&](auto... at) { return xpuGraphAddEventRecordNode(at..., event); });
}
xpuError_t add_wait(World& world, Bytes& in) {
  const xpuEvent_t event = world.event(in);
  return added(world, in, [&](auto... at) { return xpuGraphAddEventWaitNode(at..., event); });
}
template <class Semaphores, auto kCall>
xpuError_t add_external(World& world, Bytes& in) {
  const Semaphores what(world, in);
  return added(world, in, [&](auto... at) { return kCall(at..., &what.params); });
}
template <class Semaphores, auto kCall>
xpuError_t set_external(World& world, Bytes& in) {
  const Semaphores what(world, in);
  return kCall(world.node(in), &what.params);
}
xpuError_t get_batch(World& world, Bytes& in) {
  xpuBatchMemOpNodeParams params = {};
  params.struct_size = sizeof params;
  return xpuGraphBatchMemOpNodeGetParams(world.node(in), &params);
}
xpuError_t get_semaphores(World& world, Bytes& in) {
  xpuExternalSemaphoreSignalNodeParams params = {};
  params.struct_size = sizeof params;
  return xpuGraphExternalSemaphoresSignalNodeGetParams(world.node(in), &params);
}
xpuError_t add_allocation(World& world, Bytes& in) {
  xpuMemAllocNodeParams params = allocation(in);
  return added(world, in, [&](auto... at) { return xpuGraphAddMemAllocNode(at..., &params); });
}
// The end of an allocation, or an attempt at something else.
xpuError_t add_free(World& world, Bytes& in) {
  xpuMemAllocNodeParams params = {};
  params.struct_size = sizeof params;
  void* address = world.memory(in).address;
  if (xpuGraphMemAllocNodeGetParams(world.node(in), &params) == xpuSuccess) address = params.dptr;
  (void)xpuGetLastError();
  return added(world, in, [&](auto... at) { return xpuGraphAddMemFreeNode(at..., address); });
}

// The union, of which at times more is set than may be.
xpuError_t add_any(World& world, Bytes& in) {
  xpuGraphNodeParams params = {};
  params.struct_size = sizeof params;
  params.type = static_cast<xpuGraphNodeType>(in.pick(18));
  KernelNode kernel(world, in);
  const SignalNode signals(world, in);
  const WaitNode waits(world, in);
  const BatchNode batch(world, in);
  switch (static_cast<int>(params.type)) {
    case xpuGraphNodeTypeKernel:
      params.kernel = kernel.params;
      break;
    case xpuGraphNodeTypeMemset:
      params.memset = fill(world, in);
      break;
    case xpuGraphNodeTypeHost:
      params.host = host(in);
      break;
    case xpuGraphNodeTypeGraph:
      params.graph.graph = world.graph(in);
      params.graph.ownership = static_cast<xpuGraphChildGraphNodeOwnership>(in.pick(3));
      break;
    case xpuGraphNodeTypeMemAlloc:
      params.alloc = allocation(in);
      break;
    case xpuGraphNodeTypeExtSemaphoreSignal:
      params.extSemSignal = signals.params;
      break;
    case xpuGraphNodeTypeExtSemaphoreWait:
      params.extSemWait = waits.params;
      break;
    case xpuGraphNodeTypeBatchMemOp:
      params.memOp = batch.params;
      break;
    default:
      break;
  }
  if (in.pick(16) == 0) params.reserved1[28 - in.pick(4)] = in.byte();
  const xpuGraph_t moved = params.type == xpuGraphNodeTypeGraph ? params.graph.graph : nullptr;
  const xpuError_t answer =
      added(world, in,
            [&](xpuGraphNode_t* out, xpuGraph_t graph, const xpuGraphNode_t* before, size_t count) {
              return xpuGraphAddNode(out, graph, before, nullptr, count, &params);
            });
  if (answer == xpuSuccess && moved && params.graph.ownership) world.graphs.remove(moved);
  // Bodies belong to their node, but are filled as other graphs are.
  if (answer == xpuSuccess && params.type == xpuGraphNodeTypeConditional)
    world.bodies.push_back(params.conditional.phGraph_out[0]);
  return answer;
}

xpuError_t create_handle(World& world, Bytes& in) {
  xpuGraphConditionalHandle handle = 0;
  const unsigned value = in.pick(4);
  const xpuError_t answer =
      xpuGraphConditionalHandleCreate(&handle, world.graph(in), value, in.pick(8) ? 1 : in.pick(3));
  must_hold((answer == xpuSuccess) == (handle != 0), "a handle is told if there is one");
  if (answer == xpuSuccess) world.conditions.push_back({handle, value == 0});
  return answer;
}

constexpr Call kCalls[] = {
    {"xpuGraphAddKernelNode", add_kernel},
    {"xpuGraphAddKernelNode", add_kernel},
    {"xpuGraphKernelNodeSetParams", set_kernel},
    {"xpuGraphKernelNodeGetParams", get_kernel},
    {"xpuGraphAddMemsetNode", add_fill},
    {"xpuGraphMemsetNodeSetParams", set_fill},
    {"xpuGraphAddMemcpyNode1D", add_copy},
    {"xpuGraphMemcpyNodeSetParams1D", set_copy},
    {"xpuGraphAddMemcpyNode", add_block},
    {"xpuGraphAddHostNode", add_host},
    {"xpuGraphAddChildGraphNode", add_child},
    {"xpuGraphChildGraphNodeGetGraph", child_of},
    {"xpuGraphAddEmptyNode", add_empty},
    {"xpuGraphAddEventRecordNode", add_record},
    {"xpuGraphAddEventWaitNode", add_wait},
    {"xpuGraphAddMemAllocNode", add_allocation},
    {"xpuGraphAddMemFreeNode", add_free},
    {"xpuGraphAddNode", add_any},
    {"xpuGraphAddNode", add_any},
    {"xpuGraphConditionalHandleCreate", create_handle},
    {"xpuGraphAddExternalSemaphoresSignalNode",
     add_external<SignalNode, xpuGraphAddExternalSemaphoresSignalNode>},
    {"xpuGraphAddExternalSemaphoresWaitNode",
     add_external<WaitNode, xpuGraphAddExternalSemaphoresWaitNode>},
    {"xpuGraphExternalSemaphoresSignalNodeSetParams",
     set_external<SignalNode, xpuGraphExternalSemaphoresSignalNodeSetParams>},
    {"xpuGraphExternalSemaphoresWaitNodeSetParams",
     set_external<WaitNode, xpuGraphExternalSemaphoresWaitNodeSetParams>},
    {"xpuGraphExternalSemaphoresSignalNodeGetParams", get_semaphores},
    {"xpuGraphAddBatchMemOpNode", add_external<BatchNode, xpuGraphAddBatchMemOpNode>},
    {"xpuGraphBatchMemOpNodeSetParams", set_external<BatchNode, xpuGraphBatchMemOpNodeSetParams>},
    {"xpuGraphBatchMemOpNodeGetParams", get_batch},
};

}  // namespace

Calls node_calls() { return {kCalls, std::size(kCalls)}; }

}  // namespace fuzz
