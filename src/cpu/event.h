// SPDX-License-Identifier: Apache-2.0
// Events: binary ones from pools, and counter-based ones.
//
// A command never holds an Event but its EventState, which outlives the handle, so destroying an
// event early is a wrong program and not a crash. A counter-based event is a mark (counter, value)
// that an in-order list leaves when it is appended; a wait copies the mark as it is then.
#pragma once

#include "spec/levelzero.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cpu/context.h"
#include "cpu/handle.h"

namespace xpu::cpu {

// Device clock around a command.
struct Ticks {
  uint64_t start = 0;
  uint64_t end = 0;
};

// How far an in-order list has come. A regular list starts again at 0 when it is submitted, as
// Intel's driver does, which is why waits between replayed regular lists are safe in one direction
// only.
class Counter {
 public:
  bool reached(uint64_t value) const noexcept {
    return value_.load(std::memory_order_seq_cst) >= value;
  }
  void raise(uint64_t value) noexcept;
  void restart() noexcept { value_.store(0, std::memory_order_seq_cst); }
  const std::atomic<uint64_t>& word() const noexcept { return value_; }

 private:
  std::atomic<uint64_t> value_{0};
};

class EventState {
 public:
  EventState(bool counter_based, bool has_ticks) noexcept
      : counter_based_(counter_based), has_ticks_(has_ticks) {}
  bool counter_based() const noexcept { return counter_based_; }
  bool has_ticks() const noexcept { return has_ticks_; }

  bool signalled() const noexcept { return signalled_.load(std::memory_order_seq_cst); }
  // `failure` is what the work behind it came to; host waits return it.
  void signal(ze_result_t failure) noexcept;
  void reset() noexcept;
  ze_result_t failure() const noexcept { return failure_.load(std::memory_order_acquire); }
  void fail(ze_result_t failure) noexcept { failure_.store(failure, std::memory_order_release); }

  void set_ticks(const Ticks& ticks) noexcept;
  Ticks ticks() const noexcept;

  // Strict mode's account of commands in flight. A wait is entered with the number of its
  // submission: a reset may run while later submissions wait already, never while earlier ones
  // still do.
  void enter_wait(uint64_t submission);
  void leave_wait(uint64_t submission) noexcept;
  void enter_use() noexcept { uses_.fetch_add(1, std::memory_order_relaxed); }
  void leave_use() noexcept { uses_.fetch_sub(1, std::memory_order_relaxed); }
  uint32_t waits_before(uint64_t submission) const noexcept;
  bool has_wait(uint64_t submission) const noexcept;
  uint32_t uses() const noexcept { return uses_.load(std::memory_order_relaxed); }

  const void* handle() const noexcept { return handle_.load(std::memory_order_relaxed); }
  void set_handle(const void* handle) noexcept { handle_.store(handle, std::memory_order_relaxed); }
  bool destroyed() const noexcept { return destroyed_.load(std::memory_order_relaxed); }
  void set_destroyed() noexcept { destroyed_.store(true, std::memory_order_relaxed); }
  std::string describe() const { return Handles::describe(handle()); }

 private:
  const bool counter_based_;
  const bool has_ticks_;
  std::atomic<bool> signalled_{false};
  std::atomic<ze_result_t> failure_{ZE_RESULT_SUCCESS};
  std::atomic<uint32_t> uses_{0};  // signals and resets in flight
  std::atomic<bool> destroyed_{false};
  std::atomic<const void*> handle_{nullptr};
  mutable std::mutex mutex_;       // guards what follows
  std::vector<uint64_t> waiting_;  // submissions
  Ticks ticks_;
};

// What a command waits for. Default: nothing.
struct Wait {
  std::shared_ptr<EventState> event;
  std::shared_ptr<Counter> counter;  // counter-based and signalled at least once
  uint64_t value = 0;

  bool ready() const noexcept {
    if (counter) return counter->reached(value);
    return !event || event->counter_based() || event->signalled();
  }
};

// What a command signals when it is complete. Default: nothing.
struct Signal {
  std::shared_ptr<EventState> event;
  std::shared_ptr<Counter> counter;
  uint64_t value = 0;

  explicit operator bool() const noexcept { return event != nullptr; }
  void publish(const Ticks& ticks, ze_result_t failure) const noexcept;
};

class EventPool : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::event_pool;
  EventPool(std::shared_ptr<Context> owner, const ze_event_pool_desc_t& desc,
            ze_event_counter_based_flags_t counters, std::vector<ze_device_handle_t> devices)
      : Object(kType),
        context(std::move(owner)),
        visible_to(std::move(devices)),
        flags(desc.flags),
        count(desc.count),
        counter_flags(counters) {}
  const std::shared_ptr<Context> context;
  const std::vector<ze_device_handle_t> visible_to;  // empty: all
  const ze_event_pool_flags_t flags;
  const uint32_t count;
  const ze_event_counter_based_flags_t counter_flags;  // 0: binary events
  std::atomic<uint32_t> live{0};                       // events not yet destroyed
  bool reaches(const void* device) const noexcept {
    return visible_to.empty() ||
           std::find(visible_to.begin(), visible_to.end(), device) != visible_to.end();
  }
  bool has_ticks() const noexcept {
    return flags &
           (ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP);
  }
};

class Event : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::event;
  struct Shape {
    std::shared_ptr<EventPool> pool;  // nullptr: made by zeEventCounterBasedCreate
    ze_event_counter_based_flags_t counter_flags = 0;
    ze_event_scope_flags_t signal_scope = 0;
    ze_event_scope_flags_t wait_scope = 0;
    bool has_ticks = false;
    bool host_visible = false;
  };
  explicit Event(Shape shape);
  ~Event() override;

  const Shape& shape() const noexcept { return shape_; }
  const std::shared_ptr<EventState>& state() const noexcept { return state_; }
  bool counter_based() const noexcept { return state_->counter_based(); }

  // What a command appended now waits for.
  Wait wait() const;
  // The mark of a counter-based event; a later one replaces it.
  void mark(std::shared_ptr<Counter> counter, uint64_t value);
  bool ready() const { return wait().ready(); }

 private:
  const Shape shape_;
  const std::shared_ptr<EventState> state_;
  mutable std::mutex mutex_;  // guards the mark
  std::shared_ptr<Counter> counter_;
  uint64_t value_ = 0;
};

ze_result_t zeEventPoolCreate(ze_context_handle_t, const ze_event_pool_desc_t*, uint32_t,
                              ze_device_handle_t*, ze_event_pool_handle_t*);
ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t);
ze_result_t zeEventPoolGetContextHandle(ze_event_pool_handle_t, ze_context_handle_t*);
ze_result_t zeEventPoolGetFlags(ze_event_pool_handle_t, ze_event_pool_flags_t*);
ze_result_t zeEventCreate(ze_event_pool_handle_t, const ze_event_desc_t*, ze_event_handle_t*);
ze_result_t zeEventCounterBasedCreate(ze_context_handle_t, ze_device_handle_t,
                                      const ze_event_counter_based_desc_t*, ze_event_handle_t*);
ze_result_t zeEventCounterBasedGetDeviceAddress(ze_event_handle_t, uint64_t*, uint64_t*);
ze_result_t zeEventGetCounterBasedFlags(ze_event_handle_t, ze_event_counter_based_flags_t*);
ze_result_t zeEventDestroy(ze_event_handle_t);
ze_result_t zeEventHostSignal(ze_event_handle_t);
ze_result_t zeEventHostReset(ze_event_handle_t);
ze_result_t zeEventHostSynchronize(ze_event_handle_t, uint64_t);
ze_result_t zeEventQueryStatus(ze_event_handle_t);
ze_result_t zeEventGetEventPool(ze_event_handle_t, ze_event_pool_handle_t*);
ze_result_t zeEventGetSignalScope(ze_event_handle_t, ze_event_scope_flags_t*);
ze_result_t zeEventGetWaitScope(ze_event_handle_t, ze_event_scope_flags_t*);
ze_result_t zeEventQueryKernelTimestamp(ze_event_handle_t, ze_kernel_timestamp_result_t*);
ze_result_t zeEventQueryTimestampsExp(ze_event_handle_t, ze_device_handle_t, uint32_t*,
                                      ze_kernel_timestamp_result_t*);
ze_result_t zeEventQueryKernelTimestampsExt(
    ze_event_handle_t, ze_device_handle_t, uint32_t*,
    ze_event_query_kernel_timestamps_results_ext_properties_t*);

}  // namespace xpu::cpu
