// SPDX-License-Identifier: Apache-2.0
// Loads modules and finds kernels in them.
#include "runtime/module.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/device.h"

namespace xpu::runtime {
namespace {

// Native kernels that were made with a program's own module, kept until they are destroyed.
struct NativeKernels {
  std::mutex lock;
  std::map<uint64_t, std::shared_ptr<Kernel>> kernels;
};
NativeKernels& native_kernels() {
  static auto* made = new NativeKernels;
  return *made;
}

std::string text_of(const ze::Table& table, ze_module_build_log_handle_t log) {
  size_t size = 0;
  if (!log || table.ModuleBuildLogGetString(log, &size, nullptr) != ZE_RESULT_SUCCESS || !size)
    return {};
  std::string text(size, '\0');
  if (table.ModuleBuildLogGetString(log, &size, text.data()) != ZE_RESULT_SUCCESS) return {};
  text.resize(std::strlen(text.c_str()));
  return text;
}

Status build_failure(ze_result_t result, bool spirv, const void* image, size_t size,
                     const std::string& log) {
  xpuError_t code = ze::error_of(result);
  if (result == ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE) code = xpuErrorJitCompilerNotFound;
  // What is no program of any kind is not "for another device". Intel's driver answers a build
  // failure for native code that it cannot use.
  const bool elf = size > 4 && !std::memcmp(image, "\177ELF", 4);
  if (result == ZE_RESULT_ERROR_INVALID_NATIVE_BINARY ||
      (result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE && !spirv))
    code = elf ? xpuErrorNoKernelImageForDevice : xpuErrorInvalidKernelImage;
  std::string sentence = std::string("the ") + (spirv ? "SPIR-V module" : "native module") +
                         " does not build: zeModuleCreate answered " + ze::result_name(result);
  constexpr size_t kMost = 2000;  // a compiler can say a lot; the log has it all
  if (!log.empty()) sentence += ". The compiler: " + log.substr(0, kMost);
  return Status::error(code, std::move(sentence), "image", static_cast<uint32_t>(result));
}

// What the reader of SPIR-V says about an image is for the caller what a compiler says.
Status malformed(const Status& status, std::string* build_log) {
  if (build_log) *build_log = status.sentence();
  return Status::error(xpuErrorInvalidKernelImage, status.sentence(), "image");
}

}  // namespace

Module::Module(Device& device, std::shared_ptr<ze::OwnModule> code,
               std::vector<SpirvKernel> kernels, std::vector<std::string> variables, bool described)
    : device_(device),
      code_(std::move(code)),
      described_(std::move(kernels)),
      variables_(std::move(variables)),
      has_description_(described) {}

Module::~Module() = default;

Result<Module*> Module::load(Device& device, const ModuleSource& source, std::string* build_log) {
  if (!source.image || !source.size)
    return Status::error(xpuErrorInvalidKernelImage, "the image is empty", "image");
  const bool spirv = source.format == ModuleFormat::spirv ||
                     (source.format == ModuleFormat::any && is_spirv(source.image, source.size));
  std::vector<SpirvKernel> kernels;
  std::vector<std::string> variables;
  std::vector<uint32_t> words;  // in this machine's byte order
  if (spirv) {
    Result<std::vector<uint32_t>> image = spirv_words(source.image, source.size);
    if (!image.ok()) return malformed(image.status(), build_log);
    words = image.take();
    Result<std::vector<SpirvKernel>> read =
        read_spirv(words.data(), words.size() * sizeof(uint32_t), &variables);
    if (!read.ok()) return malformed(read.status(), build_log);
    kernels = read.take();
  }
  ze_module_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = spirv ? ZE_MODULE_FORMAT_IL_SPIRV : ZE_MODULE_FORMAT_NATIVE;
  desc.inputSize = spirv ? words.size() * sizeof(uint32_t) : source.size;
  desc.pInputModule = spirv ? reinterpret_cast<const uint8_t*>(words.data())
                            : static_cast<const uint8_t*>(source.image);
  desc.pBuildFlags = source.options.c_str();

  const ze::Table& table = device.ze().table();
  ze_module_handle_t handle = nullptr;
  ze_module_build_log_handle_t log_handle = nullptr;
  const ze_result_t result =
      table.ModuleCreate(device.ze().context(), device.ze().handle(), &desc, &handle, &log_handle);
  const ze::OwnBuildLog log(table, log_handle);
  const std::string text = text_of(table, log_handle);
  if (build_log) *build_log = text;
  if (result != ZE_RESULT_SUCCESS)
    return build_failure(result, spirv, source.image, source.size, text);

  auto code = std::make_shared<ze::OwnModule>(table, handle);
  std::unique_ptr<Module> module(
      new Module(device, std::move(code), std::move(kernels), std::move(variables), spirv));
  module->handle_ = OwnedHandle(HandleType::module, module.get());
  if (!module->handle_.value())
    return Status::error(xpuErrorMemoryAllocation, "there is no room for another handle");
  return module.release();
}

bool Module::unload(uint64_t handle) noexcept {
  const std::unique_ptr<Module> module(
      static_cast<Module*>(HandleTable::drop(HandleType::module, handle)));
  if (!module) return false;
  for (auto& [name, kernel] : module->kernels_) kernel->drop_handle();
  return true;
}

Result<std::vector<Parameter>> Module::parameters_of(const std::string& name,
                                                     std::array<uint32_t, 3>& group_size) const {
  std::string others;
  for (const SpirvKernel& kernel : described_) {
    if (kernel.name != name) {
      if (others.size() < 200) others += (others.empty() ? "" : ", ") + kernel.name;
      continue;
    }
    if (!kernel.refusal.empty()) return Status::error(xpuErrorNotSupported, kernel.refusal, "name");
    group_size = kernel.required_group_size;
    return kernel.parameters;
  }
  return Status::error(xpuErrorSymbolNotFound,
                       "the module has no kernel named \"" + name + "\"" +
                           (others.empty() ? "; it has none at all" : "; it has " + others),
                       "name");
}

Result<Kernel*> Module::kernel(const std::string& name) {
  std::lock_guard hold(lock_);
  const auto known = kernels_.find(name);
  if (known != kernels_.end()) return known->second.get();
  std::array<uint32_t, 3> group_size = {0, 0, 0};
  std::vector<Parameter> parameters;
  if (has_description_) {
    XPU_TRY_ASSIGN(parameters, parameters_of(name, group_size));
  } else {
    XPU_TRY_ASSIGN(parameters, native_parameters(device_, code_->get(), name.c_str()));
  }
  XPU_TRY_ASSIGN(std::shared_ptr<Kernel> made, Kernel::make(device_, code_->get(), code_, name,
                                                            std::move(parameters), group_size));
  return kernels_.emplace(name, std::move(made)).first->second.get();
}

Status Module::check_variable(const std::string& name) const {
  if (!has_description_ ||
      std::find(variables_.begin(), variables_.end(), name) != variables_.end())
    return {};
  std::string others;
  for (const std::string& one : variables_)
    if (others.size() < 200) others += (others.empty() ? "" : ", ") + one;
  return Status::error(xpuErrorSymbolNotFound,
                       "the module has no variable named \"" + name +
                           "\" that it exports; those of the address space global that are not "
                           "static have a name" +
                           (others.empty() ? "" : ": here " + others),
                       "name");
}

Result<const Symbol*> Module::symbol(const std::string& name) {
  std::lock_guard hold(lock_);
  const auto known = symbols_.find(name);
  if (known != symbols_.end()) return known->second.get();
  XPU_TRY(check_variable(name));
  const ze::Table& table = device_.ze().table();
  size_t size = 0;
  void* address = nullptr;
  const ze_result_t result =
      table.ModuleGetGlobalPointer
          ? table.ModuleGetGlobalPointer(code_->get(), name.c_str(), &size, &address)
          : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    return Status::error(xpuErrorNotSupported,
                         "the driver cannot tell where \"" + name +
                             "\" of this module is; give kernels the address of memory instead",
                         "module", static_cast<uint32_t>(result));
  if (result == ZE_RESULT_ERROR_INVALID_GLOBAL_NAME)
    return Status::error(xpuErrorSymbolNotFound,
                         "the module has no variable named \"" + name + "\" that it exports",
                         "name", static_cast<uint32_t>(result));
  XPU_TRY(ze::check(result, "zeModuleGetGlobalPointer"));
  auto made = std::make_unique<Symbol>(name, address, size);
  if (!made->handle())
    return Status::error(xpuErrorMemoryAllocation, "there is no room for another handle");
  return symbols_.emplace(name, std::move(made)).first->second.get();
}

Result<Kernel*> make_native_kernel(Device& device, ze_module_handle_t module, const char* name,
                                   std::vector<Parameter> parameters) {
  XPU_TRY_ASSIGN(std::shared_ptr<Kernel> made,
                 Kernel::make(device, module, nullptr, name, std::move(parameters), {0, 0, 0}));
  NativeKernels& all = native_kernels();
  std::lock_guard hold(all.lock);
  return all.kernels.emplace(made->handle(), made).first->second.get();
}

bool destroy_native_kernel(uint64_t handle) noexcept {
  std::shared_ptr<Kernel> gone;  // outside the lock
  {
    NativeKernels& all = native_kernels();
    std::lock_guard hold(all.lock);
    const auto at = all.kernels.find(handle);
    if (at == all.kernels.end()) return false;
    gone = std::move(at->second);
    gone->drop_handle();
    all.kernels.erase(at);
  }
  // It is not kept for later like a module, because the program may destroy its own module next.
  (void)gone->device().synchronize();
  return true;
}

}  // namespace xpu::runtime
