// SPDX-License-Identifier: Apache-2.0
// Makes events.
#include "ze/events.h"

#include "ze/device.h"

namespace xpu::ze {
namespace {

// One pool is one allocation in the driver; 64 events fill a page of Intel's layout.
constexpr uint32_t kPoolSize = 64;

}  // namespace

EventStore::~EventStore() = default;

Result<ze_event_handle_t> EventStore::take() {
  std::lock_guard hold(lock_);
  if (free_.empty()) XPU_TRY(grow());
  const ze_event_handle_t event = free_.back();
  free_.pop_back();
  return event;
}

void EventStore::give(ze_event_handle_t event) noexcept {
  if (!event) return;
  // Counter-based events have nothing to reset.
  if (kind_ != Kind::counter) {
    const ze_result_t result = device_.table().EventHostReset(event);
    if (result != ZE_RESULT_SUCCESS) {
      XPU_LOG(error, "an event could not be reset and is not used again: %s", result_name(result));
      return;
    }
  }
  std::lock_guard hold(lock_);
  free_.push_back(event);  // grow() reserved the room
}

Status EventStore::grow() {
  const Table& table = device_.table();
  ze_event_pool_counter_based_exp_desc_t counter = {};
  counter.stype = ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC;
  counter.flags = ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE;
  ze_event_pool_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  desc.pNext = kind_ == Kind::counter ? &counter : nullptr;
  desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  if (kind_ == Kind::timed) desc.flags |= ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
  desc.count = kPoolSize;
  // For all devices of the driver: streams of one wait for events of another.
  ze_event_pool_handle_t made = nullptr;
  ZE_TRY(table, EventPoolCreate, device_.context(), &desc, 0, nullptr, &made);
  OwnEventPool pool(table, made);

  std::vector<OwnEvent> events;
  for (uint32_t i = 0; i < kPoolSize; i++) {
    ze_event_desc_t event = {};
    event.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
    event.index = i;
    event.signal = ZE_EVENT_SCOPE_FLAG_HOST;
    event.wait = ZE_EVENT_SCOPE_FLAG_DEVICE;
    ze_event_handle_t handle = nullptr;
    ZE_TRY(table, EventCreate, pool.get(), &event, &handle);
    events.emplace_back(table, handle);
  }
  // Nothing below fails: the new pool is in, whole.
  pools_.reserve(pools_.size() + 1);
  events_.reserve(events_.size() + kPoolSize);
  free_.reserve(events_.capacity());
  pools_.push_back(std::move(pool));
  for (OwnEvent& event : events) {
    free_.push_back(event.get());
    events_.push_back(std::move(event));
  }
  return Status();
}

Result<CounterEvent> CounterEvent::make(Device& device) {
  CounterEvent event;
  if (EventStore* store = device.counters()) {
    XPU_TRY_ASSIGN(event.event_, store->take());
    event.store_ = store;
    return event;
  }
  ze_event_counter_based_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC;
  desc.flags = ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE | ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE;
  desc.signal = ZE_EVENT_SCOPE_FLAG_HOST;
  desc.wait = ZE_EVENT_SCOPE_FLAG_DEVICE;
  ZE_TRY(device.table(), EventCounterBasedCreate, device.context(), device.handle(), &desc,
         &event.event_);
  event.own_ = OwnEvent(device.table(), event.event_);
  return event;
}

Result<CounterEvent> CounterEvent::make_or_once(Device& device) {
  if (device.features().counter_events) return make(device);
  CounterEvent event;
  XPU_TRY_ASSIGN(event.event_, device.events().take());
  event.store_ = &device.events();
  return event;
}

CounterEvent& CounterEvent::operator=(CounterEvent&& other) noexcept {
  if (this == &other) return *this;
  if (store_) store_->give(event_);
  own_ = std::move(other.own_);
  store_ = std::exchange(other.store_, nullptr);
  event_ = std::exchange(other.event_, nullptr);
  return *this;
}

CounterEvent::~CounterEvent() {
  if (store_) store_->give(event_);
}

}  // namespace xpu::ze
