// SPDX-License-Identifier: Apache-2.0
// Makes marks, and finds out when the events of old ones are free.
#include "runtime/mark.h"

#include <algorithm>

#include "base/log.h"

namespace xpu::runtime {
namespace {

constexpr size_t kTimes = 512;  // one page of host memory holds so many times

}  // namespace

Mark::~Mark() {
  if (!counter_ || time_) marks_->retire(counter_ ? nullptr : event_, time_);
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

Result<MarkRef> Marks::make(bool timed) {
  MarkRef mark(new Mark(shared_from_this()));
  const bool counter = device_.features().counter_events;
  if (!counter || timed) sweep();
  if (counter) {
    XPU_TRY_ASSIGN(mark->counter_, ze::CounterEvent::make(device_));
    mark->event_ = mark->counter_.get();
  } else {
    XPU_TRY_ASSIGN(mark->event_, device_.events().take());
  }
  if (timed) {
    XPU_TRY_ASSIGN(mark->time_, take_time());
  }
  return mark;
}

void Marks::watch(const std::shared_ptr<Queue>& queue) {
  std::lock_guard hold(lock_);
  queues_.push_back(queue);
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

void Marks::retire(ze_event_handle_t event, uint64_t* time) noexcept {
  if (!event && !time) return;
  std::lock_guard hold(lock_);
  try {
    Retired old{event, time, {}};
    std::erase_if(queues_, [](const std::weak_ptr<Queue>& queue) { return queue.expired(); });
    for (const std::weak_ptr<Queue>& weak : queues_) {
      const std::shared_ptr<Queue> queue = weak.lock();
      if (queue && !queue->clock()->idle())
        old.after.push_back({queue->clock(), queue->clock()->submitted.load()});
    }
    retired_.push_back(std::move(old));
  } catch (const std::bad_alloc&) {
    XPU_LOG(warn, "no memory to note an old event: it is not used again");
  }
}

void Marks::sweep() noexcept {
  try {
    // Asking a queue takes its lock, so it is done outside of ours.
    std::vector<std::shared_ptr<Queue>> busy;
    {
      std::lock_guard hold(lock_);
      if (retired_.empty()) return;
      for (const std::weak_ptr<Queue>& weak : queues_) {
        std::shared_ptr<Queue> queue = weak.lock();
        if (queue && !queue->clock()->idle()) busy.push_back(std::move(queue));
      }
    }
    for (const std::shared_ptr<Queue>& queue : busy) (void)queue->query();
  } catch (const std::bad_alloc&) {
    return;
  }
  std::lock_guard hold(lock_);
  std::erase_if(retired_, [&](const Retired& old) {
    for (const Past& past : old.after) {
      if (past.clock->completed.load(std::memory_order_acquire) < past.submission) return false;
    }
    device_.events().give(old.event);
    if (old.time) free_times_.push_back(old.time);  // room is reserved
    return true;
  });
}

}  // namespace xpu::runtime
