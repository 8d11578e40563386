// SPDX-License-Identifier: Apache-2.0
// The driver's native module format: what zeModuleGetNativeBinary gives and format NATIVE takes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/spirv.h"
#include "base/status.h"

namespace xpu::cpu {

struct NativeModule {
  std::string engine;   // Engine::name() it was made by; another one's code is refused
  std::string options;  // build flags
  std::vector<SpirvKernel> kernels;
  std::vector<std::byte> binary;  // EngineProgram::binary()
};

std::vector<std::byte> write_native(const NativeModule& module);
// Any bytes are safe to give; what is not ours, or damaged, is an error.
Result<NativeModule> read_native(const void* image, size_t size);

}  // namespace xpu::cpu
