// SPDX-License-Identifier: Apache-2.0
// Entry points of recapture.h.
#include "capture/recapture.h"

#include <xpugraph/recapture.h>

#include "base/callback.h"
#include "capi/capture_begin.h"
#include "capi/cast.h"
#include "capi/guard.h"
#include "capi/memop_params.h"
#include "capi/node_params.h"
#include "capi/semaphore_params.h"
#include "capi/shapes.h"
#include "graph/external.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

using graph::NodeKind;

xpuChildGraphNodeParams child_params(const graph::ChildParams& params) {
  return {xpu::to_public<xpuGraph_t>(params.graph()->handle()), xpuGraphChildGraphOwnershipClone,
          0};
}

xpuMemcpyNodeParams copy_params(const graph::CopyParams& params) {
  xpuMemcpyNodeParams told = {};
  told.copyParams = capi::to_public(params.shape());
  return told;
}

// What a node that a call makes does, without memory nodes: those never do anything else.
xpuGraphNodeParams any_params(const graph::ParamsRef& params) {
  xpuGraphNodeParams told = {};
  told.struct_size = sizeof told;
  told.type = static_cast<xpuGraphNodeType>(params->kind());
  if (const auto* kernel = params.as<graph::KernelParams>())
    told.kernel = capi::to_public(*kernel);
  else if (const auto* copy = params.as<graph::CopyParams>())
    told.memcpy = copy_params(*copy);
  else if (const auto* fill = params.as<graph::FillParams>())
    told.memset = capi::to_public(fill->shape());
  else if (const auto* host = params.as<graph::HostParams>())
    told.host = capi::to_public(*host);
  else if (const auto* child = params.as<graph::ChildParams>())
    told.graph = child_params(*child);
  else if (const auto* event = params.as<graph::EventParams>())
    told.eventWait.event = xpu::to_public<xpuEvent_t>(event->handle());
  else if (params->kind() == NodeKind::semaphore_signal)
    told.extSemSignal = show_signals(*params.as<graph::SemaphoreParams>());
  else if (params->kind() == NodeKind::semaphore_wait)
    told.extSemWait = show_waits(*params.as<graph::SemaphoreParams>());
  else if (const auto* batch = params.as<graph::BatchParams>())
    told.memOp = capi::to_public(*batch);
  return told;
}

capture::Recapture::Ask ask_by(const xpuGraphRecaptureCallbackData* data) {
  if (!data || !data->callbackFunc) return {};
  return [asked = *data](uint64_t node, const graph::ParamsRef& was,
                         const graph::ParamsRef& next) noexcept {
    const xpuGraphNodeParams before = any_params(was), after = any_params(next);
    const InCallback shut;
    return asked.callbackFunc(asked.userData, xpu::to_public<xpuGraphNode_t>(node), &before,
                              &after);
  };
}

}  // namespace

xpuError_t xpuStreamBeginRecaptureToGraph(xpuStream_t stream, xpuStreamCaptureMode mode,
                                          xpuGraph_t graph,
                                          const xpuGraphRecaptureCallbackData* callbackData) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(check_mode(mode));
    XPU_TRY_ASSIGN(graph::Graph * g, settled_graph(graph));
    XPU_TRY_ASSIGN(runtime::Stream * s, stream_to_capture(stream));
    return capture::begin_again(*s, mode, g->shared_from_this(), ask_by(callbackData));
  });
}
