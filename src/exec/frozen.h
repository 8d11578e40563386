// SPDX-License-Identifier: Apache-2.0
// What an executable's nodes can never become: CUDA's rules of what an update may change.
#pragma once

#include "base/status.h"
#include "exec/outcome.h"
#include "exec/snapshot.h"

namespace xpu::exec {

// Whether the node of the plan, which does `was`, may do `next` from now on. If not, `why` says of
// what kind the reason is, and the Status what it is (without naming the node).
Status check_change(const Snapshot& snapshot, uint32_t node, const graph::NodeParams& was,
                    const graph::NodeParams& next, Outcome& why);

}  // namespace xpu::exec
