// SPDX-License-Identifier: Apache-2.0
// Each variable becomes a constant: a number converted to a pointer.
#include "cpu/spirv_globals.h"

#include <spirv/unified1/spirv.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/spirv.h"
#include "base/spirv_types.h"

namespace xpu::cpu {
namespace {

// More than this is taken for a mistake.
constexpr uint64_t kMostBytes = uint64_t{1} << 28;

template <class Visit>
void for_each(const std::vector<uint32_t>& words, Visit visit) {
  for (size_t at = kSpirvHeaderWords; at < words.size();) {
    const auto count = static_cast<uint16_t>(words[at] >> 16);
    if (count == 0 || count > words.size() - at) return;
    visit(SpirvInstruction{static_cast<uint16_t>(words[at] & 0xffff), &words[at], count});
    at += count;
  }
}

bool is_global(const SpirvInstruction& in) noexcept {
  return in.op == SpvOpVariable && in.operand(2) == SpvStorageClassCrossWorkgroup;
}

class InitialValues {
 public:
  InitialValues(const std::vector<uint32_t>& words, const SpirvGlobals& globals, uint64_t base)
      : words_(words), globals_(globals), bytes_(globals.size) {
    for_each(words, [this](const SpirvInstruction& in) { types_.take(in); });
    for (const SpirvGlobal& variable : globals.variables)
      addresses_[variable.id] = base + variable.offset;
  }

  bool work_out() {
    bool all = true;
    size_t next = 0;
    for_each(words_, [&](const SpirvInstruction& in) {
      if (!is_global(in)) return;
      const SpirvGlobal& variable = globals_.variables[next++];
      if (in.has(4)) all = all && write(in.operand(3), variable.offset);
    });
    return all;
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  bool write(uint32_t id, uint64_t at) {
    if (const auto address = addresses_.find(id); address != addresses_.end())
      return put(&address->second, 8, at);
    const SpirvInstruction* const in = types_.find(id);
    if (!in) return false;
    const std::optional<uint64_t> size = size_of(in->operand(0));
    if (!size) return false;
    if (*size == 0) return true;
    switch (in->op) {
      case SpvOpConstantNull:
        return true;
      case SpvOpConstantTrue:
      case SpvOpSpecConstantTrue:
      case SpvOpConstantFalse:
      case SpvOpSpecConstantFalse: {
        const bool value = in->op == SpvOpConstantTrue || in->op == SpvOpSpecConstantTrue;
        return put(&value, 1, at);
      }
      case SpvOpConstant:
      case SpvOpSpecConstant:
        return *size <= (in->count - 3u) * 4 && put(in->words + 3, *size, at);
      case SpvOpConstantComposite:
      case SpvOpSpecConstantComposite:
        return write_members(*in, *types_.find(in->operand(0)), at);
      default:
        return false;
    }
  }

  bool write_members(const SpirvInstruction& in, const SpirvInstruction& type, uint64_t at) {
    std::vector<uint64_t> offsets;
    if (type.op == SpvOpTypeStruct) {
      auto found = types_.offsets(type);
      if (!found) return false;
      offsets = std::move(*found);
    }
    const std::optional<uint64_t> element = offsets.empty() ? size_of(type.operand(1)) : 0;
    if (!element) return false;
    for (size_t i = 2; in.has(i + 1); i++) {
      const uint64_t member = i - 2;
      if (!offsets.empty() && member + 1 >= offsets.size()) return false;
      if (!write(in.operand(i), at + (offsets.empty() ? member * *element : offsets[member])))
        return false;
    }
    return true;
  }

  // A table has many values of one type.
  std::optional<uint64_t> size_of(uint32_t type) {
    const auto known = sizes_.find(type);
    if (known != sizes_.end()) return known->second;
    SpirvLayout layout;
    std::string why;
    if (!types_.layout(type, &layout, &why)) return std::nullopt;
    return sizes_.emplace(type, layout.size).first->second;
  }

  bool put(const void* value, uint64_t size, uint64_t at) {
    if (at > bytes_.size() || size > bytes_.size() - at) return false;
    std::memcpy(bytes_.data() + at, value, size);
    return true;
  }

  const std::vector<uint32_t>& words_;
  const SpirvGlobals& globals_;
  SpirvTypes types_{kMostBytes};
  std::unordered_map<uint32_t, uint64_t> addresses_, sizes_;
  std::vector<std::byte> bytes_;
};

// Writes the module anew, instruction by instruction.
class Rewriting {
 public:
  Rewriting(const std::vector<uint32_t>& words, const SpirvGlobals& globals, uint64_t base)
      : words_(words), base_(base), next_id_(words[3]) {
    for (const SpirvGlobal& variable : globals.variables) moved_[variable.id] = variable.offset;
    for_each(words, [this](const SpirvInstruction& in) {
      if (is_ulong(in)) ulong_ = in.operand(0);
      if (in.op == SpvOpCapability && in.operand(0) == SpvCapabilityInt64) has_int64_ = true;
    });
    if (!ulong_) ulong_ = next_id_++;
  }

  std::vector<uint32_t> run() {
    out_.assign(words_.begin(), words_.begin() + kSpirvHeaderWords);
    if (!has_int64_) add({SpvOpCapability, SpvCapabilityInt64});
    for_each(words_, [this](const SpirvInstruction& in) { take(in); });
    out_[3] = next_id_;
    return std::move(out_);
  }

 private:
  static bool is_ulong(const SpirvInstruction& in) noexcept {
    return in.op == SpvOpTypeInt && in.operand(1) == 64 && in.operand(2) == 0;
  }
  // Types, constants and variables have a section of their own, in any order but that of their use.
  static bool opens_types(const SpirvInstruction& in) noexcept {
    return (in.op >= SpvOpTypeVoid && in.op <= SpvOpTypeForwardPointer) ||
           (in.op >= SpvOpConstantTrue && in.op <= SpvOpSpecConstantOp) || in.op == SpvOpVariable;
  }
  bool is_moved(uint32_t id) const { return moved_.count(id) != 0; }

  void add(std::initializer_list<uint32_t> words) {
    const size_t at = out_.size();
    out_.insert(out_.end(), words);
    out_[at] |= static_cast<uint32_t>(words.size()) << 16;
  }
  void copy(const SpirvInstruction& in) { out_.insert(out_.end(), in.words, in.words + in.count); }
  // Without the ids from `first` on that are no variables any more.
  void copy_some(const SpirvInstruction& in, size_t first) {
    const size_t at = out_.size();
    out_.insert(out_.end(), in.words, in.words + first);
    std::copy_if(in.words + first, in.words + in.count, std::back_inserter(out_),
                 [this](uint32_t id) { return !is_moved(id); });
    out_[at] = static_cast<uint32_t>(out_.size() - at) << 16 | in.op;
  }

  void take(const SpirvInstruction& in) {
    if (!typed_ && opens_types(in)) {
      add({SpvOpTypeInt, ulong_, 64, 0});
      typed_ = true;
    }
    if (is_ulong(in)) return;  // it stands before all others now
    const bool decorates = in.op == SpvOpDecorate || in.op == SpvOpDecorateId;
    if (decorates && is_moved(in.operand(0))) return;
    if (in.op == SpvOpEntryPoint)
      return copy_some(in, std::min<size_t>(in.count, 4 + in.literal(2).size() / 4));
    if (in.op == SpvOpGroupDecorate) return copy_some(in, 2);
    if (is_global(in) && is_moved(in.operand(1))) return address(in);
    copy(in);
  }

  void address(const SpirvInstruction& variable) {
    const uint64_t at = base_ + moved_.at(variable.operand(1));
    const uint32_t number = next_id_++;
    add({SpvOpConstant, ulong_, number, static_cast<uint32_t>(at),
         static_cast<uint32_t>(at >> 32)});
    add({SpvOpSpecConstantOp, variable.operand(0), variable.operand(1), SpvOpConvertUToPtr,
         number});
  }

  const std::vector<uint32_t>& words_;
  const uint64_t base_;
  uint32_t next_id_;
  uint32_t ulong_ = 0;
  bool has_int64_ = false, typed_ = false;
  std::unordered_map<uint32_t, uint64_t> moved_;  // variables, to their offsets
  std::vector<uint32_t> out_;
};

}  // namespace

std::optional<SpirvGlobals> find_globals(const std::vector<uint32_t>& words, uint64_t first) {
  SpirvTypes types(kMostBytes);
  std::unordered_map<uint32_t, std::string> exported;
  std::unordered_map<uint32_t, uint64_t> alignment;
  SpirvGlobals found;
  found.size = first;
  bool all = true;
  for_each(words, [&](const SpirvInstruction& in) {
    types.take(in);
    if (in.op == SpvOpDecorate && in.operand(1) == SpvDecorationLinkageAttributes && in.has(4)) {
      if (in.words[in.count - 1] == SpvLinkageTypeExport)
        exported[in.operand(0)] = in.literal(2);
      else
        exported[in.operand(0)].clear();
    }
    if (in.op == SpvOpDecorate && in.operand(1) == SpvDecorationAlignment)
      alignment[in.operand(0)] = in.operand(2);
    if (!is_global(in) || !all) return;
    const SpirvInstruction* const pointer = types.find(in.operand(0));
    SpirvLayout layout;
    std::string why;
    const auto name = exported.find(in.operand(1));
    all = pointer && types.layout(pointer->operand(2), &layout, &why) &&
          layout.size <= kMostBytes && (name == exported.end() || !name->second.empty());
    const auto asked = alignment.find(in.operand(1));
    const uint64_t align =
        std::clamp<uint64_t>(asked == alignment.end() ? layout.align : asked->second, 1, 4096);
    const uint64_t at = (found.size + align - 1) / align * align;
    found.variables.push_back(
        {in.operand(1), name == exported.end() ? "" : name->second, at, layout.size});
    found.size = at + layout.size;
    all = all && found.size <= kMostBytes;
  });
  if (!all) return std::nullopt;
  return found;
}

std::optional<std::vector<std::byte>> first_values(const std::vector<uint32_t>& words,
                                                   const SpirvGlobals& globals, uint64_t base) {
  InitialValues values(words, globals, base);
  if (!values.work_out()) return std::nullopt;
  return values.take();
}

std::vector<uint32_t> with_globals_at(const std::vector<uint32_t>& words,
                                      const SpirvGlobals& globals, uint64_t base) {
  return Rewriting(words, globals, base).run();
}

}  // namespace xpu::cpu
