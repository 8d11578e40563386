// SPDX-License-Identifier: Apache-2.0
// Events: what a program records, waits for and times. Each record replaces the moment before.
#pragma once

#include <xpugraph/xpugraph.h>

#include <memory>
#include <mutex>

#include "base/handle.h"
#include "base/status.h"
#include "runtime/captured.h"
#include "runtime/mark.h"
#include "runtime/past.h"

namespace xpu::runtime {

class Device;
class Stream;

// Milliseconds from one reading of a clock to another, negative if it is the earlier one. The clock
// counts `ticks_per_second`, wraps behind the bits of `mask`, and the readings are less than half
// its range apart.
double ticks_to_ms(uint64_t start, uint64_t end, uint64_t mask, double ticks_per_second) noexcept;

class Event : public std::enable_shared_from_this<Event> {
 public:
  // `flags` are xpuEventDefault, xpuEventBlockingSync, xpuEventDisableTiming. Lives until destroy,
  // and as long as somebody holds a reference (a graph's event node).
  static Result<Event*> create(Device& device, unsigned flags);
  static bool destroy(uint64_t handle) noexcept;

  // Stands for everything submitted to the stream so far. Leaves the captured state.
  Status record(Stream& stream);
  // The same for a lane, for event record nodes.
  Status record(Queue& queue);
  // Later work of the stream or lane waits for the last record; nothing if there is none.
  Status wait(Stream& stream);
  Status wait(Queue& queue);
  // xpuErrorNotReady while the last record is outstanding; success if there is none.
  Status query();
  Status synchronize();
  // Milliseconds between two records.
  static Result<float> elapsed(Event& start, Event& end);

  Device& device() const noexcept { return device_; }
  unsigned flags() const noexcept { return flags_; }
  bool timed() const noexcept { return !(flags_ & xpuEventDisableTiming); }
  // Of HandleType::event, naming `this`.
  uint64_t handle() const noexcept { return handle_.value(); }
  // The Level Zero event of the last record, nullptr if there is none.
  ze_event_handle_t native();

  // The capture floor's slot: set by a record inside a capture, cleared by one outside.
  std::shared_ptr<Captured> captured() const;
  void set_captured(std::shared_ptr<Captured> captured);

 private:
  Event(Device& device, unsigned flags);
  template <class Target>
  Status record_on(Target& target, Past past);
  MarkRef last() const;

  Device& device_;
  const unsigned flags_;
  OwnedHandle handle_;
  std::shared_ptr<Event> self_;
  // One record at a time: they signal the same driver event. Also held while a stream takes over
  // what the record comes after.
  std::mutex record_lock_;
  mutable std::mutex lock_;  // guards all below
  MarkRef mark_;
  Past past_;  // what the last record comes after; nothing is known of a lane
  std::shared_ptr<Captured> captured_;
};

}  // namespace xpu::runtime
