// SPDX-License-Identifier: Apache-2.0
// Adding a node to a stream's capture.
#include "capture/view.h"

namespace xpu::capture {

Status View::add(const char* call, Result<graph::ParamsRef>&& params) {
  if (!session_->ok()) return session_->invalidated();
  if (!params.ok()) return refuse(call, params.take_status());
  if (session_->recapture) [[unlikely]]
    return add_again(call, params.take());
  const Frontier& frontier = participant_->frontier;
  Result<graph::Node*> node =
      session_->graph->add(params.take(), frontier.nodes(), frontier.data());
  if (!node.ok()) return refuse(call, node.take_status());
  advance(node.value());
  return {};
}

Status View::refuse(const char* call, Status status) {
  session_->spoil(call, status.sentence());
  return status;
}

}  // namespace xpu::capture
