// SPDX-License-Identifier: Apache-2.0
// Operations on values in memory, checked and in the runtime's form: for streams and for nodes.
#pragma once

#include <xpugraph/memop.h>

#include <memory>
#include <span>
#include <vector>

#include "graph/external.h"
#include "runtime/batch.h"

namespace xpu::capi {

// A copy of the array. Arguments are named "count", "paramArray" and "flags".
Result<std::vector<xpuStreamBatchMemOpParams>> read_operations(
    const xpuStreamBatchMemOpParams* operations, unsigned int count, unsigned int flags);

// Refuses what cannot be done on the device, as an entry of "paramArray".
Result<std::shared_ptr<const runtime::External>> to_batch(
    runtime::Device& device, std::span<const xpuStreamBatchMemOpParams> operations);

// For the current device.
Result<graph::ParamsRef> to_params(const xpuBatchMemOpNodeParams* params, const char* argument);
xpuBatchMemOpNodeParams to_public(const graph::BatchParams& params) noexcept;

}  // namespace xpu::capi
