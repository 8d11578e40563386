// SPDX-License-Identifier: Apache-2.0
// From a public handle to the live object, or a refusal that names the argument.
#pragma once

#include <xpugraph/xpugraph.h>

#include "base/handle.h"
#include "base/status.h"
#include "exec/exec.h"
#include "graph/graph.h"
#include "memory/stream_pool.h"
#include "runtime/runtime.h"

namespace xpu::capi {

// Says whether the handle was NULL or dead; `what` is e.g. "graph".
Status no_such(xpuError_t code, const void* handle, const char* what, const char* argument);

// Inline although many call it: a launch does it twice, and a call is half of what it costs.
template <class T, class P>
[[gnu::always_inline]] inline Result<T*> live(HandleType type, P handle, const char* what,
                                              const char* argument, xpuError_t code) {
  if (void* object = HandleTable::find(type, from_public(handle))) [[likely]]
    return static_cast<T*>(object);
  return no_such(code, handle, what, argument);
}

// Also one that can only be destroyed.
inline Result<graph::Graph*> any_graph(xpuGraph_t handle, const char* argument = "graph") {
  return live<graph::Graph>(HandleType::graph, handle, "graph", argument, xpuErrorInvalidValue);
}
Status ruined(const char* argument);
inline Result<graph::Graph*> live_graph(xpuGraph_t handle, const char* argument = "graph") {
  Result<graph::Graph*> graph = any_graph(handle, argument);
  if (graph.ok() && graph.value()->is_ruined()) [[unlikely]]
    return ruined(argument);
  return graph;
}
[[gnu::always_inline]] inline Result<graph::Node*> live_node(xpuGraphNode_t handle,
                                                             const char* argument = "node") {
  Result<graph::Node*> node =
      live<graph::Node>(HandleType::node, handle, "node", argument, xpuErrorInvalidValue);
  if (node.ok() && node.value()->graph().is_ruined()) [[unlikely]]
    return ruined(argument);
  return node;
}
// For calls that change a graph, or take over what its nodes do: not while a recapture changes
// that.
Status check_settled(const graph::Graph& graph, const char* argument);
Result<graph::Graph*> settled_graph(xpuGraph_t handle, const char* argument = "graph");
[[gnu::always_inline]] inline Result<exec::Exec*> live_exec(xpuGraphExec_t handle,
                                                            const char* argument = "graphExec") {
  return live<exec::Exec>(HandleType::exec, handle, "executable graph", argument,
                          xpuErrorInvalidValue);
}

// The device of that number; the first call of a process starts the library.
Result<runtime::Device*> find_device(int index);

// NULL and the special values stand for default streams of the current device; out of line because
// they may have to start the library.
Result<runtime::Stream*> default_stream(xpuStream_t handle);
[[gnu::always_inline]] inline Result<runtime::Stream*> live_stream(xpuStream_t handle) {
  void* object = HandleTable::find(HandleType::stream, from_public(handle));
  if (object) [[likely]]
    return static_cast<runtime::Stream*>(object);
  return default_stream(handle);
}
inline Result<runtime::Event*> live_event(xpuEvent_t handle, const char* argument = "event",
                                          xpuError_t code = xpuErrorInvalidResourceHandle) {
  return live<runtime::Event>(HandleType::event, handle, "event", argument, code);
}
inline Result<memory::StreamPool*> live_pool(xpuMemPool_t handle) {
  return live<memory::StreamPool>(HandleType::mempool, handle, "memory pool", "memPool",
                                  xpuErrorInvalidValue);
}
inline Result<runtime::Module*> live_module(xpuModule_t handle) {
  return live<runtime::Module>(HandleType::module, handle, "module", "module",
                               xpuErrorInvalidResourceHandle);
}
[[gnu::always_inline]] inline Result<runtime::Kernel*> live_kernel(xpuKernel_t handle,
                                                                   const char* argument) {
  return live<runtime::Kernel>(
      HandleType::kernel, handle, "kernel", argument,
      handle ? xpuErrorInvalidResourceHandle : xpuErrorInvalidDeviceFunction);
}

}  // namespace xpu::capi
