// SPDX-License-Identifier: Apache-2.0
// The thread, which starts with the first use and is never joined: what it calls is the program's
// and may take any time.
#include "base/afterwards.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace xpu::afterwards {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kShortest{1}, kLongest{16};

class Thread {
 public:
  Status begin() {
    const std::lock_guard hold(lock_);
    if (started_) return {};
    try {
      std::thread([this] { run(); }).detach();
    } catch (const std::system_error& why) {
      return Status::error(xpuErrorMemoryAllocation,
                           std::string("no thread could be started: ") + why.what());
    }
    started_ = true;
    return {};
  }
  void add(std::unique_ptr<Call> call) noexcept {
    const std::lock_guard hold(lock_);
    Call* const last = call.get();
    (last_ ? last_->next : first_) = std::move(call);
    last_ = last;
    wake_.notify_one();
  }
  void add(std::function<bool()> question) {
    const std::lock_guard hold(lock_);
    new_questions_.push_back(std::move(question));
    wake_.notify_one();
  }
  // A driver may be unloaded behind it.
  void ask_no_more() noexcept {
    const std::lock_guard hold(asking_);
    ending_ = true;
  }

 private:
  void run() noexcept {
    milliseconds pause = kShortest;
    for (;;) {
      std::unique_ptr<Call> calls;
      {
        std::unique_lock hold(lock_);
        const auto woken = [this] { return first_ || !new_questions_.empty(); };
        if (questions_.empty()) wake_.wait(hold, woken);
        if (wake_.wait_for(hold, questions_.empty() ? milliseconds{0} : pause, woken))
          pause = kShortest;
        else
          pause = std::min(2 * pause, kLongest);
        calls = std::move(first_);
        last_ = nullptr;
        for (auto& question : new_questions_) questions_.push_back(std::move(question));
        new_questions_.clear();
      }
      for (; calls; calls = std::move(calls->next)) call_back(&calls->callback);
      const std::lock_guard hold(asking_);
      if (ending_) return;
      std::erase_if(questions_, [](const std::function<bool()>& done) { return done(); });
    }
  }

  std::mutex lock_;  // guards the four below
  std::condition_variable wake_;
  bool started_ = false;
  std::unique_ptr<Call> first_;
  Call* last_ = nullptr;
  std::vector<std::function<bool()>> new_questions_;

  std::vector<std::function<bool()>> questions_;  // the thread's own
  std::mutex asking_;                             // held while it asks; guards `ending_`
  bool ending_ = false;
};

// Never destroyed, for the thread goes on.
Thread& thread() {
  static Thread* const only = new Thread;
  return *only;
}

}  // namespace

Status begin() { return thread().begin(); }
void call(std::unique_ptr<Call> call) noexcept { thread().add(std::move(call)); }
void until(std::function<bool()> done) {
  // Made when there is a device to ask, and so gone before its driver when the process ends.
  static const struct Guard {
    ~Guard() { thread().ask_no_more(); }
  } guard;
  thread().add(std::move(done));
}

}  // namespace xpu::afterwards
