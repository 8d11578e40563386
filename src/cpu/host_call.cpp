// SPDX-License-Identifier: Apache-2.0
// A pool that grows by a thread whenever none is idle.
#include "cpu/host_call.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace xpu::cpu {

namespace {

struct Pool {
  std::mutex mutex;  // guards all below
  std::condition_variable called;
  std::condition_variable gone;
  std::deque<std::function<void()>> calls;
  size_t idle = 0;
  size_t threads = 0;
  bool stopping = false;
};

// Never destroyed: a thread inside a callback may outlive the end of main.
Pool& pool() {
  static Pool* const one = new Pool;
  return *one;
}

void serve() {
  Pool& p = pool();
  std::unique_lock lock(p.mutex);
  while (true) {
    ++p.idle;
    p.called.wait(lock, [&] { return p.stopping || !p.calls.empty(); });
    --p.idle;
    if (p.calls.empty()) break;
    const std::function<void()> call = std::move(p.calls.front());
    p.calls.pop_front();
    lock.unlock();
    call();
    lock.lock();
  }
  --p.threads;
  p.gone.notify_all();
}

}  // namespace

void HostCalls::start(std::function<void()> call) {
  Pool& p = pool();
  std::lock_guard lock(p.mutex);
  p.calls.push_back(std::move(call));
  if (p.idle >= p.calls.size()) {
    p.called.notify_one();
    return;
  }
  ++p.threads;
  std::thread(serve).detach();
}

void HostCalls::stop() noexcept {
  Pool& p = pool();
  std::unique_lock lock(p.mutex);
  p.stopping = true;
  p.calls.clear();
  p.called.notify_all();
  p.gone.wait_for(lock, std::chrono::milliseconds(200), [&] { return p.threads == 0; });
}

}  // namespace xpu::cpu
