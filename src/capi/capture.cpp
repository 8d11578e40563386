// SPDX-License-Identifier: Apache-2.0
// Entry points of capture.h.
#include <xpugraph/capture.h>

#include "capi/capture_begin.h"
#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/guard.h"
#include "capi/node_list.h"
#include "capture/begin_end.h"
#include "capture/inspect.h"
#include "capture/rules.h"
#include "capture/thread.h"
#include "memory/graph_pool.h"

using namespace xpu;
using namespace xpu::capi;

namespace xpu::capi {

Status check_mode(xpuStreamCaptureMode mode) {
  const int value = static_cast<int>(mode);
  if (value >= xpuStreamCaptureModeGlobal && value <= xpuStreamCaptureModeRelaxed) return {};
  return invalid_value("mode is " + std::to_string(value) + ", which is no xpuStreamCaptureMode",
                       "mode");
}

Result<runtime::Stream*> stream_to_capture(xpuStream_t stream) {
  XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
  if (!capture::is_legacy(*s)) return s;
  return Status::error(xpuErrorStreamCaptureUnsupported,
                       "the legacy default stream cannot be captured; use a created stream or "
                       "xpuStreamPerThread",
                       "stream");
}

}  // namespace xpu::capi

namespace {

// Nodes, with their edge data, that come before the first captured node.
Status read_frontier(const graph::Graph& graph, const xpuGraphNode_t* handles,
                     const xpuGraphEdgeData* data, size_t count, capture::Frontier* frontier) {
  NodeList list;
  XPU_TRY(list.read(handles, count, "dependencies"));
  for (const graph::Node* node : list.nodes())
    if (&node->graph() != &graph)
      return invalid_value("a node is of another graph than the one given", "dependencies");
  frontier->join(list.nodes(), count ? data : nullptr);
  return {};
}

struct InfoOut {
  xpuStreamCaptureStatus* status;
  unsigned long long* id;
  xpuGraph_t* graph;
  const xpuGraphNode_t** nodes;
  const xpuGraphEdgeData** data;
  size_t* count;
};

Status write_info(const capture::View& view, const InfoOut& out) {
  *out.status = capture::status_of(view);
  if (*out.status != xpuStreamCaptureStatusActive) return {};
  const capture::Shown shown = capture::show_frontier(view);
  if (out.nodes && !out.data && !shown.plain)
    return Status::error(xpuErrorLossyQuery,
                         "a dependency carries edge data, and edgeData_out is NULL; pass it too",
                         "edgeData_out");
  if (out.id) *out.id = view.session().id;
  if (out.graph) *out.graph = to_public<xpuGraph_t>(view.session().graph->handle());
  if (out.nodes) *out.nodes = shown.nodes;
  if (out.data) *out.data = shown.data;
  if (out.count) *out.count = shown.count;
  return {};
}

memory::PoolId to_id(const xpuGraphPool& pool) noexcept { return {pool.first, pool.second}; }

}  // namespace

xpuError_t xpuStreamBeginCapture(xpuStream_t stream, xpuStreamCaptureMode mode) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(check_mode(mode));
    XPU_TRY_ASSIGN(runtime::Stream * s, stream_to_capture(stream));
    return capture::begin(*s, mode);
  });
}

xpuError_t xpuStreamBeginCaptureWithParams(xpuStream_t stream,
                                           const xpuStreamCaptureParams* params) {
  return guard(__func__, [&]() -> Status {
    xpuStreamCaptureParams asked;
    XPU_TRY(copy_in(asked, params, "params"));
    XPU_TRY(check_mode(asked.mode));
    XPU_TRY_ASSIGN(runtime::Stream * s, stream_to_capture(stream));
    if (!asked.pool.first && !asked.pool.second) return capture::begin(*s, asked.mode);
    XPU_TRY_ASSIGN(std::shared_ptr<memory::GraphPool> pool,
                   memory::GraphPool::find(to_id(asked.pool)));
    XPU_TRY_ASSIGN(std::shared_ptr<memory::PoolCapture> memory, pool->begin_capture());
    return capture::begin(*s, asked.mode, std::move(memory));
  });
}

xpuError_t xpuGraphPoolCreate(xpuGraphPool* pool) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pool, "pool"));
    const memory::PoolId id = memory::GraphPool::create();
    *pool = {id.first, id.second};
    return {};
  });
}

xpuError_t xpuGraphPoolRetain(xpuGraphPool pool) {
  return guard(__func__, [&] { return memory::GraphPool::retain(to_id(pool)); });
}

xpuError_t xpuGraphPoolRelease(xpuGraphPool pool) {
  return guard(__func__, [&] { return memory::GraphPool::release(to_id(pool)); });
}

xpuError_t xpuGraphPoolGetUsage(xpuGraphPool pool, xpuGraphPoolUsage* usage) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const std::shared_ptr<memory::GraphPool> p,
                   memory::GraphPool::find(to_id(pool)));
    XPU_TRY(check_out_size(usage, sizeof(xpuGraphPoolUsage), "usage"));
    const memory::GraphPool::Footprint held = p->footprint();
    xpuGraphPoolUsage known = {};
    known.struct_size = sizeof known;
    known.liveBytes = held.live;
    known.peakBytes = held.peak;
    known.reservedBytes = held.reserved;
    copy_out(usage, known);
    return {};
  });
}

xpuError_t xpuStreamBeginCaptureToGraph(xpuStream_t stream, xpuGraph_t graph,
                                        const xpuGraphNode_t* dependencies,
                                        const xpuGraphEdgeData* dependencyData,
                                        size_t numDependencies, xpuStreamCaptureMode mode) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(check_mode(mode));
    XPU_TRY_ASSIGN(graph::Graph * g, settled_graph(graph));
    capture::Frontier frontier;
    XPU_TRY(read_frontier(*g, dependencies, dependencyData, numDependencies, &frontier));
    XPU_TRY_ASSIGN(runtime::Stream * s, stream_to_capture(stream));
    return capture::begin_into(*s, mode, g->shared_from_this(), frontier);
  });
}

xpuError_t xpuStreamEndCapture(xpuStream_t stream, xpuGraph_t* pGraph) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    XPU_TRY(capture::legacy_look(call, *s));
    XPU_TRY_ASSIGN(capture::Ended ended, capture::end(*s, pGraph != nullptr));
    if (pGraph) *pGraph = ended.graph ? to_public<xpuGraph_t>(ended.graph->handle()) : nullptr;
    return std::move(ended.lost);
  });
}

xpuError_t xpuStreamAbortCapture(xpuStream_t stream) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    capture::abort(*s);
    return {};
  });
}

xpuError_t xpuStreamIsCapturing(xpuStream_t stream, xpuStreamCaptureStatus* pCaptureStatus) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(require(pCaptureStatus, "pCaptureStatus"));
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    XPU_TRY(capture::legacy_look(call, *s));
    *pCaptureStatus = capture::status_of(capture::View(*s));
    return {};
  });
}

xpuError_t xpuStreamGetCaptureInfo(xpuStream_t stream, xpuStreamCaptureStatus* captureStatus_out,
                                   unsigned long long* id_out, xpuGraph_t* graph_out,
                                   const xpuGraphNode_t** dependencies_out,
                                   const xpuGraphEdgeData** edgeData_out,
                                   size_t* numDependencies_out) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(require(captureStatus_out, "captureStatus_out"));
    if (edgeData_out && !dependencies_out)
      return invalid_value("edgeData_out is given without dependencies_out", "dependencies_out");
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    XPU_TRY(capture::legacy_look(call, *s));
    return write_info(capture::View(*s), {captureStatus_out, id_out, graph_out, dependencies_out,
                                          edgeData_out, numDependencies_out});
  });
}

xpuError_t xpuStreamUpdateCaptureDependencies(xpuStream_t stream,
                                              const xpuGraphNode_t* dependencies,
                                              const xpuGraphEdgeData* dependencyData,
                                              size_t numDependencies, unsigned int flags) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    if (flags != xpuStreamAddCaptureDependencies && flags != xpuStreamSetCaptureDependencies)
      return invalid_value(
          "flags must be xpuStreamAddCaptureDependencies or xpuStreamSetCaptureDependencies",
          "flags");
    const capture::View view(*s);
    if (!view)
      return Status::error(xpuErrorIllegalState, "the stream is not being captured", "stream");
    NodeList list;
    XPU_TRY(list.read(dependencies, numDependencies, "dependencies"));
    return capture::update_frontier(view, list.nodes(), numDependencies ? dependencyData : nullptr,
                                    flags == xpuStreamSetCaptureDependencies);
  });
}

xpuError_t xpuThreadExchangeStreamCaptureMode(xpuStreamCaptureMode* mode) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(mode, "mode"));
    XPU_TRY(check_mode(*mode));
    *mode = capture::exchange_thread_mode(*mode);
    return {};
  });
}
