// SPDX-License-Identifier: Apache-2.0
// One device as the list wrappers need it: its driver, its engines, what it can do, and the stores
// that fallbacks draw on.
#pragma once

#include <memory>

#include "base/status.h"
#include "ze/driver.h"

namespace xpu::ze {

class EventStore;

// What may be used on this device: reported by the driver and its entry points are there.
struct Features {
  bool in_order = false;          // in-order lists; else a barrier precedes every command
  bool list_sync = false;         // zeCommandListHostSynchronize; else an event is waited for
  bool append_lists = false;      // closed lists on an immediate one; else queue and events
  bool counter_events = false;    // counter-based events; else events of a pool, used once
  bool host_function = false;     // host functions in lists, regular ones too; else a thread
  bool memory_waits = false;      // waits for values in memory; no fallback
  bool semaphores = false;        // external semaphores; no fallback
  uint32_t mutable_commands = 0;  // ZE_MUTABLE_COMMAND_EXP_FLAG_*, 0: lists cannot be patched
};

// The queue groups that matter: one that computes, and one that only copies.
struct Engines {
  uint32_t compute_ordinal = 0;
  uint32_t compute_queues = 1;
  bool cooperative = false;  // launches whose groups all run at the same time
  uint32_t copy_ordinal = 0;
  uint32_t copy_queues = 0;     // 0: no copy-only engine
  size_t compute_pattern = 16;  // longest fill pattern in bytes
  size_t copy_pattern = 0;
};

class Device {
 public:
  static Result<std::unique_ptr<Device>> probe(const Driver& driver, ze_device_handle_t handle);
  ~Device();

  const Driver& driver() const noexcept { return driver_; }
  const Table& table() const noexcept { return driver_.table(); }
  ze_context_handle_t context() const noexcept { return driver_.context(); }
  ze_device_handle_t handle() const noexcept { return handle_; }
  const Features& features() const noexcept { return features_; }
  const Engines& engines() const noexcept { return engines_; }
  // Events that are signalled once, for whatever has no counter-based event.
  EventStore& events() noexcept { return *events_; }
  // Where counter-based events come from if they need a pool; nullptr if not.
  EventStore* counters() noexcept { return counters_.get(); }

 private:
  Device(const Driver& driver, ze_device_handle_t handle);
  Status read_engines();
  bool can_be_in_order() const noexcept;
  void probe_counter_events();
  uint32_t mutable_commands() const noexcept;

  const Driver& driver_;
  ze_device_handle_t handle_;
  Features features_;
  Engines engines_;
  std::unique_ptr<EventStore> events_;
  std::unique_ptr<EventStore> counters_;
};

}  // namespace xpu::ze
