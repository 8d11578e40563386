// SPDX-License-Identifier: Apache-2.0
// A segment of a plan as one closed command list.
#pragma once

#include "base/status.h"
#include "exec/snapshot.h"
#include "ze/list.h"

namespace xpu::exec {

class Timing;

// The segment must be of kind work. Arguments are read from the snapshot's parameter versions.
// `timing`, if given, reads the device's clock around every node.
Result<ze::List> encode(const Snapshot& snapshot, const plan::Segment& segment,
                        Timing* timing = nullptr);
// One node; it must be of a kind that a list can hold.
Status append_node(ze::List& list, const plan::PlanNode& node, ze::Sync sync = {});

// What sets the values of conditional nodes for a launch; no list if there is nothing to set.
Result<ze::List> encode_opening(const Snapshot& snapshot);

ze::Copy as_driver_copy(const graph::CopyShape& shape) noexcept;
ze::Fill as_driver_fill(const graph::FillShape& shape) noexcept;

}  // namespace xpu::exec
