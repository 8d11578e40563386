// SPDX-License-Identifier: Apache-2.0
// Sizes follow OpenCL's rules for values in memory.
#include "base/spirv_types.h"

#include <spirv/unified1/spirv.h>

#include <algorithm>

namespace xpu {
namespace {

constexpr int kMaxNesting = 255;
// Types may share members, so a few hundred words can describe an exponential tree; real kernels
// need some dozens of steps.
constexpr uint32_t kMaxSteps = 1 << 18;

uint64_t aligned(uint64_t at, uint64_t to) noexcept { return (at + to - 1) / to * to; }

}  // namespace

std::string SpirvInstruction::literal(size_t first) const {
  std::string s;
  for (size_t i = first + 1; i < count; ++i) {
    for (int shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>(words[i] >> shift & 0xff);
      if (!c) return s;
      s += c;
    }
  }
  return s;
}

void SpirvTypes::take(const SpirvInstruction& in) {
  const bool type = in.op >= SpvOpTypeVoid && in.op <= SpvOpTypePipe && in.has(1);
  const bool constant = in.op >= SpvOpConstantTrue && in.op <= SpvOpSpecConstantOp && in.has(2);
  if (type) definitions_.emplace(in.operand(0), in);
  if (constant) definitions_.emplace(in.operand(1), in);
  if (in.op == SpvOpDecorate && in.has(2) && in.operand(1) == SpvDecorationCPacked)
    packed_.insert(in.operand(0));
}

const SpirvInstruction* SpirvTypes::find(uint32_t id) const {
  const auto found = definitions_.find(id);
  return found == definitions_.end() ? nullptr : &found->second;
}

bool SpirvTypes::constant(uint32_t id, uint64_t* value) const {
  const SpirvInstruction* const in = find(id);
  if (!in || !in->has(3) || (in->op != SpvOpConstant && in->op != SpvOpSpecConstant)) return false;
  *value = in->operand(2);
  if (in->has(4)) *value |= static_cast<uint64_t>(in->operand(3)) << 32;
  return true;
}

std::optional<std::vector<uint64_t>> SpirvTypes::offsets(const SpirvInstruction& of_struct) const {
  std::vector<uint64_t> found;
  SpirvLayout all;
  std::string why;
  if (!struct_layout(of_struct, &all, &why, 0, &found)) return std::nullopt;
  found.push_back(all.size);
  return found;
}

bool SpirvTypes::struct_layout(const SpirvInstruction& in, SpirvLayout* out, std::string* why,
                               int depth, std::vector<uint64_t>* offsets) const {
  const bool packed = packed_.count(in.operand(0)) != 0;
  for (size_t member = 1; member + 1 < in.count; ++member) {
    SpirvLayout m;
    if (!layout(in.operand(member), &m, why, depth + 1)) return false;
    if (packed) m.align = 1;
    const uint64_t at = aligned(out->size, m.align);
    if (offsets) offsets->push_back(at);
    out->size = at + m.size;
    out->align = std::max(out->align, m.align);
    if (out->size > most_) break;
  }
  out->size = aligned(out->size, out->align);
  return true;
}

bool SpirvTypes::layout(uint32_t type, SpirvLayout* out, std::string* why, int depth) const {
  const SpirvInstruction* const found = find(type);
  if (!found || depth > kMaxNesting || ++steps_ > kMaxSteps) {
    *why = "of a type that is missing or too complex";
    return false;
  }
  const SpirvInstruction& in = *found;
  switch (in.op) {
    case SpvOpTypeBool:
      *out = {1, 1};
      return true;
    case SpvOpTypeInt:
    case SpvOpTypeFloat: {
      const uint32_t width = in.operand(1);
      if (width != 8 && width != 16 && width != 32 && width != 64) break;
      *out = {width / 8, width / 8};
      return true;
    }
    case SpvOpTypePointer:
      *out = {8, 8};
      return true;
    case SpvOpTypeVector: {
      SpirvLayout element;
      if (!layout(in.operand(1), &element, why, depth + 1)) return false;
      const uint32_t n = in.operand(2) == 3 ? 4 : in.operand(2);
      if (n == 0 || n > 16) break;
      *out = {element.size * n, element.size * n};
      return true;
    }
    case SpvOpTypeArray: {
      SpirvLayout element;
      uint64_t n = 0;
      if (!layout(in.operand(1), &element, why, depth + 1)) return false;
      if (!constant(in.operand(2), &n)) break;
      // Saturates: one more than allowed is enough for the caller to refuse.
      const uint64_t most = most_ / std::max<uint64_t>(element.size, 1);
      *out = {n > most ? most_ + 1 : n * element.size, element.align};
      return true;
    }
    case SpvOpTypeStruct:
      return struct_layout(in, out, why, depth);
    case SpvOpTypeImage:
    case SpvOpTypeSampledImage:
      *why = "an image";
      return false;
    case SpvOpTypeSampler:
      *why = "a sampler";
      return false;
    default:
      break;
  }
  *why = "of an opaque or unusual type";
  return false;
}

}  // namespace xpu
