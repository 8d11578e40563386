// SPDX-License-Identifier: Apache-2.0
// Whether an order that a graph lacks can show in this run.
#pragma once

#include <cstdlib>
#include <string_view>

namespace xpu::test {

// ZE_CPU_SCHEDULE decides in which order the CPU driver runs what one list leaves unordered. A
// chain leaves nothing unordered, and between lanes and devices it is the threads that decide.
inline bool missing_order_shows() {
  const char* const schedule = std::getenv("ZE_CPU_SCHEDULE");
  const char* const plan = std::getenv("XPUGRAPH_PLAN");
  const char* const devices = std::getenv("ZE_CPU_DEVICES");
  const std::string_view spread = plan ? plan : "auto";
  return schedule && std::string_view(schedule) != "program" &&
         (!devices || std::string_view(devices) == "1") && (spread == "auto" || spread == "levels");
}

}  // namespace xpu::test
