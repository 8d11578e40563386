// SPDX-License-Identifier: Apache-2.0
// The words of a SPIR-V image, in this machine's byte order.
#include <cstring>

#include "base/spirv.h"

namespace xpu {
namespace {

// Real modules have some megabytes; a size beyond this is no size of a module.
constexpr size_t kMaxBytes = size_t{1} << 30;

uint32_t swapped(uint32_t w) noexcept { return __builtin_bswap32(w); }

}  // namespace

bool is_spirv(const void* image, size_t size) noexcept {
  if (!image || size < 4) return false;
  uint32_t magic = 0;
  std::memcpy(&magic, image, 4);
  return magic == kSpirvMagic || magic == swapped(kSpirvMagic);
}

Result<std::vector<uint32_t>> spirv_words(const void* image, size_t size) {
  if (!image) return invalid_value("there is no SPIR-V module: the pointer is NULL", "image");
  if (!is_spirv(image, size))
    return invalid_value("not SPIR-V: the first word is not 0x07230203", "image");
  if (size % 4 != 0 || size < kSpirvHeaderWords * 4 || size > kMaxBytes)
    return invalid_value(
        "a SPIR-V module is a whole number of 4-byte words, at least 5 and at most 1 GiB; this "
        "has " +
            std::to_string(size) + " bytes",
        "image");
  std::vector<uint32_t> words(size / 4);
  std::memcpy(words.data(), image, size);
  if (words[0] != kSpirvMagic)
    for (uint32_t& w : words) w = swapped(w);
  return words;
}

}  // namespace xpu
