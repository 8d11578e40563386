// SPDX-License-Identifier: Apache-2.0
// What an executable is made of besides command lists and parameters: the plan, and how its
// segments are wired to queues. Immutable and shared, so that encodings that outlive the executable
// keep what they use.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "exec/sites.h"
#include "exec/versions.h"
#include "plan/plan.h"
#include "runtime/device.h"

namespace xpu::graph {
class ExternalParams;
}

namespace xpu::exec {

// Where the segments of a plan's lane go.
struct Lane {
  runtime::Device* device = nullptr;
  // The queue; nullptr means the queue of the stream of the launch, so that a graph that needs one
  // lane needs no event at all.
  runtime::Queue* queue = nullptr;
  uint32_t ordinal = 0;

  bool on_caller() const noexcept { return !queue; }
};

struct Wiring {
  // Waits for the start mark: nothing else orders it after the stream's earlier work.
  bool from_start = false;
  // Signals a mark of its own. Every segment away from the caller's queue does, although a later
  // one of its lane may cover it: a submission that fails in between is joined by these marks.
  bool marks = false;
};

class Loops;

// Of the stream of a launch alone, or also of nodes: a lane with an urgent one is urgent as a
// whole.
enum class Priorities : uint8_t { of_stream, of_nodes };

struct Snapshot {
  // The one that it was instantiated for; nodes may be on others, too.
  runtime::Device& device;
  // Without parameters, once they are taken.
  plan::Plan plan;
  std::vector<Lane> lanes;      // one for each of plan.lanes
  std::vector<Wiring> wiring;   // one for each of plan.segments
  std::vector<uint32_t> joins;  // ends of the plan away from the caller's queue
  // Of copies and fills, by node; empty if the plan has none of them.
  std::vector<Touches> touches;
  uint32_t ordinal = 0;     // the queue group that the caller's stream must be of
  uint32_t most_waits = 0;  // of any one command of a launch
  bool starts = false;      // some segment waits for the start mark
  // The segment whose own command completes the launch; kNone: a barrier at the end does.
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t last = kNone;
  bool counter_events = false;  // on every device: marks need no renewal between launches
  bool one_list = false;        // the whole launch is one closed list on the caller's queue

  std::shared_ptr<Loops> loops = {};  // null without conditional nodes
  Versions versions = {};             // of a body; those of the whole are the ring's

  // Plans, wires, and refuses what this device cannot run, naming the node.
  static Result<std::shared_ptr<Snapshot>> make(const graph::Graph& graph, runtime::Device& device,
                                                Priorities priorities);
  // Of a graph in a conditional node: one lane, which a thread submits from.
  static Result<std::shared_ptr<const Snapshot>> make_body(const graph::Graph& graph,
                                                           runtime::Device& device);
  // Whether a driver call that fails has submitted nothing, on every device of the plan.
  bool submits_whole() const noexcept;
  // The number behind it, if that is the second half of the same copy; else kNone.
  uint32_t second_half(uint32_t node) const noexcept {
    return plan.nodes[node].part == plan::PlanNode::Part::out ? node + 1 : kNone;
  }
  // Moves the parameters out of the plan: what nodes do changes, and is not kept longer than it is
  // used.
  Versions take_versions();
};

// Whether it is for that device; `argument` is what is at fault if not.
Status check_external(const runtime::Device& device, const graph::ExternalParams& params,
                      const char* argument = "");

// `status` as a failure of that node: the sentence begins with which one it is.
Status at_node(Status status, const plan::PlanNode& node, const graph::NodeParams& params);

}  // namespace xpu::exec
