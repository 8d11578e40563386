// SPDX-License-Identifier: Apache-2.0
// Where the lists are cut, what waits for what, and where the barriers are.
#pragma once

#include "plan/flat.h"
#include "plan/lanes.h"
#include "plan/plan.h"

namespace xpu::plan {

// Fills segments, lanes and ends of a plan; the nodes stay empty.
//
// All lanes take their nodes from one order of the whole graph. A lane is cut after a node that
// another lane waits for, and before a node that waits for another lane; then every wait is for the
// end of a segment that began earlier in that one order, whatever the graph looks like.
Plan cut_segments(const Flat& flat, const std::vector<uint32_t>& levels, const Lanes& lanes,
                  const DeviceFacts& facts);

}  // namespace xpu::plan
