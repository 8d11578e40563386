// SPDX-License-Identifier: Apache-2.0
// A locked look at the capture that a stream takes part in, if it does: how one call is recorded.
#pragma once

#include <mutex>
#include <utility>

#include "capture/session.h"

namespace xpu::capture {

class View {
 public:
  // While nobody has ever captured the stream this is one load.
  explicit View(runtime::Stream& stream) noexcept {
    runtime::Captured* slot = stream.captured().load(std::memory_order_acquire);
    if (slot) enter(static_cast<Participant*>(slot));
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  ~View() { leave(); }

  // True if the stream is captured, also if that capture is spoilt.
  explicit operator bool() const noexcept { return session_ != nullptr; }
  Session& session() const noexcept { return *session_; }
  Participant& participant() const noexcept { return *participant_; }

  // Makes a node that follows what the stream has captured. `params` may be the reason why there is
  // none. A failure spoils the capture: the program's work would be missing from the graph.
  Status add(const char* call, Result<graph::ParamsRef>&& params);
  // The same for nodes that take more than parameters: `make(graph, frontier)` adds the node behind
  // the frontier and answers with it, a Result<graph::Node*>.
  template <class Make>
  Status add_node(const char* call, Make&& make) {
    if (!session_->ok()) return session_->invalidated();
    Result<graph::Node*> node = make(*session_->graph, participant_->frontier);
    if (!node.ok()) return refuse(call, node.take_status());
    advance(node.value());
    return {};
  }
  // The stream has captured `node`, which depends on its frontier.
  void advance(graph::Node* node) noexcept {
    participant_->frontier.advance(node);
    participant_->tip = node;
  }
  // Passes a refusal on, after spoiling the capture with it.
  Status refuse(const char* call, Status status);
  // Ends the look early; the view is empty afterwards.
  void leave() noexcept {
    if (session_) std::exchange(session_, nullptr)->mutex.unlock();
  }

 private:
  void enter(Participant* participant) noexcept {
    while (Session* const found = participant->session()) {
      found->mutex.lock();
      if (participant->session() == found) [[likely]] {
        participant_ = participant;
        session_ = found;
        return;
      }
      found->mutex.unlock();
    }
  }

  Participant* participant_ = nullptr;
  Session* session_ = nullptr;
};

}  // namespace xpu::capture
