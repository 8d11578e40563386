// SPDX-License-Identifier: Apache-2.0
// What a kernel takes: shared by the graph, which copies arguments, and the runtime, which reads it
// from the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace xpu {

enum class ParameterKind : uint8_t {
  value,    // `size` bytes by value
  pointer,  // an 8-byte USM pointer
  local,    // work-group local memory; no bytes, the caller gives a size
};

struct Parameter {
  ParameterKind kind = ParameterKind::value;
  uint32_t size = 0;    // bytes; 8 for pointer and for local (its size_t)
  uint32_t offset = 0;  // where it lies in a packed argument block, naturally aligned
};

// Whether two values of a parameter of that size are the same. Most are an int or a pointer, and a
// call of memcmp for each costs more than the rest.
[[gnu::always_inline]] inline bool same_argument(const std::byte* a, const std::byte* b,
                                                 uint32_t size) noexcept {
  if (size == 8) {
    uint64_t one, other;
    std::memcpy(&one, a, 8);
    std::memcpy(&other, b, 8);
    return one == other;
  }
  if (size == 4) {
    uint32_t one, other;
    std::memcpy(&one, a, 4);
    std::memcpy(&other, b, 4);
    return one == other;
  }
  return std::memcmp(a, b, size) == 0;
}

// Base of runtime::Kernel, so that the graph can hold a kernel without knowing a driver.
class Signature {
 public:
  Signature(std::string name, std::vector<Parameter> parameters)
      : name_(std::move(name)), parameters_(std::move(parameters)) {
    uint32_t at = 0, values = 0;
    for (Parameter& p : parameters_) {
      uint32_t align = 1;
      while (align < p.size && align < 16) align *= 2;
      at = (at + align - 1) / align * align;
      p.offset = at;
      at += p.size;
      values += p.size;
    }
    block_size_ = at;
    has_gaps_ = values != at;
  }
  virtual ~Signature() = default;

  const std::string& name() const noexcept { return name_; }
  const std::vector<Parameter>& parameters() const noexcept { return parameters_; }
  // Bytes of a packed block with every argument.
  uint32_t block_size() const noexcept { return block_size_; }
  // There are bytes in it between arguments.
  bool has_gaps() const noexcept { return has_gaps_; }

 private:
  std::string name_;
  std::vector<Parameter> parameters_;
  uint32_t block_size_ = 0;
  bool has_gaps_ = false;
};

}  // namespace xpu
