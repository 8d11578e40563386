// SPDX-License-Identifier: Apache-2.0
// The rules of capture modes and threads.
#include "capture/rules.h"

#include "capture/thread.h"
#include "capture/view.h"

namespace xpu::capture {

Status refuse_unsafe(const char* call) {
  const xpuStreamCaptureMode caller = thread_mode();
  if (caller == xpuStreamCaptureModeRelaxed) return {};
  const uint64_t me = this_thread();
  Status refusal;
  Registry::get().for_each([&](Session& session) {
    if (session.mode == xpuStreamCaptureModeRelaxed) return;
    const bool mine = session.thread == me;
    const bool anybodys =
        caller == xpuStreamCaptureModeGlobal && session.mode == xpuStreamCaptureModeGlobal;
    if (!mine && !anybodys) return;
    if (refusal.ok())
      refusal = Status::error(
          xpuErrorStreamCaptureUnsupported,
          std::string(call) + " acts at once and would be missing from the graph that " +
              (mine ? "this thread" : "another thread") +
              " is capturing; call it before or after the capture, or capture in a mode that "
              "allows it (capture.h)");
    session.spoil(call, refusal.sentence());
  });
  return refusal;
}

Status refuse_legacy(const char* call, const runtime::Device& device, bool spoil) {
  Status refusal;
  Registry::get().for_each([&](Session& session) {
    if (!session.captures_blocking_on(device)) return;
    if (refusal.ok())
      refusal = Status::error(
          xpuErrorStreamCaptureImplicit,
          "the legacy default stream is ordered with a stream that is being captured; use another "
          "stream, or capture one that was created with xpuStreamNonBlocking",
          "stream");
    if (spoil) session.spoil(call, refusal.sentence());
  });
  return refusal;
}

Status synchronous_use(const char* call, const runtime::Device& device) {
  if (Registry::get().empty()) [[likely]]
    return {};
  if (Registry::get().any_blocking()) XPU_TRY(refuse_legacy(call, device, true));
  return refuse_unsafe(call);
}

Status wait_for_stream(const char* call, runtime::Stream& stream) {
  if (Registry::get().empty()) [[likely]]
    return {};
  XPU_TRY(legacy_use(call, stream));
  {
    View view(stream);
    if (view) {
      if (!view.session().ok()) return view.session().invalidated();
      return view.refuse(call, Status::error(xpuErrorStreamCaptureUnsupported,
                                             "the stream is being captured, so its work does not "
                                             "run and cannot be waited for",
                                             "stream"));
    }
  }
  return refuse_unsafe(call);
}

Status wait_for_device(const char* call, const runtime::Device& device) {
  if (Registry::get().empty()) [[likely]]
    return {};
  Status refusal;
  Registry::get().for_each([&](Session& session) {
    if (!session.captures_on(device)) return;
    if (refusal.ok())
      refusal = Status::error(xpuErrorStreamCaptureUnsupported,
                              "a stream of the device is being captured, so its work does not run "
                              "and cannot be waited for");
    session.spoil(call, refusal.sentence());
  });
  XPU_TRY(std::move(refusal));
  return refuse_unsafe(call);
}

}  // namespace xpu::capture
