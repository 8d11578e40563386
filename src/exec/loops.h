// SPDX-License-Identifier: Apache-2.0
// What an executable shares with the threads that run its conditional nodes: the queue that bodies
// go to, how a failure comes back, and when a loop has to stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/status.h"
#include "runtime/device.h"
#include "runtime/queue.h"

namespace xpu::exec {

class Loops {
 public:
  static Result<std::shared_ptr<Loops>> make(runtime::Device& device);
  explicit Loops(std::shared_ptr<runtime::Queue> queue) noexcept : queue_(std::move(queue)) {}

  // Apart from the queues of streams: those stand still while bodies run here.
  runtime::Queue& queue() const noexcept { return *queue_; }

  // Asked before each turn: a failure if there must not be another one.
  Status may_go_on() const;
  // The executable is destroyed. Launches under way run to their end, as CUDA's do; but a loop that
  // does not come to an end could be stopped by nobody any more, so it has kGraceNs.
  void executable_is_gone() noexcept;

  // The first failure stays: the executable has no further launches.
  void fail(const Status& status) noexcept;
  bool has_failed() const noexcept { return has_failed_.load(std::memory_order_acquire); }
  Status failure() const;

  // A thread is in here as long as it uses the driver for a conditional node.
  class Inside {
   public:
    Inside() noexcept;
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside();
  };

 private:
  static constexpr int64_t kGraceNs = 5'000'000'000;
  static constexpr int64_t kNever = INT64_MAX;

  const std::shared_ptr<runtime::Queue> queue_;
  std::atomic<int64_t> stop_at_ns_{kNever};  // of the steady clock
  std::atomic<bool> has_failed_{false};
  mutable std::mutex mutex_;  // guards failure_
  Status failure_;
};

}  // namespace xpu::exec
