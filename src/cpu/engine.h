// SPDX-License-Identifier: Apache-2.0
// What executes kernels: programs, kernels and in-order queues behind one small interface, so that
// the driver knows nothing about the runtime below it. engine_opencl.cpp is the implementation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/signature.h"
#include "base/spirv.h"
#include "base/status.h"

namespace xpu::cpu {

using Size3 = std::array<uint32_t, 3>;

// A kernel of a program, shared by all that launch it. Safe from any thread.
class EngineKernel {
 public:
  struct Facts {
    uint32_t max_group_size = 1;
    uint32_t preferred_group_multiple = 1;
    uint64_t local_bytes = 0;    // declared inside the kernel
    uint64_t private_bytes = 0;  // per work-item
    Size3 required_group_size = {0, 0, 0};
  };
  virtual ~EngineKernel() = default;
  virtual const Facts& facts() const noexcept = 0;
};

class EngineProgram {
 public:
  virtual ~EngineProgram() = default;
  // `parameters` as the SPIR-V declares them.
  virtual Result<std::shared_ptr<EngineKernel>> kernel(
      const std::string& name, const std::vector<Parameter>& parameters) = 0;
  // The kernels' signatures as the engine sees them, for programs that were not SPIR-V.
  virtual Result<std::vector<SpirvKernel>> describe() = 0;
  // What NATIVE modules hold: enough to make the program again, as Source::Kind::native.
  virtual const std::vector<std::byte>& binary() const noexcept = 0;
};

// One launch. `block` holds the arguments at their Parameter::offset; a local parameter's bytes are
// its size_t. It is read during enqueue() only.
struct EngineWork {
  EngineKernel* kernel;
  const std::byte* block;
  Size3 group_count;
  Size3 group_size;
  Size3 offset;
};

// In order; different queues run concurrently. One thread at a time per queue.
class EngineQueue {
 public:
  virtual ~EngineQueue() = default;
  // Returns as soon as the work is queued (about 2 us); nothing of `work` is kept.
  virtual Status enqueue(const EngineWork& work) = 0;
  // Starts what is queued without waiting.
  virtual Status flush() = 0;
  // Waits for all of it; the failure of any work since the last finish() comes out here.
  virtual Status finish() = 0;
};

class Engine {
 public:
  struct Source {
    enum class Kind : uint8_t { spirv, opencl_c, native };
    const void* data;
    size_t size;
    Kind kind;
    std::string options;  // Level Zero's spelling: -ze-… and -cl-…
  };
  virtual ~Engine() = default;
  virtual const std::string& name() const noexcept = 0;
  // The build log goes to `log` whether it works or not.
  virtual Result<std::shared_ptr<EngineProgram>> build(const Source& source, std::string* log) = 0;
  virtual Result<std::unique_ptr<EngineQueue>> queue() = 0;
};

// The process's engine, made at first use; the Status says what is missing (an OpenCL CPU runtime).
Result<Engine*> engine();

}  // namespace xpu::cpu
