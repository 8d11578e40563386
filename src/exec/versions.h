// SPDX-License-Identifier: Apache-2.0
// What each node of a plan does: its parameters, and whether it is enabled. The executable has one
// for its next launch, and each encoding one for what is in its lists.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/params.h"

namespace xpu::exec {

class Versions {
 public:
  Versions() = default;
  // By index in plan::Plan::nodes.
  explicit Versions(std::vector<graph::ParamsRef> params) noexcept : params_(std::move(params)) {}

  const graph::ParamsRef& params(uint32_t node) const noexcept { return params_[node]; }
  // A disabled node keeps its parameters.
  bool enabled(uint32_t node) const noexcept { return disabled_.empty() || !disabled_[node]; }
  bool all_enabled() const noexcept { return disabled_.empty(); }

  void set(uint32_t node, graph::ParamsRef params) noexcept { params_[node] = std::move(params); }
  void enable(uint32_t node, bool on) {
    if (on == enabled(node)) return;
    if (disabled_.empty()) disabled_.resize(params_.size());
    disabled_[node] = !on;
  }
  // Makes one node what it is in `other`, which is of the same plan. `both_all_enabled`: nothing is
  // disabled here or there, which who takes many asks once.
  void take(uint32_t node, const Versions& other, bool both_all_enabled) {
    if (!both_all_enabled) [[unlikely]]
      enable(node, other.enabled(node));
    params_[node] = other.params_[node];
  }

 private:
  std::vector<graph::ParamsRef> params_;
  std::vector<uint8_t> disabled_;  // empty until some node is
};

}  // namespace xpu::exec
