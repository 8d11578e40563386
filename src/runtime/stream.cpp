// SPDX-License-Identifier: Apache-2.0
// Streams: their making, their rules, their errors.
#include "runtime/stream.h"

#include "runtime/device.h"

namespace xpu::runtime {
namespace {

std::atomic<uint64_t> next_id{1};

}  // namespace

Stream::Stream(Device& device, Kind kind, ze::List list, unsigned flags, int priority)
    : device_(device),
      kind_(kind),
      flags_(flags),
      priority_(priority),
      ruled_(kind == Kind::legacy || blocking()),
      id_(next_id.fetch_add(1, std::memory_order_relaxed)),
      queue_(std::make_shared<Queue>(std::move(list))) {}

Stream::~Stream() { device_.default_order().forget(*this); }

Result<std::shared_ptr<Stream>> Stream::make(Device& device, Kind kind, ze::List list,
                                             unsigned flags, int priority) {
  std::shared_ptr<Stream> stream(new Stream(device, kind, std::move(list), flags, priority));
  if (kind == Kind::created || kind == Kind::native) {
    stream->handle_ = OwnedHandle(HandleType::stream, stream.get());
    if (!stream->handle_.value())
      return Status::error(xpuErrorMemoryAllocation, "there is no room for another handle");
  }
  device.marks().watch(stream->queue_);
  device.enter(stream);
  return stream;
}

Result<Stream*> Stream::create(Device& device, unsigned flags, int priority) {
  if (flags & ~static_cast<unsigned>(xpuStreamNonBlocking))
    return invalid_value("flags may be xpuStreamDefault or xpuStreamNonBlocking", "flags");
  // As CUDA does: what is out of range is taken to its nearest end.
  if (priority > device.least_priority()) priority = device.least_priority();
  if (priority < device.greatest_priority()) priority = device.greatest_priority();
  XPU_TRY_ASSIGN(ze::List list, device.new_list(priority));
  XPU_TRY_ASSIGN(std::shared_ptr<Stream> stream,
                 make(device, Kind::created, std::move(list), flags, priority));
  stream->self_ = stream;
  return stream.get();
}

Result<Stream*> Stream::adopt(Device& device, ze_command_list_handle_t native, unsigned flags) {
  if (!native) return invalid_value("the command list is NULL", "command_list");
  XPU_TRY_ASSIGN(ze::List list, ze::List::borrow(device.ze(), native));
  XPU_TRY_ASSIGN(std::shared_ptr<Stream> stream,
                 make(device, Kind::native, std::move(list), flags, 0));
  stream->self_ = stream;
  return stream.get();
}

bool Stream::destroy(uint64_t handle) noexcept {
  auto* stream = static_cast<Stream*>(HandleTable::drop(HandleType::stream, handle));
  if (!stream) return false;
  std::shared_ptr<Stream> self = std::move(stream->self_);
  stream->device_.retire(std::move(self));
  return true;
}

bool Stream::rules_pending() const noexcept {
  const DefaultOrder& order = device_.default_order();
  if (kind_ == Kind::legacy) return order.any_dirty();
  return blocking() && seen_legacy_.load(std::memory_order_relaxed) != order.legacy_submissions();
}

Status Stream::apply_rules() {
  DefaultOrder& order = device_.default_order();
  return kind_ == Kind::legacy ? order.before_legacy(*this) : order.before_blocking(*this);
}

void Stream::note_submission() noexcept {
  if (kind_ == Kind::legacy) {
    device_.default_order().note_legacy();
  } else if (blocking() && !dirty_.load(std::memory_order_relaxed)) {
    dirty_.store(true, std::memory_order_release);
    device_.default_order().note_dirty();
  }
}

Past Stream::past() const noexcept {
  std::lock_guard hold(past_lock_);
  return past_;
}

void Stream::learn(const Past& past) noexcept {
  std::lock_guard hold(past_lock_);
  past_.learn(past);
}

Status Stream::wait(const Mark& mark) {
  const ze_event_handle_t event = mark.event();
  return submit([&](ze::List& list) { return list.wait({&event, 1}); });
}

Status Stream::signal(const Mark& mark) {
  return submit([&](ze::List& list) { return list.signal(mark.event()); });
}

Status Stream::synchronize() {
  // The legacy stream's place in the order is after the blocking streams' work.
  if (rules_pending()) XPU_TRY(apply_rules());
  return finished(queue_->synchronize());
}

Status Stream::query() {
  if (rules_pending()) XPU_TRY(apply_rules());
  return finished(queue_->query());
}

Status Stream::finished(Status status) {
  if (!status.ok()) return status;
  device_.default_order().settled(*this);
  if (!has_error_.load(std::memory_order_acquire)) return Status();
  std::lock_guard hold(error_lock_);
  has_error_.store(false, std::memory_order_release);
  return std::move(error_);
}

void Stream::keep_error(Status status) noexcept {
  std::lock_guard hold(error_lock_);
  if (!error_.ok() || status.ok()) return;
  error_ = std::move(status);
  has_error_.store(true, std::memory_order_release);
}

}  // namespace xpu::runtime
