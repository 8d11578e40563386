// SPDX-License-Identifier: Apache-2.0
// The engine: an OpenCL CPU runtime, found through the OpenCL ICD loader.
//
// Pointers are passed raw with clSetKernelArgSVMPointer: PoCL and Intel's runtime read any address
// of the process. A launch is one clEnqueueNDRangeKernel plus a clSetKernelArg per argument that
// differs from the kernel's last launch.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <list>
#include <mutex>

#include "cpu/cache.h"
#include "cpu/convert.h"
#include "cpu/engine.h"
#include "cpu/engine_opencl.h"

namespace xpu::cpu {
namespace {

Status opencl_failed(const char* call, cl_int code) {
  return Status::error(xpuErrorLaunchFailure,
                       std::string(call) + " failed with OpenCL error " + std::to_string(code));
}

class OpenclKernel final : public EngineKernel {
 public:
  OpenclKernel(cl_kernel kernel, Facts facts, std::vector<Parameter> parameters)
      : kernel_(kernel), facts_(facts), signature_("", std::move(parameters)) {
    last_.resize(signature_.block_size());
  }
  ~OpenclKernel() override { clReleaseKernel(kernel_); }
  const Facts& facts() const noexcept override { return facts_; }

  // The runtime copies the arguments when it enqueues, so one kernel object serves all queues; the
  // lock is held for the enqueue alone.
  Status enqueue(cl_command_queue queue, const EngineWork& work) {
    size_t global[3], local[3], offset[3];
    for (int d = 0; d < 3; ++d) {
      if (work.group_count[d] == 0) return {};
      local[d] = work.group_size[d];
      global[d] = local[d] * work.group_count[d];
      offset[d] = work.offset[d];
    }
    const bool moved = work.offset != Size3{0, 0, 0};
    const std::lock_guard lock(mutex_);
    if (const cl_int r = set_arguments(work.block); r != CL_SUCCESS)
      return opencl_failed("clSetKernelArg", r);
    const cl_int r = clEnqueueNDRangeKernel(queue, kernel_, 3, moved ? offset : nullptr, global,
                                            local, 0, nullptr, nullptr);
    return r == CL_SUCCESS ? Status() : opencl_failed("clEnqueueNDRangeKernel", r);
  }

 private:
  cl_int set_arguments(const std::byte* block) {
    const std::vector<Parameter>& parameters = signature_.parameters();
    for (cl_uint i = 0; i < parameters.size(); ++i) {
      const Parameter& p = parameters[i];
      const std::byte* value = block + p.offset;
      if (is_set_ && std::memcmp(last_.data() + p.offset, value, p.size) == 0) continue;
      if (const cl_int r = set_one(i, p, value); r != CL_SUCCESS) {
        is_set_ = false;
        return r;
      }
      std::memcpy(last_.data() + p.offset, value, p.size);
    }
    is_set_ = true;
    return CL_SUCCESS;
  }

  cl_int set_one(cl_uint index, const Parameter& p, const std::byte* value) {
    switch (p.kind) {
      case ParameterKind::pointer: {
        void* pointer = nullptr;
        std::memcpy(&pointer, value, sizeof pointer);
        // NULL is a buffer argument without a buffer; as an SVM pointer runtimes refuse it.
        return pointer ? clSetKernelArgSVMPointer(kernel_, index, pointer)
                       : clSetKernelArg(kernel_, index, sizeof(cl_mem), nullptr);
      }
      case ParameterKind::local: {
        size_t bytes = 0;
        std::memcpy(&bytes, value, sizeof bytes);
        return clSetKernelArg(kernel_, index, bytes, nullptr);
      }
      case ParameterKind::value:
        break;
    }
    return clSetKernelArg(kernel_, index, p.size, value);
  }

  cl_kernel kernel_;
  Facts facts_;
  Signature signature_;
  std::mutex mutex_;
  std::vector<std::byte> last_;  // what the kernel object holds; guarded by mutex_
  bool is_set_ = false;
};

class OpenclProgram final : public EngineProgram {
 public:
  OpenclProgram(cl_context context, cl_device_id device, cl_program program, std::string options,
                std::vector<std::byte> binary)
      : context_(context),
        device_(device),
        program_(program),
        options_(std::move(options)),
        binary_(std::move(binary)) {}
  ~OpenclProgram() override { clReleaseProgram(program_); }

  Result<std::shared_ptr<EngineKernel>> kernel(const std::string& name,
                                               const std::vector<Parameter>& parameters) override {
    cl_int r = CL_SUCCESS;
    const cl_kernel kernel = clCreateKernel(program_, name.c_str(), &r);
    if (!kernel) return opencl_failed("clCreateKernel", r);
    cl_uint count = 0;
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
    if (count != parameters.size()) {
      clReleaseKernel(kernel);
      return Status::error(xpuErrorInvalidKernelImage,
                           "kernel '" + name + "' takes " + std::to_string(parameters.size()) +
                               " arguments by its SPIR-V and " + std::to_string(count) +
                               " by the OpenCL runtime");
    }
    return std::shared_ptr<EngineKernel>(
        std::make_shared<OpenclKernel>(kernel, facts(kernel), parameters));
  }

  Result<std::vector<SpirvKernel>> describe() override {
    return describe_program(program_, {context_, device_, source(), options_});
  }
  const std::vector<std::byte>& binary() const noexcept override { return binary_; }

 private:
  EngineKernel::Facts facts(cl_kernel kernel) const {
    EngineKernel::Facts f;
    size_t size = 1, multiple = 1, required[3] = {};
    cl_ulong local = 0, own = 0;
    const auto ask = [&](cl_kernel_work_group_info what, size_t bytes, void* out) {
      clGetKernelWorkGroupInfo(kernel, device_, what, bytes, out, nullptr);
    };
    ask(CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size);
    ask(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple, &multiple);
    ask(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required);
    ask(CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local);
    ask(CL_KERNEL_PRIVATE_MEM_SIZE, sizeof own, &own);
    f.max_group_size = static_cast<uint32_t>(std::min<size_t>(size, UINT32_MAX));
    f.preferred_group_multiple = static_cast<uint32_t>(std::max<size_t>(multiple, 1));
    for (int d = 0; d < 3; ++d) f.required_group_size[d] = static_cast<uint32_t>(required[d]);
    f.local_bytes = local;
    f.private_bytes = own;
    return f;
  }

  // The text, if that is what it was built from.
  std::string source() const {
    return {reinterpret_cast<const char*>(binary_.data()) + 1, binary_.size() - 1};
  }

  cl_context context_;
  cl_device_id device_;
  cl_program program_;
  std::string options_;
  std::vector<std::byte> binary_;
};

class OpenclQueue final : public EngineQueue {
 public:
  explicit OpenclQueue(cl_command_queue queue) : queue_(queue) {}
  ~OpenclQueue() override { clReleaseCommandQueue(queue_); }

  Status enqueue(const EngineWork& work) override {
    return static_cast<OpenclKernel*>(work.kernel)->enqueue(queue_, work);
  }
  Status flush() override {
    const cl_int r = clFlush(queue_);
    return r == CL_SUCCESS ? Status() : opencl_failed("clFlush", r);
  }
  Status finish() override {
    const cl_int r = clFinish(queue_);
    return r == CL_SUCCESS ? Status() : opencl_failed("clFinish", r);
  }

 private:
  cl_command_queue queue_;
};

// Level Zero's build flags as the OpenCL runtime knows them; what only a GPU compiler has is
// dropped, and said in the log. PoCL ends the process at an option that lacks its value.
Result<std::string> translated(const std::string& options, std::string* log) {
  std::string out, open;
  const auto keep = [&](const std::string& word) {
    open = open.empty() && (word == "-D" || word == "-I") ? word : "";
    out += " " + word;
  };
  size_t at = 0;
  while (at < options.size()) {
    const size_t end = std::min(options.find(' ', at), options.size());
    const std::string word = options.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (word == "-ze-opt-disable" || word == "-ze-opt-level=0" || word == "-cl-opt-disable")
      keep("-cl-opt-disable");
    else if (word.rfind("-ze-", 0) == 0)
      *log += "note: " + word + " means nothing to a CPU and is ignored\n";
    else
      keep(word);
  }
  if (!open.empty())
    return Status::error(xpuErrorInvalidKernelImage,
                         "the build option " + open + " at the end lacks its value", "image");
  return out;
}

class OpenclEngine final : public Engine {
 public:
  OpenclEngine(OpenclDevice device, cl_context context) : device_(device), context_(context) {}

  const std::string& name() const noexcept override { return device_.name; }

  Result<std::shared_ptr<EngineProgram>> build(const Source& source, std::string* log) override {
    XPU_TRY_ASSIGN(const std::string options, translated(source.options, log));
    Digest digest;
    digest.add(device_.name);
    digest.add(kBuiltins);
    digest.add(options);
    digest.add(&source.kind, sizeof source.kind);
    digest.add(source.data, source.size);
    const std::string key = digest.hex();
    if (auto known = recall(key)) return known;
    XPU_TRY_ASSIGN(std::vector<std::byte> binary, binary_of(source, key, log));
    XPU_TRY_ASSIGN(auto program, build_binary(std::move(binary), options, log));
    remember(key, program);
    return program;
  }

  Result<std::unique_ptr<EngineQueue>> queue() override {
    cl_int r = CL_SUCCESS;
    const cl_command_queue queue =
        clCreateCommandQueueWithProperties(context_, device_.id, nullptr, &r);
    if (!queue) return opencl_failed("clCreateCommandQueueWithProperties", r);
    return std::unique_ptr<EngineQueue>(std::make_unique<OpenclQueue>(queue));
  }

 private:
  // First byte of a binary: what the rest is.
  enum class Form : uint8_t { spirv = 1, bitcode = 2, opencl_c = 3 };
  // As many programs stay built after their modules are gone: frameworks load the same ones again.
  static constexpr size_t kRemembered = 32;

  static std::vector<std::byte> tagged(Form form, const void* data, size_t size) {
    std::vector<std::byte> out(size + 1);
    out[0] = static_cast<std::byte>(form);
    std::memcpy(out.data() + 1, data, size);
    return out;
  }

  Result<std::vector<std::byte>> binary_of(const Source& source, const std::string& key,
                                           std::string* log) {
    const auto* bytes = static_cast<const std::byte*>(source.data);
    switch (source.kind) {
      case Source::Kind::native:
        return std::vector<std::byte>(bytes, bytes + source.size);
      case Source::Kind::opencl_c:
        return tagged(Form::opencl_c, source.data, source.size);
      case Source::Kind::spirv:
        break;
    }
    if (device_.takes_spirv) return tagged(Form::spirv, source.data, source.size);
    if (auto cached = cache_read(key)) return std::move(*cached);
    XPU_TRY_ASSIGN(const std::vector<std::byte> bitcode,
                   spirv_to_bitcode(source.data, source.size, log));
    std::vector<std::byte> out = tagged(Form::bitcode, bitcode.data(), bitcode.size());
    cache_write(key, out);
    return out;
  }

  Result<std::shared_ptr<EngineProgram>> build_binary(std::vector<std::byte> binary,
                                                      std::string options, std::string* log) {
    if (binary.size() < 2)
      return Status::error(xpuErrorInvalidKernelImage, "the binary is empty", "image");
    const auto* data = reinterpret_cast<const unsigned char*>(binary.data() + 1);
    const size_t size = binary.size() - 1;
    cl_int r = CL_INVALID_BINARY;
    cl_program program = nullptr;
    switch (static_cast<Form>(binary[0])) {
      case Form::spirv:
        program = clCreateProgramWithIL(context_, data, size, &r);
        break;
      case Form::bitcode:
        program = clCreateProgramWithBinary(context_, 1, &device_.id, &size, &data, nullptr, &r);
        options = "-x spir -spir-std=1.2" + options;
        break;
      case Form::opencl_c: {
        const char* text = reinterpret_cast<const char*>(data);
        program = clCreateProgramWithSource(context_, 1, &text, &size, &r);
        options = "-cl-kernel-arg-info" + options;
        break;
      }
    }
    if (!program)
      return Status::error(
          xpuErrorInvalidKernelImage,
          "the OpenCL runtime refuses the module (error " + std::to_string(r) + ")", "image");
    r = clBuildProgram(program, 1, &device_.id, options.c_str(), nullptr, nullptr);
    add_build_log(program, log);
    if (r != CL_SUCCESS) {
      clReleaseProgram(program);
      return Status::error(
          xpuErrorInvalidKernelImage,
          "the OpenCL runtime could not build the module (error " + std::to_string(r) + ")",
          "image");
    }
    return std::shared_ptr<EngineProgram>(
        std::make_shared<OpenclProgram>(context_, device_.id, program, options, std::move(binary)));
  }

  void add_build_log(cl_program program, std::string* log) const {
    size_t size = 0;
    clGetProgramBuildInfo(program, device_.id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string text(size, '\0');
    if (size)
      clGetProgramBuildInfo(program, device_.id, CL_PROGRAM_BUILD_LOG, size, text.data(), nullptr);
    *log += text.c_str();
  }

  std::shared_ptr<EngineProgram> recall(const std::string& key) {
    const std::lock_guard lock(mutex_);
    for (auto it = recent_.begin(); it != recent_.end(); ++it) {
      if (it->first != key) continue;
      recent_.splice(recent_.begin(), recent_, it);
      return it->second;
    }
    return nullptr;
  }

  void remember(const std::string& key, const std::shared_ptr<EngineProgram>& program) {
    const std::lock_guard lock(mutex_);
    recent_.emplace_front(key, program);
    if (recent_.size() > kRemembered) recent_.pop_back();
  }

  OpenclDevice device_;
  cl_context context_;
  std::mutex mutex_;
  std::list<std::pair<std::string, std::shared_ptr<EngineProgram>>> recent_;
};

Result<Engine*> make_engine() {
  XPU_TRY_ASSIGN(const OpenclDevice device, find_opencl_device());
  cl_int r = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &r);
  if (!context) return opencl_failed("clCreateContext", r);
  // Never destroyed: kernels may still run when static destructors do.
  return static_cast<Engine*>(new OpenclEngine(device, context));
}

}  // namespace

Result<Engine*> engine() {
  static Result<Engine*>* const made = new Result<Engine*>(make_engine());
  if (!made->ok()) return made->status().copy();
  return made->value();
}

}  // namespace xpu::cpu
