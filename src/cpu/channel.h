// SPDX-License-Identifier: Apache-2.0
// A channel is one stream of submissions into a hardware queue: a command queue or an immediate
// list.
//
// The host side numbers submissions and waits for them; everything else runs on the worker's thread
// and needs no lock. A submission is done for those behind it as soon as its kernels are enqueued,
// and complete for the host once the engine has finished them.
#pragma once

#include <level_zero/ze_api.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "cpu/bell.h"
#include "cpu/code.h"
#include "cpu/cursor.h"
#include "cpu/fence.h"
#include "cpu/run.h"
#include "cpu/schedule.h"

namespace xpu::cpu {

class Worker;

// One instruction, or closed lists that run one after the other as a unit; the head's waits come
// before them and its signal after.
struct Submission {
  Instruction head;
  std::vector<std::shared_ptr<Code>> lists;
  std::shared_ptr<Fence> fence;
  uint64_t number = 0;  // process-wide, in order of submission
};

class Channel : public std::enable_shared_from_this<Channel> {
 public:
  Channel(Worker& worker, bool in_order) : worker_(worker), in_order_(in_order) {}

  // Host side, any thread. Returns how many submissions the channel has had with this one.
  uint64_t submit(std::unique_ptr<Submission> submission);
  uint64_t submitted() const noexcept { return submitted_.load(std::memory_order_acquire); }
  // Waits until the first `count` are complete. SUCCESS, NOT_READY, or the failure of any work
  // since the last wait, which is thereby told and forgotten.
  ze_result_t wait(uint64_t count, uint64_t timeout);
  // Nothing is in flight: everything released, which is before anyone is told that it is complete.
  bool idle() const noexcept { return released_.load(std::memory_order_acquire) >= submitted(); }

  // Worker side.
  void accept(std::unique_ptr<Submission> submission);
  // Executes at most one instruction; false if nothing may run now.
  bool step(Runner& runner);
  void host_call_returned(Runner& runner, size_t run, size_t instruction, uint64_t start);
  // The engine has been drained: what only waited for that is complete.
  void settle();
  bool has_unsettled() const noexcept { return !unsettled_.empty(); }
  bool has_work() const noexcept { return !runs_.empty(); }
  // A submission before that one still waits for the event (strict mode keeps count of waits).
  bool waits_for(const EventState& event, uint64_t before) const;
  // When a channel that is holding back wants to be asked again.
  Sleeper::Time ask_again() const noexcept { return hold_until_; }
  void fail(ze_result_t failure) noexcept;

 private:
  struct Run {
    std::unique_ptr<Submission> submission;
    size_t index = 0;     // among the channel's submissions, from 0
    uint64_t number = 0;  // the submission's, which is given back before the run is
    size_t list = 0;      // which of the lists runs
    Cursor cursor;        // in that list
    uint64_t start = 0;
    ze_result_t failure = ZE_RESULT_SUCCESS;
    bool released = false;
    bool complete = false;
  };

  Run& run_at(size_t index) noexcept { return *runs_[index - first_]; }
  bool holding_back() noexcept;
  void begin_list(Runner& runner, Run& run);
  bool step_list(Runner& runner, Run& run);
  void execute(Runner& runner, Run& run, const Instruction& instruction, size_t number);
  void executed(Runner& runner, Run& run, size_t number, const Signal& signal,
                const Runner::Outcome& outcome);
  void publish(const Run& run, const Signal& signal, const Ticks& ticks, ze_result_t failure);
  void finish(Runner& runner, Run& run);
  // No longer in flight. Before its last signal, so that who sees the signal may submit it again.
  void release(Run& run);
  void complete(Run& run);

  Worker& worker_;
  const bool in_order_;
  std::atomic<uint64_t> submitted_{0};
  std::atomic<uint64_t> released_{0};
  std::atomic<uint64_t> complete_{0};
  std::atomic<ze_result_t> failure_{ZE_RESULT_SUCCESS};

  // The worker's own.
  std::deque<std::unique_ptr<Run>> runs_;  // from index first_ on
  size_t first_ = 0;
  Window window_;              // of submissions
  std::vector<Run*> started_;  // lists under way
  std::vector<Run*> unsettled_;
  Sleeper::Time hold_until_ = Sleeper::Time::max();
};

}  // namespace xpu::cpu
