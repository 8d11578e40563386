// SPDX-License-Identifier: Apache-2.0
// A position on every lane at once: how far each has come, or has to have come.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "plan/facts.h"

namespace xpu::plan {

// Compute lanes, the copy lane, the host lane, and a lane for each other device.
inline constexpr uint32_t kMostLanes = kMostComputeLanes + 2 + (kMostDevices - 1);

// Entry l counts what is done on lane l, in lane order; 0 is nothing. Because each lane is serial,
// a number per lane says all there is to say, and "is implied by" is a comparison.
struct Clock : std::array<uint32_t, kMostLanes> {
  Clock() noexcept { fill(0); }
  void raise(uint32_t lane, uint32_t to) noexcept { at(lane) = std::max(at(lane), to); }
  void raise(const Clock& other) noexcept {
    for (uint32_t l = 0; l < kMostLanes; l++) (*this)[l] = std::max((*this)[l], other[l]);
  }
};

}  // namespace xpu::plan
