// SPDX-License-Identifier: Apache-2.0
// What compiled code tells about its kernels' parameters.
#include "runtime/device.h"
#include "runtime/module.h"

namespace xpu::runtime {

Result<std::vector<Parameter>> native_parameters(Device& device, ze_module_handle_t module,
                                                 const char* name) {
  const ze::Table& table = device.ze().table();
  ze_kernel_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  desc.pKernelName = name;
  ze_kernel_handle_t handle = nullptr;
  ZE_TRY(table, KernelCreate, module, &desc, &handle);
  const ze::OwnKernel kernel(table, handle);
  ze_kernel_properties_t p = {};
  p.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  ZE_TRY(table, KernelGetProperties, handle, &p);
  if (!p.numKernelArgs) return std::vector<Parameter>();
  return Status::error(xpuErrorNotSupported,
                       "the compiled code does not tell how large the parameters of \"" +
                           std::string(name) +
                           "\" are; load SPIR-V, or give the sizes to xpuKernelCreateFromNative",
                       "name");
}

}  // namespace xpu::runtime
