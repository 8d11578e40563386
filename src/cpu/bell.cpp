// SPDX-License-Identifier: Apache-2.0
// The list of sleepers. Few threads sleep at once (workers and host waits), so one list serves all.
#include "cpu/bell.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace xpu::cpu {

namespace {

struct Sleepers {
  std::mutex mutex;
  std::vector<Sleeper*> list;  // guarded by mutex
};

// Never destroyed: workers ring while the process ends.
Sleepers& sleepers() noexcept {
  static Sleepers* const all = new Sleepers;
  return *all;
}

// Sequentially consistent on both sides: a producer writes its object then reads this, a sleeper
// writes this then reads the object, so at least one of them sees the other.
std::atomic<uint32_t> sleeping{0};

}  // namespace

void Sleeper::sleep(Time deadline) noexcept {
  std::unique_lock lock(mutex_);
  auto woken = [this] { return woken_; };
  if (deadline == Time::max()) {
    condition_.wait(lock, woken);
  } else {
    condition_.wait_until(lock, deadline, woken);
  }
  woken_ = false;
}

void Bell::ring(const void* key) noexcept {
  if (sleeping.load(std::memory_order_seq_cst) == 0) return;
  std::lock_guard lock(sleepers().mutex);
  for (Sleeper* s : sleepers().list) {
    if (!s->key() || s->key() == key) s->wake();
  }
}

void Bell::ring_all() noexcept {
  std::lock_guard lock(sleepers().mutex);
  for (Sleeper* s : sleepers().list) s->wake();
}

void Bell::enter(Sleeper* sleeper) {
  std::lock_guard lock(sleepers().mutex);
  sleepers().list.push_back(sleeper);
  sleeping.fetch_add(1, std::memory_order_seq_cst);
}

void Bell::leave(Sleeper* sleeper) noexcept {
  std::lock_guard lock(sleepers().mutex);
  auto& list = sleepers().list;
  list.erase(std::find(list.begin(), list.end(), sleeper));
  sleeping.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace xpu::cpu
