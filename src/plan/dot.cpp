// SPDX-License-Identifier: Apache-2.0
// Writes plans in DOT.
#include "plan/dot.h"

#include "graph/dot.h"

namespace xpu::plan {
namespace {

using graph::dot_quoted;

const char* lane_name(LaneKind kind) {
  switch (kind) {
    case LaneKind::compute:
      return "compute";
    case LaneKind::copy:
      return "copy";
    case LaneKind::host:
      return "host";
  }
  return "unknown";
}

std::string title(const Plan& plan, size_t number) {
  const Segment& s = plan.segments[number];
  std::string text = "segment " + std::to_string(number) + ": lane " + std::to_string(s.lane) +
                     " (" + lane_name(plan.lanes[s.lane].kind);
  if (!plan.devices.empty())
    text += " of device " + std::to_string(plan.devices[plan.lanes[s.lane].device]);
  text += ")";
  if (s.kind == SegmentKind::event_record) text += ", event record";
  if (s.kind == SegmentKind::event_wait) text += ", event wait";
  if (s.kind == SegmentKind::external) text += ", external";
  if (s.kind == SegmentKind::conditional) text += ", conditional";
  if (s.kind == SegmentKind::work) text += s.in_order ? ", in order" : ", barriers";
  return s.signals ? text + ", signals" : text;
}

std::string step_name(size_t segment, size_t step) {
  return "\"s" + std::to_string(segment) + "_" + std::to_string(step) + "\"";
}

void write_segment(std::string& out, const Plan& plan, size_t number, unsigned flags) {
  const Segment& segment = plan.segments[number];
  const std::string cluster = "cluster_s" + std::to_string(number);
  out += "subgraph \"" + cluster + "\" {\n  label=" + dot_quoted(title(plan, number)) + ";\n";
  for (size_t i = 0; i < segment.steps.size(); i++) {
    const PlanNode& node = plan.nodes[segment.steps[i].node];
    std::string label = std::to_string(node.local_id);
    if (node.graph) label += " of child graph " + std::to_string(node.graph);
    if (node.part != PlanNode::Part::whole)
      label += node.part == PlanNode::Part::out ? ", to the host" : ", from the host";
    label += "\n" + graph::node_label(*node.params, flags);
    out += "  " + step_name(number, i) + " [shape=box, label=" + dot_quoted(label) + "];\n";
  }
  // Steps between two barriers are unordered; each such group is tied to the next by one edge.
  size_t group = 0;
  for (size_t i = 1; i < segment.steps.size(); i++) {
    const bool barrier = segment.steps[i].barrier_before;
    if (!barrier && !segment.in_order) continue;
    out += "  " + step_name(number, barrier ? group : i - 1) + " -> " + step_name(number, i) +
           (barrier ? " [label=\"barrier\"];\n" : ";\n");
    group = i;
  }
  out += "}\n";
}

}  // namespace

std::string to_dot(const Plan& plan, unsigned flags) {
  if (flags & graph::kDotVerbose) flags = ~0u;
  std::string out = "digraph \"plan\" {\ncompound=true;\nnode [fontname=\"monospace\"];\n";
  for (size_t i = 0; i < plan.segments.size(); i++) write_segment(out, plan, i, flags);
  for (size_t i = 0; i < plan.segments.size(); i++) {
    for (uint32_t wait : plan.segments[i].waits_on) {
      const size_t last = plan.segments[wait].steps.size() - 1;
      out += step_name(wait, last) + " -> " + step_name(i, 0) + " [style=bold, ltail=\"cluster_s" +
             std::to_string(wait) + "\", lhead=\"cluster_s" + std::to_string(i) + "\"];\n";
    }
  }
  return out + "}\n";
}

Status dump(const std::string& folder, const graph::Graph& graph, const Plan& plan) {
  const std::string base = folder + "/graph_" + std::to_string(graph.id());
  // Not the handles: asking for them would make them.
  XPU_TRY(graph::write_dot(graph, base + ".dot", ~graph::kDotVerbose & ~graph::kDotHandles));
  return graph::write_text(base + ".plan.dot", to_dot(plan, 0));
}

}  // namespace xpu::plan
