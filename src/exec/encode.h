// SPDX-License-Identifier: Apache-2.0
// A segment of a plan as one closed command list.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "exec/index_set.h"
#include "exec/snapshot.h"
#include "exec/staging.h"
#include "exec/versions.h"
#include "runtime/kernel.h"
#include "ze/list.h"

namespace xpu::exec {

class Timing;

// What makes a list patchable: which kernels get a command id, and where the ids go.
struct Naming {
  uint32_t what = 0;                     // ZE_MUTABLE_COMMAND_EXP_FLAG_*: what can be changed later
  const IndexSet* only = nullptr;        // the nodes that get one; nullptr: every kernel
  std::vector<uint64_t>* ids = nullptr;  // by node
};

// The segment must be of kind work. Nodes that are disabled are left out, or have no groups where
// that can be patched. `naming` NULL: a plain list. `timing`, if given, reads the device's clock
// around every node.
Result<ze::List> encode(const Snapshot& snapshot, const plan::Segment& segment,
                        const Versions& versions, Staging& staging, const Naming* naming = nullptr,
                        Timing* timing = nullptr);
// One node; it must be of a kind that a list can hold. The parameters live as long as the run.
Status append_node(ze::List& list, const graph::ParamsRef& params, const runtime::Run& run,
                   const ze::Sync& sync = ze::kNoSync);

// What sets the values of conditional nodes for a launch; no list if there is nothing to set.
Result<ze::List> encode_opening(const Snapshot& snapshot, const Versions& versions);

}  // namespace xpu::exec
