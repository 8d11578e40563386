// SPDX-License-Identifier: Apache-2.0
// One sink, five levels: lines on standard error, chosen by XPUGRAPH_LOG.
#pragma once

namespace xpu {

enum class LogLevel : int { off = 0, error, warn, info, debug, trace };

LogLevel log_level() noexcept;

// printf-style; one line, without the newline. Safe from any thread.
[[gnu::format(printf, 2, 3)]] void log_line(LogLevel level, const char* format, ...) noexcept;

}  // namespace xpu

// The arguments are not evaluated when the level is off.
#define XPU_LOG(level, ...)                                                        \
  do {                                                                             \
    if (::xpu::LogLevel::level <= ::xpu::log_level())                              \
      ::xpu::log_line(::xpu::LogLevel::level, __VA_ARGS__);                        \
  } while (false)
