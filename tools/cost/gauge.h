// SPDX-License-Identifier: Apache-2.0
// Measures one piece of work again and again: its time, or under callgrind its instructions.
//
// Callgrind is to be started with --instr-atstart=no --collect-atstart=no. Each piece is collected
// in its third run, when memory and caches of the driver are warm, and dumped under its title; only
// the calling thread collects.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION (void)0
#define CALLGRIND_TOGGLE_COLLECT (void)0
#define CALLGRIND_ZERO_STATS (void)0
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#endif

namespace cost {

struct Spread {
  double median = 0, p90 = 0;
};

inline Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values[values.size() * 9 / 10]};
}

class Gauge {
 public:
  // `repetitions` 0: as many as fit into 0.15 s, 11 to 20,000.
  Gauge(bool count, int repetitions) : count_(count), repetitions_(repetitions) {
    if (count) CALLGRIND_START_INSTRUMENTATION;
  }

  // Nanoseconds of work(), which comes between before() and after() each time.
  template <class Before, class Work, class After>
  Spread measure(const std::string& title, Before before, Work work, After after) const {
    for (int i = 0; i < 2; i++) before(), work(), after();
    if (count_) {
      before();
      CALLGRIND_ZERO_STATS;
      CALLGRIND_TOGGLE_COLLECT;
      work();
      CALLGRIND_TOGGLE_COLLECT;
      CALLGRIND_DUMP_STATS_AT(title.c_str());
      after();
      return {};
    }
    std::vector<double> took;
    const auto start = Clock::now();
    while (!enough(took.size(), start)) {
      before();
      const auto begin = Clock::now();
      work();
      took.push_back(Nanoseconds(Clock::now() - begin).count());
      after();
    }
    return spread_of(std::move(took));
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Nanoseconds = std::chrono::duration<double, std::nano>;

  bool enough(size_t done, Clock::time_point start) const {
    if (repetitions_) return done >= static_cast<size_t>(repetitions_);
    if (done < 11 || done >= 20000) return done >= 11;
    return Clock::now() - start > std::chrono::milliseconds(150);
  }

  bool count_;
  int repetitions_;
};

// Bytes of the process's own memory that are there in pages, whoever took them: malloc's free pages
// are given back first, so that what is used again counts.
inline double resident_bytes() {
  malloc_trim(0);
  std::ifstream memory("/proc/self/smaps_rollup");
  for (std::string line; std::getline(memory, line);)
    if (line.starts_with("Private_Dirty:")) return std::stod(line.substr(14)) * 1024;
  throw std::runtime_error("/proc/self/smaps_rollup has no line Private_Dirty");
}

}  // namespace cost
