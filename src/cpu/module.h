// SPDX-License-Identifier: Apache-2.0
// Modules: SPIR-V, our native binary or OpenCL C, built by the engine; and the code of their
// kernels.
#pragma once

#include <level_zero/ze_api.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/signature.h"
#include "cpu/context.h"
#include "cpu/device.h"
#include "cpu/engine.h"
#include "cpu/globals.h"
#include "cpu/handle.h"

namespace xpu::cpu {

// A kernel of a built module, immutable. Snapshots share it.
struct KernelCode {
  KernelCode(std::string name, std::vector<Parameter> parameters)
      : signature(std::move(name), std::move(parameters)) {}
  Signature signature;
  std::shared_ptr<EngineProgram> program;
  std::shared_ptr<EngineKernel> engine;
  std::shared_ptr<Globals> globals;  // that it may use
  Size3 required_group_size = {0, 0, 0};
  uint64_t local_bytes = 0;  // declared inside the kernel
  std::string attributes;    // space-separated, as zeKernelGetSourceAttributes wants it
  // Launches of it in flight, by any handle (KernelSnapshot::enter): its module must not go
  // meanwhile.
  mutable std::atomic<uint32_t> in_flight{0};
};

class Module : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::module;
  struct Content {
    std::shared_ptr<EngineProgram> program;
    std::map<std::string, std::shared_ptr<const KernelCode>> kernels;
    std::map<std::string, std::string> refused;  // kernels that cannot be launched, and why
    std::vector<std::string> names;              // in the module's order
    // What zeModuleGetNativeBinary gives; nothing if there are addresses of this process in it.
    std::vector<std::byte> native;
    std::shared_ptr<Globals> globals;  // nullptr: no variables, or none that could be placed
    bool tells_globals = false;        // false: there may be some that are not known
  };
  Module(std::shared_ptr<Context> context, std::shared_ptr<Device> device, Content content)
      : Object(kType),
        context_(std::move(context)),
        device_(std::move(device)),
        content_(std::move(content)) {}

  const Content& content() const noexcept { return content_; }
  const std::shared_ptr<Device>& device() const noexcept { return device_; }
  const std::shared_ptr<Context>& context() const noexcept { return context_; }

 private:
  std::shared_ptr<Context> context_;
  std::shared_ptr<Device> device_;
  Content content_;
};

class BuildLog : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::build_log;
  explicit BuildLog(std::string lines) : Object(kType), text(std::move(lines)) {}
  const std::string text;
};

ze_result_t zeModuleCreate(ze_context_handle_t, ze_device_handle_t, const ze_module_desc_t*,
                           ze_module_handle_t*, ze_module_build_log_handle_t*);
ze_result_t zeModuleDestroy(ze_module_handle_t);
ze_result_t zeModuleDynamicLink(uint32_t, ze_module_handle_t*, ze_module_build_log_handle_t*);
ze_result_t zeModuleGetNativeBinary(ze_module_handle_t, size_t*, uint8_t*);
ze_result_t zeModuleGetGlobalPointer(ze_module_handle_t, const char*, size_t*, void**);
ze_result_t zeModuleGetKernelNames(ze_module_handle_t, uint32_t*, const char**);
ze_result_t zeModuleGetProperties(ze_module_handle_t, ze_module_properties_t*);
ze_result_t zeModuleGetFunctionPointer(ze_module_handle_t, const char*, void**);
ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t);
ze_result_t zeModuleBuildLogGetString(ze_module_build_log_handle_t, size_t*, char*);

}  // namespace xpu::cpu
