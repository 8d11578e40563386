// SPDX-License-Identifier: Apache-2.0
// What Intel's native modules say about their kernels: an ELF file whose section .ze_info is a
// small YAML text. A reader, not a validator: any bytes are safe to give.
#pragma once

#include <cstddef>
#include <vector>

#include "base/spirv.h"
#include "base/status.h"

namespace xpu::runtime {

bool is_zebin(const void* image, size_t size) noexcept;

// The kernels in the order of the text, as read_spirv gives them. A structure passed by value may
// lie in several pieces; its size is where the last one ends.
Result<std::vector<SpirvKernel>> read_zebin(const void* image, size_t size);

}  // namespace xpu::runtime
