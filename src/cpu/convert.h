// SPDX-License-Identifier: Apache-2.0
// SPIR-V to SPIR bitcode, for OpenCL runtimes that take only the latter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace xpu::cpu {

// Which built-in functions the bitcode calls. PoCL 3.1 lacks what CL2.0 makes of an atomic on plain
// memory (atomic_fetch_add_explicit on a generic pointer), and has what CL1.2 makes of everything.
// Part of the key of cached results.
inline constexpr std::string_view kBuiltins = "--spirv-target-env=CL1.2";

// Runs the SPIRV-LLVM translator as a process of its own: it aborts on input it does not like, and
// that must not be the caller's end. ZE_CPU_LLVM_SPIRV names the program, else llvm-spirv-15 and
// other versions are looked for in PATH. What it prints is added to `log`.
Result<std::vector<std::byte>> spirv_to_bitcode(const void* spirv, size_t size, std::string* log);

}  // namespace xpu::cpu
