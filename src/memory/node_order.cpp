// SPDX-License-Identifier: Apache-2.0
// Walks back from a node to what is known.
#include "memory/node_order.h"

namespace xpu::memory {
namespace {

constexpr Moment kUnknown = UINT32_MAX, kEntered = kUnknown - 1;

}  // namespace

// Depth first without recursion: a chain may have any length. What is on the way already is
// skipped: a cycle is an error of the graph that instantiation reports.
Moment NodeOrder::of(const graph::Node& node) {
  moments_.resize(node.graph().slots(), kUnknown);
  std::vector<const graph::Node*> path{&node};
  while (!path.empty()) {
    const graph::Node& at = *path.back();
    Moment& moment = moments_[at.slot()];
    if (moment == kUnknown) {
      moment = kEntered;
      for (const graph::Edge& e : at.in()) {
        if (moments_[e.node->slot()] == kUnknown) path.push_back(e.node);
      }
      continue;
    }
    path.pop_back();
    if (moment == kEntered) moment = add(at);
  }
  return moments_[node.slot()];
}

Moment NodeOrder::add(const graph::Node& node) {
  std::vector<Moment> before;
  before.reserve(node.in().size());
  for (const graph::Edge& e : node.in()) {
    if (moments_[e.node->slot()] < kEntered) before.push_back(moments_[e.node->slot()]);
  }
  return order_.add(before.empty() ? begin() : before);
}

Moment NodeOrder::behind(std::span<graph::Node* const> nodes) {
  std::vector<Moment> after;
  after.reserve(nodes.size());
  for (const graph::Node* node : nodes) after.push_back(of(*node));
  return order_.add_point(after.empty() ? begin() : after);
}

void NodeOrder::forget(const graph::Node& node) noexcept {
  if (node.slot() < moments_.size()) moments_[node.slot()] = kUnknown;
}

}  // namespace xpu::memory
