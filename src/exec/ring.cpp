// SPDX-License-Identifier: Apache-2.0
// Choosing an encoding: a free one, the oldest if it is over, a new one.
#include "exec/ring.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/trace.h"

namespace xpu::exec {
namespace {

// Below this a wait is not worth its system call.
constexpr uint64_t kShortestWaitNs = 20'000;
// The longest a launch holds the host. A program that is seven encodings ahead of the device loses
// nothing by it: the device has all their work before it.
constexpr uint64_t kLongestWaitNs = 100'000'000;

}  // namespace

Result<Slot*> Ring::add() {
  const uint64_t start = trace_clock_ns();
  slots_.reserve(slots_.size() + 1);
  const Zone zone("encode", static_cast<int64_t>(snapshot_->plan.nodes.size()));
  XPU_TRY_ASSIGN(std::unique_ptr<Slot> slot, Slot::make(snapshot_, now_));
  XPU_TRY(patching_ ? patching_->encode(*slot) : slot->encode());
  encode_ns_ = trace_clock_ns() - start;
  slots_.push_back(std::move(slot));
  if (slots_.size() > kUsual)
    XPU_LOG(debug, "launch: encoding number %zu, because %zu are in flight", slots_.size(),
            slots_.size() - 1);
  return slots_.back().get();
}

// Launches of one executable end in the order they were made, so if the oldest is not over, none
// is.
Slot* Ring::oldest() const noexcept {
  Slot* oldest = slots_.front().get();
  for (const std::unique_ptr<Slot>& slot : slots_) {
    if (slot->sequence < oldest->sequence) oldest = slot.get();
  }
  return oldest;
}

Slot* Ring::newest() const noexcept {
  Slot* newest = nullptr;
  for (const std::unique_ptr<Slot>& slot : slots_) {
    if (slot->sequence > (newest ? newest->sequence : 0)) newest = slot.get();
  }
  return newest;
}

Result<Slot*> Ring::pick_other() {
  if (slots_.size() > kUsual) shrink();
  for (const std::unique_ptr<Slot>& slot : slots_) {
    if (slot->known_idle()) [[likely]]
      return slot.get();
    // The first launch that finds another one in flight: from now on each signals its end.
    XPU_TRY(slot->announce());
    announces_ = true;
  }
  if (slots_.empty()) return add();
  Slot* candidate = oldest();
  XPU_TRY_ASSIGN(const bool over, heed(candidate->idle()));
  if (over) return candidate;
  if (slots_.size() < kUsual) return add();
  return wait_or_add();
}

Result<bool> Ring::heed(Result<bool> over) {
  if (!over.ok()) device_failure_ = over.status().copy();
  return over;
}

// Rent or buy: waiting is worth as much as it saves, an encoding; and twice as much for each
// encoding beyond the usual ones, so that a device that is merely slow does not make the ring grow
// with the number of launches.
uint64_t Ring::patience_ns() const noexcept {
  const size_t extra = std::min<size_t>(slots_.size() - kUsual, 12);
  return std::min(std::max(encode_ns_, kShortestWaitNs) << extra, kLongestWaitNs);
}

Result<Slot*> Ring::wait_or_add() {
  const Zone zone("launch: all encodings in flight", static_cast<int64_t>(slots_.size()));
  Slot* candidate = oldest();
  XPU_TRY_ASSIGN(const bool over, heed(candidate->wait(patience_ns())));
  if (over) return candidate;
  return add();
}

void Ring::tell(uint32_t node) {
  if (!patching_) patching_ = std::make_unique<Patching>(*snapshot_);
  for (const std::unique_ptr<Slot>& slot : slots_) {
    slot->behind = true;
    slot->changed.insert(node, snapshot_->plan.nodes.size());
  }
}

void Ring::tell_all() {
  if (!patching_) patching_ = std::make_unique<Patching>(*snapshot_);
  for (const std::unique_ptr<Slot>& slot : slots_) slot->behind = slot->all_changed = true;
}

Status Ring::catch_up(Slot& slot) { return patching_->catch_up(slot, now_); }

Status Ring::catch_up_idle() {
  for (const std::unique_ptr<Slot>& slot : slots_) {
    if (slot->behind && slot->known_idle()) XPU_TRY(catch_up(*slot));
  }
  return Status();
}

// One a launch, so that no launch pays for many; never the last one launched, which the next launch
// may have to wait for.
void Ring::shrink() noexcept {
  size_t idle = 0;
  for (const std::unique_ptr<Slot>& slot : slots_) {
    Result<bool> over = slot->idle();
    if (over.ok() && over.value()) idle++;
  }
  if (idle < 2) return;
  for (auto slot = slots_.end(); slot != slots_.begin();) {
    slot--;
    if ((*slot)->in_flight || slot->get() == newest()) continue;
    slots_.erase(slot);
    return;
  }
}

}  // namespace xpu::exec
