// SPDX-License-Identifier: Apache-2.0
// Loads the modules that are built in, one for each device.
#include "kernel.h"

#include <map>
#include <mutex>
#include <utility>

#include "kernel_images.h"

namespace xpugraph_torch {
namespace {

xpuModule_t load(const char* name) {
  for (const KernelImage& image : kernel_images) {
    if (std::string_view(image.name) != name) continue;
    xpuModule_t module = nullptr;
    check(xpuModuleLoadData(&module, image.begin, image.size));
    return module;
  }
  TORCH_CHECK(false, "there is no module of kernels named ", name);
}

/// Of the current device; never unloaded, because graphs may outlive everything else.
xpuModule_t module_named(const char* name) {
  static auto* mutex = new std::mutex;
  static auto* loaded = new std::map<std::pair<std::string, c10::DeviceIndex>, xpuModule_t>;
  std::lock_guard lock(*mutex);
  xpuModule_t& module = (*loaded)[{name, current_device()}];
  if (!module) module = load(name);
  return module;
}

}  // namespace

xpuKernel_t Kernel::find() const {
  auto index = static_cast<size_t>(current_device());
  if (is_known_[index].load(std::memory_order_acquire)) return found_[index];
  xpuKernel_t kernel = nullptr;
  xpuError_t error = xpuModuleGetKernel(&kernel, module_named(module_), name_.c_str());
  if (error == xpuErrorSymbolNotFound)
    xpuGetLastError();
  else
    check(error);
  found_[index] = kernel;
  is_known_[index].store(true, std::memory_order_release);
  return kernel;
}

xpuKernel_t Kernel::get() const {
  xpuKernel_t kernel = find();
  TORCH_CHECK(kernel, "there is no kernel ", name_, " in the module ", module_);
  return kernel;
}

}  // namespace xpugraph_torch
