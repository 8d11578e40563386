// SPDX-License-Identifier: Apache-2.0
// Marks the moments of frees.
#include "memory/freed.h"

#include "runtime/device.h"

namespace xpu::memory {

using runtime::MarkRef;
using runtime::Stream;

Result<MarkRef> SpareMarks::take(runtime::Device& device) {
  if (&device == &device_) {
    std::lock_guard hold(lock_);
    if (!marks_.empty()) {
      MarkRef mark = std::move(marks_.back());
      marks_.pop_back();
      return mark;
    }
  }
  return device.marks().make(false);
}

void SpareMarks::give(MarkRef mark) noexcept {
  if (!mark || !mark->reusable()) return;
  std::lock_guard hold(lock_);
  if (marks_.size() < marks_.capacity()) {
    marks_.push_back(std::move(mark));
    return;
  }
  if (marks_.size() == kMost) return;
  try {
    marks_.reserve(kMost);
    marks_.push_back(std::move(mark));
  } catch (const std::bad_alloc&) {
    // Then it is made anew.
  }
}

Freed::Freed(std::shared_ptr<SpareMarks> spare, Stream& stream) noexcept
    : spare_(std::move(spare)), clock_(stream.queue().clock()), stream_(stream.id()) {}

Result<FreedRef> Freed::now(Stream& stream, const std::shared_ptr<SpareMarks>& spare) {
  if (stream.is_past_everything()) return FreedRef();
  auto freed = std::make_shared<Freed>(spare, stream);
  XPU_TRY_ASSIGN(freed->mark_, spare->take(stream.device()));
  XPU_TRY(stream.submit([&](ze::List& list) {
    freed->submission_ = freed->clock_->submitted.load();
    return list.signal(freed->mark_->event());
  }));
  return FreedRef(std::move(freed));
}

bool Freed::is_now(const Stream& stream) const noexcept {
  return stream_ == stream.id() && !stream.queue().list().borrowed() && !stream.rules_pending() &&
         clock_->submitted.load() == submission_;
}

bool Freed::is_over() const noexcept {
  return clock_->completed.load(std::memory_order_acquire) >= submission_ || mark_->query().ok();
}

Status Freed::wait_in(Stream& stream) const {
  XPU_TRY(stream.wait(*mark_));
  runtime::Past past;
  past.learn(stream_, submission_);
  stream.learn(past);
  return {};
}

bool Asking::is_over(const Freed& freed) {
  for (Pending& known : pending_) {
    if (known.stream != freed.stream()) continue;
    if (known.submission <= freed.submission()) return false;
    if (freed.is_over()) return true;
    known.submission = freed.submission();
    return false;
  }
  if (freed.is_over()) return true;
  pending_.push_back({freed.stream(), freed.submission()});
  return false;
}

}  // namespace xpu::memory
