// SPDX-License-Identifier: Apache-2.0
// What can be said about node parameters without asking a driver. What a device limits (group
// sizes, local memory, the extent of allocations) is checked where the device is known.
#pragma once

#include "base/status.h"
#include "graph/params.h"

namespace xpu::graph {

// Every dimension at least 1.
Status check_launch_shape(const xpuDim3& grid, const xpuDim3& block);
// Pointers, kind, pitches, positions and extent fit together and nothing overflows.
Status check_copy(const CopyShape& shape);
// Element size, width, height and pitch fit together and nothing overflows.
Status check_fill(const FillShape& shape);

}  // namespace xpu::graph
