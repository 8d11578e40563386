// SPDX-License-Identifier: Apache-2.0
// What a device must be able to show for a test to mean anything, and a runner that leaves out what
// this one cannot: by name, counted, never silently.
//
//   const Test tests[] = {
//       xpu_test(an_empty_graph_runs),
//       xpu_test(a_host_node_is_called, needs(calls_back)),     // left out as a whole
//       xpu_test(a_chain_runs_in_order, results(executes)),     // runs; its results are left out
//   };
//   return run_all(tests);
//
// Inside the third one the last lines stand under `if (shown(executes))`. Both halves of that
// agreement are checked on every device: shown() fails for a need that is not declared, and the
// test fails if it declares one that it never asks for.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xpu_test.h>

namespace xpu::test {

// Each is one word of XPU_TEST_LACKS, which names with commas between them what the device cannot
// show. Intel's driver without a GPU encodes everything and executes nothing: it lacks all
// but `endures`.
#define XPU_TEST_NEEDS(NEED)                                                                 \
  NEED(executes, 0, "kernels, copies and fills change memory")                               \
  NEED(calls_back, 1, "host functions are called")                                           \
  NEED(waits, 2, "a wait ends when the work is done, not at once")                           \
  NEED(polls, 3, "a query learns that work is done although nobody has waited for it")       \
  NEED(timestamps, 4, "the device's clock is written where a command asks for the time")     \
  NEED(validates, 5, "the driver refuses what is no valid SPIR-V, and does not crash on it") \
  NEED(endures, 6, "the driver takes any number of launches")                                \
  NEED(shares, 7, "eventfds and memory files are taken for external semaphores")

#define XPU_TEST_NEED(name, bit, sentence) name = 1u << bit,
enum Need : unsigned { XPU_TEST_NEEDS(XPU_TEST_NEED) };
#undef XPU_TEST_NEED

struct NeedRow {
  unsigned bit;
  const char* name;
};
#define XPU_TEST_NEED(name, bit, sentence) {1u << bit, #name},
inline constexpr NeedRow kNeeds[] = {XPU_TEST_NEEDS(XPU_TEST_NEED)};
#undef XPU_TEST_NEED

struct Needs {
  unsigned whole;  // without one of these the test is left out
  unsigned parts;  // without one of these what stands under shown() is left out
};
constexpr Needs needs(unsigned whole) { return {whole, 0}; }
constexpr Needs results(unsigned parts) { return {0, parts}; }
constexpr Needs operator+(Needs a, Needs b) { return {a.whole | b.whole, a.parts | b.parts}; }

struct Test {
  const char* name;
  void (*function)(void** state);
  Needs needs;
};
inline Test make_test(const char* name, void (*function)(void**), Needs needs = {}) {
  return {name, function, needs};
}
#define xpu_test(function, ...) xpu::test::make_test(#function, function __VA_OPT__(, ) __VA_ARGS__)

// The words of XPU_TEST_LACKS. A word that is none ends the program: it would leave nothing out.
inline unsigned read_lacks() {
  const char* at = getenv("XPU_TEST_LACKS");
  unsigned lacks = 0;
  while (at && *at) {
    const size_t length = strcspn(at, ",");
    unsigned bit = 0;
    for (const NeedRow& row : kNeeds)
      if (strlen(row.name) == length && strncmp(row.name, at, length) == 0) bit = row.bit;
    if (!bit) {
      fprintf(stderr, "XPU_TEST_LACKS: '%.*s' is no need of a test\n", static_cast<int>(length),
              at);
      exit(1);
    }
    lacks |= bit;
    at += length + (at[length] == ',');
  }
  return lacks;
}
inline unsigned lacks() {
  static const unsigned read = read_lacks();
  return read;
}

struct Running {
  const Test* test = nullptr;
  unsigned asked = 0;
};
inline Running running;

// Can this device show it? Asked by the test itself, on its own thread, once it has done its work.
inline bool shown(unsigned need) {
  if (!running.test || (need & ~running.test->needs.parts))
    fail_msg("%s looks at results that it does not declare",
             running.test ? running.test->name : "a fixture");
  running.asked |= need;
  return !(need & lacks());
}

// "executes, polls"
inline const char* names_of(unsigned bits) {
  static char text[128];
  text[0] = '\0';
  for (const NeedRow& row : kNeeds)
    if (row.bit & bits) {
      if (*text) strcat(text, ", ");
      strcat(text, row.name);
    }
  return text;
}

inline void run_one(void** state) {
  running.test = static_cast<const Test*>(*state);
  running.asked = 0;
  *state = nullptr;
  running.test->function(state);
  const unsigned unasked = running.test->needs.parts & ~running.asked;
  if (unasked) fail_msg("%s declares %s and never asks", running.test->name, names_of(unasked));
}

// The value for main to return: 77, a skip, if nothing is left to run. The line at the end is read
// by tools/count_results.py.
template <size_t n>
int run_all(const Test (&tests)[n], int (*open)(void**) = nullptr, int (*close)(void**) = nullptr) {
  static CMUnitTest left[n];
  size_t runs = 0, in_part = 0;
  for (const Test& test : tests) {
    if (const unsigned whole = test.needs.whole & lacks()) {
      printf("left out: %s (needs %s)\n", test.name, names_of(whole));
      continue;
    }
    if (const unsigned part = test.needs.parts & lacks()) {
      printf("in part: %s (without %s)\n", test.name, names_of(part));
      in_part++;
    }
    left[runs++] = {test.name, run_one, nullptr, nullptr, const_cast<Test*>(&test)};
  }
  printf("functions: %zu run, %zu of them in part, %zu left out\n", runs, in_part, n - runs);
  fflush(stdout);
  if (!runs) return 77;
  return _cmocka_run_group_tests("tests", left, runs, open, close) ? 1 : 0;
}

}  // namespace xpu::test
