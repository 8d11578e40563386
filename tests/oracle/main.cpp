// SPDX-License-Identifier: Apache-2.0
// Runs the cases it is asked for, one line each: `oracle --list`, or `oracle ID...`.
#include <stdio.h>
#include <string.h>

#include <set>
#include <string>

#include "oracle/port/capture.h"

namespace {

// A module must not be loaded in the middle of a capture or in several threads at once, so each
// case has its kernels found first.
void find_kernels() {
#if defined(CONF_XPU)
  for (const char* name : {"k_noop", "k_set", "k_add", "k_step", "k_copy", "k_fill", "k_vadd",
                           "k_sum", "k_count", "k_spin_step", "k_spin_set"})
    p_kernel(name);
#endif
}

// The question whether the device is still fit comes before the line's end, so that work which
// never ends is laid to the case that started it.
bool run(const Case& c) {
  p_write(c.id + ":");
  try {
    find_kernels();
    c.body();
  } catch (const Stop&) {
  }
  const bool fit = P(DeviceSynchronize)() == P(Success);
  (void)P(GetLastError)();
  p_write("\n");
  return fit;
}

}  // namespace

int main(int argc, char** argv) {
  std::set<std::string> ids;
  for (const Case& c : p_cases())
    if (!ids.insert(c.id).second) {
      fprintf(stderr, "two cases are called %s\n", c.id.c_str());
      return 2;
    }
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    for (const Case& c : p_cases()) printf("%s\n", c.id.c_str());
    return 0;
  }
  for (int i = 1; i < argc; i++) {
    bool fit = true, known = false;
    for (const Case& c : p_cases())
      if (c.id == argv[i]) known = true, fit = run(c);
    if (!known) fprintf(stderr, "no case is called %s\n", argv[i]);
    if (!fit || !known) return 3;  // the rest needs a process of its own
  }
  _exit(0);  // the runtime's exit handlers are not what is asked about
}
