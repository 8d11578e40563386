// SPDX-License-Identifier: Apache-2.0
// The plan: how the nodes of a graph become command lists. A pure function of graph and device
// facts, and the same for the same graph every time.
//
// A plan is a list of segments in the order of submission. A segment becomes one closed command
// list. Segments sit on lanes; a lane is one engine's queue (or the host) and runs its segments one
// after another, each complete before the next begins. Between lanes, and only there, `waits_on`
// orders: a wait is for the whole of an earlier segment. So the graph of segments is acyclic by
// construction, no list waits for something inside another, and each segment signals one event at
// its end at most.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "plan/facts.h"

namespace xpu::plan {

// A node to run: child graphs are expanded, empty nodes are gone (their order is kept).
struct PlanNode {
  graph::ParamsRef params;
  uint64_t id = 0;  // graph::Node::id() in the template; nodes inside child graphs have their own
  uint32_t local_id = 0;  // within its own (child) graph, for sentences and pictures
  uint32_t graph = 0;     // 0 for the template itself, otherwise the child graph's number, in order
  uint8_t device = 0;     // see Site
  // A copy through host memory is two nodes of the plan, one behind the other: the first is `out`.
  enum class Part : uint8_t { whole, out, in } part = Part::whole;
};

struct Step {
  uint32_t node = 0;  // index in Plan::nodes
  // Everything before it in this segment must be complete. In an in-order segment it is false
  // everywhere: the list orders by itself.
  bool barrier_before = false;
};

enum class SegmentKind : uint8_t {
  work,          // steps go into one command list (host functions too, if the driver takes them)
  host,          // one host node, run by a thread
  event_record,  // one event record node, submitted on its lane
  event_wait,    // one event wait node, submitted on its lane
  external,      // one node that works with what others look at (graph/external.h)
  conditional,   // one conditional node, whose bodies a thread submits
};

struct Segment {
  SegmentKind kind = SegmentKind::work;
  uint16_t lane = 0;      // index in Plan::lanes
  bool in_order = false;  // each step depends on the one before: an in-order list without barriers
  bool signals = false;   // named by some later waits_on or by Plan::ends
  std::vector<Step> steps;
  // Earlier segments of other lanes, transitively reduced (what follows from the order of the lanes
  // or from another wait is left out).
  std::vector<uint32_t> waits_on;
};

enum class LaneKind : uint8_t { compute, copy, host };

struct Lane {
  LaneKind kind = LaneKind::compute;
  uint8_t device = 0;  // see Site; the copy lane and the host lane are of device 0
};

struct Plan {
  std::vector<PlanNode> nodes;
  std::vector<Segment> segments;
  // Lane 0 is a compute lane of device 0 if any is. The host lane exists if a host node stands
  // alone or there are conditional nodes or external nodes.
  std::vector<Lane> lanes;
  // What the devices are called in pictures, by number; empty if there is one.
  std::vector<int> devices;
  // Segments that the completion of the whole has to wait for; every other one is before one of
  // these. Empty for a plan without segments.
  std::vector<uint32_t> ends;
  uint32_t child_graphs = 0;

  bool is_on_host(const Segment& segment) const noexcept {
    return lanes[segment.lane].kind == LaneKind::host;
  }
  // Everything is one command list: one driver call per launch.
  bool is_one_list() const noexcept {
    return segments.size() == 1 && segments[0].kind == SegmentKind::work;
  }
};

// Fails with xpuErrorInvalidValue, naming the cycle, if the graph or one inside it has one.
Result<Plan> make_plan(const graph::Graph& graph, const DeviceFacts& facts);

}  // namespace xpu::plan
