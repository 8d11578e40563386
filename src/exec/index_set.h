// SPDX-License-Identifier: Apache-2.0
// A set of small numbers that remembers the order of insertion and is cheap to empty.
#pragma once

#include <cstdint>
#include <vector>

namespace xpu::exec {

class IndexSet {
 public:
  bool empty() const noexcept { return members_.empty(); }
  bool has(uint32_t index) const noexcept { return index < in_.size() && in_[index]; }
  // `bound` is above every index that this set will ever have.
  void insert(uint32_t index, size_t bound) {
    if (index >= in_.size()) [[unlikely]]
      in_.resize(bound);
    if (in_[index]) return;
    members_.push_back(index);
    in_[index] = true;
  }
  void clear() noexcept {
    for (const uint32_t index : members_) in_[index] = false;
    members_.clear();
  }

  size_t size() const noexcept { return members_.size(); }
  const uint32_t* data() const noexcept { return members_.data(); }
  std::vector<uint32_t>::const_iterator begin() const noexcept { return members_.begin(); }
  std::vector<uint32_t>::const_iterator end() const noexcept { return members_.end(); }

 private:
  std::vector<uint32_t> members_;
  std::vector<uint8_t> in_;  // bytes: a bit costs five instructions more to find
};

}  // namespace xpu::exec
