// SPDX-License-Identifier: Apache-2.0
// Appending the nodes of a segment to a command list.
#include "exec/encode.h"

#include "exec/as_driver.h"
#include "exec/timing.h"
#include "ze/mutate.h"

namespace xpu::exec {

namespace {

// Cooperative launches are left out: no driver is known to change one.
bool can_be_named(const graph::ParamsRef& params) noexcept {
  const auto* kernel = params.as<graph::KernelParams>();
  return kernel && !kernel->cooperative();
}

}  // namespace

Status append_node(ze::List& list, const graph::ParamsRef& params, const runtime::Run& run,
                   const ze::Sync& sync) {
  if (params->kind() == graph::NodeKind::kernel) [[likely]] {
    const auto* p = static_cast<const graph::KernelParams*>(params.get());
    const auto& kernel = static_cast<const runtime::Kernel&>(p->signature());
    const auto how = p->cooperative() ? runtime::Launching::cooperative : runtime::Launching::usual;
    return kernel.append(list, p->grid(), p->block(), p->arguments().data(), run, sync, how);
  }
  switch (params->kind()) {
    case graph::NodeKind::copy:
      return list.copy(as_driver(params.as<graph::CopyParams>()->shape()), sync);
    case graph::NodeKind::fill:
      return list.fill(as_driver(params.as<graph::FillParams>()->shape()), sync);
    case graph::NodeKind::host:
      return list.host_function(call_back, params.as<graph::HostParams>()->callback(), sync);
    case graph::NodeKind::kernel:
    case graph::NodeKind::child:
    case graph::NodeKind::empty:
    case graph::NodeKind::event_wait:
    case graph::NodeKind::event_record:
    case graph::NodeKind::semaphore_signal:
    case graph::NodeKind::semaphore_wait:
    case graph::NodeKind::batch:
    case graph::NodeKind::mem_alloc:
    case graph::NodeKind::mem_free:
    case graph::NodeKind::conditional:
      break;
  }
  return Status::error(xpuErrorUnknown, "the plan put a node in a list that no list can hold");
}

// A chain could be an in-order list without barriers. On the Intel driver that list costs 170
// instructions less for each kernel to encode and 800 more for every launch (11,579 against
// 10,778), because the driver clears an in-order list's counter on the host at each submission; so
// every list is a plain one, and a chain has a barrier before each step.
Result<ze::List> encode(const Snapshot& snapshot, const plan::Segment& segment,
                        const Versions& versions, Staging& staging, const Naming* naming,
                        Timing* timing) {
  const Lane& lane = snapshot.lanes[segment.lane];
  ze::List::Regular what;
  what.ordinal = lane.ordinal;
  what.patchable = naming;
  XPU_TRY_ASSIGN(ze::List list, ze::List::regular(lane.device->ze(), what));
  // A kernel without groups does nothing, as in an indirect launch, whose counts may be 0.
  const bool can_empty = naming && (naming->what & ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_COUNT);
  ze::Patch emptied;
  const runtime::Run run;
  const bool all_enabled = versions.all_enabled();
  bool first = true;
  for (const plan::Step& step : segment.steps) {
    if (step.barrier_before || (segment.in_order && !first)) XPU_TRY(list.barrier());
    first = false;
    const graph::ParamsRef& params = versions.params(step.node);
    const bool enabled = all_enabled || versions.enabled(step.node);
    const bool named = naming && can_be_named(params) &&
                       (!naming->only || naming->only->has(step.node)) && (enabled || can_empty);
    if (!enabled && !named) continue;
    if (named) [[unlikely]] {
      XPU_TRY_ASSIGN(const uint64_t id, ze::next_command(list, naming->what));
      (*naming->ids)[step.node] = id;
      if (!enabled) emptied.group_count(id, {0, 0, 0});
    }
    const plan::PlanNode& node = snapshot.plan.nodes[step.node];
    graph::ParamsRef half;
    if (node.part != plan::PlanNode::Part::whole) {
      XPU_TRY_ASSIGN(half, staging.half(node, step.node, *params.as<graph::CopyParams>()));
    }
    const graph::ParamsRef& does = half ? half : params;
    Status status =
        timing ? timing->append(list, does, step.node, run) : append_node(list, does, run);
    if (!status.ok()) return at_node(std::move(status), node, *params);
  }
  XPU_TRY(list.close());
  XPU_TRY(emptied.apply(list));
  return list;
}

Result<ze::List> encode_opening(const Snapshot& snapshot, const Versions& versions) {
  std::vector<const graph::Condition*> conditions;
  for (const plan::Segment& segment : snapshot.plan.segments) {
    if (segment.kind != plan::SegmentKind::conditional) continue;
    versions.params(segment.steps[0].node).as<graph::ConditionalParams>()->collect(conditions);
  }
  ze::List list;
  for (const graph::Condition* condition : conditions) {
    if (!condition->at_launch()) continue;
    if (!list) {
      XPU_TRY_ASSIGN(list, ze::List::regular(snapshot.device.ze(), {snapshot.ordinal}));
    }
    ze::Fill fill;
    fill.dst = condition->word();
    fill.value = *condition->at_launch();
    fill.element_size = sizeof(uint32_t);
    fill.width = 1;
    XPU_TRY(list.fill(fill));
  }
  if (list) XPU_TRY(list.close());
  return list;
}

}  // namespace xpu::exec
