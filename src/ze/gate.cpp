// SPDX-License-Identifier: Apache-2.0
// Runs host functions on a thread.
#include "ze/gate.h"

#include <utility>

#include "base/log.h"
#include "ze/device.h"
#include "ze/list.h"

namespace xpu::ze {

HostGate::~HostGate() {
  {
    std::lock_guard hold(lock_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  drop_lost();
  for (const Job& job : done_) device_.events().give(job.after);
}

Result<HostGate::Job> HostGate::make_job(const HostCall& call) {
  Job job;
  job.call = call;
  XPU_TRY_ASSIGN(job.before, CounterEvent::make_or_once(device_));
  XPU_TRY_ASSIGN(job.passed, CounterEvent::make_or_once(device_));
  XPU_TRY_ASSIGN(job.after, device_.events().take());
  return job;
}

// Under the lock, as the next one. Their events are not used again.
void HostGate::drop_lost() noexcept {
  if (lost_.empty()) return;
  std::erase_if(done_, [&](Job& job) {
    if (std::erase(lost_, job.after) == 0) return false;
    job.before.abandon();
    job.passed.abandon();
    return true;
  });
}

void HostGate::recycle() noexcept {
  drop_lost();
  std::erase_if(done_, [&](const Job& job) {
    if (device_.table().EventHostSynchronize(job.passed.get(), 0) != ZE_RESULT_SUCCESS)
      return false;
    device_.events().give(job.after);
    return true;
  });
}

Status HostGate::append(List& list, const HostCall& call, bool& taken) {
  std::unique_lock hold(lock_);
  recycle();
  XPU_TRY_ASSIGN(Job job, make_job(call));
  const ze_event_handle_t passed = job.passed.get(), after = job.after;
  if (Status status = list.signal(job.before.get()); !status.ok()) {
    device_.events().give(after);
    return status;
  }
  // From here on the list refers to the events: they go back through done_ or not at all.
  waiting_.push_back(std::move(job));
  taken = true;
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  hold.unlock();
  wake_.notify_one();
  Status status = list.wait({&after, 1});
  if (status.ok()) status = list.signal(passed);
  if (status.ok()) return status;
  // Nobody can tell any more when the list is past them.
  hold.lock();
  lost_.push_back(after);
  return status;
}

void HostGate::run(const Job& job) noexcept {
  const ze_result_t result = device_.table().EventHostSynchronize(job.before.get(), UINT64_MAX);
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
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    hold.unlock();
    run(job);
    hold.lock();
    done_.push_back(std::move(job));
  }
}

}  // namespace xpu::ze
