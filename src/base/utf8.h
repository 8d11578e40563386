// SPDX-License-Identifier: Apache-2.0
// UTF-8, for texts that others read: names from modules may be any bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace xpu {

// Length of the UTF-8 character at the beginning of `text`, which is not empty; 0 if it is none.
size_t utf8_length(std::string_view text) noexcept;

}  // namespace xpu
