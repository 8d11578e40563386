// SPDX-License-Identifier: Apache-2.0
// Entry points that launch kernels: xpuLaunchKernel() of module.h, and those of launch.h.
#include <xpugraph/launch.h>

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/enqueue.h"
#include "capi/guard.h"
#include "capi/kernel_params.h"
#include "capi/spelling.h"
#include "runtime/copy.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

const Wishes kNoWishes;

Status launch(const char* call, xpuKernel_t func, xpuStream_t stream, const LaunchShape& shape,
              const Wishes& wishes) {
  XPU_TRY_ASSIGN(const runtime::Kernel* kernel, live_kernel(func, "func"));
  XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
  if (&kernel->device() != &s->device())
    return Status::error(xpuErrorInvalidResourceHandle,
                         "the kernel was loaded for another device than the stream's", "func");
  return enqueue(
      call, *s, [&] { return to_launch(*s, *kernel, shape, wishes); },
      [&] {
        return runtime::launch(*s, *kernel, shape.grid, shape.block, shape.args, shape.shared_mem,
                               wishes.how());
      });
}

// What launches have and nodes do not.
Status check_of_launch(const xpuLaunchAttribute& attribute, bool* kept) {
  *kept = false;
  switch (attribute.id) {
    case xpuLaunchAttributeIgnore:
      return {};
    case xpuLaunchAttributeProgrammaticStreamSerialization:
      if (static_cast<unsigned>(attribute.val.programmaticStreamSerializationAllowed) <= 1)
        return {};
      return invalid_value("programmaticStreamSerializationAllowed must be 0 or 1", "attrs");
    case xpuLaunchAttributeProgrammaticEvent:
    case xpuLaunchAttributeLaunchCompletionEvent:
      return Status::error(xpuErrorNotSupported,
                           "Level Zero cannot signal an event while a kernel starts; record it "
                           "behind the launch",
                           "attrs");
    default:
      *kept = true;
      return spelled(graph::check_node_attribute(attribute.id, attribute.val),
                     {{"attr", "attrs"}, {"value", "attrs"}});
  }
}

Result<Wishes> read_attributes(const xpuLaunchConfig_t& config) {
  Wishes wishes;
  if (!config.numAttrs) return wishes;
  if (!config.attrs)
    return invalid_value("attrs is NULL but numAttrs is " + std::to_string(config.numAttrs),
                         "attrs");
  auto attributes = std::make_shared<graph::LaunchAttributes>();
  for (unsigned int i = 0; i < config.numAttrs; i++) {
    bool kept = false;
    XPU_TRY(check_of_launch(config.attrs[i], &kept));
    if (kept) attributes->set(config.attrs[i].id, config.attrs[i].val);
  }
  wishes.attributes = std::move(attributes);
  return wishes;
}

Result<Wishes> cooperative() {
  xpuLaunchAttributeValue value = {};
  value.cooperative = 1;
  auto attributes = std::make_shared<graph::LaunchAttributes>();
  attributes->set(xpuLaunchAttributeCooperative, value);
  return Wishes{std::move(attributes)};
}

}  // namespace

xpuError_t xpuLaunchKernel(xpuKernel_t func, xpuDim3 gridDim, xpuDim3 blockDim, void** args,
                           size_t sharedMem, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) {
    return launch(call, func, stream, {gridDim, blockDim, args, sharedMem}, kNoWishes);
  });
}

xpuError_t xpuLaunchCooperativeKernel(xpuKernel_t func, xpuDim3 gridDim, xpuDim3 blockDim,
                                      void** args, size_t sharedMem, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(const Wishes wishes, cooperative());
    return launch(call, func, stream, {gridDim, blockDim, args, sharedMem}, wishes);
  });
}

xpuError_t xpuLaunchKernelExC(const xpuLaunchConfig_t* config, xpuKernel_t func, void** args) {
  return guard(__func__, [&](const char* call) -> Status {
    xpuLaunchConfig_t asked;
    XPU_TRY(copy_in(asked, config, "config"));
    Result<Wishes> wishes = read_attributes(asked);
    Status status =
        wishes.ok()
            ? launch(call, func, asked.stream,
                     {asked.gridDim, asked.blockDim, args, asked.dynamicSmemBytes}, wishes.value())
            : wishes.take_status();
    return spelled_in(std::move(status), "config",
                      {{"attrs", "attrs"},
                       {"gridDim", "gridDim"},
                       {"blockDim", "blockDim"},
                       {"sharedMem", "dynamicSmemBytes"},
                       {"stream", "stream"}});
  });
}
