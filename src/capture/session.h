// SPDX-License-Identifier: Apache-2.0
// A capture session: one graph, one origin stream, and every stream that was drawn into it.
//
// Sessions and participants are found without a lock by calls that may race with the end of the
// capture, so their memory stays: a session goes back to a pool and keeps its type, a participant
// lives as long as its stream. A call locks the session it found and then looks whether that is
// still what it was looking for (View). Lock order: the registry's list, then one session; two
// sessions are never locked at once.
#pragma once

#include <xpugraph/capture.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/lock.h"
#include "base/status.h"
#include "capture/frontier.h"
#include "graph/graph.h"
#include "runtime/capture_memory.h"
#include "runtime/captured.h"
#include "runtime/device.h"
#include "runtime/stream.h"

namespace xpu::capture {

class Recapture;
class Session;

// What one stream is to captures.
class Participant final : public runtime::Captured {
 public:
  explicit Participant(runtime::Stream& stream) noexcept : stream_(stream) {}
  ~Participant() override { leave(); }
  // The stream dies: it leaves its capture, which cannot be completed without it. The end of the
  // origin stream is the end of the capture.
  void leave() noexcept;
  // Ends its capture, if there is one, whatever its state and whoever asks.
  void abort() noexcept;

  runtime::Stream& stream() const noexcept { return stream_; }
  // Nullptr while the stream is not captured. Changes from a session only under that session's
  // lock.
  Session* session() const noexcept { return session_.load(std::memory_order_acquire); }

  // Guarded by the session's lock.
  Frontier frontier;
  // The last node that this stream captured and that still must lead to the origin's frontier.
  graph::Node* tip = nullptr;
  // What xpuStreamGetCaptureInfo last showed; the caller may read it until its next call.
  std::vector<xpuGraphNode_t> shown_nodes;
  std::vector<xpuGraphEdgeData> shown_data;

 private:
  friend class Session;
  runtime::Stream& stream_;
  // Ends the session if `ends(session)` says so, which is asked under its lock.
  template <class Ends>
  void end_if(Ends ends) noexcept;

  std::atomic<Session*> session_{nullptr};
};

// The stream's participant, made at the first call; it stays with the stream.
Participant& participant_of(runtime::Stream& stream);
// For a stream that is about to be destroyed; see Participant::leave.
void leave(runtime::Stream& stream) noexcept;
// See Participant::abort.
void abort(runtime::Stream& stream) noexcept;

// Why a capture can no longer succeed.
struct Spoiled {
  const char* call = nullptr;  // nullptr: nothing is wrong
  long thread = 0;             // that made the call, as the system numbers threads
  std::string sentence;
};

class Session {
 public:
  Lock mutex;  // guards everything below

  // 0 while the session is in the pool. Unique in the process, so that an old event tells a session
  // that has been used again from its own.
  uint64_t id = 0;
  xpuStreamCaptureMode mode = xpuStreamCaptureModeGlobal;
  uint64_t thread = 0;
  std::shared_ptr<graph::Graph> graph;
  bool into_existing = false;  // the graph is the program's, not made for this capture
  // Of the graph that is there already, node by node; null: nodes are added.
  std::shared_ptr<Recapture> recapture;
  // Where allocations come from; null: they become nodes.
  std::shared_ptr<runtime::CaptureMemory> memory;
  Participant* origin = nullptr;
  std::vector<Participant*> participants;
  Spoiled spoiled;

  bool live() const noexcept { return id != 0; }
  bool ok() const noexcept { return !spoiled.call; }

  // The graph is what it was or what it was to become; or else it is lost, see Graph::ruin.
  void end_recapture(bool sound) noexcept {
    if (recapture && !sound) graph->ruin();
  }
  // Takes a stream in; false if another session has it.
  bool attach(Participant& participant);
  // The capture is over for every stream; the session can go back to the pool.
  void close() noexcept;
  // Only the first cause is kept: what follows is its consequence.
  void spoil(const char* call, const std::string& sentence) noexcept;
  // xpuErrorStreamCaptureInvalidated, with the cause.
  Status invalidated() const;
  bool captures_on(const runtime::Device& device) const noexcept;
  // Whether the legacy default stream of `device` would order itself with a stream in here.
  bool captures_blocking_on(const runtime::Device& device) const noexcept;

 private:
  friend class Participant;
  void detach(Participant& participant) noexcept;
};

// All sessions that are under way.
class Registry {
 public:
  static Registry& get() noexcept;

  // The good path of every call when nobody captures: one load.
  bool empty() const noexcept { return under_way_.load(std::memory_order_acquire) == 0; }
  // Whether any stream that the legacy default streams order themselves with is captured.
  bool any_blocking() const noexcept { return blocking_.load(std::memory_order_acquire) != 0; }

  bool any_recapture() const noexcept { return recaptures_.load(std::memory_order_acquire) != 0; }

  // A session from the pool, listed; to be filled under its lock.
  Session& open();
  // After close().
  void give_back(Session& session) noexcept;

  // Calls `visit(session)` for each session that is live, with that session locked.
  template <class Visit>
  void for_each(Visit visit) {
    std::lock_guard<std::mutex> list(mutex_);
    for (Session* session : open_) {
      std::lock_guard lock(session->mutex);
      if (session->live()) visit(*session);
    }
  }

  void add_blocking(int32_t change) noexcept {
    blocking_.fetch_add(change, std::memory_order_acq_rel);
  }
  void add_recapture(int32_t change) noexcept {
    recaptures_.fetch_add(change, std::memory_order_acq_rel);
  }

 private:
  std::mutex mutex_;
  std::vector<Session*> open_;
  std::vector<Session*> pool_;
  std::atomic<uint32_t> under_way_{0};
  std::atomic<int32_t> blocking_{0};
  std::atomic<int32_t> recaptures_{0};
};

}  // namespace xpu::capture
