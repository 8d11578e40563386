// SPDX-License-Identifier: Apache-2.0
// Kernels: a Level Zero kernel handle, its signature, and the lock around "set arguments, append".
#pragma once

#include <xpugraph/xpugraph.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>

#include "base/handle.h"
#include "base/lock.h"
#include "base/signature.h"
#include "base/status.h"
#include "ze/list.h"

namespace xpu::runtime {

class Device;

struct KernelFacts {
  std::array<uint32_t, 3> required_group_size = {0, 0, 0};  // zeros: any
  uint32_t max_group_size = 0;                              // work-items in a group
  uint32_t local_memory = 0;                                // bytes used besides local parameters
  uint32_t private_memory = 0;                              // bytes for each work-item
  uint32_t spill_memory = 0;
  uint32_t preferred_multiple = 0;  // of the work-group size
  uint32_t max_local_memory = 0;    // of the device, for each group
};

// Cooperative: all groups run at the same time.
enum class Launching : uint8_t { usual, cooperative };

// Launches appended one after another whose argument blocks all live until the last one. Of a
// kernel that is launched again within the run, only the arguments that differ are set. Not across
// runs: the driver looks a pointer's allocation up when it is set, and in between the memory may
// have been freed, and another allocation put in its place.
class Run {
 public:
  Run() noexcept;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  uint64_t id() const noexcept { return id_; }

 private:
  const uint64_t id_;  // unique in the process, not 0
};

class Kernel final : public Signature, public std::enable_shared_from_this<Kernel> {
 public:
  // `keep` is held as long as the kernel: its module.
  static Result<std::shared_ptr<Kernel>> make(Device& device, ze_module_handle_t module,
                                              std::shared_ptr<const void> keep, std::string name,
                                              std::vector<Parameter> parameters,
                                              std::array<uint32_t, 3> required_group_size);

  // Appends a launch. `arguments` is a block laid out by the signature, with a size_t for each
  // local-memory parameter. Const, because graphs hold kernels as const signatures.
  Status append(ze::List& list, const xpuDim3& grid, const xpuDim3& block,
                const std::byte* arguments, const Run& run, const ze::Sync& sync = ze::kNoSync,
                Launching how = Launching::usual) const;
  // `args[i]` points to the value of parameter i; for a local-memory parameter to a size_t, or it
  // is NULL and `shared_mem` gives the bytes.
  Status append(ze::List& list, const xpuDim3& grid, const xpuDim3& block, void* const* args,
                size_t shared_mem, const ze::Sync& sync = ze::kNoSync,
                Launching how = Launching::usual) const;
  ~Kernel() override;

  // An argument as the driver takes it: for local memory the size alone, for a null pointer no
  // value.
  struct Argument {
    size_t size;
    const void* value;
  };
  // `value` points to the bytes of the parameter; for local memory to its size.
  static Argument argument(const Parameter& parameter, const void* value) noexcept {
    if (parameter.kind == ParameterKind::value) return {parameter.size, value};
    size_t word = 0;
    std::memcpy(&word, value, sizeof word);
    // How Level Zero spells a null pointer.
    if (parameter.kind == ParameterKind::pointer) return {parameter.size, word ? value : nullptr};
    // Level Zero has no local memory of no bytes, CUDA has.
    return {word ? word : 1, nullptr};
  }

  // What a launch would refuse, without launching.
  Status check_launch(const xpuDim3& grid, const xpuDim3& block) const {
    if (is_plain(grid, block)) [[likely]]
      return Status();
    return check_shape(grid, block);
  }
  // What a cooperative launch would refuse besides: more groups than run at the same time.
  Status check_cooperative(const xpuDim3& grid, const xpuDim3& block) const;
  // The same as check_launch for local memory, of which args[i] tells the size as in append. `args`
  // may be NULL.
  Status check_local_memory(void* const* args, size_t shared_mem) const {
    if (!has_local_parameters_ && !shared_mem) [[likely]]
      return Status();
    return sum_local_memory(args, shared_mem);
  }

  Device& device() const noexcept { return device_; }
  const KernelFacts& facts() const noexcept { return facts_; }
  ze_kernel_handle_t native() const noexcept { return code_->kernel.get(); }
  // Of HandleType::kernel, naming `this`.
  uint64_t handle() const noexcept { return handle_.value(); }
  void drop_handle() noexcept { handle_.reset(); }

 private:
  Kernel(Device& device, std::string name, std::vector<Parameter> parameters);
  static bool within(uint32_t n, uint32_t most) noexcept { return n - 1 < most; }  // 0 wraps
  bool has_few_groups(const xpuDim3& grid) const noexcept {
    return within(grid.x, limits_.groups[0]) && within(grid.y, limits_.groups[1]) &&
           within(grid.z, limits_.groups[2]);
  }
  // Certainly fine: what nearly every launch is.
  bool is_plain(const xpuDim3& grid, const xpuDim3& block) const noexcept {
    const auto& required = facts_.required_group_size;
    return has_few_groups(grid) && within(block.x, limits_.group[0]) &&
           within(block.y, limits_.group[1]) && within(block.z, limits_.group[2]) &&
           uint64_t{block.x} * block.y * block.z <= facts_.max_group_size &&
           (!required[0] ||
            (required[0] == block.x && required[1] == block.y && required[2] == block.z));
  }
  Status check_shape(const xpuDim3& grid, const xpuDim3& block) const;
  // Of an argument of that size.
  Status refused(uint32_t index, size_t size, ze_result_t result) const;
  // Under the lock: the handle has a work-group that has passed the check.
  Status set_shape(const xpuDim3& grid, const xpuDim3& block) const {
    const bool is_set =
        block_.x && block.x == block_.x && block.y == block_.y && block.z == block_.z;
    if (is_set && has_few_groups(grid)) [[likely]]
      return Status();
    return set_other_shape(grid, block);
  }
  Status set_other_shape(const xpuDim3& grid, const xpuDim3& block) const;
  Status set_argument(uint32_t index, const Parameter& parameter, const void* value) const;
  [[gnu::always_inline]] Status set_arguments(const std::byte* arguments, const Run& run) const;
  Status launch(ze::List& list, const xpuDim3& grid, const ze::Sync& sync, Launching how) const {
    if (how == Launching::usual) [[likely]]
      return list.launch(native(), {grid.x, grid.y, grid.z}, sync);
    return launch_cooperative(list, grid, sync);
  }
  Status launch_cooperative(ze::List& list, const xpuDim3& grid, const ze::Sync& sync) const;
  Status check_fits(const xpuDim3& grid) const;
  Status sum_local_memory(void* const* args, size_t shared_mem) const;

  Device& device_;
  // What launches in flight use. It outlives this object until they are done.
  struct Code {
    std::shared_ptr<const void> module;  // before the kernel, so that it goes after it
    ze::OwnKernel kernel;
  };
  std::shared_ptr<Code> code_ = std::make_shared<Code>();
  KernelFacts facts_;
  // In each dimension; groups up to kFewGroups, so that 64 bits can count all work-items.
  struct Limits {
    uint32_t groups[3], group[3];
  };
  static constexpr uint32_t kFewGroups = 0xffff;
  Limits limits_ = {};
  const bool has_local_parameters_;
  OwnedHandle handle_;
  mutable Lock lock_;  // guards the arguments and group size that the handle carries
  mutable xpuDim3 block_ = {0, 0, 0};  // zeros: none yet
  mutable uint64_t set_in_ = 0;        // the run that set all arguments; 0: they are of no run
  mutable const std::byte* set_from_ = nullptr;  // the block they are of; it lives as long as that
};

}  // namespace xpu::runtime
