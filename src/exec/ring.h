// SPDX-License-Identifier: Apache-2.0
// The encodings of one executable, and which of them the next launch takes. The reasons are in
// docs/design/replay.md.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "exec/patching.h"
#include "exec/slot.h"

namespace xpu::exec {

// Not synchronised: the executable's lock guards it.
class Ring {
 public:
  // One runs, one waits behind it, one is free for the host to submit.
  static constexpr size_t kUsual = 3;

  Ring(std::shared_ptr<const Snapshot> snapshot, Versions versions) noexcept
      : snapshot_(std::move(snapshot)),
        now_(std::move(versions)),
        announces_(!snapshot_->counter_events) {}

  // Encodes one more.
  Result<Slot*> add();
  // An encoding that is not in flight; never waits for long, never waits for ever. It may be behind
  // (Slot::behind).
  Result<Slot*> pick() {
    if (slots_.size() <= kUsual && !slots_.empty() && slots_.front()->known_idle()) [[likely]]
      return slots_.front().get();
    return pick_other();
  }

  // What the nodes do from the next launch on.
  const Versions& now() const noexcept { return now_; }
  // Changes it; launches in flight keep what they have. First the encodings are told, which can run
  // out of memory and has no other effect; they follow when they are picked, so nothing here makes
  // a driver call.
  void tell(uint32_t node);
  // For more changes than it is worth to list.
  void tell_all();
  void set(uint32_t node, graph::ParamsRef params) noexcept { now_.set(node, std::move(params)); }
  void enable(uint32_t node, bool on) { now_.enable(node, on); }
  // Makes an encoding that is not in flight do what the nodes do now. After a failure it can be
  // tried again.
  Status catch_up(Slot& slot);
  // The same for all encodings that are not in flight.
  Status catch_up_idle();

  // That of the last launch, nullptr before the first.
  Slot* newest() const noexcept;
  // Whether launches are to signal their end at once: one was still in flight when the next came,
  // or an event that is signalled once would be owed when it is given back.
  bool announces() const noexcept { return announces_; }
  // A launch that was found to have failed on the device: no further one can be trusted.
  const Status& device_failure() const noexcept { return device_failure_; }
  size_t size() const noexcept { return slots_.size(); }
  const std::shared_ptr<const Snapshot>& snapshot() const noexcept { return snapshot_; }
  std::vector<std::unique_ptr<Slot>> take() noexcept { return std::move(slots_); }

 private:
  Result<Slot*> pick_other();
  Slot* oldest() const noexcept;
  Result<bool> heed(Result<bool> over);
  uint64_t patience_ns() const noexcept;
  Result<Slot*> wait_or_add();
  void shrink() noexcept;

  std::shared_ptr<const Snapshot> snapshot_;
  Versions now_;
  std::unique_ptr<Patching> patching_;  // null until a node changes
  std::vector<std::unique_ptr<Slot>> slots_;
  Status device_failure_;
  bool announces_;
  uint64_t encode_ns_ = 0;  // what the last encoding took
};

}  // namespace xpu::exec
