// SPDX-License-Identifier: Apache-2.0
// The driver's environment, read once: ZE_CPU_DEVICES, ZE_CPU_SCHEDULE, ZE_CPU_STRICT,
// ZE_CPU_POISON, ZE_CPU_WITHOUT, ZE_CPU_TYPE, ZE_CPU_CACHE,
// ZE_CPU_OPENCL_PLATFORM, ZE_CPU_LLVM_SPIRV.
#pragma once

#include <cstdint>
#include <string>

namespace xpu::cpu {

// What ZE_CPU_WITHOUT can hide, so that a library's fallbacks can be tested.
enum class Feature : uint32_t {
  append_lists = 1,
  mutable_lists = 2,  // "mutable"
  counter_events = 4,
  host_function = 8,
  in_order = 16,
  list_sync = 32,
  virtual_memory = 64,
  peer_access = 128,
  semaphores = 256,
  memory_waits = 512,
};

struct Settings {
  uint32_t devices = 1;              // ZE_CPU_DEVICES, 1..16
  std::string schedule = "program";  // ZE_CPU_SCHEDULE=program|reverse|shuffle[:seed]
  bool strict = false;               // ZE_CPU_STRICT
  bool poison = true;                // ZE_CPU_POISON
  uint32_t without = 0;              // Feature bits
  bool show_as_gpu = false;          // ZE_CPU_TYPE=cpu|gpu, for programs that look for GPUs only
  std::string cache;                 // ZE_CPU_CACHE: a folder for compiled kernels; "off" for none
  std::string opencl_platform;       // ZE_CPU_OPENCL_PLATFORM: part of the name of the one to use
  std::string llvm_spirv;            // ZE_CPU_LLVM_SPIRV: the translator, if it is not in PATH
};

const Settings& settings() noexcept;
inline bool has(Feature feature) noexcept {
  return !(settings().without & static_cast<uint32_t>(feature));
}

}  // namespace xpu::cpu
