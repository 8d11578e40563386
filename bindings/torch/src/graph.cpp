// SPDX-License-Identifier: Apache-2.0
// Graphs on the library's captures and executables.
#include "graph.h"

#include <c10/util/Exception.h>

#include <xpugraph/capture.h>
#include <xpugraph/graph.h>
#include <xpugraph/user_object.h>

#include "allocator.h"
#include "status.h"
#include "stream.h"

namespace xpugraph_torch {
namespace {

xpuStreamCaptureMode library_mode(at::GraphCaptureMode mode) {
  switch (mode) {
    case at::GraphCaptureMode::Global:
      return xpuStreamCaptureModeGlobal;
    case at::GraphCaptureMode::ThreadLocal:
      return xpuStreamCaptureModeThreadLocal;
    // Backward passes run in threads of their own and other threads load data: only what waits for
    // captured work is refused by default.
    default:
      return xpuStreamCaptureModeRelaxed;
  }
}

bool is_empty(xpuGraph_t graph) {
  size_t count = 0;
  check(xpuGraphGetNodes(graph, nullptr, &count));
  return count == 0;
}

/// Gives the graph what its work refers to.
void give(xpuGraph_t graph, std::shared_ptr<Kept> kept) {
  auto holder = std::make_unique<std::shared_ptr<Kept>>(std::move(kept));
  xpuUserObject_t object = nullptr;
  check(xpuUserObjectCreate(
      &object, holder.get(), [](void* held) { delete static_cast<std::shared_ptr<Kept>*>(held); },
      1, xpuUserObjectNoDestructorSync));
  holder.release();
  check(xpuGraphRetainUserObject(graph, object, 1, xpuGraphUserObjectMove));
}

}  // namespace

Graph::~Graph() {
  try {
    reset();
  } catch (const std::exception& error) {
    TORCH_WARN("a graph could not be dropped: ", error.what());
  }
}

void Graph::capture_begin(c10::MempoolId_t pool, at::GraphCaptureMode mode) {
  TORCH_CHECK(!capturing(), "capture_begin() was called already: call capture_end() first");
  TORCH_CHECK(!captured_,
              "This graph instance already owns a captured graph. To capture a new graph, create "
              "a new instance, or call reset().");
  c10::Stream stream = current_stream();
  TORCH_CHECK(!is_default(stream),
              "the default stream cannot be captured: use torch.xpuref.graph(), which "
              "takes a stream of its own, or enter one with `with torch.Stream():`");
  TORCH_CHECK(!is_captured(stream), "the current stream is being captured by another graph");

  const bool fresh = pool == c10::MempoolId_t{0, 0};
  std::shared_ptr<PoolHold> hold = fresh ? PoolHold::create() : PoolHold::find(pool);
  xpuStreamCaptureParams params = {};
  params.struct_size = sizeof params;
  params.mode = library_mode(mode);
  params.pool = hold->pool();
  check(xpuStreamBeginCaptureWithParams(native(stream), &params));
  xpuStreamCaptureStatus status = xpuStreamCaptureStatusNone;
  unsigned long long id = 0;
  check(xpuStreamGetCaptureInfo(native(stream), &status, &id, nullptr, nullptr, nullptr, nullptr));
  recording_ = std::make_shared<Recording>(id, stream, std::move(hold));
  recording_->begin();
  recording_->pool->begin_pinned([id](c10::Stream in) {
    std::shared_ptr<Recording> recording = recording_of(in);
    return recording && recording->id == id;
  });
}

void Graph::capture_end() {
  TORCH_CHECK(capturing(), captured_ ? "capture_end() was called already"
                                     : "capture_end() was called without "
                                       "capture_begin()");
  TORCH_CHECK(current_stream(recording_->origin.device_index()) == recording_->origin,
              "Capture must end on the same stream it began on.");
  xpuGraph_t graph = nullptr;
  xpuError_t answer = xpuStreamEndCapture(native(recording_->origin), &graph);
  // The capture goes on, and its own thread can still end it.
  if (answer == xpuErrorStreamCaptureWrongThread) check(answer);
  if (!graph) {
    std::string why = last_sentence();
    xpuGetLastError();
    end_recording(Recording::State::lost);
    recording_->let_go(std::nullopt);
    recording_ = nullptr;
    TORCH_CHECK(false, "the capture failed, and its graph is lost: ", why);
  }
  graph_ = graph;
  captured_ = true;
  end_recording(Recording::State::ended);
  if (is_empty(graph_)) {
    TORCH_WARN(
        "The graph is empty. This usually means that the graph was attempted to be captured on "
        "wrong "
        "device or stream.");
  }
  try {
    give(graph_, recording_->kept);
    if (!keep_graph_) instantiate();
  } catch (...) {
    reset();
    throw;
  }
  if (!keep_graph_ && !debug_) drop_graph();
}

void Graph::instantiate() {
  TORCH_CHECK(captured_, "capture_end() must have been called before calling instantiate");
  TORCH_CHECK(!exec_ || keep_graph_,
              "instantiate() is intended to be called by the user only when keep_graph=true");
  OnDevice there(recording_->origin.device_index());
  xpuGraphExec_t fresh = nullptr;
  check(xpuGraphInstantiate(&fresh, graph_, 0));
  drop_exec();
  exec_ = fresh;
}

void Graph::replay() {
  TORCH_CHECK(captured_, "Called replay() without a preceding successful capture.");
  if (!exec_) instantiate();
  c10::Stream stream = current_stream(recording_->origin.device_index());
  std::vector<PhiloxUse>& philox = recording_->kept->philox;
  if (std::shared_ptr<Recording> outer = recording_of(stream)) {
    TORCH_CHECK(philox.empty(),
                "the replay of a graph that draws random numbers cannot be captured: its "
                "generators could not advance");
    check(xpuGraphLaunch(exec_, native(stream)));
    for (const c10::Storage& storage : recording_->used()) outer->keep(storage);
    return;
  }
  if (!philox.empty()) {
    // The cells are written in the order of this stream, and may still be read in another one.
    if (replayed_in_ && *replayed_in_ != stream && !is_captured(*replayed_in_)) {
      Event reached(stream.device_index(), false);
      reached.record(*replayed_in_);
      reached.make_wait(stream);
    }
    std::vector<std::pair<PhiloxCell*, PhiloxCell>> values;
    for (PhiloxUse& use : philox) values.emplace_back(use.cell(), use.advance());
    enqueue("philox", stream, [values = std::move(values)] {
      for (auto [cell, value] : values) *cell = value;
    });
  }
  check(xpuGraphLaunch(exec_, native(stream)));
  replayed_in_ = stream;
}

void Graph::reset() {
  if (capturing()) {
    check(xpuStreamAbortCapture(native(recording_->origin)));
    end_recording(Recording::State::lost);
  }
  drop_exec();
  drop_graph();
  if (recording_) recording_->let_go(replayed_in_);
  recording_ = nullptr;
  captured_ = false;
  replayed_in_.reset();
}

void Graph::end_recording(Recording::State state) {
  recording_->end(state);
  recording_->pool->end_pinned();
  DeviceMemory::free_postponed();
}

void Graph::drop_graph() {
  if (graph_) check(xpuGraphDestroy(std::exchange(graph_, nullptr)));
}

void Graph::drop_exec() {
  if (exec_) check(xpuGraphExecDestroy(std::exchange(exec_, nullptr)));
}

c10::MempoolId_t Graph::pool() const {
  TORCH_CHECK(captured_, "Called pool() without a preceding successful capture.");
  return recording_->pool->id();
}

void Graph::debug_dump(const std::string& path) {
  TORCH_CHECK(path.size() > 4 && path.compare(path.size() - 4, 4, ".dot") == 0,
              "debug_dump() writes a .dot file, and \"", path, "\" does not end in .dot");
  if (!graph_) {
    TORCH_WARN(
        "there is no graph to dump: call enable_debug_mode() before the capture, or make the graph "
        "with keep_graph=True");
    return;
  }
  check(xpuGraphDebugDotPrint(graph_, path.c_str(), xpuGraphDebugDotFlagsVerbose));
}

uintptr_t Graph::raw_graph() const {
  TORCH_CHECK(keep_graph_,
              "You cannot access the raw xpuGraph_t instance unless the graph was initialized "
              "with keep_graph=true");
  TORCH_CHECK(captured_,
              "You cannot access the raw xpuGraph_t instance until capture_end() has been called");
  return reinterpret_cast<uintptr_t>(graph_);
}

uintptr_t Graph::raw_exec() const {
  TORCH_CHECK(
      exec_,
      "You cannot access the raw xpuGraphExec_t instance until instantiate() has been called");
  return reinterpret_cast<uintptr_t>(exec_);
}

namespace {

const bool registered = [] {
  const char* device_in_capitals = claims_xpu ? "XPU" : "XPUREF";
  at::GraphImplRegistry()->Register(
      device_in_capitals, [](at::GraphImplArgs options) -> std::unique_ptr<at::GraphImplInterface> {
        return std::make_unique<Graph>(options);
      });
  return true;
}();

}  // namespace
}  // namespace xpugraph_torch
