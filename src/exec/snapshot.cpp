// SPDX-License-Identifier: Apache-2.0
// Planning for a device, and wiring the plan's segments to its queues.
#include "exec/snapshot.h"

#include <algorithm>
#include <string>

#include "exec/encode.h"
#include "exec/facts.h"
#include "exec/loops.h"
#include "graph/external.h"
#include "runtime/external.h"
#include "runtime/kernel.h"

namespace xpu::exec {
namespace {

// For each lane, whether a kernel on it is more urgent than usual.
std::vector<bool> urgent_lanes(const plan::Plan& plan) {
  std::vector<bool> urgent(plan.lanes.size());
  for (const plan::Segment& segment : plan.segments) {
    for (const plan::Step& step : segment.steps) {
      const auto* kernel = plan.nodes[step.node].params.as<graph::KernelParams>();
      if (kernel && kernel->priority() < 0) urgent[segment.lane] = true;
    }
  }
  return urgent;
}

// A host lane stays on the caller's queue: host functions without driver support hold up the queue
// they are in, and holding up a queue that others share would be worse.
Result<Lane> make_lane(const plan::Lane& planned, runtime::Device& device, uint32_t& compute,
                       bool urgent) {
  const ze::Engines& engines = device.ze().engines();
  Lane lane{&device, nullptr, engines.compute_ordinal};
  if (planned.kind == plan::LaneKind::copy) {
    lane.ordinal = engines.copy_ordinal;
    XPU_TRY_ASSIGN(lane.queue, device.lanes().copy());
  } else if (planned.kind == plan::LaneKind::compute) {
    const uint32_t index = planned.device ? 0 : compute++;
    if (urgent) {
      XPU_TRY_ASSIGN(lane.queue, device.lanes().urgent(index));
    } else if (planned.device || index) {
      XPU_TRY_ASSIGN(lane.queue, device.lanes().compute(index));
    }
  }
  return lane;
}

Status make_lanes(Snapshot& snapshot, Priorities priorities,
                  const std::vector<runtime::Device*>& devices) {
  snapshot.ordinal = snapshot.device.ze().engines().compute_ordinal;
  std::vector<bool> urgent(snapshot.plan.lanes.size());
  if (priorities == Priorities::of_nodes) urgent = urgent_lanes(snapshot.plan);
  uint32_t compute = 0;
  for (const plan::Lane& planned : snapshot.plan.lanes) {
    XPU_TRY_ASSIGN(const Lane lane, make_lane(planned, *devices[planned.device], compute,
                                              urgent[snapshot.lanes.size()]));
    snapshot.lanes.push_back(lane);
  }
  snapshot.counter_events = std::all_of(
      devices.begin(), devices.end(),
      [](const runtime::Device* device) { return device->ze().features().counter_events; });
  return Status();
}

void wire(Snapshot& snapshot) {
  const std::vector<plan::Segment>& segments = snapshot.plan.segments;
  snapshot.wiring.resize(segments.size());
  std::vector<bool> seen(snapshot.lanes.size(), false);
  uint32_t last = Snapshot::kNone;
  for (uint32_t i = 0; i < segments.size(); i++) {
    const plan::Segment& segment = segments[i];
    const Lane& lane = snapshot.lanes[segment.lane];
    Wiring& w = snapshot.wiring[i];
    w.marks = !lane.on_caller();
    w.from_start = !lane.on_caller() && !seen[segment.lane] && segment.waits_on.empty();
    seen[segment.lane] = true;
    snapshot.starts |= w.from_start;
    for (const uint32_t before : segment.waits_on) {
      if (snapshot.lanes[segments[before].lane].queue != lane.queue)
        snapshot.wiring[before].marks = true;
    }
    const auto waits = static_cast<uint32_t>(segment.waits_on.size()) + 1;
    snapshot.most_waits = std::max(snapshot.most_waits, waits);
    if (lane.on_caller()) last = i;
  }
  for (const uint32_t end : snapshot.plan.ends) {
    if (!snapshot.lanes[segments[end].lane].on_caller()) snapshot.joins.push_back(end);
  }
  const auto joins = static_cast<uint32_t>(snapshot.joins.size()) + 1;
  snapshot.most_waits = std::max(snapshot.most_waits, joins);
  if (last != Snapshot::kNone && snapshot.joins.empty()) {
    const plan::SegmentKind kind = segments[last].kind;
    // Recording an event and waiting for one are commands of the runtime with signals of their own.
    const bool by_runtime =
        kind == plan::SegmentKind::event_record || kind == plan::SegmentKind::event_wait;
    if (!by_runtime) snapshot.last = last;
  }
  snapshot.one_list = snapshot.plan.is_one_list() && snapshot.last == 0;
}

Result<std::shared_ptr<Snapshot>> planned(const graph::Graph& graph, runtime::Device& device,
                                          plan::DeviceFacts facts, Priorities priorities,
                                          Sites::Spread spread) {
  Sites sites(device, spread);
  facts.where = &sites;
  XPU_TRY_ASSIGN(plan::Plan plan, plan::make_plan(graph, facts));
  const std::vector<runtime::Device*> devices = sites.take_devices();
  if (devices.size() > 1)
    for (const runtime::Device* of : devices) plan.devices.push_back(of->index());
  auto made = std::make_shared<Snapshot>(Snapshot{device, std::move(plan), {}, {}, {}, {}});
  made->touches = sites.take_touches();
  XPU_TRY(make_lanes(*made, priorities, devices));
  wire(*made);
  return made;
}

}  // namespace

Result<std::shared_ptr<Snapshot>> Snapshot::make(const graph::Graph& graph, runtime::Device& device,
                                                 Priorities priorities) {
  XPU_TRY_ASSIGN(std::shared_ptr<Snapshot> made,
                 planned(graph, device, facts_of(device), priorities, Sites::Spread::devices));
  const std::vector<plan::Segment>& segments = made->plan.segments;
  if (std::any_of(segments.begin(), segments.end(), [](const plan::Segment& segment) {
        return segment.kind == plan::SegmentKind::conditional;
      })) {
    XPU_TRY_ASSIGN(made->loops, Loops::make(device));
  }
  return made;
}

Result<std::shared_ptr<const Snapshot>> Snapshot::make_body(const graph::Graph& graph,
                                                            runtime::Device& device) {
  plan::DeviceFacts facts = facts_of(device);
  if (facts.shape != plan::Shape::chain) facts.shape = plan::Shape::levels;
  XPU_TRY_ASSIGN(std::shared_ptr<Snapshot> made,
                 planned(graph, device, facts, Priorities::of_stream, Sites::Spread::one_device));
  made->versions = made->take_versions();
  return std::shared_ptr<const Snapshot>(std::move(made));
}

Versions Snapshot::take_versions() {
  std::vector<graph::ParamsRef> params;
  params.reserve(plan.nodes.size());
  for (plan::PlanNode& node : plan.nodes) params.push_back(std::move(node.params));
  return Versions(std::move(params));
}

bool Snapshot::submits_whole() const noexcept {
  return device.ze().features().append_lists &&
         std::all_of(lanes.begin(), lanes.end(),
                     [](const Lane& lane) { return lane.device->ze().features().append_lists; });
}

Status check_external(const runtime::Device& device, const graph::ExternalParams& params,
                      const char* argument) {
  const auto& use = *static_cast<const runtime::External*>(params.use().get());
  if (&use.device() == &device) return Status();
  return invalid_value("what it works with is of device " + std::to_string(use.device().index()) +
                           ", but the graph is instantiated for device " +
                           std::to_string(device.index()) + "; make it for that one",
                       argument);
}

Status at_node(Status status, const plan::PlanNode& node, const graph::NodeParams& params) {
  std::string which = "node " + std::to_string(node.local_id);
  if (node.graph) which += " of child graph " + std::to_string(node.graph);
  which += std::string(" (") + graph::kind_name(params.kind());
  if (params.kind() == graph::NodeKind::kernel)
    which += " '" + static_cast<const graph::KernelParams&>(params).signature().name() + "'";
  return Status::error(status.code(), which + "): " + status.sentence(), status.detail()->argument,
                       status.native())
      .of_node(node.id);
}

}  // namespace xpu::exec
