// SPDX-License-Identifier: Apache-2.0
// Plans as a line of text that tests can compare.
#pragma once

#include <string>

#include "graph_making.h"
#include "plan/check.h"

namespace xpu::test {

// One line per plan: "0o:4" is a segment on lane 0, in order, of 4 steps; "0b:3|2|3" has barriers
// between groups of 3, 2 and 3; H, R, W stand for the kinds that stand alone; "<0,2" are its waits;
// "=>1" are the ends. "1c" is a copy lane, "1d2" a lane of device 2.
inline std::string line(const plan::Plan& plan) {
  std::string out;
  for (const plan::Segment& s : plan.segments) {
    out += (out.empty() ? "" : " ") + std::to_string(s.lane);
    const plan::Lane& lane = plan.lanes[s.lane];
    if (lane.kind == plan::LaneKind::copy) out += "c";
    if (lane.device) out += "d" + std::to_string(lane.device);
    if (s.kind == plan::SegmentKind::host) out += "H";
    if (s.kind == plan::SegmentKind::event_record) out += "R";
    if (s.kind == plan::SegmentKind::event_wait) out += "W";
    if (s.kind == plan::SegmentKind::work) {
      size_t group = 0;
      out += s.in_order ? "o:" : "b:";
      for (const plan::Step& step : s.steps) {
        if (step.barrier_before) {
          out += std::to_string(group) + "|";
          group = 0;
        }
        group++;
      }
      out += std::to_string(group);
    }
    for (size_t i = 0; i < s.waits_on.size(); i++) {
      out += (i ? "," : "<") + std::to_string(s.waits_on[i]);
    }
  }
  for (size_t i = 0; i < plan.ends.size(); i++) {
    out += (i ? "," : " =>") + std::to_string(plan.ends[i]);
  }
  return out;
}

inline Text planned(const Graph& g, const plan::DeviceFacts& facts = {}) {
  Result<plan::Plan> made = plan::make_plan(g, facts);
  if (!made.ok()) return text(made.status().sentence());
  const std::string why = plan::why_not_kept(g, made.value());
  return text(why.empty() ? line(made.value()) : why);
}

}  // namespace xpu::test
