// SPDX-License-Identifier: Apache-2.0
// Makes plans: flatten, deal out lanes, cut.
#include "plan/plan.h"

#include <algorithm>

#include "graph/well_formed.h"
#include "plan/chain.h"
#include "plan/check.h"
#include "plan/flat.h"
#include "plan/lanes.h"
#include "plan/segments.h"

namespace xpu::plan {
namespace {

// A list per few nodes would cost more in submissions and events than concurrency brings.
bool too_entangled(const Plan& plan, const DeviceFacts& facts) {
  size_t steps = 0, segments = 0;
  for (const Segment& s : plan.segments) {
    const Lane& lane = plan.lanes[s.lane];
    if (lane.kind != LaneKind::compute || lane.device || s.kind != SegmentKind::work) continue;
    steps += s.steps.size();
    segments++;
  }
  return steps < segments * facts.fewest_steps_per_segment;
}

// Kernels whose groups wait for each other must not share the device with others of their kind:
// each could hold what another needs. So they get one lane, and barriers around them.
bool has_cooperative(const Flat& flat) {
  return std::any_of(flat.work.begin(), flat.work.end(), is_cooperative);
}

Result<Plan> plan_any(const graph::Graph& graph, const DeviceFacts& facts) {
  XPU_TRY_ASSIGN(Flat flat, flatten(graph, facts.where));
  const std::vector<uint32_t> levels = levels_of(flat);
  const uint32_t engines = std::clamp(facts.compute_lanes, uint32_t{1}, kMostComputeLanes);
  const bool one = is_one_lane(facts.shape) || has_cooperative(flat);
  const uint32_t compute = one ? 1 : engines;
  const auto with = [&](uint32_t lanes, Dealing dealing) {
    return cut_segments(flat, levels, assign_lanes(flat, levels, facts, lanes, dealing), facts);
  };
  Plan plan = with(compute, Dealing::chains);
  if (compute > 1 && facts.shape == Shape::automatic) {
    if (too_entangled(plan, facts)) plan = with(compute, Dealing::islands);
    if (too_entangled(plan, facts)) plan = with(1, Dealing::chains);
  }
  plan.child_graphs = flat.child_graphs;
  plan.nodes = std::move(flat.work);
  return plan;
}

}  // namespace

Result<Plan> make_plan(const graph::Graph& graph, const DeviceFacts& facts) {
  Plan plan;
  XPU_TRY_ASSIGN(const bool is_chain, plan_chain(graph, facts, plan));
  if (!is_chain) {
    XPU_TRY_ASSIGN(plan, plan_any(graph, facts));
  }
  if (graph::checking()) {
    const std::string why = why_not_kept(graph, plan);
    if (!why.empty()) {
      return Status::error(xpuErrorUnknown, "the plan does not keep the graph: " + why +
                                                "; this is a defect of the library");
    }
  }
  return plan;
}

}  // namespace xpu::plan
