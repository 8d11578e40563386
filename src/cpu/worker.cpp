// SPDX-License-Identifier: Apache-2.0
// The worker's loop, its mail, and the table of workers.
#include "cpu/worker.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "cpu/account.h"
#include "cpu/host_call.h"

namespace xpu::cpu {

namespace {

std::atomic<uint64_t> submissions{0};
std::atomic<bool> all_stopped{false};

struct Roster {
  std::mutex mutex;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::unique_ptr<Worker>> workers;
};

// Never destroyed: lists and queues refer to workers, and a program may destroy those from its own
// static destructors. What ends with the process are the threads.
Roster& roster() {
  static Roster* const one = [] {
    std::atexit(Workers::stop);
    return new Roster;
  }();
  return *one;
}

}  // namespace

Worker& Workers::at(uint32_t device, uint32_t ordinal, uint32_t index) {
  Roster& t = roster();
  std::lock_guard lock(t.mutex);
  auto& worker = t.workers[{device, ordinal, index}];
  if (!worker) worker = std::make_unique<Worker>();
  return *worker;
}

bool Workers::stopped() noexcept { return all_stopped.load(std::memory_order_seq_cst); }

void Workers::stop() noexcept {
  if (all_stopped.exchange(true, std::memory_order_seq_cst)) return;
  Roster& t = roster();
  std::lock_guard lock(t.mutex);
  for (auto& [place, worker] : t.workers) worker->stop();
  HostCalls::stop();
  Bell::ring_all();
}

void Workers::outlived_by_engine() {
  // Exit handlers run last first: this one before those the engine's libraries registered by now.
  static const int registered = std::atexit(Workers::stop);
  (void)registered;
}

void Worker::deliver(Letter letter, std::atomic<uint64_t>* submitted, uint64_t* count) {
  {
    std::lock_guard lock(mutex_);
    if (submitted) {
      letter.submission->number = submissions.fetch_add(1, std::memory_order_relaxed) + 1;
      account::enter(*letter.submission);
      *count = submitted->fetch_add(1, std::memory_order_acq_rel) + 1;
    }
    mail_.push_back(std::move(letter));
    has_mail_.store(true, std::memory_order_seq_cst);
    if (!thread_.joinable() && !stopping_.load(std::memory_order_relaxed) && !Workers::stopped()) {
      thread_ = std::thread([this] { work(); });
      return;
    }
  }
  if (asleep_.load(std::memory_order_seq_cst)) sleeper_.wake();
}

uint64_t Worker::post(std::shared_ptr<Channel> channel, std::unique_ptr<Submission> submission,
                      std::atomic<uint64_t>& submitted) {
  uint64_t count = 0;
  deliver({std::move(channel), std::move(submission)}, &submitted, &count);
  return count;
}

void Worker::post_return(std::shared_ptr<Channel> channel, size_t run, size_t instruction,
                         uint64_t start) {
  deliver({std::move(channel), nullptr, run, instruction, start}, nullptr, nullptr);
}

void Worker::hurry() noexcept {
  hurry_.store(true, std::memory_order_seq_cst);
  if (asleep_.load(std::memory_order_seq_cst)) sleeper_.wake();
}

void Worker::stop() noexcept {
  std::thread thread;
  {
    std::lock_guard lock(mutex_);
    stopping_.store(true, std::memory_order_seq_cst);
    thread = std::move(thread_);
  }
  sleeper_.wake();
  if (thread.joinable()) thread.join();
}

void Worker::read_mail() {
  std::vector<Letter> mail;
  {
    std::lock_guard lock(mutex_);
    has_mail_.store(false, std::memory_order_relaxed);
    mail.swap(mail_);
  }
  for (Letter& letter : mail) {
    if (letter.submission) {
      if (std::find(channels_.begin(), channels_.end(), letter.channel) == channels_.end()) {
        channels_.push_back(letter.channel);
      }
      letter.channel->accept(std::move(letter.submission));
    } else {
      letter.channel->host_call_returned(runner_, letter.run, letter.instruction, letter.start);
    }
  }
}

bool Worker::step() {
  const size_t n = channels_.size();
  if (n == 0) return false;
  // Round robin, so that no channel starves; kernels of different channels share the engine's
  // queue, so changing over costs nothing.
  size_t first = next_++ % n;
  if (n > 1 && policy() == Policy::shuffle) first = choice_.below(n);
  for (size_t i = 0; i < n; ++i) {
    if (channels_[(first + i) % n]->step(runner_)) return true;
  }
  return false;
}

void Worker::settle() {
  (void)runner_.drain();
  const ze_result_t result = runner_.take_loss();
  for (const auto& channel : channels_) {
    // The engine does not say whose kernel failed: the hardware queue is lost for all of them.
    if (result != ZE_RESULT_SUCCESS) channel->fail(result);
    channel->settle();
  }
  std::erase_if(channels_, [](const auto& channel) { return !channel->has_work(); });
}

void Worker::settle_drained() {
  if (runner_.busy()) return;
  for (const auto& channel : channels_) channel->settle();
}

bool Worker::would_block(const Channel& signaller, const EventState& event,
                         uint64_t submission) const {
  for (const auto& channel : channels_) {
    if (channel.get() != &signaller && channel->waits_for(event, submission)) return true;
  }
  return false;
}

void Worker::sleep() {
  Sleeper::Time until = Sleeper::Time::max();
  for (const auto& channel : channels_) until = std::min(until, channel->ask_again());
  // With nothing to do at all only mail matters; blocked work also hears every event.
  const bool blocked = !channels_.empty();
  if (blocked) Bell::enter(&sleeper_);
  asleep_.store(true, std::memory_order_seq_cst);
  const bool something = has_mail_.load(std::memory_order_seq_cst) ||
                         stopping_.load(std::memory_order_seq_cst) || (blocked && step());
  if (!something) sleeper_.sleep(until);
  asleep_.store(false, std::memory_order_seq_cst);
  if (blocked) Bell::leave(&sleeper_);
}

void Worker::work() {
  while (!stopping_.load(std::memory_order_relaxed)) {
    if (has_mail_.load(std::memory_order_acquire)) read_mail();
    if (step()) {
      if (hurry_.load(std::memory_order_relaxed)) {
        hurry_.store(false, std::memory_order_relaxed);
        settle();
      }
      continue;
    }
    const bool unsettled = runner_.busy() || runner_.lost() ||
                           std::any_of(channels_.begin(), channels_.end(), [](const auto& c) {
                             return c->has_unsettled() || !c->has_work();
                           });
    if (unsettled) {
      settle();
      continue;
    }
    hurry_.store(false, std::memory_order_relaxed);
    sleep();
  }
  (void)runner_.drain();
}

}  // namespace xpu::cpu
