// SPDX-License-Identifier: Apache-2.0
// Validates with SPIRV-Tools; sets specialization constants in place.
#include "cpu/spirv_module.h"

#include <spirv/unified1/spirv.h>
#include <spirv-tools/libspirv.hpp>

#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "base/spirv.h"
#include "cpu/spirv_order.h"

namespace xpu::cpu {
namespace {

Status broken_module(std::string sentence) { return invalid_value(std::move(sentence), "image"); }

Status validate(const std::vector<uint32_t>& words) {
  // 1.4 is the newest version the translator for PoCL reads. The universal environment allows
  // vendors' extensions, which OpenCL's would refuse by name.
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_4);
  std::string said;
  tools.SetMessageConsumer(
      [&said](spv_message_level_t, const char*, const spv_position_t& at, const char* text) {
        if (said.empty()) said = std::string(text) + " (word " + std::to_string(at.index) + ")";
      });
  if (tools.Validate(words)) return {};
  return broken_module("the SPIR-V module is not valid: " + said);
}

// One pass over a valid module.
template <class Visit>
void for_each_instruction(std::vector<uint32_t>& words, Visit visit) {
  for (size_t at = kSpirvHeaderWords; at < words.size();) {
    const uint32_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) return;
    visit(static_cast<SpvOp>(words[at] & 0xffff), &words[at], count);
    at += count;
  }
}

std::string literal(const uint32_t* words, uint32_t count) {
  std::string s(reinterpret_cast<const char*>(words), count * 4);
  return s.c_str();
}

// Functions that another module would have to bring: the translator lets them pass, and the runtime
// ends the process when it cannot resolve them.
Status check_linked(std::vector<uint32_t>& words) {
  std::unordered_map<uint32_t, std::string> imports;
  std::string missing;
  for_each_instruction(words, [&](SpvOp op, const uint32_t* in, uint32_t count) {
    if (op == SpvOpDecorate && count >= 5 && in[2] == SpvDecorationLinkageAttributes &&
        in[count - 1] == SpvLinkageTypeImport)
      imports[in[1]] = literal(in + 3, count - 4);
    if (op == SpvOpFunction && count >= 5 && imports.count(in[2]))
      missing += (missing.empty() ? "" : ", ") + imports[in[2]];
  });
  if (missing.empty()) return {};
  return broken_module("the SPIR-V module needs functions that it does not have: " + missing);
}

// OpenCL has no recursion, the validator does not look for it, and PoCL puts calls in place until
// its stack is full. Whatever is still called when all functions without calls are taken away, and
// then those that called only them, and so on, is part of a cycle or calls one.
Status check_no_recursion(std::vector<uint32_t>& words) {
  std::unordered_map<uint32_t, uint32_t> open;  // calls of a function that are not taken away yet
  std::unordered_multimap<uint32_t, uint32_t> callers;
  uint32_t current = 0;
  for_each_instruction(words, [&](SpvOp op, const uint32_t* in, uint32_t count) {
    if (op == SpvOpFunction && count >= 5) open[current = in[2]] += 0;
    if (op != SpvOpFunctionCall || count < 4) return;
    open[current]++;
    callers.emplace(in[3], current);
  });
  std::vector<uint32_t> done;
  for (const auto& [function, calls] : open)
    if (calls == 0) done.push_back(function);
  for (size_t i = 0; i < done.size(); ++i) {
    const auto [first, last] = callers.equal_range(done[i]);
    for (auto it = first; it != last; ++it)
      if (--open[it->second] == 0) done.push_back(it->second);
  }
  if (done.size() == open.size()) return {};
  return broken_module(
      "the SPIR-V module has a function that calls itself, directly or through "
      "others; OpenCL has no recursion");
}

struct Types {
  std::unordered_map<uint32_t, uint32_t> width;  // of scalar types
  std::unordered_set<uint32_t> is_signed;
  std::unordered_multimap<uint32_t, uint32_t> targets;  // SpecId to result id
};

Types read_types(std::vector<uint32_t>& words) {
  Types t;
  for_each_instruction(words, [&](SpvOp op, const uint32_t* in, uint32_t count) {
    if (op == SpvOpTypeInt && count >= 4) {
      t.width[in[1]] = in[2];
      if (in[3]) t.is_signed.insert(in[1]);
    }
    if (op == SpvOpTypeFloat && count >= 3) t.width[in[1]] = in[2];
    if (op == SpvOpDecorate && count >= 4 && in[2] == SpvDecorationSpecId)
      t.targets.emplace(in[3], in[1]);
  });
  return t;
}

// A literal narrower than a word is extended to one, with its sign if its type has one.
void set_literal(uint32_t* words, uint32_t count, uint32_t width, bool is_signed,
                 const void* value) {
  if (width == 64 && count >= 5) {
    std::memcpy(words + 3, value, 8);
  } else if (width == 32) {
    std::memcpy(words + 3, value, 4);
  } else if (width == 16) {
    uint16_t v = 0;
    std::memcpy(&v, value, 2);
    words[3] = is_signed ? static_cast<uint32_t>(static_cast<int16_t>(v)) : v;
  } else if (width == 8) {
    uint8_t v = 0;
    std::memcpy(&v, value, 1);
    words[3] = is_signed ? static_cast<uint32_t>(static_cast<int8_t>(v)) : v;
  }
}

void specialize(std::vector<uint32_t>& words, const std::vector<SpecializationConstant>& constants,
                std::string* log) {
  if (constants.empty()) return;
  const Types types = read_types(words);
  std::unordered_map<uint32_t, const void*> values;  // by result id
  for (const SpecializationConstant& c : constants) {
    const auto [first, last] = types.targets.equal_range(c.id);
    if (first == last)
      *log += "note: the module has no specialization constant " + std::to_string(c.id) + "\n";
    for (auto it = first; it != last; ++it) values[it->second] = c.value;
  }
  for_each_instruction(words, [&](SpvOp op, uint32_t* in, uint32_t count) {
    if (op != SpvOpSpecConstant && op != SpvOpSpecConstantTrue && op != SpvOpSpecConstantFalse)
      return;
    const auto found = values.find(in[2]);
    if (found == values.end()) return;
    if (op == SpvOpSpecConstant) {
      const auto width = types.width.find(in[1]);
      if (width != types.width.end())
        set_literal(in, count, width->second, types.is_signed.count(in[1]) != 0, found->second);
      return;
    }
    const bool set = *static_cast<const uint8_t*>(found->second) != 0;
    in[0] = (in[0] & 0xffff0000u) | (set ? SpvOpSpecConstantTrue : SpvOpSpecConstantFalse);
  });
}

}  // namespace

Result<std::vector<uint32_t>> prepare_spirv(const void* image, size_t size,
                                            const std::vector<SpecializationConstant>& constants,
                                            std::string* log) {
  XPU_TRY_ASSIGN(std::vector<uint32_t> words, spirv_words(image, size));
  if (Status status = validate(words); !status.ok()) {
    words = in_dominance_order(words);
    if (!validate(words).ok()) return status;  // in the words of the module as it was given
  }
  XPU_TRY(check_linked(words));
  XPU_TRY(check_no_recursion(words));
  specialize(words, constants, log);
  return words;
}

bool is_valid_spirv(const std::vector<uint32_t>& words) { return validate(words).ok(); }

}  // namespace xpu::cpu
