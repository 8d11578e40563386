// SPDX-License-Identifier: Apache-2.0
// Kernel nodes between their public form and the graph's.
#include "capi/kernel_params.h"

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/spelling.h"

namespace xpu::capi {
namespace {

Status check(const runtime::Kernel& kernel, xpuDim3 grid, xpuDim3 block, void* const* args,
             size_t shared_mem) {
  XPU_TRY(kernel.check_launch(grid, block));
  return kernel.check_local_memory(args, shared_mem);
}

}  // namespace

Result<graph::ParamsRef> to_launch(const runtime::Kernel& kernel, xpuDim3 grid, xpuDim3 block,
                                   void* const* args, size_t shared_mem) {
  XPU_TRY(check(kernel, grid, block, args, shared_mem));
  return graph::KernelParams::make(kernel.shared_from_this(), grid, block, args, shared_mem);
}

Result<graph::ParamsRef> to_params(const xpuKernelNodeParams* user, const char* argument) {
  xpuKernelNodeParams params;
  XPU_TRY(copy_in(params, user, argument));
  XPU_TRY_ASSIGN(const runtime::Kernel* kernel,
                 live_kernel(params.func, member_of(argument, "func").c_str()));
  if (params.extra)
    return invalid_value("extra must be NULL: packed arguments are not taken, use kernelParams",
                         member_of(argument, "extra"));
  Status status =
      check(*kernel, params.gridDim, params.blockDim, params.kernelParams, params.sharedMemBytes);
  if (!status.ok())
    return spelled_in(Status::error(xpuErrorInvalidValue, status.sentence(),
                                    status.detail()->argument, status.native()),
                      argument, kLaunchMembers);
  return spelled_in(
      graph::KernelParams::make(kernel->shared_from_this(), params.gridDim, params.blockDim,
                                params.kernelParams, params.sharedMemBytes),
      argument, kLaunchMembers);
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
