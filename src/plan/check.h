// SPDX-License-Identifier: Apache-2.0
// Whether a plan may stand for a graph: for tests and XPUGRAPH_CHECK=1. Written without what the
// planner is made of, so that one mistake does not hide the other.
#pragma once

#include <string>

#include "graph/graph.h"
#include "plan/plan.h"

namespace xpu::plan {

// Empty if every node of the graph runs exactly once, every edge (through empty nodes and child
// graphs too) is an order that lanes, waits and barriers enforce, and the end waits for all.
// Otherwise a sentence that says what is wrong. The graph must have no cycle.
std::string why_not_kept(const graph::Graph& graph, const Plan& plan);

inline bool keeps_every_edge(const graph::Graph& graph, const Plan& plan) {
  return why_not_kept(graph, plan).empty();
}

}  // namespace xpu::plan
