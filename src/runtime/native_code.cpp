// SPDX-License-Identifier: Apache-2.0
// What compiled code tells about its kernels' parameters: our CPU driver is asked, Intel's binary
// is read.
#include "runtime/device.h"
#include "runtime/module.h"
#include "runtime/zebin.h"

namespace xpu::runtime {
namespace {

Result<std::vector<Parameter>> ask(const ze::Table& table, ze_kernel_handle_t kernel,
                                   uint32_t count) {
  std::vector<Parameter> parameters(count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t kind = 0;
    ZE_TRY(table, CpuKernelGetParameter, kernel, i, &kind, &parameters[i].size);
    parameters[i].kind = static_cast<ParameterKind>(kind);
  }
  return parameters;
}

Result<std::vector<Parameter>> read(const ze::Table& table, ze_module_handle_t module,
                                    const std::string& name) {
  size_t size = 0;
  ZE_TRY(table, ModuleGetNativeBinary, module, &size, nullptr);
  std::vector<uint8_t> binary(size);
  ZE_TRY(table, ModuleGetNativeBinary, module, &size, binary.data());
  binary.resize(size);
  XPU_TRY_ASSIGN(const std::vector<SpirvKernel> kernels, read_zebin(binary.data(), binary.size()));
  for (const SpirvKernel& kernel : kernels) {
    if (kernel.name != name) continue;
    if (kernel.refusal.empty()) return kernel.parameters;
    return Status::error(xpuErrorNotSupported, kernel.refusal, "name");
  }
  return Status::error(xpuErrorNotSupported, "the binary does not describe kernel " + name, "name");
}

}  // namespace

Result<std::vector<Parameter>> native_parameters(Device& device, ze_module_handle_t module,
                                                 const char* name) {
  const ze::Table& table = device.ze().table();
  ze_kernel_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  desc.pKernelName = name;
  ze_kernel_handle_t handle = nullptr;
  const ze_result_t made = table.KernelCreate(module, &desc, &handle);
  if (made == ZE_RESULT_ERROR_INVALID_KERNEL_NAME)
    return Status::error(xpuErrorSymbolNotFound,
                         "the module has no kernel named \"" + std::string(name) + "\"", "name",
                         static_cast<uint32_t>(made));
  XPU_TRY(ze::check(made, "zeKernelCreate"));
  const ze::OwnKernel kernel(table, handle);
  ze_kernel_properties_t p = {};
  p.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  ZE_TRY(table, KernelGetProperties, handle, &p);
  if (!p.numKernelArgs) return std::vector<Parameter>();
  auto told =
      table.CpuKernelGetParameter ? ask(table, handle, p.numKernelArgs) : read(table, module, name);
  // A parameter that the code never reads need not be described; its size then does not matter.
  if (told.ok() && told.value().size() < p.numKernelArgs) told.value().resize(p.numKernelArgs);
  if (told.ok() && told.value().size() == p.numKernelArgs) {
    for (Parameter& parameter : told.value()) {
      if (!parameter.size) parameter.size = sizeof(void*);
    }
    return told;
  }
  return Status::error(
      xpuErrorNotSupported,
      "the compiled code does not tell what the parameters of \"" + std::string(name) + "\" are (" +
          (told.ok() ? "it describes more than there are" : told.status().sentence()) +
          "); load SPIR-V, or give their sizes",
      "name");
}

}  // namespace xpu::runtime
