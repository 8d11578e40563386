// SPDX-License-Identifier: Apache-2.0
// Memory that no pool gave and that a stream has freed: the driver gets it back when the free is
// over.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "memory/freed.h"
#include "runtime/memory.h"

namespace xpu::memory {

// Safe from any thread.
class LateFrees {
 public:
  // `address` is what xpuMalloc gave; it belongs to nobody from here on.
  Status add(void* address, runtime::Stream& stream);
  // Frees what is over.
  void sweep() noexcept;
  // The host waits for all there are, without holding up others.
  void wait();
  bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

 private:
  struct Late {
    void* block;
    runtime::Memory* memory;
    FreedRef freed;
  };
  std::mutex lock_;  // guards list_
  std::vector<Late> list_;
  std::atomic<size_t> count_{0};
};

}  // namespace xpu::memory
