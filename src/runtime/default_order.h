// SPDX-License-Identifier: Apache-2.0
// The legacy default stream's rule: its work starts after all work of blocking streams that came
// before, and their later work starts after it. Kept with events on the device; the host never
// waits.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "runtime/mark.h"

namespace xpu::runtime {

class Device;
class Stream;

// Both directions are lazy. The legacy stream counts its submissions; a blocking stream that sees a
// new count waits for a mark in the legacy stream before its next work. A blocking stream with work
// the legacy stream has not waited for counts as dirty; the legacy stream waits for each dirty one
// before its next work. So a program that uses only one of the two kinds pays a compare.
class DefaultOrder {
 public:
  explicit DefaultOrder(Device& device) noexcept : device_(device) {}

  uint64_t legacy_submissions() const noexcept { return legacy_.load(std::memory_order_acquire); }
  bool any_dirty() const noexcept { return dirty_.load(std::memory_order_acquire) != 0; }

  // Under the queue's lock, with each piece of work.
  void note_legacy() noexcept { legacy_.fetch_add(1, std::memory_order_acq_rel); }
  void note_dirty() noexcept { dirty_.fetch_add(1, std::memory_order_acq_rel); }

  // Before work on a blocking stream.
  Status before_blocking(Stream& stream);
  // Before work on the legacy stream.
  Status before_legacy(Stream& legacy);
  // A stream whose work is all done owes nothing.
  void settled(Stream& stream) noexcept;
  // The same for a stream that is given up: true if all its work is done, and then nothing more is
  // appended to it here.
  bool release(Stream& stream) noexcept;
  // A stream that goes.
  void forget(Stream& stream) noexcept { clean(stream); }

 private:
  void clean(Stream& stream) noexcept;

  Device& device_;
  std::atomic<uint64_t> legacy_{0};
  std::atomic<uint32_t> dirty_{0};
  std::mutex lock_;  // taken before any queue's lock; guards all below
  MarkRef legacy_mark_;
  uint64_t marked_ = 0;
};

}  // namespace xpu::runtime
