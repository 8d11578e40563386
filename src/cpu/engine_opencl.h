// SPDX-License-Identifier: Apache-2.0
// The two questions the OpenCL engine asks the runtime before anything runs: is there a CPU device,
// and what do the kernels of a program take.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <string>
#include <vector>

#include "base/spirv.h"
#include "base/status.h"

namespace xpu::cpu {

struct OpenclDevice {
  cl_device_id id = nullptr;
  std::string name;  // platform, version and device: results may be cached under it
  bool takes_spirv = false;
};

// ZE_CPU_OPENCL_PLATFORM names one by a part of its name; else a CPU that takes SPIR-V itself is
// preferred to one that does not.
Result<OpenclDevice> find_opencl_device();

struct OpenclSource {
  cl_context context;
  cl_device_id device;
  std::string text, options;
};

// Signatures from the runtime's own reflection, for a program built from this source.
Result<std::vector<SpirvKernel>> describe_program(cl_program program, const OpenclSource& source);

}  // namespace xpu::cpu
