// SPDX-License-Identifier: Apache-2.0
// Kernel launches as node parameters, after asking the kernel's device whether it can run them.
#pragma once

#include <xpugraph/node.h>

#include "graph/params.h"
#include "runtime/kernel.h"

namespace xpu::capi {

// A launch that is being captured: refusals are those of a launch.
Result<graph::ParamsRef> to_launch(const runtime::Kernel& kernel, xpuDim3 grid, xpuDim3 block,
                                   void* const* args, size_t shared_mem);
// A kernel node's struct: what does not suit the device is xpuErrorInvalidValue there, as in CUDA.
Result<graph::ParamsRef> to_params(const xpuKernelNodeParams* params, const char* argument);
xpuKernelNodeParams to_public(const graph::KernelParams& params);

}  // namespace xpu::capi
