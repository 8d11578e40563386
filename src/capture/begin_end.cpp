// SPDX-License-Identifier: Apache-2.0
// Beginning a capture, and ending it.
#include "capture/begin_end.h"

#include "capture/join.h"
#include "capture/recapture.h"
#include "capture/thread.h"
#include "capture/view.h"

namespace xpu::capture {
namespace {

std::atomic<uint64_t> last_id{0};

Status already_capturing() {
  return Status::error(xpuErrorIllegalState,
                       "the stream is being captured already; end that capture first", "stream");
}

Status start(runtime::Stream& stream, xpuStreamCaptureMode mode,
             std::shared_ptr<graph::Graph> graph, const Frontier* frontier,
             std::shared_ptr<runtime::CaptureMemory> memory,
             std::shared_ptr<Recapture> recapture = {}) {
  Participant& participant = participant_of(stream);
  Registry& registry = Registry::get();
  Session& session = registry.open();
  const bool fresh = !graph;
  bool begun = false;
  graph::ObjectReferences given_up;  // without the lock
  try {
    if (fresh) graph = graph::Graph::make();
    std::lock_guard lock(session.mutex);
    if (session.attach(participant)) {
      session.id = last_id.fetch_add(1, std::memory_order_relaxed) + 1;
      session.mode = mode;
      session.thread = this_thread();
      session.origin = &participant;
      session.into_existing = !fresh;
      begun = true;
      if (frontier) participant.frontier.join(*frontier);
      if (fresh) graph->keep();
      session.graph = std::move(graph);
      session.memory = std::move(memory);
      if (recapture) {
        std::swap(session.graph->objects(), given_up);
        session.recapture = std::move(recapture);
        registry.add_recapture(1);
      }
    }
  } catch (...) {
    {
      std::lock_guard lock(session.mutex);
      session.close();
    }
    registry.give_back(session);
    throw;
  }
  if (begun) return {};
  registry.give_back(session);
  return already_capturing();
}

Status unmatched() {
  return Status::error(xpuErrorStreamCaptureUnmatched,
                       "the capture was begun in another stream; end it in that one", "stream");
}

Status wrong_thread() {
  return Status::error(xpuErrorStreamCaptureWrongThread,
                       "the capture was begun by another thread; end it there, or begin it with "
                       "xpuStreamCaptureModeRelaxed",
                       "stream");
}

Status unjoined() {
  return Status::error(xpuErrorStreamCaptureUnjoined,
                       "work was captured in another stream that the origin stream does not wait "
                       "for; record an event there and let the origin wait for it before the end",
                       "stream");
}

// The graph holds what it allocated from, as long as it or a copy of it lives.
Status commit_memory(const Session& session) {
  if (!session.memory) return {};
  XPU_TRY_ASSIGN(std::shared_ptr<void> held, session.memory->commit());
  session.graph->hold(std::move(held));
  return {};
}

// Refusals that leave the capture going on.
Status check_end(const View& view, bool graph_wanted) {
  const Session& session = view.session();
  if (session.origin != &view.participant()) return unmatched();
  if (session.mode != xpuStreamCaptureModeRelaxed && session.thread != this_thread())
    return wrong_thread();
  if (!graph_wanted && !session.into_existing)
    return invalid_value("pGraph is NULL; only a capture into an existing graph can do without it",
                         "pGraph");
  return {};
}

}  // namespace

Status begin(runtime::Stream& stream, xpuStreamCaptureMode mode,
             std::shared_ptr<runtime::CaptureMemory> memory) {
  return start(stream, mode, nullptr, nullptr, std::move(memory));
}

namespace {

// Two captures would append to one graph under two locks.
Status check_free(runtime::Stream& stream, const graph::Graph& graph) {
  if (View(stream)) return already_capturing();
  if (!is_captured_into(graph)) return {};
  return Status::error(xpuErrorIllegalState,
                       "the graph is being captured into already; end that capture first", "graph");
}

}  // namespace

Status begin_into(runtime::Stream& stream, xpuStreamCaptureMode mode,
                  std::shared_ptr<graph::Graph> graph, const Frontier& frontier) {
  XPU_TRY(check_free(stream, *graph));
  return start(stream, mode, std::move(graph), &frontier, nullptr);
}

Status begin_again(runtime::Stream& stream, xpuStreamCaptureMode mode,
                   std::shared_ptr<graph::Graph> graph, Recapture::Ask ask) {
  XPU_TRY(check_free(stream, *graph));
  auto recapture = std::make_shared<Recapture>(*graph, std::move(ask));
  return start(stream, mode, std::move(graph), nullptr, nullptr, std::move(recapture));
}

Result<Ended> end(runtime::Stream& stream, bool graph_wanted) {
  View view(stream);
  if (!view)
    return Status::error(xpuErrorIllegalState,
                         "the stream is not being captured; begin with xpuStreamBeginCapture",
                         "stream");
  XPU_TRY(check_end(view, graph_wanted));
  Session& session = view.session();
  Status lost;
  if (!session.ok())
    lost = session.invalidated();
  else if (!all_joined(session))
    lost = unjoined();
  else if (session.recapture)
    lost = session.recapture->check_end();
  else
    lost = commit_memory(session);
  session.end_recapture(lost.ok());
  std::shared_ptr<graph::Graph> graph = std::move(session.graph);
  const bool own = !session.into_existing;
  session.close();
  view.leave();
  Registry::get().give_back(session);
  if (lost.ok()) return Ended{std::move(graph), {}};
  if (own) (void)graph->let_go();
  return Ended{nullptr, std::move(lost)};
}

bool is_captured_into(const graph::Graph& graph) {
  if (Registry::get().empty()) return false;
  bool found = false;
  Registry::get().for_each([&](const Session& session) {
    const graph::Graph* g = session.graph.get();
    while (g && g != &graph) g = g->owner() ? &g->owner()->graph() : nullptr;
    found = found || g != nullptr;
  });
  return found;
}

bool is_captured_into(const graph::Node& node) {
  if (Registry::get().empty()) return false;
  bool found = false;
  Registry::get().for_each([&](const Session& session) {
    found = found || session.graph.get() == &node.graph();
    for (const graph::Graph* g = session.graph.get(); g && g->owner(); g = &g->owner()->graph())
      found = found || g->owner() == &node;
  });
  return found;
}

}  // namespace xpu::capture
