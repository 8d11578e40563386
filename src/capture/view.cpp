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

Status View::add(const char* call, Result<graph::ParamsRef> params) {
  Session& s = *session_;
  if (!s.ok()) return s.invalidated();
  if (!params.ok()) return refuse(call, params.take_status());
  Participant& p = *participant_;
  Result<graph::Node*> node = s.graph->add(params.take(), p.frontier.nodes(), p.frontier.data());
  if (!node.ok()) return refuse(call, node.take_status());
  p.frontier.advance(node.value());
  p.tip = node.value();
  return {};
}

Status View::refuse(const char* call, Status status) {
  session_->spoil(call, status.sentence());
  return status;
}

}  // namespace xpu::capture
