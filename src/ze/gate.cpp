// SPDX-License-Identifier: Apache-2.0
// Runs host functions on a thread.
#include "ze/gate.h"

#include <algorithm>

#include "base/log.h"
#include "ze/device.h"
#include "ze/events.h"
#include "ze/list.h"

namespace xpu::ze {
HostGate::~HostGate() {
  {
    std::lock_guard hold(lock_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  recycle();
}

Result<HostGate::Job> HostGate::take_events() {
  Job job;
  for (ze_event_handle_t Job::*event : {&Job::before, &Job::after, &Job::passed}) {
    auto taken = device_.events().take();
    if (!taken.ok()) {
      give_events(job);
      return taken.take_status();
    }
    job.*event = taken.value();
  }
  return job;
}

void HostGate::give_events(const Job& job) noexcept {
  for (ze_event_handle_t event : {job.before, job.after, job.passed}) device_.events().give(event);
}

// Under the lock.
void HostGate::recycle() noexcept {
  std::erase_if(done_, [&](const Job& job) { return std::erase(lost_, job.passed) > 0; });
  auto still = std::partition(done_.begin(), done_.end(), [&](const Job& job) {
    return device_.table().EventQueryStatus(job.passed) != ZE_RESULT_SUCCESS;
  });
  std::for_each(still, done_.end(), [&](const Job& job) { give_events(job); });
  done_.erase(still, done_.end());
}

Status HostGate::append(List& list, const HostCall& call, bool& taken) {
  std::unique_lock hold(lock_);
  recycle();
  XPU_TRY_ASSIGN(Job job, take_events());
  job.call = call;
  if (Status status = list.signal(job.before); !status.ok()) {
    give_events(job);
    return status;
  }
  // From here on the list refers to the events: they go back through done_ or not at all.
  waiting_.push_back(job);
  taken = true;
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  hold.unlock();
  wake_.notify_one();
  Status status = list.wait({&job.after, 1});
  if (status.ok()) status = list.signal(job.passed);
  if (status.ok()) return status;
  // Nobody can tell any more when the list is past them: they are not asked about and not used
  // again.
  hold.lock();
  lost_.push_back(job.passed);
  return status;
}

void HostGate::run(const Job& job) noexcept {
  const ze_result_t result = device_.table().EventHostSynchronize(job.before, UINT64_MAX);
  if (job.call.thread_function) {
    job.call.thread_function(job.call.data, result);
  } else if (result == ZE_RESULT_SUCCESS) {
    job.call.function(job.call.data);
  } else {
    XPU_LOG(error, "a host function is skipped, its stream failed: %s", result_name(result));
  }
  // Also after a failure: whoever waits must not hang. And once more, since nobody else will.
  if (device_.table().EventHostSignal(job.after) == ZE_RESULT_SUCCESS) return;
  const ze_result_t again = device_.table().EventHostSignal(job.after);
  if (again != ZE_RESULT_SUCCESS)
    XPU_LOG(error, "a stream stands still: signalling it gave %s", result_name(again));
}

void HostGate::run() {
  std::unique_lock hold(lock_);
  for (;;) {
    wake_.wait(hold, [&] { return stop_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Job job = waiting_.front();
    waiting_.pop_front();
    hold.unlock();
    run(job);
    hold.lock();
    done_.push_back(job);
  }
}

}  // namespace xpu::ze
