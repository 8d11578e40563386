// SPDX-License-Identifier: Apache-2.0
// Entry points of external_semaphore.h.
#include <xpugraph/external_semaphore.h>

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/enqueue.h"
#include "capi/guard.h"
#include "capi/new_node.h"
#include "capi/node_params.h"
#include "capi/semaphore_params.h"
#include "graph/external.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

using graph::NodeKind;

Status import(xpuExternalSemaphore_t* out, const xpuExternalSemaphoreHandleDesc* user) {
  XPU_TRY(require(out, "extSem_out"));
  xpuExternalSemaphoreHandleDesc desc;
  XPU_TRY(copy_in(desc, user, "semHandleDesc"));
  if (desc.flags || desc.reserved)
    return invalid_value("flags and reserved must be 0; zero the struct before filling it in",
                         "semHandleDesc");
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  XPU_TRY_ASSIGN(
      const runtime::Semaphore* semaphore,
      spelled_in(runtime::Semaphore::import(runtime->current(), desc.type, desc.handle.fd),
                 "semHandleDesc", {{"type", "type"}, {"handle.fd", "handle.fd"}}));
  *out = to_public<xpuExternalSemaphore_t>(semaphore->handle());
  return {};
}

// Signals or waits in a stream.
template <class Params>
Status use_in_stream(const char* call, const xpuExternalSemaphore_t* semaphores,
                     const Params* params, unsigned int count, xpuStream_t stream) {
  XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
  XPU_TRY_ASSIGN(SemaphoreArrays<Params> arrays,
                 read_semaphores(semaphores, params, count, xpuErrorInvalidResourceHandle));
  if (&arrays.use->device() != &s->device())
    return Status::error(xpuErrorInvalidResourceHandle,
                         "the semaphores were imported on another device than the stream's",
                         "stream");
  return enqueue(
      call, *s, [&]() -> Result<graph::ParamsRef> { return arrays.take_params(); },
      [&] { return s->submit([&](ze::List& list) { return arrays.use->append(list); }); });
}

template <class NodeParams>
Status set_semaphores(xpuGraphNode_t node, NodeKind kind, const NodeParams* params) {
  XPU_TRY_ASSIGN(graph::Node * n, node_to_set(node, kind, "hNode"));
  XPU_TRY_ASSIGN(graph::ParamsRef made, to_params(params, "nodeParams"));
  n->set_params(std::move(made));
  return {};
}

template <class NodeParams>
Status set_exec_semaphores(xpuGraphExec_t exec, xpuGraphNode_t node, NodeKind kind,
                           const NodeParams* params) {
  XPU_TRY_ASSIGN(exec::Exec * e, live_exec(exec, "hGraphExec"));
  XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(node, kind, "hNode"));
  XPU_TRY_ASSIGN(graph::ParamsRef made, to_params(params, "nodeParams"));
  return spelled_in(spelled(e->set_params(*n, std::move(made)), {{"node", "hNode"}}), "nodeParams",
                    {{"extSemArray", "extSemArray"}, {"numExtSems", "numExtSems"}});
}

template <class Struct>
Status get_semaphores(xpuGraphNode_t node, NodeKind kind, Struct* out,
                      Struct (*show)(const graph::SemaphoreParams& params)) {
  XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(node, kind, "hNode"));
  XPU_TRY(check_out_size(out, sizeof(Struct), "params_out"));
  copy_out(out, show(*n->as<graph::SemaphoreParams>()));
  return {};
}

}  // namespace

xpuError_t xpuImportExternalSemaphore(xpuExternalSemaphore_t* extSem_out,
                                      const xpuExternalSemaphoreHandleDesc* semHandleDesc) {
  return guard(__func__, [&] { return import(extSem_out, semHandleDesc); });
}

xpuError_t xpuDestroyExternalSemaphore(xpuExternalSemaphore_t extSem) {
  return guard(__func__, [&]() -> Status {
    if (runtime::Semaphore::destroy(from_public(extSem))) return {};
    return no_such(xpuErrorInvalidResourceHandle, extSem, "external semaphore", "extSem");
  });
}

xpuError_t xpuSignalExternalSemaphoresAsync(const xpuExternalSemaphore_t* extSemArray,
                                            const xpuExternalSemaphoreSignalParams* paramsArray,
                                            unsigned int numExtSems, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) {
    return use_in_stream(call, extSemArray, paramsArray, numExtSems, stream);
  });
}

xpuError_t xpuWaitExternalSemaphoresAsync(const xpuExternalSemaphore_t* extSemArray,
                                          const xpuExternalSemaphoreWaitParams* paramsArray,
                                          unsigned int numExtSems, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) {
    return use_in_stream(call, extSemArray, paramsArray, numExtSems, stream);
  });
}

xpuError_t xpuGraphAddExternalSemaphoresSignalNode(
    xpuGraphNode_t* pGraphNode, xpuGraph_t graph, const xpuGraphNode_t* pDependencies,
    size_t numDependencies, const xpuExternalSemaphoreSignalNodeParams* nodeParams) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_params(nodeParams, "nodeParams"); });
  });
}

xpuError_t xpuGraphAddExternalSemaphoresWaitNode(
    xpuGraphNode_t* pGraphNode, xpuGraph_t graph, const xpuGraphNode_t* pDependencies,
    size_t numDependencies, const xpuExternalSemaphoreWaitNodeParams* nodeParams) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_params(nodeParams, "nodeParams"); });
  });
}

xpuError_t xpuGraphExternalSemaphoresSignalNodeGetParams(
    xpuGraphNode_t hNode, xpuExternalSemaphoreSignalNodeParams* params_out) {
  return guard(__func__, [&] {
    return get_semaphores(hNode, NodeKind::semaphore_signal, params_out, show_signals);
  });
}

xpuError_t xpuGraphExternalSemaphoresWaitNodeGetParams(
    xpuGraphNode_t hNode, xpuExternalSemaphoreWaitNodeParams* params_out) {
  return guard(__func__, [&] {
    return get_semaphores(hNode, NodeKind::semaphore_wait, params_out, show_waits);
  });
}

xpuError_t xpuGraphExternalSemaphoresSignalNodeSetParams(
    xpuGraphNode_t hNode, const xpuExternalSemaphoreSignalNodeParams* nodeParams) {
  return guard(__func__,
               [&] { return set_semaphores(hNode, NodeKind::semaphore_signal, nodeParams); });
}

xpuError_t xpuGraphExternalSemaphoresWaitNodeSetParams(
    xpuGraphNode_t hNode, const xpuExternalSemaphoreWaitNodeParams* nodeParams) {
  return guard(__func__,
               [&] { return set_semaphores(hNode, NodeKind::semaphore_wait, nodeParams); });
}

xpuError_t xpuGraphExecExternalSemaphoresSignalNodeSetParams(
    xpuGraphExec_t hGraphExec, xpuGraphNode_t hNode,
    const xpuExternalSemaphoreSignalNodeParams* nodeParams) {
  return guard(__func__, [&] {
    return set_exec_semaphores(hGraphExec, hNode, NodeKind::semaphore_signal, nodeParams);
  });
}

xpuError_t xpuGraphExecExternalSemaphoresWaitNodeSetParams(
    xpuGraphExec_t hGraphExec, xpuGraphNode_t hNode,
    const xpuExternalSemaphoreWaitNodeParams* nodeParams) {
  return guard(__func__, [&] {
    return set_exec_semaphores(hGraphExec, hNode, NodeKind::semaphore_wait, nodeParams);
  });
}
