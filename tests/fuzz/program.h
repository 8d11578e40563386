// SPDX-License-Identifier: Apache-2.0
// A random program: calls chosen by bytes, and what must hold after each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "fuzz/world.h"

namespace fuzz {

struct Call {
  const char* name;  // of the function
  xpuError_t (*make)(World& world, Bytes& in);
};

// The calls of each file; the table of all is in program.cpp.
struct Calls {
  const Call* first;
  size_t count;
};
Calls graph_calls();
Calls node_calls();
Calls exec_calls();
Calls stream_calls();
Calls memory_calls();

// Ends the process, telling the program so far, if the call failed or something does not hold.
void must(xpuError_t error);
void must_hold(bool condition, const char* what);

// Runs the program that the bytes are; returns "call = answer" of all its calls. `loud`: prints
// them.
std::set<std::string> run_program(const uint8_t* data, size_t size, bool loud);

}  // namespace fuzz
