// SPDX-License-Identifier: Apache-2.0
// Modules, memory and launches in a line each, for tests of kernels.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "ze_direct.h"

inline std::string read_bytes(const char* environment) {
  const char* path = getenv(environment);
  std::ifstream in(path ? path : "", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Built {
  ze_result_t result;
  ze_module_handle_t module;
  std::string log;
};

inline Built build_module(const std::string& image, ze_module_format_t format,
                          const char* flags = nullptr,
                          const ze_module_constants_t* constants = nullptr) {
  Built b{};
  ze_module_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = format;
  desc.inputSize = image.size();
  desc.pInputModule = reinterpret_cast<const uint8_t*>(image.data());
  desc.pBuildFlags = flags;
  desc.pConstants = constants;
  ze_module_build_log_handle_t log = nullptr;
  b.result = ZE(ModuleCreate)(ze_direct().context, ze_direct().device, &desc, &b.module, &log);
  size_t size = 0;
  if (log && ZE(ModuleBuildLogGetString)(log, &size, nullptr) == ZE_RESULT_SUCCESS) {
    b.log.resize(size);
    ZE(ModuleBuildLogGetString)(log, &size, b.log.data());
    b.log.resize(size - 1);
  }
  if (log) ZE(ModuleBuildLogDestroy)(log);
  return b;
}

inline ze_result_t make_kernel(ze_module_handle_t module, const char* name,
                               ze_kernel_handle_t* out) {
  ze_kernel_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  desc.pKernelName = name;
  return ZE(KernelCreate)(module, &desc, out);
}

inline ze_kernel_handle_t kernel_of(ze_module_handle_t module, const char* name) {
  ze_kernel_handle_t kernel = nullptr;
  return make_kernel(module, name, &kernel) == ZE_RESULT_SUCCESS ? kernel : nullptr;
}

inline void* shared_memory(size_t size) {
  ze_device_mem_alloc_desc_t device{};
  device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  ze_host_mem_alloc_desc_t host{};
  host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* memory = nullptr;
  ZE(MemAllocShared)(ze_direct().context, &device, &host, size, 0, ze_direct().device, &memory);
  return memory;
}

inline void free_memory(void* memory) { ZE(MemFree)(ze_direct().context, memory); }

template <class T>
ze_result_t set(ze_kernel_handle_t kernel, uint32_t index, const T& value) {
  return ZE(KernelSetArgumentValue)(kernel, index, sizeof value, &value);
}

// Runs it and waits.
inline ze_result_t run_kernel(ze_kernel_handle_t kernel, uint32_t groups) {
  ze_command_queue_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  ze_result_t result =
      ZE(CommandListCreateImmediate)(ze_direct().context, ze_direct().device, &desc, &list);
  if (result != ZE_RESULT_SUCCESS) return result;
  const ze_group_count_t count = {groups, 1, 1};
  result = ZE(CommandListAppendLaunchKernel)(list, kernel, &count, nullptr, 0, nullptr);
  ZE(CommandListDestroy)(list);
  return result;
}
