// SPDX-License-Identifier: Apache-2.0
// Events in captures: a record takes a snapshot of what a stream has captured, a wait brings that
// snapshot, and with it the waiting stream, into the capture.
#pragma once

#include "capture/view.h"
#include "runtime/event.h"

namespace xpu::capture {

// What a captured event stands for. Immutable: a new record makes a new one.
class Snapshot final : public runtime::Captured {
 public:
  Snapshot(Session& session, const Frontier& frontier)
      : session_(session), id_(session.id), frontier_(frontier) {}

  Session& session() const noexcept { return session_; }
  uint64_t id() const noexcept { return id_; }
  const Frontier& frontier() const noexcept { return frontier_; }

 private:
  Session& session_;
  uint64_t id_;  // of the session then; a pooled session may be another one by now
  Frontier frontier_;
};

// Records `event` in the captured stream of `view`. Makes no node.
Status record(const View& view, runtime::Event& event);

enum class WaitIs { done, eager };
// Lets `stream` wait for `event`. `eager`: neither is captured, the caller makes the driver wait.
Result<WaitIs> wait(const char* call, runtime::Stream& stream, runtime::Event& event);

// Refuses a host-side look at an event (query, synchronize, elapsed time): one that was last
// recorded in a capture stands for no work that ever runs.
Status host_use(const char* call, runtime::Event& event);

}  // namespace xpu::capture
