// SPDX-License-Identifier: Apache-2.0
// Random calls about streams and events, captured and not.
#include <iterator>
#include <vector>

#include "fuzz/params.h"
#include "fuzz/program.h"

namespace fuzz {
namespace {

xpuStreamCaptureMode mode(Bytes& in) {
  return static_cast<xpuStreamCaptureMode>(in.pick(16) ? in.pick(3) : in.byte());
}

xpuError_t begin(World& world, Bytes& in) {
  return xpuStreamBeginCapture(world.stream(in), mode(in));
}

xpuError_t begin_into(World& world, Bytes& in) {
  const std::vector<xpuGraphNode_t> before = world.some_nodes(in);
  return xpuStreamBeginCaptureToGraph(world.stream(in), world.graph(in), before.data(), nullptr,
                                      before.size(), mode(in));
}

// What a recapture asks is of one kind, and the library cannot be called meanwhile.
xpuError_t ask(void* refuses, xpuGraphNode_t node, const xpuGraphNodeParams* was,
               const xpuGraphNodeParams* next) {
  must_hold(node && was->type == next->type, "a node keeps its kind");
  xpuGraphNodeType type;
  must_hold(xpuGraphNodeGetType(node, &type) == xpuErrorNotPermitted, "no call is taken inside");
  return refuses ? xpuErrorNotSupported : xpuSuccess;
}

// Gives a stream once more what made a node, or nearly that; false if it could not.
bool give_again(xpuStream_t stream, xpuGraphNode_t node, xpuGraphNodeType type, Bytes& in) {
  xpuKernelNodeParams kernel = {};
  xpuHostNodeParams function = {};
  kernel.struct_size = sizeof kernel;
  function.struct_size = sizeof function;
  void* address = nullptr;
  switch (type) {
    case xpuGraphNodeTypeEmpty:
    case xpuGraphNodeTypeConditional:
      return true;
    case xpuGraphNodeTypeKernel:
      if (xpuGraphKernelNodeGetParams(node, &kernel) != xpuSuccess) return false;
      return xpuLaunchKernel(kernel.func, {1 + in.pick(2), 1, 1}, kernel.blockDim,
                             kernel.kernelParams, kernel.sharedMemBytes, stream) == xpuSuccess;
    case xpuGraphNodeTypeHost:
      if (xpuGraphHostNodeGetParams(node, &function) != xpuSuccess) return false;
      return xpuLaunchHostFunc(stream, function.fn, in.pick(2) ? function.userData : nullptr) ==
             xpuSuccess;
    case xpuGraphNodeTypeMemFree:
      return xpuGraphMemFreeNodeGetParams(node, &address) == xpuSuccess &&
             xpuFreeAsync(address, stream) == xpuSuccess;
    default:
      return false;
  }
}

void capture_nodes_again(xpuStream_t stream, xpuGraph_t graph, Bytes& in) {
  size_t count = 0;
  if (xpuGraphGetNodes(graph, nullptr, &count) != xpuSuccess || !count) return;
  std::vector<xpuGraphNode_t> nodes(count);
  must(xpuGraphGetNodes(graph, nodes.data(), &count));
  for (const xpuGraphNode_t node : nodes) {
    xpuGraphNodeType type;
    size_t before = 16;
    xpuGraphNode_t from[16];
    xpuGraphEdgeData data[16];
    if (xpuGraphNodeGetType(node, &type) != xpuSuccess) return;
    must(xpuGraphNodeGetDependencies(node, from, data, &before));
    if (xpuStreamUpdateCaptureDependencies(stream, from, data, before,
                                           xpuStreamSetCaptureDependencies) != xpuSuccess)
      return;
    if (!give_again(stream, node, type, in)) return;
  }
}

xpuError_t begin_again(World& world, Bytes& in) {
  const xpuStream_t stream = world.stream(in);
  const xpuGraph_t graph = world.graph(in);
  const xpuGraphRecaptureCallbackData data = {in.pick(8) ? ask : nullptr,
                                              in.pick(8) ? nullptr : &world};
  const xpuError_t answer =
      xpuStreamBeginRecaptureToGraph(stream, mode(in), graph, in.pick(4) ? &data : nullptr);
  if (answer == xpuSuccess && in.pick(8)) capture_nodes_again(stream, graph, in);
  return answer;
}

xpuError_t end(World& world, Bytes& in) {
  auto graph = static_cast<xpuGraph_t>(kUntouched);
  const xpuError_t answer = xpuStreamEndCapture(world.stream(in), &graph);
  must_hold(answer == xpuSuccess || !graph || graph == kUntouched, "a lost capture gives no graph");
  if (answer != xpuSuccess) return answer;
  for (const xpuGraph_t known : world.graphs.live)
    if (known == graph) return answer;  // captured into a graph that was there
  world.graphs.add(graph);
  world.look_at(graph);
  return answer;
}

xpuError_t abort_capture(World& world, Bytes& in) {
  return xpuStreamAbortCapture(world.stream(in));
}

xpuError_t status(World& world, Bytes& in) {
  xpuStreamCaptureStatus answer;
  return xpuStreamIsCapturing(world.stream(in), in.pick(16) ? &answer : nullptr);
}

xpuError_t info(World& world, Bytes& in) {
  xpuStreamCaptureStatus state;
  unsigned long long id = 0;
  xpuGraph_t graph = nullptr;
  const xpuGraphNode_t* nodes = nullptr;
  const xpuGraphEdgeData* data = nullptr;
  size_t count = 0;
  const xpuError_t answer = xpuStreamGetCaptureInfo(world.stream(in), &state, &id, &graph, &nodes,
                                                    in.pick(4) ? &data : nullptr, &count);
  if (answer == xpuSuccess && state == xpuStreamCaptureStatusActive) world.look_at(graph);
  return answer;
}

xpuError_t splice(World& world, Bytes& in) {
  const std::vector<xpuGraphNode_t> nodes = world.some_nodes(in);
  return xpuStreamUpdateCaptureDependencies(world.stream(in), nodes.data(), nullptr, nodes.size(),
                                            in.pick(3));
}

xpuError_t launch(World& world, Bytes& in) {
  void* address = world.memory(in).address;
  int numbers[3] = {static_cast<int>(in.pick(60)), 1, 2};
  void* args[] = {&address, &numbers[0], &numbers[1], &numbers[2], nullptr};
  return xpuLaunchKernel(world.kernel(in), {1, 1, 1}, {in.pick(16) ? 4 : in.byte() * 8U, 1, 1},
                         in.pick(32) ? args : nullptr, 0, world.stream(in));
}

xpuError_t call_host(World& world, Bytes& in) {
  return xpuLaunchHostFunc(world.stream(in), in.pick(16) ? +[](void*) {} : nullptr, nullptr);
}

xpuError_t record(World& world, Bytes& in) {
  return xpuEventRecordWithFlags(world.event(in), world.stream(in), in.pick(8) ? 0 : in.pick(3));
}
xpuError_t wait(World& world, Bytes& in) {
  return xpuStreamWaitEvent(world.stream(in), world.event(in), in.pick(8) ? 0 : in.pick(3));
}
xpuError_t signal(World& world, Bytes& in) {
  const SignalNode what(world, in);
  return xpuSignalExternalSemaphoresAsync(what.params.extSemArray, what.params.paramsArray,
                                          what.params.numExtSems, world.stream(in));
}
xpuError_t wait_for_semaphore(World& world, Bytes& in) {
  const WaitNode what(world, in);
  return xpuWaitExternalSemaphoresAsync(what.params.extSemArray, what.params.paramsArray,
                                        what.params.numExtSems, world.stream(in));
}
xpuError_t batch(World& world, Bytes& in) {
  const BatchNode what(world, in);
  return xpuStreamBatchMemOp(world.stream(in), what.params.count, what.params.paramArray,
                             what.params.flags);
}
xpuError_t query_event(World& world, Bytes& in) { return xpuEventQuery(world.event(in)); }
xpuError_t wait_for_event(World& world, Bytes& in) { return xpuEventSynchronize(world.event(in)); }
xpuError_t elapsed(World& world, Bytes& in) {
  float ms = 0;
  return xpuEventElapsedTime(&ms, world.event(in), world.event(in));
}
xpuError_t query(World& world, Bytes& in) { return xpuStreamQuery(world.stream(in)); }
xpuError_t synchronize(World& world, Bytes& in) { return xpuStreamSynchronize(world.stream(in)); }

xpuError_t create(World& world, Bytes& in) {
  auto stream = static_cast<xpuStream_t>(kUntouched);
  const xpuError_t answer = xpuStreamCreateWithFlags(&stream, in.pick(3));
  must_hold((answer == xpuSuccess) != (stream == kUntouched), "a stream is told if there is one");
  if (answer == xpuSuccess) world.streams.add(stream);
  return answer;
}
xpuError_t destroy(World& world, Bytes& in) {
  const xpuStream_t stream = world.stream(in);
  const xpuError_t answer = xpuStreamDestroy(stream);
  if (answer == xpuSuccess) world.streams.remove(stream);
  return answer;
}
xpuError_t create_event(World& world, Bytes& in) {
  auto event = static_cast<xpuEvent_t>(kUntouched);
  const xpuError_t answer = xpuEventCreateWithFlags(&event, in.pick(4));
  must_hold((answer == xpuSuccess) != (event == kUntouched), "an event is told if there is one");
  if (answer == xpuSuccess) world.events.add(event);
  return answer;
}
xpuError_t destroy_event(World& world, Bytes& in) {
  const xpuEvent_t event = world.event(in);
  const xpuError_t answer = xpuEventDestroy(event);
  if (answer == xpuSuccess) world.events.remove(event);
  return answer;
}

constexpr Call kCalls[] = {
    {"xpuStreamBeginCapture", begin},
    {"xpuStreamBeginCaptureToGraph", begin_into},
    {"xpuStreamBeginRecaptureToGraph", begin_again},
    {"xpuStreamEndCapture", end},
    {"xpuStreamEndCapture", end},
    {"xpuStreamAbortCapture", abort_capture},
    {"xpuStreamIsCapturing", status},
    {"xpuStreamGetCaptureInfo", info},
    {"xpuStreamUpdateCaptureDependencies", splice},
    {"xpuLaunchKernel", launch},
    {"xpuLaunchKernel", launch},
    {"xpuLaunchHostFunc", call_host},
    {"xpuEventRecordWithFlags", record},
    {"xpuStreamWaitEvent", wait},
    {"xpuSignalExternalSemaphoresAsync", signal},
    {"xpuWaitExternalSemaphoresAsync", wait_for_semaphore},
    {"xpuStreamBatchMemOp", batch},
    {"xpuEventQuery", query_event},
    {"xpuEventSynchronize", wait_for_event},
    {"xpuEventElapsedTime", elapsed},
    {"xpuStreamQuery", query},
    {"xpuStreamSynchronize", synchronize},
    {"xpuStreamCreateWithFlags", create},
    {"xpuStreamDestroy", destroy},
    {"xpuEventCreateWithFlags", create_event},
    {"xpuEventDestroy", destroy_event},
};

}  // namespace

Calls stream_calls() { return {kCalls, std::size(kCalls)}; }

}  // namespace fuzz
