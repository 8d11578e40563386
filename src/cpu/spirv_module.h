// SPDX-License-Identifier: Apache-2.0
// What the driver does to SPIR-V before an engine sees it: check it, and set specialization
// constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace xpu::cpu {

struct SpecializationConstant {
  uint32_t id;
  const void* value;
};

// The words of a valid, self-contained module with the constants set, ready for the engine. Engines
// and translators abort on broken modules, so nothing reaches them unchecked; the error says what
// is wrong. Constants the module does not have are noted in `log` and ignored, as GPU compilers do.
Result<std::vector<uint32_t>> prepare_spirv(const void* image, size_t size,
                                            const std::vector<SpecializationConstant>& constants,
                                            std::string* log);

bool is_valid_spirv(const std::vector<uint32_t>& words);

}  // namespace xpu::cpu
