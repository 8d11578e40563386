// SPDX-License-Identifier: Apache-2.0
// Marks: points in the order of a queue that other queues and the host can wait for.
//
// With counter-based events a mark can be signalled again and again: waits that are in a list
// already keep the older moment. Without them it stands for one moment, and its event is used again
// only when nothing on the device can refer to it: when every queue is past what it had been given
// at the time the mark was dropped.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "runtime/queue.h"
#include "ze/events.h"

namespace xpu::runtime {

class Marks;

// Signal it by passing event() as a command's signal, in a queue's submit; one queue at a time.
class Mark {
 public:
  ~Mark();
  ze_event_handle_t event() const noexcept { return event_; }
  // May be signalled again while waits for it are pending.
  bool reusable() const noexcept { return counter_ != nullptr; }
  // Host memory for the device's clock, nullptr unless asked for.
  uint64_t* time() const noexcept { return time_; }

  // xpuErrorNotReady while the last signal is outstanding. Never signalled: success if reusable,
  // else not ready.
  Status query() const;
  Status synchronize() const;

 private:
  friend class Marks;
  explicit Mark(std::shared_ptr<Marks> marks) noexcept : marks_(std::move(marks)) {}

  std::shared_ptr<Marks> marks_;
  std::shared_ptr<ze::CounterEvent> counter_;
  ze_event_handle_t event_ = nullptr;
  uint64_t* time_ = nullptr;
};

using MarkRef = std::shared_ptr<Mark>;

// A device's marks. Safe from any thread.
class Marks : public std::enable_shared_from_this<Marks> {
 public:
  explicit Marks(ze::Device& device) noexcept : device_(device) {}
  ~Marks();

  // After this `mark` may be signalled: it is kept if it is reusable and has no time, else
  // replaced.
  Status renew(MarkRef& mark);
  // `before`, if it is reusable, lends its event: the new mark replaces it.
  Result<MarkRef> make(bool timed, const Mark* before = nullptr);

  // Queues whose lists may refer to marks, of any device: they wait for each other's.
  static void watch(const std::shared_ptr<Queue>& queue);
  // Holds a thing that work may use until the queues are past what they have now.
  void hold(std::shared_ptr<const void> thing) noexcept {
    retire({nullptr, nullptr, std::move(thing), {}});
  }
  // Lets go of what the queues are past.
  void sweep() noexcept;

 private:
  friend class Mark;
  struct Past {
    std::shared_ptr<Clock> clock;
    uint64_t submission;
  };
  struct Retired {
    ze_event_handle_t event;
    uint64_t* time;
    std::shared_ptr<const void> thing;
    std::vector<Past> after;
  };

  void retire(Retired old) noexcept;
  bool is_past(const Retired& old) noexcept;
  Result<uint64_t*> take_time();

  ze::Device& device_;
  std::mutex lock_;  // guards all below
  std::vector<Retired> retired_;
  std::atomic<bool> any_retired_{false};
  std::vector<uint64_t*> free_times_;
  std::vector<void*> time_blocks_;
};

}  // namespace xpu::runtime
