// SPDX-License-Identifier: Apache-2.0
// Reads the options of options.inc from the environment.
#include "base/option.h"

#include <cstdlib>

namespace xpu {

const Options& options() noexcept {
  static const Options* const read = [] {
    auto* o = new Options;
#define OPTION(name, environment, standard, meaning) \
  if (const char* value = std::getenv(environment); value && *value) o->name = value;
#include "base/options.inc"
#undef OPTION
    return o;
  }();
  return *read;
}

}  // namespace xpu
