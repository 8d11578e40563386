// SPDX-License-Identifier: Apache-2.0
// Kernel signatures of a program built from OpenCL C.
//
// OpenCL tells an argument's address space and type name but not its size. (Offering sizes to
// clSetKernelArg does not find it: PoCL 3.1 takes any for a structure.) So the compiler is asked:
// the source is built once more with a kernel that stores sizeof of each such type.
#include <algorithm>

#include "cpu/engine_opencl.h"

namespace xpu::cpu {
namespace {

struct Argument {
  cl_kernel_arg_address_qualifier space;
  std::string type;
};

struct Described {
  SpirvKernel kernel;
  std::vector<Argument> arguments;
};

std::string text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what) {
  size_t size = 0;
  if (clGetKernelArgInfo(kernel, index, what, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::string out(size, '\0');
  clGetKernelArgInfo(kernel, index, what, size, out.data(), nullptr);
  return out.c_str();
}

Described look_at(cl_kernel kernel, cl_device_id device) {
  Described out;
  size_t size = 0;
  clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size);
  std::string name(size, '\0');
  clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr);
  out.kernel.name = name.c_str();
  size_t required[3] = {};
  clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                           required, nullptr);
  for (int d = 0; d < 3; ++d)
    out.kernel.required_group_size[d] = static_cast<uint32_t>(required[d]);
  cl_uint count = 0;
  clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
  for (cl_uint i = 0; i < count; ++i) {
    Argument a{CL_KERNEL_ARG_ADDRESS_PRIVATE, text(kernel, i, CL_KERNEL_ARG_TYPE_NAME)};
    clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof a.space, &a.space,
                       nullptr);
    out.arguments.push_back(std::move(a));
  }
  return out;
}

bool is_object(const std::string& type) {
  return type.find("image") == 0 || type == "sampler_t" || type == "event_t" || type == "queue_t" ||
         type.find("pipe") == 0;
}

// Sizes of `types`, or nothing if the probe does not build or run.
std::vector<cl_ulong> ask_compiler(const OpenclSource& source,
                                   const std::vector<std::string>& types) {
  std::string probe = source.text + "\nkernel void ze_cpu_sizes(global ulong* out) {\n";
  for (size_t i = 0; i < types.size(); ++i)
    probe += "  out[" + std::to_string(i) + "] = sizeof(" + types[i] + ");\n";
  probe += "}\n";
  const char* lines = probe.c_str();
  const size_t length = probe.size();
  std::vector<cl_ulong> sizes(types.size());
  const size_t bytes = sizes.size() * sizeof(cl_ulong), one = 1;
  cl_int r = CL_SUCCESS;
  const cl_program program = clCreateProgramWithSource(source.context, 1, &lines, &length, &r);
  const cl_mem memory = clCreateBuffer(source.context, CL_MEM_READ_WRITE, bytes, nullptr, &r);
  const cl_command_queue queue =
      clCreateCommandQueueWithProperties(source.context, source.device, nullptr, &r);
  cl_kernel kernel = nullptr;
  bool known = program && memory && queue &&
               clBuildProgram(program, 1, &source.device, source.options.c_str(), nullptr,
                              nullptr) == CL_SUCCESS;
  if (known) kernel = clCreateKernel(program, "ze_cpu_sizes", &r);
  known = kernel && clSetKernelArg(kernel, 0, sizeof memory, &memory) == CL_SUCCESS &&
          clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr) ==
              CL_SUCCESS &&
          clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, sizes.data(), 0, nullptr,
                              nullptr) == CL_SUCCESS;
  if (kernel) clReleaseKernel(kernel);
  if (queue) clReleaseCommandQueue(queue);
  if (memory) clReleaseMemObject(memory);
  if (program) clReleaseProgram(program);
  if (!known) sizes.clear();
  return sizes;
}

// Every by-value type of the program, once.
std::vector<std::string> value_types(const std::vector<Described>& kernels) {
  std::vector<std::string> types;
  for (const Described& k : kernels)
    for (const Argument& a : k.arguments)
      if (a.space == CL_KERNEL_ARG_ADDRESS_PRIVATE && !is_object(a.type) &&
          std::find(types.begin(), types.end(), a.type) == types.end())
        types.push_back(a.type);
  return types;
}

void add_parameter(SpirvKernel* kernel, const Argument& argument,
                   const std::vector<std::string>& types, const std::vector<cl_ulong>& sizes) {
  Parameter p{ParameterKind::pointer, 8, 0};
  if (argument.space == CL_KERNEL_ARG_ADDRESS_LOCAL) p.kind = ParameterKind::local;
  if (argument.space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
    const auto at =
        static_cast<size_t>(std::find(types.begin(), types.end(), argument.type) - types.begin());
    p = {ParameterKind::value, at < sizes.size() ? static_cast<uint32_t>(sizes[at]) : 0, 0};
    if (p.size == 0)
      kernel->refusal = "kernel '" + kernel->name + "': parameter " +
                        std::to_string(kernel->parameters.size()) + " of type '" + argument.type +
                        "' cannot be passed";
  }
  kernel->parameters.push_back(p);
}

}  // namespace

Result<std::vector<SpirvKernel>> describe_program(cl_program program, const OpenclSource& source) {
  cl_uint count = 0;
  if (clCreateKernelsInProgram(program, 0, nullptr, &count) != CL_SUCCESS)
    return Status::error(xpuErrorInvalidKernelImage,
                         "the OpenCL runtime does not list its kernels");
  std::vector<cl_kernel> handles(count);
  if (count) clCreateKernelsInProgram(program, count, handles.data(), nullptr);
  std::vector<Described> kernels;
  for (const cl_kernel handle : handles) {
    kernels.push_back(look_at(handle, source.device));
    clReleaseKernel(handle);
  }
  const std::vector<std::string> types = value_types(kernels);
  const std::vector<cl_ulong> sizes =
      types.empty() ? std::vector<cl_ulong>() : ask_compiler(source, types);
  std::vector<SpirvKernel> out;
  for (Described& k : kernels) {
    for (const Argument& a : k.arguments) add_parameter(&k.kernel, a, types, sizes);
    out.push_back(std::move(k.kernel));
  }
  return out;
}

}  // namespace xpu::cpu
