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
  [[gnu::always_inline]] explicit View(runtime::Stream& stream) noexcept {
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
  // For a capture that is one again, see Recapture; `next` is what the call would make.
  Status add_again(const char* call, graph::ParamsRef next);
  // The same for memory nodes, which must do what they did: `fits(params)` says whether they do.
  template <class Params, class Fits>
  Result<graph::Node*> memory_again(const char* call, graph::NodeKind kind, Fits&& fits) {
    Result<graph::Node*> node = next_again(call, kind);
    if (node.ok() && !fits(*node.value()->as<Params>())) return other_memory(call, *node.value());
    if (node.ok()) advance(node.value());
    return node;
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
  Result<graph::Node*> next_again(const char* call, graph::NodeKind kind);
  Status other_memory(const char* call, const graph::Node& node);
  Status ask(const char* call, graph::Node& node, const graph::ParamsRef& was,
             const graph::ParamsRef& next);

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
