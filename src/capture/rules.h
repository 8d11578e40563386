// SPDX-License-Identifier: Apache-2.0
// What must not happen while something is captured: calls that act at once and would be missing
// from the graph (unsafe calls), calls that wait for captured work, and eager work that would be
// ordered with it through the legacy default stream. A refused call spoils the captures it would
// have harmed.
#pragma once

#include "capture/session.h"

namespace xpu::capture {

inline bool is_legacy(const runtime::Stream& stream) noexcept {
  return stream.kind() == runtime::Stream::Kind::legacy;
}

// The rules themselves, for when somebody captures.
Status refuse_unsafe(const char* call);
Status refuse_legacy(const char* call, const runtime::Device& device, bool spoil);

// For calls that act at once: allocation, loading modules, waiting for other streams. Depends on
// the calling thread's mode and on the modes of the captures under way. One load when there are
// none.
inline Status unsafe_call(const char* call) {
  if (Registry::get().empty()) [[likely]]
    return {};
  return refuse_unsafe(call);
}

// For calls that put work into `stream`: the legacy default stream waits for all blocking streams
// of its device, also for one that is captured.
[[gnu::always_inline]] inline Status legacy_use(const char* call, const runtime::Stream& stream) {
  if (!is_legacy(stream) || !Registry::get().any_blocking()) [[likely]]
    return {};
  return refuse_legacy(call, stream.device(), true);
}
// For calls that only look at `stream`: they are refused, and the capture goes on.
inline Status legacy_look(const char* call, const runtime::Stream& stream) {
  if (!is_legacy(stream) || !Registry::get().any_blocking()) [[likely]]
    return {};
  return refuse_legacy(call, stream.device(), false);
}

// For copies and fills that use the legacy default stream of `device` and wait for it.
Status synchronous_use(const char* call, const runtime::Device& device);
// For calls that wait for, or ask about, the work of one stream.
Status wait_for_stream(const char* call, runtime::Stream& stream);
// For calls that wait for all work of a device.
Status wait_for_device(const char* call, const runtime::Device& device);

}  // namespace xpu::capture
