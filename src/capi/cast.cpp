// SPDX-License-Identifier: Apache-2.0
// The words of a refused handle.
#include "capi/cast.h"

#include "capture/recapture.h"

namespace xpu::capi {

Status no_such(xpuError_t code, const void* handle, const char* what, const char* argument) {
  std::string sentence = argument;
  if (handle)
    sentence += std::string(" is not a live ") + what +
                ": it was destroyed, or is a handle of something else";
  else
    sentence += std::string(" is NULL; it must be a live ") + what;
  return Status::error(code, std::move(sentence), argument);
}

Status ruined(const char* argument) {
  return Status::error(xpuErrorIllegalState,
                       std::string(argument) +
                           ": a recapture of the graph has failed, so that what its nodes do is "
                           "undefined; xpuGraphDestroy is all that is left to call",
                       argument);
}

Status check_settled(const graph::Graph& graph, const char* argument) {
  if (!capture::is_recaptured(graph)) [[likely]]
    return {};
  return Status::error(xpuErrorIllegalState,
                       std::string(argument) +
                           ": the graph is being captured again and can only be looked at; end "
                           "the capture first",
                       argument);
}

Result<graph::Graph*> settled_graph(xpuGraph_t handle, const char* argument) {
  XPU_TRY_ASSIGN(graph::Graph * graph, live_graph(handle, argument));
  XPU_TRY(check_settled(*graph, argument));
  return graph;
}

Result<runtime::Device*> find_device(int index) {
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  return runtime->device(index);
}

Result<runtime::Stream*> default_stream(xpuStream_t handle) {
  if (handle && handle != xpuStreamLegacy && handle != xpuStreamPerThread)
    return no_such(xpuErrorInvalidResourceHandle, handle, "stream", "stream");
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  return runtime->stream(handle);
}

}  // namespace xpu::capi
