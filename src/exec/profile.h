// SPDX-License-Identifier: Apache-2.0
// What a run of an executable took, node by node.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "plan/plan.h"

namespace xpu::exec {

// Nanoseconds since the run began.
struct ProfileRow {
  static constexpr uint32_t kNone = UINT32_MAX;

  const char* name = "";  // of the kernel, else of the kind; the executable holds it
  graph::NodeKind kind = graph::NodeKind::empty;
  uint32_t local_id = 0;    // within its own graph
  uint32_t parent = kNone;  // the row of the child graph node that it is inside
  uint32_t lane = kNone;    // of the plan
  // False: nothing ran, or the driver does not tell. It then stands where its dependencies end.
  bool timed = false;
  uint64_t start_ns = 0, end_ns = 0;
};

struct Profile {
  std::vector<plan::Lane> lanes;
  std::vector<int> devices;  // of lanes, by plan::Lane::device; empty if there is one
  // Each behind its dependencies; those of a child graph behind its node.
  std::vector<ProfileRow> rows;
};

// As many rows as a profile has: nodes of child graphs too.
size_t count_rows(const graph::Graph& graph) noexcept;

// In Chrome's trace event format, which Perfetto and chrome://tracing open: a thread for each lane,
// and further ones where nodes of a lane overlap.
std::string to_trace(const Profile& profile);

}  // namespace xpu::exec
