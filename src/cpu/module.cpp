// SPDX-License-Identifier: Apache-2.0
// Builds modules and answers questions about them.
#include "cpu/module.h"

#include <algorithm>
#include <cstring>

#include "cpu/native.h"
#include "cpu/spirv_module.h"
#include "cpu/strict.h"
#include "spec/levelzero.h"

namespace xpu::cpu {
namespace {

// What a build came to: content, or the result and the sentence that go to the caller and its log.
struct Build {
  ze_result_t result = ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  Module::Content content;
  std::string log;
};

std::shared_ptr<const KernelCode> make_code(EngineProgram& program,
                                            const std::shared_ptr<EngineProgram>& owner,
                                            const std::shared_ptr<Globals>& globals,
                                            const SpirvKernel& kernel, std::string* refusal) {
  auto engine_kernel = program.kernel(kernel.name, kernel.parameters);
  if (!engine_kernel.ok()) {
    *refusal = engine_kernel.status().sentence();
    return nullptr;
  }
  auto code = std::make_shared<KernelCode>(kernel.name, kernel.parameters);
  code->program = owner;
  code->engine = engine_kernel.take();
  code->globals = globals;
  code->required_group_size = kernel.required_group_size;
  // PoCL tells the sum over all kernels of a module that was built from SPIR.
  code->local_bytes = kernel.local_bytes.value_or(code->engine->facts().local_bytes);
  const auto attribute = [&code](const char* name, const std::array<uint32_t, 3>& size) {
    if (size[0] == 0) return;
    if (!code->attributes.empty()) code->attributes += ' ';
    code->attributes += std::string(name) + "(" + std::to_string(size[0]) + "," +
                        std::to_string(size[1]) + "," + std::to_string(size[2]) + ")";
  };
  attribute("reqd_work_group_size", kernel.required_group_size);
  attribute("work_group_size_hint", kernel.group_size_hint);
  return code;
}

void fill_content(std::shared_ptr<EngineProgram> program, const NativeModule& native, Build* out) {
  Module::Content& content = out->content;
  if (!content.globals) content.native = write_native(native);
  for (const SpirvKernel& kernel : native.kernels) {
    content.names.push_back(kernel.name);
    std::string refusal = kernel.refusal;
    if (refusal.empty()) {
      if (auto code = make_code(*program, program, content.globals, kernel, &refusal)) {
        content.kernels[kernel.name] = std::move(code);
        continue;
      }
    }
    out->log += "note: " + refusal + "\n";
    content.refused[kernel.name] = refusal;
  }
  content.program = std::move(program);
  out->result = ZE_RESULT_SUCCESS;
}

Status build_spirv(Engine* engine, const ze_module_desc_t& desc, const std::string& options,
                   Build* out) {
  std::vector<SpecializationConstant> constants;
  if (const ze_module_constants_t* c = desc.pConstants)
    for (uint32_t i = 0; i < c->numConstants; ++i)
      constants.push_back({c->pConstantIds[i], c->pConstantValues[i]});
  XPU_TRY_ASSIGN(std::vector<uint32_t> words,
                 prepare_spirv(desc.pInputModule, desc.inputSize, constants, &out->log));
  Module::Content& content = out->content;
  XPU_TRY(Globals::place(words, &content.globals, &content.tells_globals, &out->log));
  XPU_TRY_ASSIGN(std::vector<SpirvKernel> kernels, read_spirv(words.data(), words.size() * 4));
  XPU_TRY_ASSIGN(auto program, engine->build({words.data(), words.size() * 4,
                                              Engine::Source::Kind::spirv, options},
                                             &out->log));
  const std::vector<std::byte> binary = program->binary();
  fill_content(std::move(program), {engine->name(), options, std::move(kernels), binary}, out);
  return {};
}

Status build_opencl_c(Engine* engine, const ze_module_desc_t& desc, const std::string& options,
                      Build* out) {
  // Callers count the terminating zero or not.
  const auto* text = reinterpret_cast<const char*>(desc.pInputModule);
  const size_t size = strnlen(text, desc.inputSize);
  XPU_TRY_ASSIGN(auto program,
                 engine->build({text, size, Engine::Source::Kind::opencl_c, options}, &out->log));
  XPU_TRY_ASSIGN(std::vector<SpirvKernel> kernels, program->describe());
  const std::vector<std::byte> binary = program->binary();
  fill_content(std::move(program), {engine->name(), options, std::move(kernels), binary}, out);
  return {};
}

Status build_native(Engine* engine, const ze_module_desc_t& desc, Build* out) {
  out->result = ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
  XPU_TRY_ASSIGN(const NativeModule native, read_native(desc.pInputModule, desc.inputSize));
  if (native.engine != engine->name())
    return invalid_value("the native module was made for '" + native.engine + "', this is '" +
                             engine->name() + "': build it from SPIR-V again",
                         "image");
  out->result = ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  XPU_TRY_ASSIGN(auto program, engine->build({native.binary.data(), native.binary.size(),
                                              Engine::Source::Kind::native, native.options},
                                             &out->log));
  fill_content(std::move(program), native, out);
  return {};
}

Build build(const ze_module_desc_t& desc) {
  Build out;
  const std::string options = desc.pBuildFlags ? desc.pBuildFlags : "";
  auto found = engine();
  Status status;
  if (!found.ok())
    status = found.take_status();
  else if (desc.format == ZE_MODULE_FORMAT_IL_SPIRV)
    status = build_spirv(found.value(), desc, options, &out);
  else if (desc.format == ZE_MODULE_FORMAT_NATIVE)
    status = build_native(found.value(), desc, &out);
  else
    status = build_opencl_c(found.value(), desc, options, &out);
  if (status.code() == xpuErrorJitCompilerNotFound)
    out.result = ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
  if (!status.ok()) out.log += "error: " + status.sentence() + "\n";
  return out;
}

ze_result_t check(const ze_module_desc_t& desc) {
  if (!desc.pInputModule) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (desc.inputSize == 0) return ZE_RESULT_ERROR_INVALID_SIZE;
  if (desc.format != ZE_MODULE_FORMAT_IL_SPIRV && desc.format != ZE_MODULE_FORMAT_NATIVE &&
      desc.format != kZeModuleFormatOpenclC)
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  for (auto* next = static_cast<const ze_base_desc_t*>(desc.pNext); next;
       next = static_cast<const ze_base_desc_t*>(next->pNext))
    if (next->stype == ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC)
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  if (const ze_module_constants_t* c = desc.pConstants; c && c->numConstants > 0) {
    if (!c->pConstantIds || !c->pConstantValues) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    for (uint32_t i = 0; i < c->numConstants; ++i)
      if (!c->pConstantValues[i]) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return ZE_RESULT_SUCCESS;
}

}  // namespace

ze_result_t zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
                           const ze_module_desc_t* desc, ze_module_handle_t* out,
                           ze_module_build_log_handle_t* log) {
  auto in = share<Context>(context);
  if (!in) return refused(context);
  auto on = share<Device>(device);
  if (!on) return refused(device);
  if (!desc || !out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = nullptr;
  if (log) *log = nullptr;
  if (const ze_result_t r = check(*desc); r != ZE_RESULT_SUCCESS) return r;
  Build built = build(*desc);
  if (log) {
    const ze_result_t r = publish(std::make_shared<BuildLog>(std::move(built.log)), log);
    if (r != ZE_RESULT_SUCCESS) return r;
  }
  if (built.result != ZE_RESULT_SUCCESS) return built.result;
  if (built.content.globals) built.content.globals->belong_to(device, context);
  return publish(std::make_shared<Module>(std::move(in), std::move(on), std::move(built.content)),
                 out);
}

ze_result_t zeModuleDestroy(ze_module_handle_t module) {
  const Module* m = cast<Module>(module);
  if (!m) return refused(module);
  if (strict())
    for (const auto& [name, code] : m->content().kernels)
      if (code->in_flight.load() != 0)
        return misuse("zeModuleDestroy", ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
                      Handles::describe(module), " is in use: a launch of its kernel ", name,
                      " is in flight");
  (void)retire<Module>(module);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleDynamicLink(uint32_t count, ze_module_handle_t* modules,
                                ze_module_build_log_handle_t*) {
  if (!modules) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  for (uint32_t i = 0; i < count; ++i)
    if (!cast<Module>(modules[i])) return refused(modules[i]);
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

ze_result_t zeModuleGetNativeBinary(ze_module_handle_t module, size_t* size, uint8_t* out) {
  const Module* m = cast<Module>(module);
  if (!m) return refused(module);
  if (!size) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const std::vector<std::byte>& native = m->content().native;
  if (native.empty()) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  if (out) {
    if (*size < native.size()) return ZE_RESULT_ERROR_INVALID_SIZE;
    std::memcpy(out, native.data(), native.size());
  }
  *size = native.size();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetGlobalPointer(ze_module_handle_t module, const char* name, size_t* size,
                                     void** out) {
  const Module* m = cast<Module>(module);
  if (!m) return refused(module);
  if (!name) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const Module::Content& content = m->content();
  if (!content.tells_globals) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  const auto found = content.globals ? content.globals->find(name) : std::nullopt;
  if (!found) return ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
  if (size) *size = found->size;
  if (out) *out = found->address;
  return ZE_RESULT_SUCCESS;
}

// OpenCL has no way to ask for a function's address.

ze_result_t zeModuleGetFunctionPointer(ze_module_handle_t module, const char* name, void** out) {
  if (!cast<Module>(module)) return refused(module);
  return name && out ? ZE_RESULT_ERROR_UNSUPPORTED_FEATURE : ZE_RESULT_ERROR_INVALID_NULL_POINTER;
}

ze_result_t zeModuleGetKernelNames(ze_module_handle_t module, uint32_t* count, const char** names) {
  const Module* m = cast<Module>(module);
  if (!m) return refused(module);
  if (!count) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const auto available = static_cast<uint32_t>(m->content().names.size());
  if (!names || *count == 0) {
    *count = available;
    return ZE_RESULT_SUCCESS;
  }
  *count = std::min(*count, available);
  for (uint32_t i = 0; i < *count; ++i) names[i] = m->content().names[i].c_str();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetProperties(ze_module_handle_t module, ze_module_properties_t* out) {
  if (!cast<Module>(module)) return refused(module);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  out->flags = 0;  // modules with imports do not build
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t log) {
  return retire<BuildLog>(log) ? ZE_RESULT_SUCCESS : refused(log);
}

ze_result_t zeModuleBuildLogGetString(ze_module_build_log_handle_t log, size_t* size, char* out) {
  const BuildLog* l = cast<BuildLog>(log);
  if (!l) return refused(log);
  if (!size) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const size_t needed = l->text.size() + 1;
  if (out) {
    if (*size < needed) return ZE_RESULT_ERROR_INVALID_SIZE;
    std::memcpy(out, l->text.c_str(), needed);
  }
  *size = needed;
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
