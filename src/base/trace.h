// SPDX-License-Identifier: Apache-2.0
// Scoped zones for XPUGRAPH_TRACE: what the library itself did and how long it took, as Chrome
// trace-event JSON (Perfetto and chrome://tracing open it).
//
// A zone is a scoped object, so it cannot be left open. While tracing is off a zone costs one load
// and one branch; while it is on, two clock reads and one formatted line under a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace xpu {

// Writes one trace file. The library uses one instance, made from the option, under its own lock.
class TraceFile {
 public:
  // Nullptr, and a warning on the log, if the file cannot be written.
  static std::unique_ptr<TraceFile> open(const std::string& path);

  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  // Closes the JSON array; the viewers open a file without that, too.
  ~TraceFile();

  // A finished zone of this thread. `name` must need no JSON escapes. `count` below 0 is left out.
  void add(const char* name, uint64_t start_ns, uint64_t end_ns, int64_t count) noexcept;

 private:
  explicit TraceFile(std::FILE* file) noexcept;

  std::FILE* file_;
  long pid_;
  bool first_ = true;
};

namespace trace_detail {
// The option is read at the first zone, not when the library is loaded: a program may set its
// environment between the two.
enum class Mode : int { off, on, unread };
extern constinit std::atomic<Mode> mode;
bool read_mode() noexcept;
void add(const char* name, uint64_t start_ns, int64_t count) noexcept;
}  // namespace trace_detail

inline bool tracing() noexcept {
  const trace_detail::Mode mode = trace_detail::mode.load(std::memory_order_relaxed);
  if (mode == trace_detail::Mode::off) [[likely]]
    return false;
  return mode == trace_detail::Mode::on || trace_detail::read_mode();
}

// Monotonic nanoseconds.
uint64_t trace_clock_ns() noexcept;

class Zone {
 public:
  explicit Zone(const char* name, int64_t count = -1) noexcept {
    if (!tracing()) return;
    name_ = name;
    count_ = count;
    start_ns_ = trace_clock_ns();
  }
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;
  ~Zone() {
    if (name_) trace_detail::add(name_, start_ns_, count_);
  }

  // What the zone worked on, when that is known only inside it.
  void set_count(int64_t count) noexcept { count_ = count; }

 private:
  const char* name_ = nullptr;
  uint64_t start_ns_ = 0;
  int64_t count_ = -1;
};

}  // namespace xpu
