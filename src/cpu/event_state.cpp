// SPDX-License-Identifier: Apache-2.0
// What events are made of: the state that commands share, counters, and signals.
#include <algorithm>

#include "cpu/bell.h"
#include "cpu/event.h"

namespace xpu::cpu {

void Counter::raise(uint64_t value) noexcept {
  value_.store(value, std::memory_order_seq_cst);
  Bell::ring(this);
}

void EventState::signal(ze_result_t failure) noexcept {
  failure_.store(failure, std::memory_order_release);
  signalled_.store(true, std::memory_order_seq_cst);
  Bell::ring(this);
}

void EventState::reset() noexcept {
  failure_.store(ZE_RESULT_SUCCESS, std::memory_order_release);
  signalled_.store(false, std::memory_order_seq_cst);
}

void EventState::set_ticks(const Ticks& ticks) noexcept {
  std::lock_guard lock(mutex_);
  ticks_ = ticks;
}

Ticks EventState::ticks() const noexcept {
  std::lock_guard lock(mutex_);
  return ticks_;
}

void EventState::enter_wait(uint64_t submission) {
  std::lock_guard lock(mutex_);
  waiting_.push_back(submission);
}

void EventState::leave_wait(uint64_t submission) noexcept {
  std::lock_guard lock(mutex_);
  const auto at = std::find(waiting_.begin(), waiting_.end(), submission);
  if (at == waiting_.end()) return;
  *at = waiting_.back();
  waiting_.pop_back();
}

uint32_t EventState::waits_before(uint64_t submission) const noexcept {
  std::lock_guard lock(mutex_);
  return static_cast<uint32_t>(
      std::count_if(waiting_.begin(), waiting_.end(), [&](uint64_t s) { return s < submission; }));
}

bool EventState::has_wait(uint64_t submission) const noexcept {
  std::lock_guard lock(mutex_);
  return std::find(waiting_.begin(), waiting_.end(), submission) != waiting_.end();
}

void Signal::publish(const Ticks& ticks, ze_result_t failure) const noexcept {
  if (!event) return;
  if (event->has_ticks()) event->set_ticks(ticks);
  if (counter) {
    event->fail(failure);
    counter->raise(value);
  } else {
    event->signal(failure);
  }
}

Event::Event(Shape shape)
    : Object(kType),
      shape_(std::move(shape)),
      state_(std::make_shared<EventState>(shape_.counter_flags != 0, shape_.has_ticks)) {
  if (shape_.pool) shape_.pool->live.fetch_add(1, std::memory_order_relaxed);
}

Event::~Event() {
  if (shape_.pool) shape_.pool->live.fetch_sub(1, std::memory_order_relaxed);
}

Wait Event::wait() const {
  if (!counter_based()) return {state_, nullptr, 0};
  std::lock_guard lock(mutex_);
  return {state_, counter_, value_};
}

void Event::mark(std::shared_ptr<Counter> counter, uint64_t value) {
  std::lock_guard lock(mutex_);
  counter_ = std::move(counter);
  value_ = value;
}

}  // namespace xpu::cpu
