// SPDX-License-Identifier: Apache-2.0
// Finding and locking a stream's capture, and adding a node to it.
#include "capture/view.h"

namespace xpu::capture {

void View::enter(Participant* participant) noexcept {
  Session* found = participant->session();
  while (found) {
    found->mutex.lock();
    Session* now = participant->session();
    if (now == found) {
      participant_ = participant;
      session_ = found;
      return;
    }
    found->mutex.unlock();
    found = now;
  }
}

Status View::add(const char* call, Result<graph::ParamsRef>&& params) {
  return add_node(call, [&](graph::Graph& graph, const Frontier& frontier) -> Result<graph::Node*> {
    if (!params.ok()) return params.take_status();
    return graph.add(params.take(), frontier.nodes(), frontier.data());
  });
}

Status View::refuse(const char* call, Status status) {
  session_->spoil(call, status.sentence());
  return status;
}

}  // namespace xpu::capture
