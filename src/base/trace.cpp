// SPDX-License-Identifier: Apache-2.0
// Writing zones to the file that XPUGRAPH_TRACE names.
#include "base/trace.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "base/log.h"
#include "base/option.h"

namespace xpu {

uint64_t trace_clock_ns() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

TraceFile::TraceFile(std::FILE* file) noexcept : file_(file), pid_(static_cast<long>(getpid())) {}

std::unique_ptr<TraceFile> TraceFile::open(const std::string& path) {
  FILE* file = fopen(path.c_str(), "we");
  if (!file) {
    XPU_LOG(warn, "XPUGRAPH_TRACE: cannot write %s: %s", path.c_str(), strerror(errno));
    return nullptr;
  }
  fputs("[\n", file);
  return std::unique_ptr<TraceFile>(new TraceFile(file));
}

TraceFile::~TraceFile() {
  fputs("\n]\n", file_);
  fclose(file_);
}

void TraceFile::add(const char* name, uint64_t start_ns, uint64_t end_ns, int64_t count) noexcept {
  thread_local const long tid = static_cast<long>(syscall(SYS_gettid));
  char args[48] = "";
  if (count >= 0) {
    snprintf(args, sizeof args, ",\"args\":{\"count\":%lld}", static_cast<long long>(count));
  }
  const uint64_t took = end_ns - start_ns;
  // The format counts in microseconds; three decimals keep the nanoseconds.
  fprintf(file_,
          "%s{\"name\":\"%s\",\"cat\":\"xpugraph\",\"ph\":\"X\",\"pid\":%ld,\"tid\":%ld,"
          "\"ts\":%llu.%03u,\"dur\":%llu.%03u%s}",
          first_ ? "" : ",\n", name, pid_, tid, static_cast<unsigned long long>(start_ns / 1000),
          static_cast<unsigned>(start_ns % 1000), static_cast<unsigned long long>(took / 1000),
          static_cast<unsigned>(took % 1000), args);
  first_ = false;
}

namespace trace_detail {

constinit std::atomic<Mode> mode{Mode::unread};

namespace {

// Never destroyed: a thread may leave a zone while the process ends. close() only flips the mode
// and ends the array, under the same lock that add() takes. Not on the heap either: every program
// asks for it once, perhaps when there is no memory left.
struct Sink {
  std::mutex mutex;
  std::unique_ptr<TraceFile> file;
};

Sink& sink() noexcept {
  alignas(Sink) static unsigned char storage[sizeof(Sink)];
  static Sink* const instance = new (storage) Sink;
  return *instance;
}

void close() {
  const std::lock_guard lock(sink().mutex);
  mode.store(Mode::off, std::memory_order_relaxed);
  sink().file.reset();
}

}  // namespace

bool read_mode() noexcept {
  static const bool on = [] {
    if (!options().trace.empty()) sink().file = TraceFile::open(options().trace);
    const bool opened = sink().file != nullptr;
    if (opened) std::atexit(close);
    mode.store(opened ? Mode::on : Mode::off, std::memory_order_relaxed);
    return opened;
  }();
  return on && mode.load(std::memory_order_relaxed) == Mode::on;
}

void add(const char* name, uint64_t start_ns, int64_t count) noexcept {
  const uint64_t end_ns = trace_clock_ns();
  const std::lock_guard lock(sink().mutex);
  if (sink().file) sink().file->add(name, start_ns, end_ns, count);
}

}  // namespace trace_detail

}  // namespace xpu
