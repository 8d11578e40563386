// SPDX-License-Identifier: Apache-2.0
// Options from the environment, read once; the table is options.inc.
#pragma once

#include <string>

namespace xpu {

struct Options {
#define OPTION(name, environment, standard, meaning) std::string name = standard;
#include "base/options.inc"
#undef OPTION
};

// Read at first use and never again, so that setenv in a running program cannot split its behaviour.
const Options& options() noexcept;

}  // namespace xpu
