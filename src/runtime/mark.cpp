// SPDX-License-Identifier: Apache-2.0
// Makes marks, and finds out when the events of old ones are free.
#include "runtime/mark.h"

#include <algorithm>

#include "base/log.h"

namespace xpu::runtime {
namespace {

constexpr size_t kTimes = 512;  // one page of host memory holds so many times

// Of all devices. Never destroyed: threads of drivers outlive any owner.
struct Queues {
  std::mutex lock;  // guards all
  std::vector<std::weak_ptr<Queue>> all;
};
Queues& queues() noexcept {
  static Queues* const made = new Queues;
  return *made;
}

std::vector<std::shared_ptr<Queue>> busy_queues() {
  std::vector<std::shared_ptr<Queue>> busy;
  std::vector<std::shared_ptr<Queue>> idle;  // the last reference must not go under the lock
  Queues& known = queues();
  const std::lock_guard hold(known.lock);
  std::erase_if(known.all, [&](const std::weak_ptr<Queue>& weak) {
    std::shared_ptr<Queue> queue = weak.lock();
    if (!queue) return true;
    (queue->clock()->idle() ? idle : busy).push_back(std::move(queue));
    return false;
  });
  return busy;
}

}  // namespace

Mark::~Mark() {
  if (!counter_ || time_) marks_->retire({counter_ ? nullptr : event_, time_, nullptr, {}});
}

Status Mark::query() const { return ZE_CALL(marks_->device_.table(), EventQueryStatus, event_); }

Status Mark::synchronize() const {
  return ZE_CALL(marks_->device_.table(), EventHostSynchronize, event_, UINT64_MAX);
}

Marks::~Marks() {
  for (const Retired& old : retired_) device_.events().give(old.event);
  for (void* block : time_blocks_) {
    const ze_result_t result = device_.table().MemFree(device_.context(), block);
    if (result != ZE_RESULT_SUCCESS)
      XPU_LOG(error, "freeing timestamps at %p: %s", block, ze::result_name(result));
  }
}

Status Marks::renew(MarkRef& mark) {
  if (mark && mark->reusable() && !mark->time()) return Status();
  XPU_TRY_ASSIGN(mark, make(mark && mark->time()));
  return Status();
}

Result<MarkRef> Marks::make(bool timed, const Mark* before) {
  MarkRef mark(new Mark(shared_from_this()));
  const bool counter = device_.features().counter_events;
  if (!counter || timed) sweep();
  if (counter) {
    if (before) {
      mark->counter_ = before->counter_;
    } else {
      XPU_TRY_ASSIGN(ze::CounterEvent made, ze::CounterEvent::make(device_));
      mark->counter_ = std::make_shared<ze::CounterEvent>(std::move(made));
    }
    mark->event_ = mark->counter_->get();
  } else {
    XPU_TRY_ASSIGN(mark->event_, device_.events().take());
  }
  if (timed) {
    XPU_TRY_ASSIGN(mark->time_, take_time());
  }
  return mark;
}

void Marks::watch(const std::shared_ptr<Queue>& queue) {
  Queues& known = queues();
  const std::lock_guard hold(known.lock);
  known.all.push_back(queue);
}

Result<uint64_t*> Marks::take_time() {
  std::lock_guard hold(lock_);
  if (free_times_.empty()) {
    time_blocks_.reserve(time_blocks_.size() + 1);
    free_times_.reserve((time_blocks_.size() + 1) * kTimes);
    ze_host_mem_alloc_desc_t desc = {};
    desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
    void* block = nullptr;
    ZE_TRY(device_.table(), MemAllocHost, device_.context(), &desc, kTimes * sizeof(uint64_t),
           sizeof(uint64_t), &block);
    time_blocks_.push_back(block);
    for (size_t i = kTimes; i-- > 0;) free_times_.push_back(static_cast<uint64_t*>(block) + i);
  }
  uint64_t* time = free_times_.back();
  free_times_.pop_back();
  return time;
}

void Marks::retire(Retired old) noexcept {
  if (!old.event && !old.time && !old.thing) return;
  try {
    for (const std::shared_ptr<Queue>& queue : busy_queues())
      old.after.push_back({queue->clock(), queue->clock()->submitted.load()});
    if (old.after.empty() && !old.event && !old.time) return;  // nobody can be using the thing
    std::lock_guard hold(lock_);
    retired_.push_back(std::move(old));
    any_retired_.store(true, std::memory_order_release);
  } catch (const std::bad_alloc&) {
    XPU_LOG(warn, "no memory to note what is no longer used: it is not used again");
    new std::shared_ptr<const void>(std::move(old.thing));
  }
}

// Under the lock. Events and times go back; the caller drops the thing.
bool Marks::is_past(const Retired& old) noexcept {
  for (const Past& past : old.after) {
    if (past.clock->completed.load(std::memory_order_acquire) < past.submission) return false;
  }
  device_.events().give(old.event);
  if (old.time) free_times_.push_back(old.time);  // room is reserved
  return true;
}

void Marks::sweep() noexcept {
  if (!any_retired_.load(std::memory_order_acquire)) return;
  try {
    // Asking a queue takes its lock, so it is done outside of ours.
    for (const std::shared_ptr<Queue>& queue : busy_queues()) (void)queue->query();

    std::vector<Retired> past;  // things go outside the lock, they may be anything
    std::lock_guard hold(lock_);
    past.reserve(retired_.size());
    std::erase_if(retired_, [&](Retired& old) {
      if (!is_past(old)) return false;
      past.push_back(std::move(old));
      return true;
    });
    any_retired_.store(!retired_.empty(), std::memory_order_release);
  } catch (const std::bad_alloc&) {
    XPU_LOG(warn, "no memory to look for what is no longer used");
  }
}

}  // namespace xpu::runtime
