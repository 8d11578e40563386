// SPDX-License-Identifier: Apache-2.0
// Serial numbers: which of two things came first, whatever thread they happened in. For
// XPUGRAPH_CHECK=2; otherwise there are none, and asking for one costs a load and a test.
#pragma once

#include <atomic>
#include <cstdint>

namespace xpu {

// 0: none are given out.
inline std::atomic<uint64_t> last_serial{0};

// No two calls get the same number, and a call that happens after another gets a greater one.
inline uint64_t take_serial() noexcept {
  if (last_serial.load(std::memory_order_relaxed) == 0) [[likely]]
    return 0;
  return last_serial.fetch_add(1, std::memory_order_relaxed) + 1;
}

inline bool has_serials() noexcept { return last_serial.load(std::memory_order_relaxed) != 0; }

// From here on there are, if XPUGRAPH_CHECK is 2 or more.
void start_serials() noexcept;

}  // namespace xpu
