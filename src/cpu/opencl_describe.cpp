// SPDX-License-Identifier: Apache-2.0
// Kernel signatures of a built OpenCL program.
//
// OpenCL tells an argument's address space but not its size, so the size of a by-value argument is found
// by offering sizes: clSetKernelArg refuses every wrong one. Objects that are thrown away are used.
#include "cpu/engine_opencl.h"

namespace xpu::cpu {
namespace {

constexpr size_t kMostBytes = 1024;

uint32_t value_size(cl_kernel kernel, cl_uint index) {
  static const unsigned char zeros[kMostBytes] = {};
  for (const size_t size : {4, 8, 1, 2, 16, 32, 64, 128})
    if (clSetKernelArg(kernel, index, size, zeros) == CL_SUCCESS) return static_cast<uint32_t>(size);
  for (size_t size = 3; size <= kMostBytes; ++size)
    if (clSetKernelArg(kernel, index, size, zeros) == CL_SUCCESS) return static_cast<uint32_t>(size);
  return 0;
}

SpirvKernel describe(cl_kernel kernel, cl_device_id device) {
  SpirvKernel out;
  size_t size = 0;
  clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size);
  std::string name(size, '\0');
  clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr);
  out.name = name.c_str();
  cl_uint count = 0;
  clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
  for (cl_uint i = 0; i < count; ++i) {
    cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr);
    Parameter p{ParameterKind::pointer, 8, 0};
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) p.kind = ParameterKind::local;
    if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
      p = {ParameterKind::value, value_size(kernel, i), 0};
      if (p.size == 0)
        out.refusal = "kernel '" + out.name + "': parameter " + std::to_string(i) +
                      " is neither plain data nor a pointer, so it cannot be passed";
    }
    out.parameters.push_back(p);
  }
  size_t required[3] = {};
  clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                           required, nullptr);
  for (int d = 0; d < 3; ++d) out.required_group_size[d] = static_cast<uint32_t>(required[d]);
  return out;
}

}  // namespace

Result<std::vector<SpirvKernel>> describe_program(cl_program program, cl_device_id device) {
  cl_uint count = 0;
  if (clCreateKernelsInProgram(program, 0, nullptr, &count) != CL_SUCCESS)
    return Status::error(xpuErrorInvalidKernelImage, "the OpenCL runtime does not list its kernels");
  std::vector<cl_kernel> kernels(count);
  if (count) clCreateKernelsInProgram(program, count, kernels.data(), nullptr);
  std::vector<SpirvKernel> out;
  for (const cl_kernel kernel : kernels) {
    out.push_back(describe(kernel, device));
    clReleaseKernel(kernel);
  }
  return out;
}

}  // namespace xpu::cpu
