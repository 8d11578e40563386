// SPDX-License-Identifier: Apache-2.0
// What one launch costs: driver calls, what is made, allocations. Replaces operator new, so one
// file of a program includes it.
#pragma once

#include <malloc.h>
#include <string.h>

#include <new>

#include "exec_world.h"

namespace xpu::test {

inline thread_local uint64_t allocations = 0;

}  // namespace xpu::test

// Counts what this thread allocates, in the library as in the test, but not in the driver. Both
// forms: a sanitizer's own one would not go with the delete below.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  if (!xpu::test::Recorder::inside) xpu::test::allocations++;
  return malloc(size ? size : 1);
}
void* operator new(size_t size) {
  if (void* at = operator new(size, std::nothrow)) return at;
  throw std::bad_alloc();
}
void operator delete(void* at) noexcept { free(at); }
void operator delete(void* at, size_t) noexcept { free(at); }

namespace xpu::test {

struct Cost {
  uint64_t calls = 0;
  uint64_t appended_lists = 0;
  uint64_t queries = 0;
  uint64_t lists_made = 0;
  uint64_t patches = 0;
  uint64_t made = 0;  // objects and memory of the driver, of any kind
  uint64_t allocated = 0;
  bool ok = false;
};

inline uint64_t things_made() {
  uint64_t made = 0;
  for (int i = 0; i < static_cast<int>(Call::count); i++) {
    const char* name = kCallNames[i];
    if (strstr(name, "Create") || strstr(name, "Alloc"))
      made += recorder().of(static_cast<Call>(i));
  }
  return made;
}

inline Cost cost_of_launch(exec::Exec& exec, runtime::Stream& stream) {
  Recorder& r = recorder();
  r.clear();
  const uint64_t before = allocations;
  const bool ok = exec.launch(stream).ok();
  Cost cost;
  cost.allocated = allocations - before;
  cost.ok = ok;
  cost.calls = r.total();
  cost.appended_lists = r.of(Call::CommandListImmediateAppendCommandListsExp);
  cost.queries = r.of(Call::EventQueryStatus);
  cost.lists_made = r.of(Call::CommandListCreate);
  cost.patches = r.of(Call::CommandListUpdateMutableCommandsExp);
  cost.made = things_made();
  return cost;
}

}  // namespace xpu::test
