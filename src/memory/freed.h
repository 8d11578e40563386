// SPDX-License-Identifier: Apache-2.0
// The moment in a stream at which memory was freed: whether it has come, and how others wait for
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "runtime/stream.h"

namespace xpu::memory {

// Marks for frees to come: making an event costs a driver call, so those that can be signalled
// again are. Safe from any thread.
class SpareMarks {
 public:
  explicit SpareMarks(runtime::Device& device) noexcept : device_(device) {}
  Result<runtime::MarkRef> take(runtime::Device& device);
  void give(runtime::MarkRef mark) noexcept;

 private:
  // As many frees as are on their way at once in a busy program; more are made anew.
  static constexpr size_t kMost = 64;

  runtime::Device& device_;  // marks of other devices are not kept
  std::mutex lock_;          // guards marks_
  std::vector<runtime::MarkRef> marks_;
};

class Freed;
using FreedRef = std::shared_ptr<const Freed>;

class Freed {
 public:
  // Puts a mark into the stream. Null if there is nothing to wait for: all that comes before is
  // known to be over.
  static Result<FreedRef> now(runtime::Stream& stream, const std::shared_ptr<SpareMarks>& spare);
  Freed(std::shared_ptr<SpareMarks> spare, runtime::Stream& stream) noexcept;
  Freed(const Freed&) = delete;
  Freed& operator=(const Freed&) = delete;
  ~Freed() { spare_->give(std::move(mark_)); }

  uint64_t stream() const noexcept { return stream_; }
  uint64_t submission() const noexcept { return submission_; }
  // Nothing was given to the stream since, so a free in it now is this moment.
  bool is_now(const runtime::Stream& stream) const noexcept;

  // True without asking the driver if a wait has shown it.
  bool is_over() const noexcept;
  // Later work of the stream waits.
  Status wait_in(runtime::Stream& stream) const;
  // The host waits.
  Status wait() const { return mark_->synchronize(); }

 private:
  std::shared_ptr<SpareMarks> spare_;
  std::shared_ptr<runtime::Clock> clock_;
  runtime::MarkRef mark_;
  uint64_t stream_;
  uint64_t submission_ = 0;
};

// Asks about many moments, and of each stream no oftener than it must: what comes after something
// that is not over is not over either.
class Asking {
 public:
  bool is_over(const Freed& freed);

 private:
  struct Pending {
    uint64_t stream, submission;
  };
  std::vector<Pending> pending_;
};

}  // namespace xpu::memory
