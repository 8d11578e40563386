// SPDX-License-Identifier: Apache-2.0
// One encoding of an executable: its closed lists and its marks. Submitted by one launch at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "exec/index_set.h"
#include "exec/snapshot.h"
#include "exec/staging.h"
#include "exec/timing.h"
#include "exec/versions.h"
#include "runtime/mark.h"
#include "runtime/queue.h"
#include "ze/list.h"

namespace xpu::exec {

class Conditional;

struct Slot {
  // Everything a launch needs is made here, so that the launch itself makes nothing; but the lists,
  // which encode() or Patching makes. With `timing` the encoding is for one run, which reads the
  // device's clock around every node.
  static Result<std::unique_ptr<Slot>> make(std::shared_ptr<const Snapshot> snapshot,
                                            const Versions& versions,
                                            std::unique_ptr<Timing> timing = nullptr);
  Slot(const Slot&) = delete;
  ~Slot() { forgive(); }
  // Makes plain lists.
  Status encode();

  // Whether the launch that has it is known to be over, without asking the driver: it was never
  // launched, or somebody has waited for its queue since.
  bool known_idle() noexcept {
    if (in_flight && lost_.empty() &&
        clock_->completed.load(std::memory_order_acquire) >= submission_)
      in_flight = false;
    return !in_flight;
  }
  // Afterwards `done` will tell when the launch is over.
  Status announce();
  // Before a launch whose last command goes into that queue. The one that is over may have been in
  // another, which may still owe `done`.
  void move_to(const std::shared_ptr<runtime::Queue>& queue) noexcept {
    if (clock_ == queue->clock()) [[likely]]
      return;
    forgive();
    clock_ = queue->clock();
    queue_ = queue;
  }
  // As known_idle(), and the driver is asked. A failure is the device's, and stays.
  Result<bool> idle();
  // Waits for that at most `timeout_ns`; true if it is over.
  Result<bool> wait(uint64_t timeout_ns);
  // What a segment of kind conditional does, as `made` has it.
  Status encode_conditional(uint32_t segment);
  // What sets the values of all of them.
  Status encode_opening();
  // Marks may be signalled after this. Needed only where they are not counter-based.
  Status renew_marks();

  // Before the lists, so that they go after them.
  std::shared_ptr<const Snapshot> snapshot;
  Versions made;                   // what the nodes do in the lists
  std::unique_ptr<Timing> timing;  // null but in a profile; lists write into it
  Staging staging;                 // what copies in the lists go through
  std::vector<ze::List> lists;     // one for each segment, empty for what is not work
  // One for each segment, null for what is not a conditional node; empty without any.
  std::vector<std::shared_ptr<Conditional>> conditionals;
  ze::List opening;                     // sets values before all of it; empty without any to set
  std::vector<runtime::MarkRef> marks;  // one for each segment, null where it signals none
  runtime::MarkRef start;               // null unless snapshot->starts
  runtime::MarkRef done;
  std::vector<ze_event_handle_t> waits;  // room for the waits of one command

  // How far the lists are behind what the executable's nodes do now (see Patching).
  IndexSet changed;           // nodes that may do something else now
  bool all_changed = false;   // every node may
  IndexSet stale;             // segments whose lists are to be encoded anew
  bool behind = false;        // any of the three above; says it in one load
  std::vector<uint64_t> ids;  // command ids by node, 0 without one; empty if all lists are plain
  uint64_t id_of(uint32_t node) const noexcept { return ids.empty() ? 0 : ids[node]; }

  // The last launch: `sequence` counts the launches of the executable.
  uint64_t sequence = 0;
  bool in_flight = false;

  // The launch is submitted; its last command is the submission `number` of the queue it moved to,
  // and signals `done` or does not.
  void launched(uint64_t number, bool announced) noexcept {
    submission_ = number;
    announced_ = announced;
    in_flight = true;
  }
  // Part of a launch is submitted and `done` will never be signalled: the slot is over when the
  // queues are found to be past what they hold now.
  void lost(const runtime::Queue& caller);

 private:
  void forgive() noexcept;
  Slot(std::shared_ptr<const Snapshot> of, const Versions& versions)
      : snapshot(std::move(of)), made(versions), staging(snapshot->device.ze()) {}
  Status make_conditionals();
  // Of the device that signals the segment's mark.
  runtime::Marks& marks_of(size_t segment) const noexcept;
  struct Past {
    std::shared_ptr<runtime::Clock> clock;
    uint64_t submission;
  };
  Result<bool> answer(ze_result_t result, const char* function) noexcept;

  std::shared_ptr<runtime::Clock> clock_;
  std::weak_ptr<runtime::Queue> queue_;  // of that clock
  uint64_t submission_ = 0;
  bool announced_ = false;
  std::vector<Past> lost_;  // not empty: `done` says nothing
};

}  // namespace xpu::exec
