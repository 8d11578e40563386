// SPDX-License-Identifier: Apache-2.0
// A Level Zero table in front of a real one: counts calls by name, and makes the Nth call from now
// fail. Destruction never fails, as in the specification nothing can be done about it.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <tuple>

#include "ze/table.h"

namespace xpu::test {

enum class Call : int {
#define FUNCTION(table, name, slot, minor, need) name,
#include "ze/functions.inc"
#undef FUNCTION
  count
};

inline constexpr const char* kCallNames[] = {
#define FUNCTION(table, name, slot, minor, need) #name,
#include "ze/functions.inc"
#undef FUNCTION
};

struct Recorder {
  ze::Table real;
  std::atomic<uint64_t> calls[static_cast<int>(Call::count)] = {};
  std::atomic<int64_t> fail_in{-1};      // this many calls from now; negative: never
  std::atomic<bool> fail_always{false};  // all calls after that one, too
  std::atomic<int> failed{-1};           // which call was made to fail
  std::atomic<bool> asked{false};        // and whether that only asked: it must not be told
  // Counting and failing is for one thread: the library's other threads wait in here all the time.
  static inline thread_local bool mine = false;
  // The thread is in the driver: what it allocates there is not the library's.
  static inline thread_local int inside = 0;

  uint64_t of(Call call) const noexcept { return calls[static_cast<int>(call)].load(); }
  uint64_t total() const noexcept {
    uint64_t sum = 0;
    for (const auto& n : calls) sum += n.load();
    return sum;
  }
  void clear() noexcept {
    for (auto& n : calls) n = 0;
    fail_in = -1;
    fail_always = false;
    failed = -1;
  }
};

inline Recorder& recorder() noexcept {
  static Recorder instance;
  return instance;
}

// Whether this call is the one to fail.
inline bool recorded(Call call, bool asks) noexcept {
  Recorder& r = recorder();
  if (!Recorder::mine) return false;
  r.calls[static_cast<int>(call)]++;
  if (std::strstr(kCallNames[static_cast<int>(call)], "Destroy")) return false;
  const bool failing = r.fail_always && r.failed >= 0;
  if (!failing && (r.fail_in.load() < 0 || r.fail_in.fetch_sub(1) != 0)) return false;
  r.failed = static_cast<int>(call);
  r.asked = asks;
  return true;
}

// A wait for no time is a question, as a query is.
template <Call kCall, class... Arguments>
bool is_question(Arguments... arguments) noexcept {
  if constexpr (kCall == Call::EventHostSynchronize || kCall == Call::CommandListHostSynchronize)
    return std::get<1>(std::tuple(arguments...)) == 0;
  return kCall == Call::EventQueryStatus;
}

template <Call kCall, auto Member, class Function>
struct Recorded;
template <Call kCall, auto Member, class... Arguments>
struct Recorded<kCall, Member, ze_result_t(ZE_APICALL*)(Arguments...)> {
  static ze_result_t ZE_APICALL call(Arguments... arguments) {
    const bool asks = is_question<kCall>(arguments...);
    const bool is_query = asks && kCall == Call::EventHostSynchronize;
    if (recorded(is_query ? Call::EventQueryStatus : kCall, asks))
      return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    Recorder::inside++;
    const ze_result_t result = (recorder().real.*Member)(arguments...);
    Recorder::inside--;
    return result;
  }
};

// Only one real table in a process.
inline ze::Table recording(const ze::Table& real) noexcept {
  recorder().real = real;
  ze::Table table = real;
#define FUNCTION(group, name, slot, minor, need) \
  if (real.name) table.name = Recorded<Call::name, &ze::Table::name, decltype(table.name)>::call;
#include "ze/functions.inc"
#undef FUNCTION
  return table;
}

}  // namespace xpu::test
