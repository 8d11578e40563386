// SPDX-License-Identifier: Apache-2.0
// The encodings of one executable, and which of them the next launch takes. The reasons are in
// docs/design/replay.md.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "exec/slot.h"

namespace xpu::exec {

// Not synchronised: the executable's lock guards it.
class Ring {
 public:
  // One runs, one waits behind it, one is free for the host to submit.
  static constexpr size_t kUsual = 3;

  explicit Ring(std::shared_ptr<const Snapshot> snapshot) noexcept
      : snapshot_(std::move(snapshot)) {}

  // Encodes one more.
  Result<Slot*> add();
  // An encoding that is not in flight; never waits for long, never waits for ever.
  Result<Slot*> pick();

  // That of the last launch, nullptr before the first.
  const Slot* newest() const noexcept;
  // A launch that was found to have failed on the device: no further one can be trusted.
  const Status& device_failure() const noexcept { return device_failure_; }
  size_t size() const noexcept { return slots_.size(); }
  const std::shared_ptr<const Snapshot>& snapshot() const noexcept { return snapshot_; }
  std::vector<std::unique_ptr<Slot>> take() noexcept { return std::move(slots_); }

 private:
  Slot* oldest() const noexcept;
  Result<bool> heed(Result<bool> over);
  uint64_t patience_ns() const noexcept;
  Result<Slot*> wait_or_add();
  void shrink() noexcept;

  std::shared_ptr<const Snapshot> snapshot_;
  std::vector<std::unique_ptr<Slot>> slots_;
  Status device_failure_;
  uint64_t encode_ns_ = 0;  // what the last encoding took
};

}  // namespace xpu::exec
