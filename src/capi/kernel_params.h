// SPDX-License-Identifier: Apache-2.0
// Kernel launches as node parameters, after asking the kernel's device whether it can run them.
#pragma once

#include <xpugraph/node.h>

#include "graph/params.h"
#include "runtime/kernel.h"
#include "runtime/stream.h"

namespace xpu::capi {

// How a launch is made besides its sizes and arguments.
struct Wishes {
  std::shared_ptr<const graph::LaunchAttributes> attributes;  // null: none
  runtime::Launching how() const noexcept {
    return attributes && attributes->cooperative() ? runtime::Launching::cooperative
                                                   : runtime::Launching::usual;
  }
};

struct LaunchShape {
  xpuDim3 grid, block;
  void* const* args;
  size_t shared_mem;
};

// A launch that is being captured: refusals are those of a launch. Kernels get the priority of the
// stream unless they have one.
Result<graph::ParamsRef> to_launch(const runtime::Stream& stream, const runtime::Kernel& kernel,
                                   const LaunchShape& shape, const Wishes& wishes);
// A kernel node's struct: what does not suit the device is xpuErrorInvalidValue there, as in CUDA.
Result<graph::ParamsRef> to_params(const xpuKernelNodeParams* params, const char* argument);
xpuKernelNodeParams to_public(const graph::KernelParams& params);

}  // namespace xpu::capi
