// SPDX-License-Identifier: Apache-2.0
// What the user may choose on the command line.
#pragma once

#include <cstdint>
#include <string>

namespace heat {

struct Options {
  std::string picture;    // PNG to start from; the one beside the program by default
  std::string kernels;    // heat.spv beside the program by default
  std::string out = ".";  // the folder for results
  uint32_t steps = 200;
  uint32_t columns = 3, rows = 2;  // of tiles
};

// Ends the program after --help, or with a sentence if the command line makes no sense.
Options read_options(int argc, char** argv);

}  // namespace heat
