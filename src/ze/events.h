// SPDX-License-Identifier: Apache-2.0
// Events: counter-based ones, which need neither pool nor reset, and a store of pool events for
// devices without them.
#pragma once

#include <mutex>
#include <vector>

#include "base/status.h"
#include "ze/own.h"

namespace xpu::ze {

class Device;

// Only in-order lists may signal it; signalling again replaces the moment it stands for; waits appended
// before keep the old one; it may be destroyed at any time. Fails without Features::counter_events.
Result<OwnEvent> make_counter_event(const Device& device);

// Pool events are binary: signalled once, then given back when no list signals or waits for them any
// more. Safe from any thread.
class EventStore {
 public:
  explicit EventStore(const Device& device) noexcept : device_(device) {}

  // Not signalled. Grows by a pool of 64 when empty.
  Result<ze_event_handle_t> take();
  // The caller vouches that nothing on the device refers to it.
  void give(ze_event_handle_t event) noexcept;

 private:
  Status grow();

  const Device& device_;
  std::mutex lock_;  // guards all below
  std::vector<ze_event_handle_t> free_;
  // Events before pools: the order of destruction matters.
  std::vector<OwnEventPool> pools_;
  std::vector<OwnEvent> events_;
};

}  // namespace xpu::ze
