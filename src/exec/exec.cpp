// SPDX-License-Identifier: Apache-2.0
// The executable's life: who owns it, and how it ends.
#include "exec/exec.h"

#include <utility>

#include "base/trace.h"
#include "exec/body.h"
#include "exec/loops.h"
#include "exec/retire.h"
#include "graph/graph.h"

namespace xpu::exec {

Exec::Exec(std::unique_ptr<Body> body) noexcept : body_(std::move(body)) {}

void Exec::keep_source(std::shared_ptr<graph::Graph> source) noexcept {
  source_ = std::move(source);
}

Exec::~Exec() {
  const Zone zone("destroy executable");
  body_->handle.reset();
  if (source_ && source_->has_objects())
    body_->ring.snapshot()->device.keep_while_running(std::move(source_));
  if (const auto& loops = body_->ring.snapshot()->loops) loops->executable_is_gone();
  for (std::unique_ptr<Slot>& slot : body_->ring.take()) retire(std::move(slot));
  free_retired();
}

Status Exec::Body::encode_anew(uint64_t new_generation) {
  // A launch in another stream comes after the last one all the same.
  if (Slot* const last = ring.newest()) {
    given_up.reset();
    if (!last->known_idle()) {
      XPU_TRY(last->announce());
      given_up = last->done;
    }
  }
  for (std::unique_ptr<Slot>& slot : ring.take()) retire(std::move(slot));
  XPU_TRY(ring.add().take_status());
  generation = new_generation;
  return {};
}

uint64_t Exec::flags() const noexcept { return body_->flags; }

uint64_t Exec::handle() const noexcept { return body_->handle.value(); }

}  // namespace xpu::exec
