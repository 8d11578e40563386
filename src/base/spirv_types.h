// SPDX-License-Identifier: Apache-2.0
// The types and constants of a SPIR-V module: how large a value is, and what lies where in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace xpu {

struct SpirvInstruction {
  uint16_t op = 0;
  const uint32_t* words = nullptr;  // words[0] is the op code
  uint16_t count = 0;

  uint32_t operand(size_t i) const { return i + 1 < count ? words[i + 1] : 0; }
  bool has(size_t operands) const { return count > operands; }
  // A literal string is packed into words, nul-terminated; a missing nul ends it with the
  // instruction. `first` is its operand.
  std::string literal(size_t first) const;
};

struct SpirvLayout {
  uint64_t size = 0;
  uint64_t align = 1;
};

// Refers to the words that it was given instructions of. Any instructions are safe to give.
class SpirvTypes {
 public:
  // Larger sizes saturate at `most` + 1.
  explicit SpirvTypes(uint64_t most) noexcept : most_(most) {}

  // To be given all instructions; others than types, constants and decorations are ignored.
  void take(const SpirvInstruction& in);

  // A type or a constant; nullptr if there is none with that id.
  const SpirvInstruction* find(uint32_t id) const;
  // False if the type has no size that a value could have; `why` then says what it is.
  bool layout(uint32_t type, SpirvLayout* out, std::string* why) const {
    return layout(type, out, why, 0);
  }
  // Where each member of a struct lies, and behind them its size.
  std::optional<std::vector<uint64_t>> offsets(const SpirvInstruction& of_struct) const;
  // An integer constant.
  bool constant(uint32_t id, uint64_t* value) const;

 private:
  bool layout(uint32_t type, SpirvLayout* out, std::string* why, int depth) const;
  bool struct_layout(const SpirvInstruction& in, SpirvLayout* out, std::string* why, int depth,
                     std::vector<uint64_t>* offsets = nullptr) const;

  const uint64_t most_;
  std::unordered_map<uint32_t, SpirvInstruction> definitions_;
  std::unordered_set<uint32_t> packed_;
  mutable uint32_t steps_ = 0;
};

}  // namespace xpu
