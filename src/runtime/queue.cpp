// SPDX-License-Identifier: Apache-2.0
// Waiting for a queue, with or without the driver's help.
#include "runtime/queue.h"

#include "ze/events.h"

namespace xpu::runtime {

// A queue goes only when its work is done, and what was retired must not wait for it any more. A
// probe that another thread's question left in the list may still be on its way: nothing is before
// it, so this wait is short.
Queue::~Queue() {
  clock_->completed.store(clock_->submitted.load());
  if (!probe_) return;
  ze::Device& device = list_.device();
  const ze_result_t result = device.table().EventHostSynchronize(probe_, UINT64_MAX);
  if (result == ZE_RESULT_SUCCESS) device.events().give(probe_);
}

Status Queue::pay() {
  XPU_TRY(list_.signal(owed_));
  owed_ = nullptr;
  return Status();
}

Status Queue::settle(ze_event_handle_t event) {
  std::lock_guard hold(lock_);
  if (owed_ != event) return Status();
  clock_->submitted.fetch_add(1, std::memory_order_acq_rel);
  return pay();
}

void Queue::forgive(ze_event_handle_t event) noexcept {
  std::lock_guard hold(lock_);
  if (owed_ == event) owed_ = nullptr;
}

Status Queue::lend() {
  std::lock_guard hold(lock_);
  lent_.store(true, std::memory_order_relaxed);
  return owed_ ? pay() : Status();
}

void Queue::completed(uint64_t submission) noexcept {
  uint64_t known = clock_->completed.load(std::memory_order_relaxed);
  while (known < submission &&
         !clock_->completed.compare_exchange_weak(known, submission, std::memory_order_acq_rel)) {
  }
}

// A submission counts before it is appended, so the number means something only while none is under
// way: what is waited for below must be in the list.
uint64_t Queue::last_appended() noexcept {
  std::lock_guard hold(lock_);
  return clock_->submitted.load(std::memory_order_acquire);
}

Status Queue::synchronize() {
  const uint64_t at = last_appended();
  // What a program appends to its own list is not counted.
  if (!list_.borrowed() && clock_->completed.load(std::memory_order_acquire) >= at) return Status();
  XPU_TRY(list_.device().features().list_sync ? list_.synchronize(UINT64_MAX) : wait_by_event());
  completed(at);
  return Status();
}

Status Queue::query() {
  const uint64_t at = last_appended();
  if (!list_.borrowed() && clock_->completed.load(std::memory_order_acquire) >= at) return Status();
  if (!list_.device().features().list_sync) return query_by_event();
  XPU_TRY(list_.synchronize(0));
  completed(at);
  return Status();
}

Status Queue::wait_by_event() {
  ze::Device& device = list_.device();
  XPU_TRY_ASSIGN(const ze_event_handle_t event, device.events().take());
  Status status;
  {
    std::lock_guard hold(lock_);
    status = list_.signal(event);
  }
  if (!status.ok()) {
    device.events().give(event);
    return status;
  }
  // An event whose signal may still come is not used again.
  ZE_TRY(device.table(), EventHostSynchronize, event, UINT64_MAX);
  device.events().give(event);
  return Status();
}

// One event at a time is on its way: asking often must not fill the list with events.
Status Queue::query_by_event() {
  ze::Device& device = list_.device();
  std::lock_guard hold(lock_);
  for (;;) {
    const uint64_t at = clock_->submitted.load(std::memory_order_acquire);
    if (!probe_) {
      XPU_TRY_ASSIGN(const ze_event_handle_t event, device.events().take());
      if (Status status = list_.signal(event); !status.ok()) {
        device.events().give(event);
        return status;
      }
      probe_ = event;
      probe_at_ = at;
    }
    ZE_TRY(device.table(), EventQueryStatus, probe_);
    device.events().give(probe_);
    probe_ = nullptr;
    completed(probe_at_);
    if (probe_at_ >= at) return Status();
  }
}

}  // namespace xpu::runtime
