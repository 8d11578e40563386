// SPDX-License-Identifier: Apache-2.0
// Modules: device code, and the kernels in it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/handle.h"
#include "base/spirv.h"
#include "base/status.h"
#include "runtime/kernel.h"

namespace xpu::runtime {

class Device;

// What a kernel of compiled code takes, as far as the code tells.
Result<std::vector<Parameter>> native_parameters(Device& device, ze_module_handle_t module,
                                                 const char* name);

enum class ModuleFormat : uint8_t {
  any,  // SPIR-V if it starts so, else native
  spirv,
  native,  // what the driver compiled earlier
};

struct ModuleSource {
  const void* image = nullptr;
  size_t size = 0;
  ModuleFormat format = ModuleFormat::any;
  std::string options;  // the compiler's
};

// A variable of program scope, and its handle.
class Symbol {
 public:
  Symbol(std::string name, void* address, size_t size)
      : name_(std::move(name)), address_(address), size_(size), handle_(HandleType::symbol, this) {}

  const std::string& name() const noexcept { return name_; }
  void* address() const noexcept { return address_; }
  size_t size() const noexcept { return size_; }
  // 0 if the table was full.
  uint64_t handle() const noexcept { return handle_.value(); }

 private:
  const std::string name_;
  void* const address_;
  const size_t size_;
  const OwnedHandle handle_;
};

class Module {
 public:
  // Lives until unload. `build_log`, if given, gets the compiler's words, also on failure.
  static Result<Module*> load(Device& device, const ModuleSource& source, std::string* build_log);
  // Kernel handles got from it are dead with it; graphs that hold kernels keep the code.
  static bool unload(uint64_t handle) noexcept;
  ~Module();

  // The same kernel for the same name. Its handle lives as long as the module's.
  Result<Kernel*> kernel(const std::string& name);
  // The same variable for the same name, living as long as the module.
  Result<const Symbol*> symbol(const std::string& name);

  Device& device() const noexcept { return device_; }
  // Of HandleType::module, naming `this`.
  uint64_t handle() const noexcept { return handle_.value(); }

 private:
  Module(Device& device, std::shared_ptr<ze::OwnModule> code, std::vector<SpirvKernel> kernels,
         std::vector<std::string> variables, bool described);
  Status check_variable(const std::string& name) const;
  Result<std::vector<Parameter>> parameters_of(const std::string& name,
                                               std::array<uint32_t, 3>& group_size) const;

  Device& device_;
  std::shared_ptr<ze::OwnModule> code_;
  std::vector<SpirvKernel> described_;  // from SPIR-V
  std::vector<std::string> variables_;  // that it exports, also from there
  bool has_description_;                // false: native code, parameter sizes unknown
  OwnedHandle handle_;
  std::mutex lock_;  // guards kernels_ and symbols_
  std::map<std::string, std::shared_ptr<Kernel>> kernels_;
  std::map<std::string, std::unique_ptr<Symbol>> symbols_;
};

// A kernel of a program's own module. `sizes[i]` is the size of parameter i in bytes; `local[i]`,
// if given, marks local memory. It lives until destroy_native_kernel.
Result<Kernel*> make_native_kernel(Device& device, ze_module_handle_t module, const char* name,
                                   std::vector<Parameter> parameters);
bool destroy_native_kernel(uint64_t handle) noexcept;

}  // namespace xpu::runtime
