// SPDX-License-Identifier: Apache-2.0
// Functions on the host for drivers that cannot run them, and for those that call the driver: a
// thread between two events of a list.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "base/status.h"
#include "ze/events.h"
#include "ze/own.h"

namespace xpu::ze {

class Device;
class List;

// One of the two functions.
struct HostCall {
  void (*function)(void*) = nullptr;  // left out if what comes before it has failed
  void (*thread_function)(void*, ze_result_t before) = nullptr;
  void* data = nullptr;
};

// The list signals `before`, the thread sees it, runs the function and signals `after`, for which
// the list waits. A thread for each list that needs one: with one for all, a function that waits
// for another stream's would keep that one from running. Older Intel drivers may block in an append
// behind an event that only the host signals.
class HostGate {
 public:
  explicit HostGate(Device& device) noexcept : device_(device) {}
  // Everything appended must have run.
  ~HostGate();

  // `taken` is set once nothing can keep the function from being called; it may be that the append
  // fails after that.
  Status append(List& list, const HostCall& call, bool& taken);

 private:
  // No event is signalled by the list at one time and by the host at another: Intel's driver makes
  // a pool event counter-based for good when an in-order list signals it, and then the host can
  // neither signal nor reset it.
  struct Job {
    CounterEvent before, passed;  // past its wait the list signals `passed`: all are free again
    ze_event_handle_t after = nullptr;
    HostCall call;
  };

  Result<Job> make_job(const HostCall& call);
  void drop_lost() noexcept;
  void recycle() noexcept;
  void run();
  void run(const Job& job) noexcept;

  Device& device_;
  std::mutex lock_;  // guards all below
  std::condition_variable wake_;
  std::deque<Job> waiting_;
  std::deque<Job> done_;
  std::vector<ze_event_handle_t> lost_;  // `after` events of jobs that the list may not be behind
  std::thread thread_;                   // started by the first function
  bool stop_ = false;
};

}  // namespace xpu::ze
