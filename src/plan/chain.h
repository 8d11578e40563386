// SPDX-License-Identifier: Apache-2.0
// The plan of a chain, which is what work captured in one stream is: known without looking at
// lanes, levels and joins, and these would be six times the work.
#pragma once

#include "plan/plan.h"

namespace xpu::plan {

// True, and the plan, if the graph is kernels and fills of which each follows the one created
// before it, all of device 0.
Result<bool> plan_chain(const graph::Graph& graph, const DeviceFacts& facts, Plan& plan);

}  // namespace xpu::plan
