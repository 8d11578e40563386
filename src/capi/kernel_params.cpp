// SPDX-License-Identifier: Apache-2.0
// Kernel nodes between their public form and the graph's.
#include "capi/kernel_params.h"

#include "capi/cast.h"
#include "capi/copy_in.h"

namespace xpu::capi {
namespace {

// What the launch asks for beside what the kernel declares.
Status check_local_memory(const runtime::Kernel& kernel, size_t shared_mem) {
  const runtime::KernelFacts& facts = kernel.facts();
  if (shared_mem + facts.local_memory <= facts.max_local_memory) return {};
  return Status::error(xpuErrorInvalidConfiguration,
                       "the kernel uses " + std::to_string(facts.local_memory) +
                           " bytes of local memory and the launch adds " +
                           std::to_string(shared_mem) + ", but the device has " +
                           std::to_string(facts.max_local_memory) + " for a work-group",
                       "sharedMem");
}

Status check(const runtime::Kernel& kernel, xpuDim3 grid, xpuDim3 block, size_t shared_mem) {
  XPU_TRY(kernel.check_launch(grid, block));
  if (shared_mem) XPU_TRY(check_local_memory(kernel, shared_mem));
  return {};
}

}  // namespace

Result<graph::ParamsRef> to_launch(const runtime::Kernel& kernel, xpuDim3 grid, xpuDim3 block,
                                   void* const* args, size_t shared_mem) {
  XPU_TRY(check(kernel, grid, block, shared_mem));
  return graph::KernelParams::make(kernel.shared_from_this(), grid, block, args, shared_mem);
}

Result<graph::ParamsRef> to_params(const xpuKernelNodeParams* user) {
  xpuKernelNodeParams params;
  XPU_TRY(copy_in(params, user, "pNodeParams"));
  XPU_TRY_ASSIGN(const runtime::Kernel* kernel, live_kernel(params.func, "pNodeParams->func"));
  if (params.extra)
    return invalid_value("extra must be NULL: packed arguments are not taken, use kernelParams",
                         "pNodeParams->extra");
  Status status = check(*kernel, params.gridDim, params.blockDim, params.sharedMemBytes);
  if (!status.ok())
    return Status::error(xpuErrorInvalidValue, status.sentence(), status.detail()->argument,
                         status.native());
  return graph::KernelParams::make(kernel->shared_from_this(), params.gridDim, params.blockDim,
                                   params.kernelParams, params.sharedMemBytes);
}

xpuKernelNodeParams to_public(const graph::KernelParams& params) {
  const auto& kernel = static_cast<const runtime::Kernel&>(params.signature());
  xpuKernelNodeParams known = {};
  known.struct_size = sizeof known;
  known.func = xpu::to_public<xpuKernel_t>(kernel.handle());
  known.gridDim = params.grid();
  known.blockDim = params.block();
  known.sharedMemBytes = static_cast<uint32_t>(params.shared_mem());
  known.kernelParams = params.argument_pointers();
  return known;
}

}  // namespace xpu::capi
