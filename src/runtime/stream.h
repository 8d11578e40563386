// SPDX-License-Identifier: Apache-2.0
// Streams: queues with CUDA's rules about the legacy default stream, kept errors and deferred
// destruction.
#pragma once

#include <xpugraph/xpugraph.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "base/handle.h"
#include "base/status.h"
#include "runtime/captured.h"
#include "runtime/mark.h"
#include "runtime/past.h"
#include "runtime/queue.h"

namespace xpu::runtime {

class Device;

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  enum class Kind : uint8_t {
    created,     // xpuStreamCreate…
    legacy,      // the device's default stream: NULL and xpuStreamLegacy
    per_thread,  // a thread's default stream: xpuStreamPerThread
    native,      // over a program's own immediate list
  };

  // `flags` are xpuStreamDefault or xpuStreamNonBlocking. The stream lives until destroy.
  static Result<Stream*> create(Device& device, unsigned flags, int priority);
  static Result<Stream*> adopt(Device& device, ze_command_list_handle_t list, unsigned flags);
  // The handle is dead at once; the stream goes when its work is done. False for a dead handle.
  static bool destroy(uint64_t handle) noexcept;
  // Device uses this for its own streams.
  static Result<std::shared_ptr<Stream>> make(Device& device, Kind kind, ze::List list,
                                              unsigned flags, int priority);
  ~Stream();

  // Calls append(ze::List&) with the list to itself, after what the legacy default stream's rules
  // put before it. Everything that enqueues goes through here. Idle rules cost one compare. `owes`
  // as in Queue::submit.
  template <class Append>
  Status submit(Append&& append, ze_event_handle_t owes = nullptr) {
    if (ruled_ && rules_pending()) [[unlikely]]
      XPU_TRY(apply_rules());
    auto noted = [&](ze::List& list) -> Status {
      if (ruled_) note_submission();
      return append(list);
    };
    return queue_->submit(noted, owes);
  }
  // Later work here waits for the mark's last signal; the host does not.
  Status wait(const Mark& mark);
  // Signals the mark (renewed by the caller) after everything submitted so far.
  Status signal(const Mark& mark);

  // True if all that new work here comes after is known to be over, so that it is no wait.
  bool is_past_everything() const noexcept {
    return !queue_->list().borrowed() && !rules_pending() && queue_->clock()->idle();
  }
  // Has to do what the legacy default stream's rules want before the next work.
  bool rules_pending() const noexcept;
  // What its work so far is known to come after in other streams. From any thread.
  Past past() const noexcept;
  // Its later work waits for that.
  void learn(const Past& past) noexcept;

  // Waits for everything submitted so far; a kept error comes back once.
  Status synchronize();
  // xpuErrorNotReady while work is pending.
  Status query();
  // An asynchronous failure, to be returned by the next call that waits. The first one is kept.
  void keep_error(Status status) noexcept;

  Device& device() const noexcept { return device_; }
  Queue& queue() const noexcept { return *queue_; }
  const std::shared_ptr<Queue>& shared_queue() const noexcept { return queue_; }
  Kind kind() const noexcept { return kind_; }
  unsigned flags() const noexcept { return flags_; }
  int priority() const noexcept { return priority_; }
  // Waits for, and is waited for by, the legacy default stream.
  bool blocking() const noexcept {
    return kind_ != Kind::legacy && !(flags_ & xpuStreamNonBlocking);
  }
  uint64_t id() const noexcept { return id_; }
  // Of HandleType::stream, naming `this`; 0 for the default streams.
  uint64_t handle() const noexcept { return handle_.value(); }

  // The capture floor's slot: nullptr until this stream was first captured. Whoever fills it gives
  // the object to the stream, which deletes it at its own end.
  std::atomic<Captured*>& captured() noexcept { return captured_.at; }

 private:
  friend class DefaultOrder;
  Stream(Device& device, Kind kind, ze::List list, unsigned flags, int priority);
  Status apply_rules();
  void note_submission() noexcept;
  Status finished(Status status);

  Device& device_;
  const Kind kind_;
  const unsigned flags_;
  const int priority_;
  const bool ruled_;  // is the legacy default stream, or blocking
  const uint64_t id_;
  std::shared_ptr<Queue> queue_;
  OwnedHandle handle_;
  std::shared_ptr<Stream> self_;  // what keeps a created stream until destroy
  struct Slot {
    ~Slot() { delete at.load(std::memory_order_acquire); }
    std::atomic<Captured*> at{nullptr};
  };
  Slot captured_;
  // The legacy default stream's submissions that this stream has been ordered after.
  std::atomic<uint64_t> seen_legacy_{0};
  // Has work that the legacy default stream has not been ordered after. Changes under the queue's
  // lock.
  std::atomic<bool> dirty_{false};
  MarkRef join_;  // where the legacy default stream last waited; DefaultOrder's lock guards it
  mutable std::mutex past_lock_;  // guards past_
  Past past_;
  std::mutex error_lock_;  // guards error_
  Status error_;
  std::atomic<bool> has_error_{false};
};

}  // namespace xpu::runtime
