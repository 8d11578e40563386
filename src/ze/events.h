// SPDX-License-Identifier: Apache-2.0
// Events: a store of pool events, and counter-based ones, which need no reset.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "base/status.h"
#include "ze/own.h"

namespace xpu::ze {

class Device;

// Events of pools, visible to the host. Safe from any thread.
class EventStore {
 public:
  enum class Kind : uint8_t {
    once,     // signalled once, then given back when no list signals or waits for it any more
    counter,  // counter-based, from a pool: given back at any time
    timed,    // signalled once; the driver notes when the command that signals it ran
  };

  EventStore(const Device& device, Kind kind) noexcept : device_(device), kind_(kind) {}
  ~EventStore();

  // Not signalled, unless of Kind::counter. Grows by a pool when empty.
  Result<ze_event_handle_t> take();
  // Unless of Kind::counter the caller vouches that nothing on the device refers to it.
  void give(ze_event_handle_t event) noexcept;

 private:
  Status grow();

  const Device& device_;
  const Kind kind_;
  std::mutex lock_;  // guards all below
  std::vector<ze_event_handle_t> free_;
  // Pools before events: an event goes before its pool.
  std::vector<OwnEventPool> pools_;
  std::vector<OwnEvent> events_;
};

// A counter-based event. Only in-order immediate lists may signal it; signalling again replaces the
// moment it stands for; waits appended before keep the old one; it may go at any time. Needs
// Features::counter_events.
class CounterEvent {
 public:
  static Result<CounterEvent> make(Device& device);
  // Where the device has none, an event of Device::events() in its place: signalled once, and what
  // that asks for when it goes is asked here.
  static Result<CounterEvent> make_or_once(Device& device);

  CounterEvent() noexcept = default;
  CounterEvent(CounterEvent&& other) noexcept { *this = std::move(other); }
  CounterEvent& operator=(CounterEvent&& other) noexcept;
  ~CounterEvent();

  ze_event_handle_t get() const noexcept { return event_; }
  // It is not given back: nobody can tell any more whether something refers to it.
  void abandon() noexcept { store_ = nullptr; }
  explicit operator bool() const noexcept { return event_ != nullptr; }

 private:
  OwnEvent own_;                 // specification 1.15 and later make it by itself;
  EventStore* store_ = nullptr;  // before, it comes from a pool
  ze_event_handle_t event_ = nullptr;
};

}  // namespace xpu::ze
