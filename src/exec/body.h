// SPDX-License-Identifier: Apache-2.0
// What is behind an Exec.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "base/handle.h"
#include "base/lock.h"
#include "base/status.h"
#include "exec/exec.h"
#include "exec/places.h"
#include "exec/ring.h"
#include "exec/stand_in.h"
#include "runtime/launch_hook.h"

namespace xpu::exec {

struct Exec::Body {
  Body(std::shared_ptr<const Snapshot> snapshot, Versions versions, uint64_t the_flags,
       std::shared_ptr<runtime::LaunchHook> the_hook) noexcept
      : flags(the_flags),
        hook(std::move(the_hook)),
        ring(std::move(snapshot), std::move(versions)) {}

  // What became of a launch: `began` says that it runs, in whole or in part.
  struct Submitted {
    Status status;
    bool began;
  };
  // The launch that takes an idle encoding of the ring. Inline: as a call it would be a third more.
  [[gnu::always_inline]] inline Submitted submit(runtime::Stream& stream);
  // One of `slot`, which is not in flight.
  Submitted submit_in(Slot& slot, runtime::Stream& stream);
  // Calls submit(), which answers a Submitted, with the hook around it, and with encodings that fit
  // the memory of this moment. The stream is one that is not refused.
  template <class Submit>
  Status launch(runtime::Stream& stream, Submit&& submit);
  // A launch in a stream of another device.
  Status launch_in_place_of(runtime::Stream& stream);
  // What profile refuses, and upload and launch do for streams of the same device.
  bool refuses(const runtime::Stream& stream) const noexcept;
  Status refusal(const runtime::Stream& stream) const;
  // Makes the encodings again if memory that they name has been replaced since they were made:
  // `hook_generation` is what the hook answered, 0 without one.
  Status renew(uint64_t hook_generation) {
    const uint64_t now = hook_generation + runtime::Device::unmappings();
    if (now == generation) [[likely]]
      return {};
    return encode_anew(now);
  }
  Status encode_anew(uint64_t new_generation);
  // After nodes got other parameters.
  void changed() noexcept {
    if (hook) hook->changed();
  }

  runtime::Device& device() const noexcept { return ring.snapshot()->device; }

  const uint64_t flags;
  const std::shared_ptr<runtime::LaunchHook> hook;  // may be null
  OwnedHandle handle;
  Lock mutex;  // guards all below, and the order of launches
  Ring ring;
  // A failure that left a launch half submitted, or that the device reported; every later launch
  // answers with it.
  Status broken;
  uint64_t generation = 0;  // of the memory when the encodings were made: a sum that only grows
  std::optional<Places> places;  // of the nodes that updates name; none before the first
  uint64_t launches = 0;
  uint64_t last_stream = 0;           // the id of the stream of the last launch
  runtime::MarkRef given_up;          // its end, if that launch had an encoding that was given up
  std::unique_ptr<StandIn> stand_in;  // null before a launch in a stream of another device
};

template <class Submit>
Status Exec::Body::launch(runtime::Stream& stream, Submit&& submit) {
  if (!hook) [[likely]] {
    XPU_TRY(renew(0));
    return submit().status;
  }
  XPU_TRY_ASSIGN(const uint64_t hook_generation, hook->begin(stream));
  // Ends what the hook has begun, also if something throws.
  struct Between {
    runtime::LaunchHook& hook;
    runtime::Stream& stream;
    bool submitted = false;
    ~Between() { hook.end(stream, submitted); }
  } between{*hook, stream};
  XPU_TRY(renew(hook_generation));
  Submitted submitted = submit();
  between.submitted = submitted.began;
  return std::move(submitted.status);
}

}  // namespace xpu::exec
