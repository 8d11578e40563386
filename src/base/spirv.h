// SPDX-License-Identifier: Apache-2.0
// What a SPIR-V module says about its kernels: names, parameters, work-group sizes.
//
// Level Zero tells how many arguments a kernel has but not how large they are, so both the library
// and the CPU driver read it here. It is a reader, not a validator: any bytes are safe to give, and
// only what the signatures need is looked at.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/signature.h"
#include "base/status.h"

namespace xpu {

struct SpirvKernel {
  std::string name;
  std::vector<Parameter> parameters;  // offsets are left 0: Signature computes them
  std::array<uint32_t, 3> required_group_size = {0, 0, 0};  // zeros: any
  std::array<uint32_t, 3> group_size_hint = {0, 0, 0};
  // Bytes of work-group memory that the kernel, or a function it calls, declares; none if who made
  // this does not know.
  std::optional<uint64_t> local_bytes;
  // Not empty if a parameter cannot be passed (an image, a sampler, …): the sentence that says so.
  std::string refusal;
};

inline constexpr uint32_t kSpirvMagic = 0x07230203;
inline constexpr size_t kSpirvHeaderWords = 5;

// True if `image` starts like SPIR-V in either byte order.
bool is_spirv(const void* image, size_t size) noexcept;

// The kernels in the order of their entry points; an error names the word where the module breaks.
// `variables`, if given, gets the names of the variables of program scope that the module exports.
Result<std::vector<SpirvKernel>> read_spirv(const void* image, size_t size,
                                            std::vector<std::string>* variables = nullptr);

// The module as words in this machine's byte order; an error if it cannot be one.
Result<std::vector<uint32_t>> spirv_words(const void* image, size_t size);

}  // namespace xpu
