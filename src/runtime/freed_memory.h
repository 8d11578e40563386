// SPDX-License-Identifier: Apache-2.0
// Memory that was freed, and where: what XPUGRAPH_CHECK=2 knows of pointers that lead nowhere.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <shared_mutex>
#include <string>
#include <vector>

namespace xpu::runtime {

// `made` and `freed` are serial numbers (base/serial.h): a pointer that was noted in between meant
// this memory, whatever is at its address now.
struct FreedRange {
  const void* base = nullptr;
  size_t size = 0;
  uint64_t made = 0, freed = 0;
  const void* owner = nullptr;  // who may allocate it again at the same address; null: nobody
  std::string where;            // as describe_caller() says it
};

// The last kMost, since a program may free without end. Safe from any thread.
class FreedMemory {
 public:
  static constexpr size_t kMost = 4096;

  static FreedMemory& get() noexcept;

  // The calling thread is in the call that frees. Does nothing without serial numbers.
  void add(const void* base, size_t size, uint64_t made, uint64_t freed,
           const void* owner = nullptr) noexcept;

  // What contained `pointer` at the moment `then` and is gone, the smallest first: the addresses
  // that a graph has for its allocations are freed as a whole too.
  std::vector<FreedRange> find(const void* pointer, uint64_t then) const;

  // How many there were: the same number says that nothing was freed in between.
  uint64_t count() const noexcept { return count_.load(std::memory_order_acquire); }

 private:
  mutable std::shared_mutex lock_;  // guards ranges_
  std::deque<FreedRange> ranges_;
  std::atomic<uint64_t> count_{0};
};

}  // namespace xpu::runtime
