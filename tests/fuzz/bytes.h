// SPDX-License-Identifier: Apache-2.0
// The input of a program: bytes that decide what it does. Behind the end all are 0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fuzz {

class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) noexcept : at_(data), end_(data + size) {}

  bool done() const noexcept { return at_ == end_; }
  uint8_t byte() noexcept { return done() ? uint8_t{0} : *at_++; }
  // 0 to `below` - 1.
  unsigned pick(size_t below) noexcept { return below ? static_cast<unsigned>(byte() % below) : 0; }
  // Mostly small, now and then at the ends of the type.
  size_t size(size_t usual) noexcept {
    const uint8_t how = byte();
    if (how == 255) return SIZE_MAX;
    if (how == 254) return SIZE_MAX / 2;
    return usual ? how % (usual + 1) : 0;
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

}  // namespace fuzz
