// SPDX-License-Identifier: Apache-2.0
// Beginning a capture, and ending it.
#pragma once

#include <memory>

#include "capture/frontier.h"
#include "capture/session.h"

namespace xpu::capture {

// Captures `stream`, which is no legacy default stream, into a new graph. Allocations come from
// `memory`; if it is null they become nodes.
Status begin(runtime::Stream& stream, xpuStreamCaptureMode mode,
             std::shared_ptr<runtime::CaptureMemory> memory = {});
// Into `graph`, whose nodes in `frontier` come before the first captured one.
Status begin_into(runtime::Stream& stream, xpuStreamCaptureMode mode,
                  std::shared_ptr<graph::Graph> graph, const Frontier& frontier);

// What is left of a capture that is over: the graph, or why there is none.
struct Ended {
  std::shared_ptr<graph::Graph> graph;
  Status lost;
};
// `graph_wanted` is whether the caller takes the graph: only a graph that it has anyway need not be
// taken. Failure means that the capture goes on: a wrong stream, a wrong thread.
Result<Ended> end(runtime::Stream& stream, bool graph_wanted);

// Whether `graph`, or a child graph somewhere in it, is being captured into.
bool is_captured_into(const graph::Graph& graph);
// Whether the node, or what it holds, belongs to a graph that is being captured into.
bool is_captured_into(const graph::Node& node);

}  // namespace xpu::capture
