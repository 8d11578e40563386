// SPDX-License-Identifier: Apache-2.0
// The order of basic blocks in SPIR-V.
#pragma once

#include <cstdint>
#include <vector>

namespace xpu::cpu {

// The module with the blocks of each function behind those that dominate them, as the specification
// wants, and without merge instructions, which kernels do not need. LLVM keeps its own order and
// its translator writes that: of `clang -O1` no module with a loop is valid. A module that cannot
// be read comes back unchanged.
std::vector<uint32_t> in_dominance_order(const std::vector<uint32_t>& words);

}  // namespace xpu::cpu
