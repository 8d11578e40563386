// SPDX-License-Identifier: Apache-2.0
// How a channel goes through its submissions.
#include "cpu/channel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "cpu/account.h"
#include "cpu/clock.h"
#include "cpu/host_call.h"
#include "cpu/memory.h"
#include "cpu/strict.h"
#include "cpu/worker.h"

namespace xpu::cpu {

namespace {

bool holds(const op::WaitValue& wait) noexcept {
  const uint64_t now = wait.bytes == sizeof(uint64_t)
                           ? std::atomic_ref(*static_cast<uint64_t*>(wait.at)).load()
                           : std::atomic_ref(*static_cast<uint32_t*>(wait.at)).load();
  switch (wait.action) {
    case 1:
      return now == wait.value;
    case 2:
      return now != wait.value;
    case 4:
      return now > wait.value;
    case 8:
      return now >= wait.value;
    case 16:
      return now < wait.value;
    default:
      return now <= wait.value;
  }
}

// Whoever writes the value, a kernel or the host, tells nobody: so it is looked at, every 20 us at
// first and every millisecond in the end. Memory that was freed meanwhile is not looked at any
// more.
void wait_for_value(const op::WaitValue& wait) {
  auto pause = std::chrono::microseconds(20);
  std::string sentence;
  while (!Workers::stopped()) {
    const Memory::State state = Memory::check(wait.at, wait.bytes, &sentence);
    if (state != Memory::State::usable && state != Memory::State::foreign) {
      (void)misuse("zexCommandListAppendWaitOnMemory", ZE_RESULT_ERROR_DEVICE_LOST,
                   "at execution, the value: ", sentence);
      return;
    }
    if (holds(wait)) return;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(1000));
  }
}

// What an operation does on a thread that may block; empty if it runs on the worker's.
std::function<void()> blocking_part(const Operation& operation) {
  if (const auto* call = std::get_if<op::HostCall>(&operation))
    return [call = *call] { call.function(call.data); };
  if (const auto* value = std::get_if<op::WaitValue>(&operation))
    return [value = *value] { wait_for_value(value); };
  const auto* waits = std::get_if<op::WaitSemaphores>(&operation);
  if (!waits) return {};
  return [points = waits->points] {
    for (const SemaphorePoint& point : points) point.counter->wait(point.value);
  };
}

// A burst of appends to a list without order can only be reordered once several have arrived.
constexpr auto kHoldBack = std::chrono::microseconds(300);
}  // namespace

uint64_t Channel::submit(std::unique_ptr<Submission> submission) {
  return worker_.post(shared_from_this(), std::move(submission), submitted_);
}

ze_result_t Channel::wait(uint64_t count, uint64_t timeout) {
  const bool ready = wait_for(
      this, timeout,
      [&] { return complete_.load(std::memory_order_seq_cst) >= count || Workers::stopped(); },
      [&] { worker_.hurry(); });
  if (!ready) {
    if (timeout == 0) worker_.hurry();
    return ZE_RESULT_NOT_READY;
  }
  if (Workers::stopped()) return ZE_RESULT_ERROR_DEVICE_LOST;
  return failure_.exchange(ZE_RESULT_SUCCESS, std::memory_order_acq_rel);
}

void Channel::fail(ze_result_t failure) noexcept {
  ze_result_t none = ZE_RESULT_SUCCESS;
  failure_.compare_exchange_strong(none, failure, std::memory_order_acq_rel);
}

void Channel::accept(std::unique_ptr<Submission> submission) {
  if (!in_order_ && policy() != Policy::program && window_.all_done()) {
    hold_until_ = std::chrono::steady_clock::now() + kHoldBack;
  }
  window_.add(in_order_ ? kFullyOrdered : submission->head.ordering);
  auto run = std::make_unique<Run>();
  run->index = first_ + runs_.size();
  run->number = submission->number;
  run->submission = std::move(submission);
  runs_.push_back(std::move(run));
}

bool Channel::holding_back() noexcept {
  if (hold_until_ == Sleeper::Time::max()) return false;
  if (std::chrono::steady_clock::now() < hold_until_ && !worker_.hurried()) return true;
  hold_until_ = Sleeper::Time::max();
  return false;
}

bool Channel::step(Runner& runner) {
  for (size_t i = 0; i < started_.size(); ++i) {
    if (step_list(runner, *started_[i])) return true;
  }
  if (window_.all_done() || holding_back()) return false;
  const size_t index = window_.pick([&](size_t n) { return run_at(n).submission->head.ready(); });
  if (index == Window::kNone) return false;
  Run& run = run_at(index);
  Submission& submission = *run.submission;
  account::leave_waits(submission.head, submission.number);
  if (submission.lists.empty()) {
    execute(runner, run, submission.head, Window::kNone);
    return true;
  }
  if (submission.head.signal && submission.head.signal.event->has_ticks()) {
    (void)runner.drain();
    run.start = clock_now();
  }
  started_.push_back(&run);
  begin_list(runner, run);
  return true;
}

void Channel::begin_list(Runner& runner, Run& run) {
  Submission& submission = *run.submission;
  while (run.list < submission.lists.size()) {
    const Code& code = *submission.lists[run.list];
    if (!code.instructions.empty()) {
      run.cursor.begin(code);
      return;
    }
    ++run.list;
  }
  started_.erase(std::find(started_.begin(), started_.end(), &run));
  if (submission.head.signal) {
    const ze_result_t drained = runner.drain();
    if (run.failure == ZE_RESULT_SUCCESS) run.failure = drained;
    worker_.settle_drained();
    release(run);
    publish(run, submission.head.signal, {run.start, clock_now()}, run.failure);
  }
  finish(runner, run);
}

bool Channel::step_list(Runner& runner, Run& run) {
  const Code& code = *run.submission->lists[run.list];
  const size_t number = run.cursor.pick();
  if (number == Window::kNone) return false;
  const Instruction& instruction = code.instructions[number];
  account::leave_waits(instruction, run.submission->number);
  execute(runner, run, instruction, number);
  return true;
}

void Channel::execute(Runner& runner, Run& run, const Instruction& instruction, size_t number) {
  std::function<void()> call = blocking_part(instruction.operation);
  if (!call) {
    executed(runner, run, number, instruction.signal,
             runner.run(instruction, run.submission->number));
    return;
  }
  (void)runner.drain();
  worker_.settle_drained();
  HostCalls::start([self = shared_from_this(), call = std::move(call), index = run.index, number,
                    start = clock_now()] {
    call();
    self->worker_.post_return(self, index, number, start);
  });
}

void Channel::host_call_returned(Runner& runner, size_t index, size_t number, uint64_t start) {
  Run& run = run_at(index);
  const Submission& submission = *run.submission;
  const Signal& signal = number == Window::kNone
                             ? submission.head.signal
                             : submission.lists[run.list]->instructions[number].signal;
  executed(runner, run, number, signal, {ZE_RESULT_SUCCESS, {start, clock_now()}});
}

bool Channel::waits_for(const EventState& event, uint64_t before) const {
  for (const auto& run : runs_) {
    if (run->complete || run->number >= before) continue;
    if (event.has_wait(run->number)) return true;
  }
  return false;
}

void Channel::publish(const Run& run, const Signal& signal, const Ticks& ticks,
                      ze_result_t failure) {
  if (strict()) {
    signal.event->leave_use();
    if (worker_.would_block(*this, *signal.event, run.number)) {
      fail(
          misuse("hardware queue", ZE_RESULT_ERROR_UNKNOWN, signal.event->describe(),
                 " is signalled by a submission that came after one which waits for it on the same "
                 "hardware queue: a device would never get there"));
    }
  }
  signal.publish(ticks, failure);
}

void Channel::executed(Runner& runner, Run& run, size_t number, const Signal& signal,
                       const Runner::Outcome& outcome) {
  if (outcome.result != ZE_RESULT_SUCCESS) {
    if (run.failure == ZE_RESULT_SUCCESS) run.failure = outcome.result;
    fail(outcome.result);
  }
  const bool in_list = number != Window::kNone;
  if (in_list) run.cursor.done(number);
  const bool list_done = in_list && run.cursor.all_done();
  if (signal) {
    worker_.settle_drained();
    if (!in_list || (list_done && run.list + 1 == run.submission->lists.size())) release(run);
    publish(run, signal, outcome.ticks, outcome.result);
  }
  if (!in_list) {
    finish(runner, run);
  } else if (list_done) {
    ++run.list;
    begin_list(runner, run);
  }
}

void Channel::finish(Runner& runner, Run& run) {
  window_.done(run.index);
  if (runner.busy()) {
    unsettled_.push_back(&run);
  } else {
    complete(run);
  }
}

void Channel::settle() {
  for (Run* run : std::exchange(unsettled_, {})) complete(*run);
}

void Channel::release(Run& run) {
  if (run.released) return;
  run.released = true;
  account::leave(*run.submission);
  if (run.submission->fence) {
    run.submission->fence->in_flight.fetch_sub(1, std::memory_order_acq_rel);
  }
  released_.fetch_add(1, std::memory_order_acq_rel);
}

void Channel::complete(Run& run) {
  release(run);
  if (run.submission->fence) run.submission->fence->signal(run.failure);
  run.submission.reset();
  run.complete = true;
  if (&run != runs_.front().get()) return;
  while (!runs_.empty() && runs_.front()->complete) {
    runs_.pop_front();
    ++first_;
  }
  complete_.store(first_, std::memory_order_seq_cst);
  Bell::ring(this);
}

}  // namespace xpu::cpu
