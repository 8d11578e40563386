// SPDX-License-Identifier: Apache-2.0
// What the capture tests share: one-line forks, statuses, and another thread for one call.
#pragma once

#include <thread>

#include "ground.h"

namespace xpu::test {

inline void begin(xpuStream_t stream, xpuStreamCaptureMode mode = xpuStreamCaptureModeGlobal) {
  assert_ok(xpuStreamBeginCapture(stream, mode));
}
inline xpuGraph_t end(xpuStream_t stream) {
  xpuGraph_t graph = nullptr;
  assert_ok(xpuStreamEndCapture(stream, &graph));
  assert_non_null(graph);
  return graph;
}
// A capture that must be lost, with that error and without a graph.
inline void end_lost(xpuStream_t stream, xpuError_t code) {
  xpuGraph_t graph = reinterpret_cast<xpuGraph_t>(&graph);
  assert_code(xpuStreamEndCapture(stream, &graph), code);
  assert_null(graph);
}
inline xpuStreamCaptureStatus status(xpuStream_t stream) {
  xpuStreamCaptureStatus status = xpuStreamCaptureStatusNone;
  assert_ok(xpuStreamIsCapturing(stream, &status));
  return status;
}
#define assert_status(name, stream) \
  assert_int_equal(xpuStreamCaptureStatus##name, xpu::test::status(stream))

// What `after` does next follows what `before` has so far.
inline void order(xpuStream_t before, xpuStream_t after) {
  const xpuEvent_t event = new_event(xpuEventDisableTiming);
  assert_ok(xpuEventRecord(event, before));
  assert_ok(xpuStreamWaitEvent(after, event, xpuEventWaitDefault));
  assert_ok(xpuEventDestroy(event));
}

// Runs a call on a thread of its own; nothing in it may assert.
template <class Call>
auto elsewhere(Call call) {
  decltype(call()) result{};
  std::thread([&] { result = call(); }).join();
  return result;
}

inline size_t node_count(xpuGraph_t graph) {
  size_t n = 0;
  assert_ok(xpuGraphGetNodes(graph, nullptr, &n));
  return n;
}
inline size_t edge_count(xpuGraph_t graph) {
  size_t n = 0;
  assert_ok(xpuGraphGetEdges(graph, nullptr, nullptr, nullptr, &n));
  return n;
}
inline xpuGraphNode_t node_at(xpuGraph_t graph, size_t index) {
  xpuGraphNode_t nodes[16] = {};
  size_t n = 16;
  assert_ok(xpuGraphGetNodes(graph, nodes, &n));
  assert_true(index < n);
  return nodes[index];
}
inline xpuGraphNodeType type_of(xpuGraphNode_t node) {
  xpuGraphNodeType type = xpuGraphNodeTypeEmpty;
  assert_ok(xpuGraphNodeGetType(node, &type));
  return type;
}

// Instantiates, runs `times` times in a stream of its own, and ends what it made.
inline void run(xpuGraph_t graph, int times = 1) {
  const xpuGraphExec_t exec = instantiate(graph);
  const xpuStream_t stream = new_stream();
  for (int i = 0; i < times; i++) assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuGraphExecDestroy(exec));
}
inline void run_and_destroy(xpuGraph_t graph, int times = 1) {
  run(graph, times);
  assert_ok(xpuGraphDestroy(graph));
}

}  // namespace xpu::test
