// SPDX-License-Identifier: Apache-2.0
// Frontiers are small sets in order of arrival: a linear search beats any tree at the sizes met.
#include "capture/frontier.h"

#include <algorithm>
#include <utility>

namespace xpu::capture {

bool Frontier::contains(const graph::Node* node) const noexcept {
  return std::find(nodes_.begin(), nodes_.end(), node) != nodes_.end();
}

void Frontier::join(std::span<graph::Node* const> nodes, const xpuGraphEdgeData* data) {
  const bool with_data = data || !data_.empty();
  nodes_.reserve(nodes_.size() + nodes.size());
  if (with_data) {
    data_.reserve(nodes_.size() + nodes.size());
    data_.resize(nodes_.size(), xpuGraphEdgeData{});
  }
  for (size_t i = 0; i < nodes.size(); i++) {
    if (contains(nodes[i])) continue;
    nodes_.push_back(nodes[i]);
    if (with_data) data_.push_back(data ? data[i] : xpuGraphEdgeData{});
  }
}

void Frontier::set(std::span<graph::Node* const> nodes, const xpuGraphEdgeData* data) {
  Frontier fresh;
  fresh.join(nodes, data);
  *this = std::move(fresh);
  nodes_.reserve(1);
}

}  // namespace xpu::capture
