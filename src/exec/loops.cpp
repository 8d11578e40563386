// SPDX-License-Identifier: Apache-2.0
// The queue of bodies, and the end of loops.
#include "exec/loops.h"

#include <chrono>
#include <cstdlib>
#include <thread>

namespace xpu::exec {
namespace {

// The driver goes after main, and a thread in the middle of a loop would go on calling it.
std::atomic<bool> process_ends{false};
std::atomic<int> threads_inside{0};

void stop_at_exit() {
  process_ends = true;
  for (int i = 0; i < 200 && threads_inside > 0; i++)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

int64_t steady_ns() noexcept {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace

Loops::Inside::Inside() noexcept { threads_inside++; }
Loops::Inside::~Inside() { threads_inside--; }

Result<std::shared_ptr<Loops>> Loops::make(runtime::Device& device) {
  [[maybe_unused]] static const int registered = std::atexit(stop_at_exit);
  XPU_TRY_ASSIGN(std::shared_ptr<runtime::Queue> queue, device.lanes().make_apart());
  return std::make_shared<Loops>(std::move(queue));
}

Status Loops::may_go_on() const {
  if (process_ends.load(std::memory_order_relaxed)) [[unlikely]]
    return Status::error(xpuErrorLaunchTimeout, "the process ends while a loop runs");
  if (has_failed()) [[unlikely]]
    return failure();
  const int64_t stop_at = stop_at_ns_.load(std::memory_order_relaxed);
  if (stop_at == kNever || steady_ns() < stop_at) [[likely]]
    return {};
  return Status::error(xpuErrorLaunchTimeout,
                       "a loop was stopped: its executable was destroyed, and " +
                           std::to_string(kGraceNs / 1'000'000'000) +
                           " s later it had not come to an end");
}

void Loops::executable_is_gone() noexcept {
  stop_at_ns_.store(steady_ns() + kGraceNs, std::memory_order_relaxed);
}

void Loops::fail(const Status& status) noexcept {
  const std::lock_guard hold(mutex_);
  if (!failure_.ok()) return;
  try {
    failure_ = status.copy();
  } catch (const std::bad_alloc&) {
    return;  // the stream has it
  }
  has_failed_.store(true, std::memory_order_release);
}

Status Loops::failure() const {
  const std::lock_guard hold(mutex_);
  return failure_.copy();
}

}  // namespace xpu::exec
