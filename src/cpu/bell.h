// SPDX-License-Identifier: Apache-2.0
// Where threads sleep until something they wait for has happened, without polling.
//
// Whatever can be waited for (an event, a counter, a completion) is an atomic that its producer
// writes before it rings the bell with that object's address. A sleeper registers, looks again,
// then sleeps, so no ring is lost; with nobody asleep a ring costs one load.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace xpu::cpu {

class Sleeper {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Hears rings of `key`, or every ring if it is nullptr.
  explicit Sleeper(const void* key) noexcept : key_(key) {}
  const void* key() const noexcept { return key_; }

  void wake() noexcept {
    {
      std::lock_guard lock(mutex_);
      woken_ = true;
    }
    condition_.notify_one();
  }
  // Until wake() or `deadline`; a wake() since the last sleep counts.
  void sleep(Time deadline) noexcept;

 private:
  const void* key_;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool woken_ = false;  // guarded by mutex_
};

class Bell {
 public:
  static void ring(const void* key) noexcept;
  static void ring_all() noexcept;
  static void enter(Sleeper* sleeper);
  static void leave(Sleeper* sleeper) noexcept;
};

// Waits until ready() or `timeout` nanoseconds (0: only looks; UINT64_MAX: for ever) have passed,
// and returns ready(). `before_sleep` is called once if it is going to wait.
template <class Ready, class BeforeSleep>
bool wait_for(const void* key, uint64_t timeout, Ready ready, BeforeSleep before_sleep) {
  if (ready()) return true;
  if (timeout == 0) return false;
  // About 292 years: later than any deadline that steady_clock can hold is "for ever".
  const uint64_t longest = static_cast<uint64_t>(INT64_MAX) / 4;
  const auto now = std::chrono::steady_clock::now();
  const auto deadline = timeout >= longest
                            ? Sleeper::Time::max()
                            : now + std::chrono::nanoseconds(static_cast<int64_t>(timeout));
  Sleeper sleeper(key);
  Bell::enter(&sleeper);
  before_sleep();
  bool is_ready = ready();
  while (!is_ready && std::chrono::steady_clock::now() < deadline) {
    sleeper.sleep(deadline);
    is_ready = ready();
  }
  Bell::leave(&sleeper);
  return is_ready;
}

}  // namespace xpu::cpu
