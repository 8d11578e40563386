// SPDX-License-Identifier: Apache-2.0
// One walk over the nodes, given up at the first that does not fit.
#include "plan/chain.h"

#include <span>
#include <utility>

#include "plan/flat.h"

namespace xpu::plan {
namespace {

// Planning does not fail here, but asking where a node is may.
Result<bool> fits(const PlanNode& node, uint32_t index, const DeviceFacts& facts) {
  const graph::NodeKind kind = node.params->kind();
  if (kind != graph::NodeKind::kernel && kind != graph::NodeKind::fill) return false;
  if (is_cooperative(node)) return false;
  if (!facts.where) return true;
  XPU_TRY_ASSIGN(const Site site, facts.where->site(node, index));
  return site.device == 0 && site.fetches == Site::kNone;
}

}  // namespace

Result<bool> plan_chain(const graph::Graph& graph, const DeviceFacts& facts, Plan& plan) {
  const std::span<graph::Node* const> nodes = graph.nodes();
  if (nodes.empty()) return false;
  Plan made;
  made.nodes.reserve(nodes.size());
  Segment segment;
  segment.steps.reserve(nodes.size());
  const graph::Node* before = nullptr;
  for (const graph::Node* const node : nodes) {
    const bool follows =
        before ? node->in().size() == 1 && node->in()[0].node == before : node->in().empty();
    if (!follows) return false;
    const auto index = static_cast<uint32_t>(made.nodes.size());
    const PlanNode& last =
        made.nodes.emplace_back(PlanNode{node->params(), node->id(), node->local_id()});
    XPU_TRY_ASSIGN(const bool does, fits(last, index, facts));
    if (!does) return false;
    segment.steps.push_back({index, false});
    before = node;
  }
  segment.in_order = segment.signals = true;
  made.segments.push_back(std::move(segment));
  made.lanes = {Lane{}};
  made.ends = {0};
  plan = std::move(made);
  return true;
}

}  // namespace xpu::plan
