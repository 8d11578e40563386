// SPDX-License-Identifier: Apache-2.0
// Keeping and freeing encodings without an executable.
#include "exec/retire.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace xpu::exec {
namespace {

struct Kept {
  std::mutex mutex;  // guards slots
  std::vector<std::unique_ptr<Slot>> slots;
  std::atomic<size_t> count{0};
};

// Never destroyed, as the runtime is not: at the end of the process the device may still run.
Kept& kept() noexcept {
  static Kept* const instance = new Kept;
  return *instance;
}

// A device that answers with an error keeps its encodings: after a loss, destroying lists crashes
// some drivers, and the process is at its end anyway.
bool is_over(Slot& slot) noexcept {
  Result<bool> over = slot.idle();
  return over.ok() && over.value();
}

}  // namespace

void retire(std::unique_ptr<Slot> slot) noexcept {
  if (is_over(*slot)) return;
  Kept& k = kept();
  const std::lock_guard hold(k.mutex);
  k.slots.push_back(std::move(slot));
  k.count.store(k.slots.size(), std::memory_order_relaxed);
}

size_t free_retired() noexcept {
  Kept& k = kept();
  if (k.count.load(std::memory_order_relaxed) == 0) return 0;
  std::vector<std::unique_ptr<Slot>> over;
  const std::lock_guard hold(k.mutex);
  for (std::unique_ptr<Slot>& slot : k.slots) {
    if (is_over(*slot)) over.push_back(std::move(slot));
  }
  std::erase(k.slots, nullptr);
  k.count.store(k.slots.size(), std::memory_order_relaxed);
  return k.slots.size();
}

}  // namespace xpu::exec
