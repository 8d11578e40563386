// SPDX-License-Identifier: Apache-2.0
// Variables of program scope in SPIR-V, and a module that has them in memory of the driver.
//
// PoCL gives each kernel, and each size of work-group, variables of its own: what one kernel stores
// another does not see, and nobody can tell the address. With the variables turned into addresses
// of memory that the driver has, they are what OpenCL and Level Zero say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xpu::cpu {

struct SpirvGlobal {
  uint32_t id = 0;
  std::string name;  // empty if the module does not export it
  uint64_t offset = 0, size = 0;
};

struct SpirvGlobals {
  std::vector<SpirvGlobal> variables;
  uint64_t size = 0;  // of all
};

// The variables in the order of the module; offsets begin at `first`. Nothing if one is imported or
// of a size that is not known. The module is valid.
std::optional<SpirvGlobals> find_globals(const std::vector<uint32_t>& words, uint64_t first);

// What the variables are at first, from offset 0 on, if they lie at `base`. Nothing if one begins
// with what only a compiler could work out.
std::optional<std::vector<std::byte>> first_values(const std::vector<uint32_t>& words,
                                                   const SpirvGlobals& globals, uint64_t base);

// The module with the variables at `base`.
std::vector<uint32_t> with_globals_at(const std::vector<uint32_t>& words,
                                      const SpirvGlobals& globals, uint64_t base);

}  // namespace xpu::cpu
