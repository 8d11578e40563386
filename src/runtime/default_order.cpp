// SPDX-License-Identifier: Apache-2.0
// Orders the legacy default stream and the blocking streams.
#include "runtime/default_order.h"

#include "runtime/device.h"
#include "runtime/stream.h"

namespace xpu::runtime {

Status DefaultOrder::before_blocking(Stream& stream) {
  std::lock_guard hold(lock_);
  const uint64_t now = legacy_submissions();
  if (stream.seen_legacy_.load(std::memory_order_relaxed) == now) return Status();
  XPU_TRY_ASSIGN(Stream * legacy, device_.legacy_stream());
  if (!legacy->queue().clock()->idle()) {
    if (marked_ != now) {
      XPU_TRY(device_.marks().renew(legacy_mark_));
      XPU_TRY(legacy->queue().submit(
          [&](ze::List& list) { return list.signal(legacy_mark_->event()); }));
      marked_ = now;
    }
    const ze_event_handle_t event = legacy_mark_->event();
    XPU_TRY(stream.queue().submit([&](ze::List& list) { return list.wait({&event, 1}); }));
  }
  stream.seen_legacy_.store(now, std::memory_order_release);
  return Status();
}

// Under the stream's queue lock.
void DefaultOrder::clean(Stream& stream) noexcept {
  if (stream.dirty_.exchange(false, std::memory_order_acq_rel))
    dirty_.fetch_sub(1, std::memory_order_acq_rel);
}

Status DefaultOrder::before_legacy(Stream& legacy) {
  std::lock_guard hold(lock_);
  // Held until the waits are appended: a stream, and its mark, may go meanwhile.
  std::vector<MarkRef> joins;
  std::vector<ze_event_handle_t> waits;
  for (const std::shared_ptr<Stream>& stream : device_.streams()) {
    settled(*stream);
    if (!stream->blocking() || !stream->dirty_.load(std::memory_order_acquire)) continue;
    XPU_TRY(device_.marks().renew(stream->join_));
    bool joined = false;
    Status marked = stream->queue().submit([&](ze::List& list) {
      // Asked again under the lock: its owner may have waited and let go of it since.
      if (!stream->dirty_.load(std::memory_order_relaxed)) return Status();
      Status status = list.signal(stream->join_->event());
      joined = status.ok();
      if (joined) clean(*stream);
      return status;
    });
    if (!marked.ok()) return marked;
    if (!joined) continue;
    joins.push_back(stream->join_);
    waits.push_back(stream->join_->event());
  }
  return legacy.queue().submit([&](ze::List& list) { return list.wait(waits); });
}

void DefaultOrder::settled(Stream& stream) noexcept {
  if (!stream.dirty_.load(std::memory_order_acquire)) return;
  stream.queue().if_idle([&] { clean(stream); });
}

bool DefaultOrder::release(Stream& stream) noexcept {
  bool idle = false;
  stream.queue().if_idle([&] {
    clean(stream);
    idle = true;
  });
  return idle;
}

}  // namespace xpu::runtime
