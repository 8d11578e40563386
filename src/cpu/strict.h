// SPDX-License-Identifier: Apache-2.0
// Strict mode (ZE_CPU_STRICT=1): misuse that a real device would punish later, or not at all, is
// written to standard error by name and answered with an error, instead of being tolerated.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "cpu/settings.h"

namespace xpu::cpu {

inline bool strict() noexcept { return settings().strict; }

// `ze_cpu strict: <function>: <sentence>`, and counts it.
void strict_report(const char* function, const std::string& sentence) noexcept;
uint32_t strict_report_count() noexcept;

// Reports in strict mode and returns `answer` in either: for misuse that is refused always. A
// number among the parts of the sentence is written in decimal.
template <class... Parts>
ze_result_t misuse(const char* function, ze_result_t answer, const Parts&... parts) {
  if (strict()) {
    std::string sentence;
    auto add = [&sentence](const auto& part) {
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(part)>>) {
        sentence += std::to_string(part);
      } else {
        sentence += std::string_view(part);
      }
    };
    (add(parts), ...);
    strict_report(function, sentence);
  }
  return answer;
}

// Extension function, through zeDriverGetExtensionFunctionAddress: how many reports there were.
ze_result_t zeCpuGetStrictReportCount(uint32_t* count);

}  // namespace xpu::cpu
