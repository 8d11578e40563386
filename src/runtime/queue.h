// SPDX-License-Identifier: Apache-2.0
// An ordered immediate list with its lock: what a stream and a lane have in common.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "base/lock.h"
#include "base/status.h"
#include "ze/list.h"

namespace xpu::runtime {

// How far a queue is: `submitted` grows with each submission, `completed` is the newest submission
// known to be done. Counted, because retired things ask long after the queue is gone.
struct Clock {
  std::atomic<uint64_t> submitted{0};
  std::atomic<uint64_t> completed{0};

  bool idle() const noexcept {
    return completed.load(std::memory_order_acquire) >= submitted.load(std::memory_order_acquire);
  }
};

class Queue {
 public:
  explicit Queue(ze::List list)
      : list_(std::move(list)), clock_(std::make_shared<Clock>()), lent_(list_.borrowed()) {}
  ~Queue();

  // Calls append(ze::List&) with the list to itself. What it appends comes after everything
  // submitted before. Append only: no host wait, no other queue's submit inside.
  // `owes`: an event that stands for its end, but need not be signalled if nobody asks. It is
  // signalled before anything else comes behind it, since that may stand still for as long as it
  // likes; what owes the same event again takes the place of the first.
  template <class Append>
  Status submit(Append&& append, ze_event_handle_t owes = nullptr) {
    std::lock_guard hold(lock_);
    if (owed_ != owes && owed_) [[unlikely]]
      XPU_TRY(pay());
    // Also when it fails: part of it may be in the list.
    clock_->submitted.fetch_add(1, std::memory_order_acq_rel);
    Status status = append(list_);
    if (status.ok()) [[likely]]
      owed_ = owes;
    return status;
  }
  // The number of the submission that is being appended. Inside submit() only.
  uint64_t last() const noexcept { return clock_->submitted.load(std::memory_order_relaxed); }
  // Signals the event if it is still owed; it has been signalled if not.
  Status settle(ze_event_handle_t event);
  // Nobody will ask for it.
  void forgive(ze_event_handle_t event) noexcept;
  // The program gets the list to append to it: nothing can be owed from now on.
  Status lend();
  // A list that others append to.
  bool lent() const noexcept { return lent_.load(std::memory_order_relaxed); }

  // Waits for everything submitted so far. From any thread.
  Status synchronize();
  // xpuErrorNotReady while something submitted is outstanding.
  Status query();
  // Calls change() with the list locked if everything submitted is known to be complete.
  template <class Change>
  void if_idle(Change&& change) {
    std::lock_guard hold(lock_);
    if (clock_->idle()) change();
  }

  const std::shared_ptr<Clock>& clock() const noexcept { return clock_; }
  // Facts and the native handle only; appending goes through submit.
  const ze::List& list() const noexcept { return list_; }

 private:
  uint64_t last_appended() noexcept;
  void completed(uint64_t submission) noexcept;
  Status wait_by_event();
  Status query_by_event();
  Status pay();

  Lock lock_;  // guards list_ while something is appended, what is owed, and the probe
  ze::List list_;
  std::shared_ptr<Clock> clock_;
  ze_event_handle_t owed_ = nullptr;
  std::atomic<bool> lent_;
  // Where the driver cannot ask a list: an event after submission probe_at_, not seen complete yet.
  ze_event_handle_t probe_ = nullptr;
  uint64_t probe_at_ = 0;
};

}  // namespace xpu::runtime
