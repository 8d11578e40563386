// SPDX-License-Identifier: Apache-2.0
// Puts blocks in reverse postorder, in which a block comes behind all that dominate it.
#include "cpu/spirv_order.h"

#include <spirv/unified1/spirv.h>

#include <algorithm>
#include <span>
#include <unordered_map>

#include "base/spirv.h"

namespace xpu::cpu {
namespace {

using Words = std::span<const uint32_t>;

SpvOp opcode_of(Words in) noexcept { return static_cast<SpvOp>(in[0] & 0xffff); }

struct BasicBlock {
  uint32_t label = 0;
  std::vector<Words> instructions;  // the label's first, without merge instructions
};

// The body of one function, reordered.
class FunctionBody {
 public:
  bool empty() const noexcept { return blocks_.empty(); }

  void add(Words in) {
    const SpvOp op = opcode_of(in);
    if (op == SpvOpLabel && in.size() >= 2) {
      index_.emplace(in[1], static_cast<uint32_t>(blocks_.size()));
      blocks_.push_back({in[1], {}});
    }
    if (op != SpvOpLoopMerge && op != SpvOpSelectionMerge)
      blocks_.back().instructions.push_back(in);
  }

  // What is never reached comes last, as it was.
  void write(std::vector<uint32_t>& out) const {
    std::vector<bool> seen(blocks_.size());
    const std::vector<uint32_t> post = postorder(seen);
    for (auto at = post.rbegin(); at != post.rend(); ++at) write(out, blocks_[*at]);
    for (size_t i = 0; i < blocks_.size(); i++)
      if (!seen[i]) write(out, blocks_[i]);
  }

 private:
  static void write(std::vector<uint32_t>& out, const BasicBlock& block) {
    for (const Words in : block.instructions) out.insert(out.end(), in.begin(), in.end());
  }

  // Without recursion: a function may have any number of blocks.
  std::vector<uint32_t> postorder(std::vector<bool>& seen) const {
    struct Step {
      uint32_t block;
      std::vector<uint32_t> left;  // successors not looked at yet
    };
    std::vector<uint32_t> post;
    std::vector<Step> path{{0, successors(blocks_[0])}};
    seen[0] = true;
    while (!path.empty()) {
      Step& step = path.back();
      if (step.left.empty()) {
        post.push_back(step.block);
        path.pop_back();
        continue;
      }
      const uint32_t next = step.left.back();
      step.left.pop_back();
      if (seen[next]) continue;
      seen[next] = true;
      path.push_back({next, successors(blocks_[next])});
    }
    return post;
  }

  std::vector<uint32_t> successors(const BasicBlock& block) const {
    const Words last = block.instructions.back();
    std::vector<uint32_t> found;
    switch (opcode_of(last)) {
      case SpvOpBranch:
        (void)collect(last, 1, 1, found);
        break;
      case SpvOpBranchConditional:
        (void)collect(last.first(std::min<size_t>(last.size(), 4)), 2, 1, found);
        break;
      case SpvOpSwitch:
        // Literals are as wide as the selector: whichever reading has labels where they must be.
        for (const size_t literal_words : {1, 2}) {
          found.clear();
          (void)collect(last.first(std::min<size_t>(last.size(), 3)), 2, 1, found);
          if (collect(last, 3 + literal_words, 1 + literal_words, found)) break;
        }
        break;
      default:
        break;
    }
    return found;
  }

  // The blocks whose labels stand at `first` and every `step` words behind; false if one is no
  // label.
  bool collect(Words in, size_t first, size_t step, std::vector<uint32_t>& found) const {
    bool all = true;
    for (size_t i = first; i < in.size(); i += step) {
      const auto at = index_.find(in[i]);
      if (at == index_.end())
        all = false;
      else
        found.push_back(at->second);
    }
    return all;
  }

  std::vector<BasicBlock> blocks_;
  std::unordered_map<uint32_t, uint32_t> index_;  // of a label
};

}  // namespace

std::vector<uint32_t> in_dominance_order(const std::vector<uint32_t>& words) {
  if (words.size() < kSpirvHeaderWords) return words;
  std::vector<uint32_t> out(words.begin(), words.begin() + kSpirvHeaderWords);
  out.reserve(words.size());
  FunctionBody body;
  for (size_t at = kSpirvHeaderWords; at < words.size();) {
    const uint32_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) return words;
    const Words in(&words[at], count);
    at += count;
    if (opcode_of(in) == SpvOpFunctionEnd && !body.empty()) {
      body.write(out);
      body = {};
    }
    if (opcode_of(in) == SpvOpLabel || !body.empty())
      body.add(in);
    else
      out.insert(out.end(), in.begin(), in.end());
  }
  return body.empty() ? out : words;
}

}  // namespace xpu::cpu
