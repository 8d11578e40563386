// SPDX-License-Identifier: Apache-2.0
// Forks and joins through events.
#include "capture/fork.h"

#include "capture/rules.h"

namespace xpu::capture {
namespace {

Status ended_event() {
  return invalid_value(
      "the event was last recorded in a capture that has ended; record it again before using it",
      "event");
}

Status recorded_outside() {
  return Status::error(xpuErrorStreamCaptureIsolation,
                       "the stream is being captured but the event was recorded outside of the "
                       "capture; wait for it before the capture begins, or wait with "
                       "xpuEventWaitExternal, which makes a node",
                       "event");
}

Status two_captures() {
  return Status::error(
      xpuErrorStreamCaptureMerge,
      "the event was recorded in one capture and the stream is in another one; two "
      "captures cannot become one",
      "event");
}

std::shared_ptr<Snapshot> snapshot_of(runtime::Event& event) {
  return std::static_pointer_cast<Snapshot>(event.captured());
}

// The stream is in a capture other than the event's, if the event has one at all.
Status refuse_wait(const char* call, runtime::Stream& stream, const Snapshot& snapshot) {
  Status refusal = ended_event();
  {
    Session& other = snapshot.session();
    std::lock_guard lock(other.mutex);
    if (other.id == snapshot.id()) {
      refusal = two_captures();
      other.spoil(call, refusal.sentence());
    }
  }
  if (View view(stream); view) return view.refuse(call, std::move(refusal));
  return refusal;
}

// The stream is in no capture: it joins that of the event.
Status enter(const char* call, runtime::Stream& stream, const Snapshot& snapshot) {
  Session& session = snapshot.session();
  Participant& participant = participant_of(stream);
  std::lock_guard lock(session.mutex);
  if (session.id != snapshot.id()) return ended_event();
  if (!session.ok()) return session.invalidated();
  if (is_legacy(stream)) {
    Status refusal = Status::error(
        xpuErrorStreamCaptureImplicit,
        "the event was recorded in a capture, and the legacy default stream cannot be captured",
        "stream");
    session.spoil(call, refusal.sentence());
    return refusal;
  }
  Frontier frontier = snapshot.frontier();
  if (!session.attach(participant)) return two_captures();
  participant.frontier = std::move(frontier);
  return {};
}

}  // namespace

Status record(const View& view, runtime::Event& event) {
  Session& session = view.session();
  if (!session.ok()) return session.invalidated();
  event.set_captured(std::make_shared<Snapshot>(session, view.participant().frontier));
  return {};
}

Result<WaitIs> wait(const char* call, runtime::Stream& stream, runtime::Event& event) {
  const std::shared_ptr<Snapshot> snapshot = snapshot_of(event);
  if (!snapshot) XPU_TRY(legacy_use(call, stream));
  {
    View view(stream);
    if (view) {
      if (!view.session().ok()) return view.session().invalidated();
      if (!snapshot) {
        if (!event.native()) return WaitIs::done;
        return view.refuse(call, recorded_outside());
      }
      if (&view.session() == &snapshot->session() && view.session().id == snapshot->id()) {
        view.participant().frontier.join(snapshot->frontier());
        return WaitIs::done;
      }
    } else if (!snapshot) {
      return WaitIs::eager;
    }
    if (view) {
      view.leave();
      return refuse_wait(call, stream, *snapshot);
    }
  }
  XPU_TRY(enter(call, stream, *snapshot));
  return WaitIs::done;
}

Status host_use(const char* call, runtime::Event& event) {
  const std::shared_ptr<Snapshot> snapshot = snapshot_of(event);
  if (!snapshot) return unsafe_call(call);
  Session& session = snapshot->session();
  std::lock_guard lock(session.mutex);
  if (session.id != snapshot->id()) return ended_event();
  if (!session.ok()) return session.invalidated();
  Status refusal = Status::error(
      xpuErrorCapturedEvent,
      "the event was last recorded in a capture, so it stands for no work that runs", "event");
  session.spoil(call, refusal.sentence());
  return refusal;
}

}  // namespace xpu::capture
