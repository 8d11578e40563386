// SPDX-License-Identifier: Apache-2.0
// Where one run of an encoding leaves the clocks of its devices, around every node.
//
// What the driver gets as one command signals an event with timestamps, which holds nothing up:
// nodes overlap as in any launch. Everything else (a copy or a fill in parts, a host function)
// stands between two readings of the clock, and on Intel's devices what follows in the list waits
// for the second one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "exec/snapshot.h"
#include "graph/params.h"
#include "runtime/device.h"
#include "runtime/kernel.h"
#include "ze/events.h"

namespace xpu::exec {

// Nanoseconds since the run began.
struct NodeTime {
  bool known = false;  // false: it did not run, or the driver does not tell
  uint64_t start_ns = 0, end_ns = 0;
};

// For one run: its events are signalled once. It must outlive the run.
class Timing {
 public:
  static Result<std::unique_ptr<Timing>> make(const Snapshot& snapshot);
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;
  ~Timing();

  // Appends plan node number `index`, which does that, and what times it, to a list of its device.
  Status append(ze::List& list, const graph::ParamsRef& params, uint32_t index,
                const runtime::Run& run);

  // Where the clock is to be written when the run begins, and around a node that is in no list.
  uint64_t* begin() noexcept { return clock_; }
  uint64_t* start_of(uint32_t index) noexcept { return clock_ + 1 + 2 * index; }
  uint64_t* end_of(uint32_t index) noexcept { return clock_ + 2 + 2 * index; }

  // By plan node. The run must be over.
  Result<std::vector<NodeTime>> read();

 private:
  // One device, with its clock.
  struct Side {
    explicit Side(runtime::Device& of) : device(of), store(of.ze(), ze::EventStore::Kind::timed) {}
    uint64_t since_begin_ns(uint64_t ticks, uint64_t mask) const noexcept;

    runtime::Device& device;
    ze::EventStore store;
    uint64_t begin = 0;  // of the run, by this clock
  };
  explicit Timing(const Snapshot& snapshot);
  uint32_t side_at(runtime::Device& device);
  Status read_begins();
  Result<NodeTime> read_node(uint32_t index);

  // The first is the device that launches.
  std::vector<std::unique_ptr<Side>> sides_;
  std::vector<uint32_t> side_of_;          // by plan node
  std::vector<ze_event_handle_t> events_;  // by plan node, nullptr: timed by two readings
  uint64_t* clock_ = nullptr;              // host memory: the begin, then two for each node
};

}  // namespace xpu::exec
