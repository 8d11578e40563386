// SPDX-License-Identifier: Apache-2.0
// What can be said about node parameters without asking a driver. What a device limits (group
// sizes, local memory, the extent of allocations) is checked where the device is known.
#pragma once

#include "base/status.h"
#include "graph/params.h"

namespace xpu::graph {

// Every dimension at least 1.
inline bool is_launch_size(const xpuDim3& size) noexcept { return size.x && size.y && size.z; }
Status refuse_launch_shape(const xpuDim3& grid, const xpuDim3& block);
inline Status check_launch_shape(const xpuDim3& grid, const xpuDim3& block) {
  if (is_launch_size(grid) && is_launch_size(block)) [[likely]]
    return {};
  return refuse_launch_shape(grid, block);
}
// Pointers, kind, pitches, positions and extent fit together and nothing overflows.
Status check_copy(const CopyShape& shape);
// Element size, width, height and pitch fit together and nothing overflows.
Status check_fill(const FillShape& shape);

}  // namespace xpu::graph
