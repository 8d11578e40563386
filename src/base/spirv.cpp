// SPDX-License-Identifier: Apache-2.0
// Reads kernel signatures out of SPIR-V words.
#include "base/spirv.h"

#include <spirv/unified1/spirv.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "base/spirv_types.h"

namespace xpu {
namespace {

using Instruction = SpirvInstruction;

constexpr uint32_t kOldestVersion = 0x00010000, kNewestVersion = 0x00010600;
// The specification's universal limits; more is a broken module, and the caps bound our own work.
constexpr uint32_t kMaxBound = 0x3fffff;
// Far above what any runtime takes as one argument (1 to 4 KiB).
constexpr uint64_t kMaxValueBytes = 1 << 20;

struct Function {
  std::vector<std::pair<uint32_t, uint32_t>> parameters;  // type, id
  // Ids that stand for memory or functions, as far as operands that can be either tell.
  std::vector<uint32_t> uses;
};

std::string quoted(const std::string& name) { return "'" + name + "'"; }

Status broken(size_t word, const char* what) {
  return invalid_value(
      "the SPIR-V module is malformed at word " + std::to_string(word) + ": " + what, "image");
}

class Reader {
 public:
  explicit Reader(const std::vector<uint32_t>& words) : words_(words) {}

  Status scan();
  std::vector<SpirvKernel> kernels() const;
  std::vector<std::string> variables() const;

 private:
  struct Entry {
    uint32_t function;
    std::string name;
  };

  void take(const Instruction& in);
  void take_mode(const Instruction& in);
  void take_uses(const Instruction& in);
  uint64_t local_bytes(uint32_t function) const;
  bool parameter(uint32_t type, Parameter* out, std::string* why) const;

  const std::vector<uint32_t>& words_;
  SpirvTypes types_{kMaxValueBytes};
  std::unordered_map<uint32_t, Function> functions_;
  std::unordered_map<uint32_t, uint32_t> workgroup_;  // variables, with the type of their pointer
  std::unordered_map<uint32_t, std::string> exported_;
  std::vector<uint32_t> global_;                                 // variables of program scope
  std::unordered_map<uint32_t, std::vector<uint32_t>> derived_;  // constants made of addresses
  std::unordered_map<uint32_t, std::array<uint32_t, 3>> required_, hint_;
  std::vector<Entry> entries_;
  Function* current_ = nullptr;
  bool physical64_ = true;
  bool has_memory_model_ = false;
};

// What a compiler that trusts its input does with a broken frame is anybody's guess: Intel's ends
// the process. So the frame is checked here: header, lengths, whole functions, a memory model.
Status Reader::scan() {
  if ((words_[1] & 0xff0000ff) || words_[1] < kOldestVersion || words_[1] > kNewestVersion)
    return broken(1, "this is no version of SPIR-V from 1.0 to 1.6");
  if (words_[3] == 0 || words_[3] > kMaxBound) return broken(3, "the bound of ids is out of range");
  for (size_t at = kSpirvHeaderWords; at < words_.size();) {
    const auto count = static_cast<uint16_t>(words_[at] >> 16);
    if (count == 0) return broken(at, "an instruction of zero words");
    if (count > words_.size() - at) return broken(at, "the last instruction is cut off");
    take({static_cast<uint16_t>(words_[at] & 0xffff), &words_[at], count});
    at += count;
  }
  if (current_) return broken(words_.size(), "the last function has no end");
  if (!has_memory_model_) return broken(words_.size(), "there is no memory model");
  if (!physical64_)
    return invalid_value(
        "the SPIR-V module uses 32-bit addresses; compile it for spir64 (Physical64 addressing)",
        "image");
  return {};
}

void Reader::take(const Instruction& in) {
  types_.take(in);
  switch (in.op) {
    case SpvOpMemoryModel:
      has_memory_model_ = true;
      physical64_ = in.operand(0) == SpvAddressingModelPhysical64;
      break;
    case SpvOpEntryPoint:
      if (in.has(3) && in.operand(0) == SpvExecutionModelKernel)
        entries_.push_back({in.operand(1), in.literal(2)});
      break;
    case SpvOpExecutionMode:
      take_mode(in);
      break;
    case SpvOpDecorate:
      if (in.has(4) && in.operand(1) == SpvDecorationLinkageAttributes &&
          in.words[in.count - 1] == SpvLinkageTypeExport)
        exported_[in.operand(0)] = in.literal(2);
      break;
    case SpvOpFunction:
      current_ = in.has(4) ? &functions_[in.operand(1)] : nullptr;
      break;
    case SpvOpFunctionParameter:
      if (current_ && in.has(2)) current_->parameters.push_back({in.operand(0), in.operand(1)});
      break;
    case SpvOpFunctionEnd:
      current_ = nullptr;
      break;
    case SpvOpVariable:
      if (in.has(3) && in.operand(2) == SpvStorageClassWorkgroup)
        workgroup_.emplace(in.operand(1), in.operand(0));
      if (in.has(3) && in.operand(2) == SpvStorageClassCrossWorkgroup)
        global_.push_back(in.operand(1));
      break;
    case SpvOpSpecConstantOp:
      for (size_t i = 3; in.has(i + 1); ++i) derived_[in.operand(1)].push_back(in.operand(i));
      break;
    default:
      if (current_) take_uses(in);
  }
}

// Only operands that are ids: a literal may have the number of a variable.
void Reader::take_uses(const Instruction& in) {
  static constexpr uint16_t kOfIds[] = {SpvOpFunctionCall,
                                        SpvOpAccessChain,
                                        SpvOpInBoundsAccessChain,
                                        SpvOpPtrAccessChain,
                                        SpvOpInBoundsPtrAccessChain,
                                        SpvOpConvertPtrToU,
                                        SpvOpPtrCastToGeneric,
                                        SpvOpBitcast,
                                        SpvOpSelect,
                                        SpvOpPhi};
  const bool stores = in.op == SpvOpStore || in.op == SpvOpCopyMemory ||
                      in.op == SpvOpCopyMemorySized || in.op == SpvOpAtomicStore;
  const bool all = std::find(std::begin(kOfIds), std::end(kOfIds), in.op) != std::end(kOfIds);
  const bool atomic = in.op >= SpvOpAtomicLoad && in.op <= SpvOpAtomicFlagClear;
  if (!stores && !all && !atomic && in.op != SpvOpLoad) return;
  // What produces a value has its type and its own id first.
  const size_t first = stores ? 0 : 2, last = all ? in.count : stores ? 1 : 2;
  for (size_t i = first; i <= last && in.has(i + 1); ++i) current_->uses.push_back(in.operand(i));
}

uint64_t Reader::local_bytes(uint32_t function) const {
  std::unordered_set<uint32_t> seen = {function};
  std::vector<uint32_t> reached = {function};  // grows while it is walked
  uint64_t bytes = 0;
  for (size_t at = 0; at < reached.size(); ++at) {
    const uint32_t id = reached[at];
    const auto follow = [&](uint32_t next) { return seen.insert(next).second; };
    if (const auto f = functions_.find(id); f != functions_.end())
      std::copy_if(f->second.uses.begin(), f->second.uses.end(), std::back_inserter(reached),
                   follow);
    if (const auto d = derived_.find(id); d != derived_.end())
      std::copy_if(d->second.begin(), d->second.end(), std::back_inserter(reached), follow);
    const auto variable = workgroup_.find(id);
    if (variable == workgroup_.end()) continue;
    const Instruction* const pointer = types_.find(variable->second);
    SpirvLayout l;
    std::string why;
    if (!pointer || !types_.layout(pointer->operand(2), &l, &why)) continue;
    bytes = (bytes + l.align - 1) / l.align * l.align + l.size;
  }
  return bytes;
}

void Reader::take_mode(const Instruction& in) {
  if (!in.has(5)) return;
  const std::array<uint32_t, 3> size = {in.operand(2), in.operand(3), in.operand(4)};
  if (in.operand(1) == SpvExecutionModeLocalSize) required_[in.operand(0)] = size;
  if (in.operand(1) == SpvExecutionModeLocalSizeHint) hint_[in.operand(0)] = size;
}

bool Reader::parameter(uint32_t type, Parameter* out, std::string* why) const {
  const Instruction* const found = types_.find(type);
  uint32_t value_type = type;
  if (found && found->op == SpvOpTypePointer) {
    const Instruction& pointer = *found;
    switch (pointer.operand(1)) {
      case SpvStorageClassWorkgroup:
        *out = {ParameterKind::local, 8, 0};
        return true;
      case SpvStorageClassFunction:
        value_type = pointer.operand(2);  // a structure passed by value (ByVal)
        break;
      default: {
        // Older producers spell an image or sampler as a pointer to an opaque type; it is not
        // memory.
        const Instruction* const pointee = types_.find(pointer.operand(2));
        if (pointee && pointee->op == SpvOpTypeOpaque) {
          *why = "a pointer to an opaque type";
          return false;
        }
        *out = {ParameterKind::pointer, 8, 0};
        return true;
      }
    }
  }
  SpirvLayout l;
  if (!types_.layout(value_type, &l, why)) return false;
  if (l.size == 0 || l.size > kMaxValueBytes) {
    *why = l.size ? "larger than 1 MiB" : "of size zero";
    return false;
  }
  *out = {ParameterKind::value, static_cast<uint32_t>(l.size), 0};
  return true;
}

std::vector<SpirvKernel> Reader::kernels() const {
  std::vector<SpirvKernel> out;
  for (const Entry& entry : entries_) {
    SpirvKernel kernel;
    kernel.name = entry.name;
    if (const auto r = required_.find(entry.function); r != required_.end())
      kernel.required_group_size = r->second;
    if (const auto h = hint_.find(entry.function); h != hint_.end())
      kernel.group_size_hint = h->second;
    kernel.local_bytes = local_bytes(entry.function);
    const auto function = functions_.find(entry.function);
    if (function == functions_.end()) {
      kernel.refusal = "kernel " + quoted(entry.name) + " has no body in the module";
      out.push_back(std::move(kernel));
      continue;
    }
    for (const auto& [type, id] : function->second.parameters) {
      Parameter p;
      std::string why;
      if (!parameter(type, &p, &why) && kernel.refusal.empty())
        kernel.refusal = "kernel " + quoted(entry.name) + ": parameter " +
                         std::to_string(kernel.parameters.size()) + " is " + why +
                         ", which cannot be passed";
      kernel.parameters.push_back(p);
    }
    out.push_back(std::move(kernel));
  }
  return out;
}

std::vector<std::string> Reader::variables() const {
  std::vector<std::string> names;
  for (const uint32_t id : global_)
    if (const auto name = exported_.find(id); name != exported_.end())
      names.push_back(name->second);
  return names;
}

}  // namespace

Result<std::vector<SpirvKernel>> read_spirv(const void* image, size_t size,
                                            std::vector<std::string>* variables) {
  XPU_TRY_ASSIGN(const std::vector<uint32_t> words, spirv_words(image, size));
  Reader reader(words);
  XPU_TRY(reader.scan());
  if (variables) *variables = reader.variables();
  return reader.kernels();
}

}  // namespace xpu
