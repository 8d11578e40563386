// SPDX-License-Identifier: Apache-2.0
// The device clock: CLOCK_MONOTONIC nanoseconds, so host and device timestamps are one scale.
#pragma once

#include <cstdint>
#include <ctime>

namespace xpu::cpu {

inline constexpr uint64_t kClockResolution = 1;  // ns per tick
inline constexpr uint32_t kClockValidBits = 64;

inline uint64_t clock_now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

}  // namespace xpu::cpu
