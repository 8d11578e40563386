// SPDX-License-Identifier: Apache-2.0
// An array of node handles from the caller, as live nodes.
#pragma once

#include <span>
#include <vector>

#include "capi/cast.h"

namespace xpu::capi {

class NodeList {
 public:
  // `argument` is the array's name in the public header. With a count of 0 the array is not read.
  Status read(const xpuGraphNode_t* handles, size_t count, const char* argument);
  std::span<graph::Node* const> nodes() const noexcept {
    return {many_.empty() ? few_ : many_.data(), count_};
  }

 private:
  // Nearly every node has fewer dependencies than this.
  static constexpr size_t kFew = 8;
  graph::Node* few_[kFew];
  std::vector<graph::Node*> many_;
  size_t count_ = 0;
};

}  // namespace xpu::capi
