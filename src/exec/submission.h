// SPDX-License-Identifier: Apache-2.0
// One launch on its way into the queues.
#pragma once

#include <cstdint>
#include <span>

#include "exec/slot.h"
#include "runtime/stream.h"

namespace xpu::exec {

class Submission {
 public:
  // `after` is the end of the launch before, if the stream does not order it anyway; else nullptr.
  // The slot is idle and its marks are renewed. `announces`: the slot's `done` is signalled; else
  // it may be owed (see runtime::Queue), if that costs less.
  Submission(Slot& slot, runtime::Stream& stream, ze_event_handle_t after, bool announces) noexcept
      : slot_(slot),
        snapshot_(*slot.snapshot),
        stream_(stream),
        after_(after),
        announces_(announces) {}

  Status run();
  // Whether something may be in a queue although run() failed.
  bool began() const noexcept { return began_; }
  // After such a failure: the stream's later work comes after what was submitted, and the slot
  // knows when that is over.
  void join() noexcept;

 private:
  Status run_one_list();
  Status run_segments();
  Status begin_timing();
  Status open();
  Status start();
  Status segment(uint32_t index);
  Status finish();
  Status note(Status status) noexcept;
  template <class Append>
  Status submit(const Lane& lane, Append&& append);
  template <class Append>
  Status submit_last(Append&& append);
  Status host_function(ze::List& list, uint32_t node, ze::Sync sync);
  Status external(ze::List& list, uint32_t node, ze::Sync sync);
  Status conditional(ze::List& list, uint32_t index, ze::Sync sync);
  Status event_node(uint32_t node, const Lane& lane, ze::Sync sync);
  std::span<const ze_event_handle_t> waits_of(uint32_t index);
  std::span<const ze_event_handle_t> after_alone() noexcept;

  Slot& slot_;
  const Snapshot& snapshot_;
  runtime::Stream& stream_;
  ze_event_handle_t after_;  // nullptr once something on the caller's queue has waited for it
  const bool announces_;
  bool began_ = false;
  uint32_t submitted_ = 0;  // segments
};

}  // namespace xpu::exec
