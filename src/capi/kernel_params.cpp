// SPDX-License-Identifier: Apache-2.0
// Kernel nodes between their public form and the graph's.
#include "capi/kernel_params.h"

#include <cstring>
#include <vector>

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/spelling.h"

namespace xpu::capi {
namespace {

inline Status check(const runtime::Kernel& kernel, const xpuDim3& grid, const xpuDim3& block,
                    void* const* args, size_t shared_mem) {
  XPU_TRY(kernel.check_launch(grid, block));
  return kernel.check_local_memory(args, shared_mem);
}

// Pointers to arguments that lie in a block, which is all that a kernel node's `extra` may say.
class Unpacked {
 public:
  Status read(const runtime::Kernel& kernel, void* const* extra, size_t shared_mem,
              const std::string& argument) {
    XPU_TRY(read_pairs(extra, argument));
    const size_t needed = kernel.block_size();
    if (!block_ || !size_given_)
      return invalid_value(
          "extra must have a xpuLaunchParamBufferPointer and a xpuLaunchParamBufferSize, and end "
          "with xpuLaunchParamEnd",
          argument);
    // CUDA takes fewer bytes, and the kernel then gets garbage.
    if (size_ != needed)
      return invalid_value("the arguments of kernel '" + kernel.name() + "' have " +
                               std::to_string(needed) + " bytes as one block, not " +
                               std::to_string(size_),
                           argument);
    for (const Parameter& p : kernel.parameters()) {
      std::byte* const at = block_ + p.offset;
      const bool left_open = p.kind == ParameterKind::local && shared_mem && is_zero(at);
      pointers_.push_back(left_open ? nullptr : at);
    }
    return {};
  }
  void* const* pointers() const noexcept { return pointers_.data(); }

 private:
  static constexpr int kMostPairs = 8;  // two count; a list without an end must not be followed

  static bool is_zero(const std::byte* at) noexcept {
    size_t size = 0;
    std::memcpy(&size, at, sizeof size);
    return size == 0;
  }
  Status read_pairs(void* const* extra, const std::string& argument) {
    for (int i = 0; i < kMostPairs; i++, extra += 2) {
      const auto key = reinterpret_cast<uintptr_t>(extra[0]);
      if (key == xpuLaunchParamEnd) return {};
      if (key == xpuLaunchParamBufferPointer) {
        block_ = static_cast<std::byte*>(extra[1]);
      } else if (key == xpuLaunchParamBufferSize && extra[1]) {
        std::memcpy(&size_, extra[1], sizeof size_);
        size_given_ = true;
      } else {
        return invalid_value(
            "key " + std::to_string(key) + " in extra is no xpuLaunchParam, or its value is NULL",
            argument);
      }
    }
    return invalid_value("extra does not end with xpuLaunchParamEnd", argument);
  }

  std::byte* block_ = nullptr;
  size_t size_ = 0;
  bool size_given_ = false;
  std::vector<void*> pointers_;
};

// A kernel node's struct, with the arguments where they have been found to be. Inline: of an
// update, passing all this on would be a twentieth.
[[gnu::always_inline]] inline Result<graph::ParamsRef> to_params(const runtime::Kernel& kernel,
                                                                 const xpuKernelNodeParams& params,
                                                                 void* const* args,
                                                                 const char* argument) {
  Status status = check(kernel, params.gridDim, params.blockDim, args, params.sharedMemBytes);
  if (!status.ok()) [[unlikely]]
    return respelled_in(Status::error(xpuErrorInvalidValue, status.sentence(),
                                      status.detail()->argument, status.native()),
                        argument, kLaunchMembers);
  Result<graph::ParamsRef> made =
      graph::KernelParams::make(kernel.shared_from_this(), params.gridDim, params.blockDim, args,
                                params.sharedMemBytes, params.extra != nullptr);
  if (!made.ok()) [[unlikely]]
    made = respelled_in(made.take_status(), argument, kLaunchMembers);
  return made;
}

Result<graph::ParamsRef> to_packed_params(const runtime::Kernel& kernel,
                                          const xpuKernelNodeParams& params, const char* argument) {
  const std::string extra = member_of(argument, "extra");
  if (params.kernelParams)
    return invalid_value("kernelParams and extra are both given; a kernel takes one of them",
                         extra);
  Unpacked unpacked;
  XPU_TRY(unpacked.read(kernel, params.extra, params.sharedMemBytes, extra));
  return to_params(kernel, params, unpacked.pointers(), argument);
}

}  // namespace

Result<graph::ParamsRef> to_launch(const runtime::Stream& stream, const runtime::Kernel& kernel,
                                   const LaunchShape& shape, const Wishes& wishes) {
  XPU_TRY(check(kernel, shape.grid, shape.block, shape.args, shape.shared_mem));
  if (wishes.how() == runtime::Launching::cooperative)
    XPU_TRY(kernel.check_cooperative(shape.grid, shape.block));
  const auto make = [&] {
    return graph::KernelParams::make(kernel.shared_from_this(), shape.grid, shape.block, shape.args,
                                     shape.shared_mem);
  };
  if (!wishes.attributes && !stream.priority()) [[likely]]
    return make();
  XPU_TRY_ASSIGN(const graph::ParamsRef made, make());
  auto attributes = std::make_shared<graph::LaunchAttributes>();
  if (wishes.attributes) *attributes = *wishes.attributes;
  if (!attributes->has(xpuLaunchAttributePriority)) {
    xpuLaunchAttributeValue value = {};
    value.priority = stream.priority();
    attributes->set(xpuLaunchAttributePriority, value);
  }
  return made.as<graph::KernelParams>()->with(std::move(attributes));
}

Result<graph::ParamsRef> to_params(const xpuKernelNodeParams* user, const char* argument) {
  xpuKernelNodeParams params;
  XPU_TRY(copy_in(params, user, argument));
  // Names are put together only for refusals: they would be a quarter of what an update costs.
  Result<runtime::Kernel*> live = live_kernel(params.func, "func");
  if (!live.ok()) return respelled_in(live.take_status(), argument, {{"func", "func"}});
  const runtime::Kernel& kernel = *live.value();
  if (params.extra) [[unlikely]]
    return to_packed_params(kernel, params, argument);
  return to_params(kernel, params, params.kernelParams, argument);
}

xpuKernelNodeParams to_public(const graph::KernelParams& params) {
  const auto& kernel = static_cast<const runtime::Kernel&>(params.signature());
  xpuKernelNodeParams known = {};
  known.struct_size = sizeof known;
  known.func = xpu::to_public<xpuKernel_t>(kernel.handle());
  known.gridDim = params.grid();
  known.blockDim = params.block();
  known.sharedMemBytes = static_cast<uint32_t>(params.shared_mem());
  if (params.is_packed())
    known.extra = params.packed_arguments();
  else
    known.kernelParams = params.argument_pointers();
  return known;
}

}  // namespace xpu::capi
