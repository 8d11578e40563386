// SPDX-License-Identifier: Apache-2.0
// Words of memory that kernels write and the host reads while they do, or the other way round.
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"

namespace xpu::runtime {

class Device;

// One word, 0 at first, at an address that is the same for the host and every device. It goes with
// the last copy of the pointer; nothing may be running that uses it.
Result<std::shared_ptr<uint32_t>> make_word(const Device& device);

}  // namespace xpu::runtime
