// SPDX-License-Identifier: Apache-2.0
// One thread per hardware queue (device, ordinal, index); command queues and immediate lists feed
// it through their channels.
//
// It executes one instruction at a time from any channel that has one ready, drains the engine when
// it runs out of them or somebody waits, and then sleeps until there is mail or an event it waits
// for.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "cpu/bell.h"
#include "cpu/channel.h"
#include "cpu/run.h"
#include "cpu/schedule.h"

namespace xpu::cpu {

class Worker {
 public:
  Worker() = default;
  ~Worker() { stop(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Any thread. Counts it in `submitted` in the order of the mail and returns the new count.
  uint64_t post(std::shared_ptr<Channel> channel, std::unique_ptr<Submission> submission,
                std::atomic<uint64_t>& submitted);
  void post_return(std::shared_ptr<Channel> channel, size_t run, size_t instruction,
                   uint64_t start);
  // Somebody waits for a completion: drain soon, even if there is more to enqueue.
  void hurry() noexcept;
  bool hurried() const noexcept { return hurry_.load(std::memory_order_relaxed); }
  void stop() noexcept;
  // On the worker's thread: if the engine has nothing left, what waited for that is complete.
  void settle_drained();
  // For strict mode: does another channel of this hardware queue hold a submission, made before
  // this one, that waits for the event? Channels overtake each other here; on a device they share
  // one ring, and the wait would keep the signal from ever being reached.
  bool would_block(const Channel& signaller, const EventState& event, uint64_t submission) const;

 private:
  struct Letter {
    std::shared_ptr<Channel> channel;
    std::unique_ptr<Submission> submission;  // nullptr: a host call has returned
    size_t run = 0;
    size_t instruction = 0;
    uint64_t start = 0;
  };

  void deliver(Letter letter, std::atomic<uint64_t>* submitted, uint64_t* count);
  void work();
  void read_mail();
  bool step();
  void settle();
  void sleep();

  std::mutex mutex_;  // guards mail_ and thread_
  std::vector<Letter> mail_;
  std::thread thread_;
  std::atomic<bool> has_mail_{false};
  std::atomic<bool> asleep_{false};
  std::atomic<bool> hurry_{false};
  std::atomic<bool> stopping_{false};
  Sleeper sleeper_{nullptr};

  // The thread's own.
  std::vector<std::shared_ptr<Channel>> channels_;  // with work
  size_t next_ = 0;
  Choice choice_;
  Runner runner_;
};

class Workers {
 public:
  static Worker& at(uint32_t device, uint32_t ordinal, uint32_t index);
  // The process ends: no submission completes any more, and waits return.
  static bool stopped() noexcept;
  static void stop() noexcept;
  // Called once the engine is there: makes the end of the process stop the workers before it.
  static void outlived_by_engine();
};

}  // namespace xpu::cpu
