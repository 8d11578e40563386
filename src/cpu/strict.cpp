// SPDX-License-Identifier: Apache-2.0
// The one place that writes and counts strict reports.
#include "cpu/strict.h"

#include <atomic>
#include <cstdio>

namespace xpu::cpu {

namespace {
std::atomic<uint32_t> reports{0};
}

void strict_report(const char* function, const std::string& sentence) noexcept {
  reports.fetch_add(1, std::memory_order_relaxed);
  // One call, so that lines of several threads do not mix.
  std::fprintf(stderr, "ze_cpu strict: %s: %s\n", function, sentence.c_str());
}

uint32_t strict_report_count() noexcept { return reports.load(std::memory_order_relaxed); }

ze_result_t zeCpuGetStrictReportCount(uint32_t* count) {
  if (!count) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *count = strict_report_count();
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
