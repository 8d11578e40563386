// SPDX-License-Identifier: Apache-2.0
// Entry points of module.h.
#include <xpugraph/module.h>

#include <algorithm>
#include <cstring>

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/guard.h"
#include "capi/spelling.h"
#include "capture/rules.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

Status load(const char* call, xpuModule_t* out, const runtime::ModuleSource& source,
            std::string* log) {
  XPU_TRY(require(out, "pModule"));
  XPU_TRY(require(source.image, "image"));
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  XPU_TRY(capture::unsafe_call(call));
  XPU_TRY_ASSIGN(const runtime::Module* module,
                 runtime::Module::load(runtime->current(), source, log));
  *out = to_public<xpuModule_t>(module->handle());
  return {};
}

Result<runtime::ModuleFormat> to_format(xpuModuleFormat format) {
  switch (format) {
    case xpuModuleFormatAuto:
      return runtime::ModuleFormat::any;
    case xpuModuleFormatSpirv:
      return runtime::ModuleFormat::spirv;
    case xpuModuleFormatNative:
      return runtime::ModuleFormat::native;
  }
  return invalid_value(
      "format is " + std::to_string(static_cast<int>(format)) + ", which is no xpuModuleFormat",
      "desc->format");
}

void write_log(const xpuModuleDesc& desc, const std::string& log) noexcept {
  if (!desc.buildLog || desc.buildLogSize == 0) return;
  const size_t n = std::min(log.size(), desc.buildLogSize - 1);
  std::memcpy(desc.buildLog, log.data(), n);
  desc.buildLog[n] = '\0';
}

xpuKernelAttributes describe(const runtime::Kernel& kernel) {
  const runtime::KernelFacts& facts = kernel.facts();
  xpuKernelAttributes attr = {};
  attr.struct_size = sizeof attr;
  attr.numParams = static_cast<uint32_t>(kernel.parameters().size());
  attr.sharedSizeBytes = facts.local_memory;
  attr.localSizeBytes = facts.private_memory;
  attr.spillSizeBytes = facts.spill_memory;
  attr.maxThreadsPerBlock = facts.max_group_size;
  attr.warpSize = kernel.device().properties().subgroup;
  const auto& required = facts.required_group_size;
  attr.requiredBlockDim = {required[0], required[1], required[2]};
  return attr;
}

}  // namespace

xpuError_t xpuModuleLoadData(xpuModule_t* pModule, const void* image, size_t size) {
  return guard(__func__, [&](const char* call) {
    return load(call, pModule, {image, size, runtime::ModuleFormat::any, {}}, nullptr);
  });
}

xpuError_t xpuModuleLoad(xpuModule_t* pModule, const xpuModuleDesc* desc) {
  return guard(__func__, [&](const char* call) -> Status {
    xpuModuleDesc d;
    XPU_TRY(copy_in(d, desc, "desc"));
    XPU_TRY_ASSIGN(const runtime::ModuleFormat format, to_format(d.format));
    std::string log;
    Status status = load(
        call, pModule, {d.image, d.imageSize, format, d.buildOptions ? d.buildOptions : ""}, &log);
    write_log(d, log);
    return spelled_in(std::move(status), "desc", {{"image", "image"}});
  });
}

xpuError_t xpuModuleUnload(xpuModule_t module) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(const runtime::Module* m, live_module(module));
    XPU_TRY(capture::unsafe_call(call));
    (void)runtime::Module::unload(m->handle());
    return {};
  });
}

xpuError_t xpuModuleGetKernel(xpuKernel_t* pKernel, xpuModule_t module, const char* name) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pKernel, "pKernel"));
    XPU_TRY_ASSIGN(runtime::Module * m, live_module(module));
    XPU_TRY(require(name, "name"));
    XPU_TRY_ASSIGN(const runtime::Kernel* kernel, m->kernel(name));
    *pKernel = to_public<xpuKernel_t>(kernel->handle());
    return {};
  });
}

xpuError_t xpuKernelGetAttributes(xpuKernelAttributes* attr, xpuKernel_t kernel) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(check_out_size(attr, sizeof(xpuKernelAttributes), "attr"));
    XPU_TRY_ASSIGN(const runtime::Kernel* k, live_kernel(kernel, "kernel"));
    copy_out(attr, describe(*k));
    return {};
  });
}

xpuError_t xpuKernelGetParamInfo(xpuKernel_t kernel, size_t paramIndex, size_t* paramOffset,
                                 size_t* paramSize) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const runtime::Kernel* k, live_kernel(kernel, "kernel"));
    XPU_TRY(require(paramOffset, "paramOffset"));
    const std::vector<Parameter>& parameters = k->parameters();
    if (paramIndex >= parameters.size())
      return invalid_value("paramIndex is " + std::to_string(paramIndex) + ", but kernel '" +
                               k->name() + "' has " + std::to_string(parameters.size()) +
                               " parameters",
                           "paramIndex");
    *paramOffset = parameters[paramIndex].offset;
    if (paramSize) *paramSize = parameters[paramIndex].size;
    return {};
  });
}
