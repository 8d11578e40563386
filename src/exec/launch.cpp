// SPDX-License-Identifier: Apache-2.0
// Launch: picks an encoding and submits it. One driver call for a graph on one lane; nothing is
// allocated, nothing is made and the host waits for nothing, unless every encoding is in flight.
#include <span>
#include <string>

#include "base/log.h"
#include "base/trace.h"
#include "exec/body.h"
#include "exec/loops.h"
#include "exec/retire.h"
#include "exec/submission.h"
#include "runtime/stream.h"

namespace xpu::exec {
namespace {

// What later launches answer.
Status half_submitted(const Status& failure) {
  return Status::error(failure.code(),
                       "a launch of this executable failed after part of it was submitted (" +
                           failure.sentence() + "); instantiate the graph again",
                       {}, failure.native());
}

}  // namespace

bool Exec::Body::refuses(const runtime::Stream& stream) const noexcept {
  const Snapshot& snapshot = *ring.snapshot();
  return !broken.ok() || &stream.device() != &snapshot.device ||
         stream.queue().list().ordinal() != snapshot.ordinal;
}

Status Exec::Body::refusal(const runtime::Stream& stream) const {
  if (!broken.ok()) return broken.copy();
  const Snapshot& snapshot = *ring.snapshot();
  if (&stream.device() != &snapshot.device)
    return Status::error(xpuErrorNotSupported,
                         "the stream belongs to device " + std::to_string(stream.device().index()) +
                             ", but the graph was instantiated for device " +
                             std::to_string(snapshot.device.index()) +
                             "; profiles, and launches of graphs with conditional nodes, are "
                             "for streams of that device",
                         "stream");
  return Status::error(xpuErrorNotSupported,
                       "the stream's native command list is on queue group " +
                           std::to_string(stream.queue().list().ordinal()) +
                           ", but graphs need one on the compute group " +
                           std::to_string(snapshot.ordinal),
                       "stream");
}

Status Exec::upload(runtime::Stream& stream) {
  const Zone zone("upload");
  Body& body = *body_;
  free_retired();
  const std::lock_guard hold(body.mutex);
  if (body.refuses(stream) && (!body.broken.ok() || &stream.device() == &body.device()))
    return body.refusal(stream);
  uint64_t generation = 0;
  if (body.hook) {
    XPU_TRY_ASSIGN(generation, body.hook->prepare());
  }
  XPU_TRY(body.renew(generation));
  // The second encoding is what a launch behind a running one would have to make.
  if (body.ring.size() < 2) XPU_TRY(body.ring.add().take_status());
  return body.ring.catch_up_idle();
}

inline Exec::Body::Submitted Exec::Body::submit(runtime::Stream& stream) {
  Result<Slot*> picked = ring.pick();
  if (!picked.ok()) [[unlikely]] {
    broken = ring.device_failure().copy();
    return {picked.take_status(), false};
  }
  Slot& slot = *picked.value();
  if (slot.behind) [[unlikely]] {
    if (Status status = ring.catch_up(slot); !status.ok()) return {std::move(status), false};
  }
  if (!ring.snapshot()->counter_events) {
    if (Status status = slot.renew_marks(); !status.ok()) return {std::move(status), false};
  }
  Submitted submitted = submit_in(slot, stream);
  if (!submitted.status.ok()) [[unlikely]]
    return submitted;
  slot.sequence = ++launches;
  last_stream = stream.id();
  return submitted;
}

Status Exec::launch(runtime::Stream& stream) {
  const Zone zone("launch");
  Body& body = *body_;
  const std::lock_guard hold(body.mutex);
  if (body.refuses(stream)) [[unlikely]]
    return body.launch_in_place_of(stream);
  return body.launch(
      stream, [&]() __attribute__((always_inline)) { return body.submit(stream); });
}

// Threads that run conditional nodes would leave their failure in the stream that stands in, where
// nobody looks.
Status Exec::Body::launch_in_place_of(runtime::Stream& stream) {
  if (!broken.ok() || &stream.device() == &device() || ring.snapshot()->loops)
    return refusal(stream);
  if (!stand_in) {
    XPU_TRY_ASSIGN(stand_in, StandIn::make(device()));
  }
  runtime::Stream& inner = stand_in->stream();
  XPU_TRY(stand_in->begin_after(stream));
  XPU_TRY(launch(inner, [&] { return submit(inner); }));
  Status status = stand_in->end_before(stream);
  if (status.ok()) return status;
  broken = half_submitted(status);
  return status;
}

Exec::Body::Submitted Exec::Body::submit_in(Slot& slot, runtime::Stream& stream) {
  if (const auto& loops = ring.snapshot()->loops; loops && loops->has_failed()) [[unlikely]] {
    broken = loops->failure();
    return {broken.copy(), false};
  }
  // Work of another stream does not wait for the last launch by itself.
  ze_event_handle_t after = nullptr;
  if (last_stream != stream.id()) [[unlikely]] {
    Slot* const last = ring.newest();
    if (last && last != &slot && !last->known_idle()) {
      if (Status status = last->announce(); !status.ok()) return {std::move(status), false};
      after = last->done->event();
    } else if (!last && given_up) {
      after = given_up->event();
    }
  }
  Submission submission(slot, stream, after, ring.announces());
  Status status = submission.run();
  if (!status.ok()) [[unlikely]] {
    if (!submission.began()) return {std::move(status), false};
    submission.join();
    broken = half_submitted(status);
    return {std::move(status), true};
  }
  return {{}, true};
}

}  // namespace xpu::exec
