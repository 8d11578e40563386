// SPDX-License-Identifier: Apache-2.0
// Events: recording, waiting, timing.
#include "runtime/event.h"

#include "runtime/device.h"
#include "runtime/stream.h"

namespace xpu::runtime {
namespace {

// The submission that is being appended, for what comes after it.
uint64_t id_of(const Stream& stream) noexcept { return stream.id(); }
uint64_t id_of(const Queue&) noexcept { return 0; }
const Clock& clock_of(const Stream& stream) noexcept { return *stream.queue().clock(); }
const Clock& clock_of(const Queue& queue) noexcept { return *queue.clock(); }

}  // namespace

Event::Event(Device& device, unsigned flags) : device_(device), flags_(flags) {}

Result<Event*> Event::create(Device& device, unsigned flags) {
  constexpr unsigned known = xpuEventBlockingSync | xpuEventDisableTiming;
  if (flags & ~known)
    return invalid_value("flags may be xpuEventBlockingSync and xpuEventDisableTiming", "flags");
  std::shared_ptr<Event> event(new Event(device, flags));
  event->handle_ = OwnedHandle(HandleType::event, event.get());
  if (!event->handle_.value())
    return Status::error(xpuErrorMemoryAllocation, "there is no room for another handle");
  event->self_ = event;
  return event.get();
}

bool Event::destroy(uint64_t handle) noexcept {
  auto* event = static_cast<Event*>(HandleTable::drop(HandleType::event, handle));
  if (!event) return false;
  const std::shared_ptr<Event> self = std::move(event->self_);
  return true;
}

MarkRef Event::last() const {
  std::lock_guard hold(lock_);
  return mark_;
}

template <class Target>
Status Event::record_on(Target& target, Past past) {
  std::lock_guard recording(record_lock_);
  MarkRef next = last();
  // A time that is still to be written is left alone: that write may come after ours.
  if (!next || !next->reusable() || (timed() && !next->query().ok())) {
    XPU_TRY_ASSIGN(next, device_.marks().make(timed(), next.get()));
  }
  XPU_TRY(target.submit([&](ze::List& list) {
    if (const uint64_t id = id_of(target)) past.learn(id, clock_of(target).submitted.load());
    return timed() ? list.write_timestamp(next->time(), {next->event(), {}})
                   : list.signal(next->event());
  }));
  std::shared_ptr<Captured> left;  // goes outside the lock
  std::lock_guard hold(lock_);
  mark_.swap(next);
  past_ = past;
  left.swap(captured_);
  return Status();
}

Status Event::record(Stream& stream) {
  if (&stream.device() != &device_)
    return Status::error(xpuErrorInvalidResourceHandle,
                         "the event is of device " + std::to_string(device_.index()) +
                             ", the stream of device " + std::to_string(stream.device().index()),
                         "stream");
  return record_on(stream, stream.past());
}

Status Event::record(Queue& queue) { return record_on(queue, {}); }

Status Event::wait(Stream& stream) {
  // A record by another thread must not come between the wait and what it means.
  std::lock_guard recording(record_lock_);
  const MarkRef mark = last();
  if (!mark) return Status();
  XPU_TRY(stream.wait(*mark));
  Past past;
  {
    std::lock_guard hold(lock_);
    past = past_;
  }
  stream.learn(past);
  return Status();
}

Status Event::wait(Queue& queue) {
  const MarkRef mark = last();
  if (!mark) return Status();
  const ze_event_handle_t event = mark->event();
  return queue.submit([&](ze::List& list) { return list.wait({&event, 1}); });
}

Status Event::query() {
  const MarkRef mark = last();
  return mark ? mark->query() : Status();
}

Status Event::synchronize() {
  const MarkRef mark = last();
  return mark ? mark->synchronize() : Status();
}

double ticks_to_ms(uint64_t start, uint64_t end, uint64_t mask, double ticks_per_second) noexcept {
  uint64_t ticks = (end - start) & mask;
  // More than half the clock's range is a step back, not a wait of half its period.
  const bool back = ticks > mask / 2;
  if (back) ticks = (start - end) & mask;
  const double ms = static_cast<double>(ticks) * 1000.0 / ticks_per_second;
  return back ? -ms : ms;
}

Result<float> Event::elapsed(Event& start, Event& end) {
  if (!start.timed() || !end.timed())
    return Status::error(xpuErrorInvalidResourceHandle,
                         "an event made with xpuEventDisableTiming has no time",
                         start.timed() ? "end" : "start");
  if (&start.device_ != &end.device_)
    return Status::error(xpuErrorInvalidResourceHandle, "the events are of different devices",
                         "end");
  const MarkRef first = start.last(), second = end.last();
  if (!first || !second)
    return Status::error(xpuErrorInvalidResourceHandle, "the event was never recorded",
                         first ? "end" : "start");
  XPU_TRY(first->query());
  XPU_TRY(second->query());
  const DeviceProperties& p = start.device_.properties();
  return static_cast<float>(
      ticks_to_ms(*first->time(), *second->time(), p.tick_mask, p.ticks_per_second));
}

ze_event_handle_t Event::native() {
  const MarkRef mark = last();
  return mark ? mark->event() : nullptr;
}

std::shared_ptr<Captured> Event::captured() const {
  std::lock_guard hold(lock_);
  return captured_;
}

void Event::set_captured(std::shared_ptr<Captured> captured) {
  std::lock_guard hold(lock_);
  captured_.swap(captured);
}

}  // namespace xpu::runtime
