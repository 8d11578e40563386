// SPDX-License-Identifier: Apache-2.0
// Writes log lines.
#include "base/log.h"

#include <cstdarg>
#include <cstdio>
#include <string>

#include "base/option.h"

namespace xpu {
namespace {

constexpr const char* kNames[] = {"off", "error", "warn", "info", "debug", "trace"};

LogLevel parse(const std::string& text) noexcept {
  for (int i = 0; i < 6; i++) {
    if (text == kNames[i]) return static_cast<LogLevel>(i);
  }
  std::fprintf(stderr,
               "xpugraph warn: XPUGRAPH_LOG=%s is not one of off, error, warn, info, debug, trace; "
               "warn is used\n",
               text.c_str());
  return LogLevel::warn;
}

}  // namespace

LogLevel log_level() noexcept {
  static const LogLevel level = parse(options().log);
  return level;
}

void log_line(LogLevel level, const char* format, ...) noexcept {
  char text[2048];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "xpugraph %s: %s\n", kNames[static_cast<int>(level)], text);
}

}  // namespace xpu
