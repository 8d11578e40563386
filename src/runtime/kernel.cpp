// SPDX-License-Identifier: Apache-2.0
// Kernels: checks of a launch, arguments, the append.
#include "runtime/kernel.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "runtime/device.h"

namespace xpu::runtime {
namespace {

Status bad_shape(std::string sentence, const char* argument) {
  return Status::error(xpuErrorInvalidConfiguration, std::move(sentence), argument);
}

std::string dim(const uint32_t (&d)[3]) {
  return std::to_string(d[0]) + " x " + std::to_string(d[1]) + " x " + std::to_string(d[2]);
}

}  // namespace

Run::Run() noexcept
    : id_([] {
        static std::atomic<uint64_t> last{0};
        return last.fetch_add(1, std::memory_order_relaxed) + 1;
      }()) {}

Kernel::Kernel(Device& device, std::string name, std::vector<Parameter> parameters)
    : Signature(std::move(name), std::move(parameters)),
      device_(device),
      has_local_parameters_(
          std::any_of(this->parameters().begin(), this->parameters().end(),
                      [](const Parameter& p) { return p.kind == ParameterKind::local; })) {}

Kernel::~Kernel() { device_.marks().hold(std::move(code_)); }

Result<std::shared_ptr<Kernel>> Kernel::make(Device& device, ze_module_handle_t module,
                                             std::shared_ptr<const void> keep, std::string name,
                                             std::vector<Parameter> parameters,
                                             std::array<uint32_t, 3> required_group_size) {
  std::shared_ptr<Kernel> kernel(new Kernel(device, std::move(name), std::move(parameters)));
  kernel->code_->module = std::move(keep);
  const ze::Table& table = device.ze().table();

  ze_kernel_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  desc.pKernelName = kernel->name().c_str();
  ze_kernel_handle_t handle = nullptr;
  if (const ze_result_t result = table.KernelCreate(module, &desc, &handle); result) {
    if (result == ZE_RESULT_ERROR_INVALID_KERNEL_NAME)
      return Status::error(xpuErrorSymbolNotFound,
                           "the module has no kernel named \"" + kernel->name() + "\"", "name",
                           static_cast<uint32_t>(result));
    return ze::failure(result, "zeKernelCreate");
  }
  kernel->code_->kernel = ze::OwnKernel(table, handle);

  ze_kernel_properties_t p = {};
  p.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  ZE_TRY(table, KernelGetProperties, handle, &p);
  if (p.numKernelArgs != kernel->parameters().size())
    return invalid_value("kernel \"" + kernel->name() + "\" takes " +
                             std::to_string(p.numKernelArgs) + " parameters, not " +
                             std::to_string(kernel->parameters().size()),
                         "numParams");
  KernelFacts& f = kernel->facts_;
  f.required_group_size = required_group_size;
  if (!f.required_group_size[0])
    f.required_group_size = {p.requiredGroupSizeX, p.requiredGroupSizeY, p.requiredGroupSizeZ};
  f.max_group_size = device.properties().max_group_size;
  f.local_memory = p.localMemSize;
  f.private_memory = p.privateMemSize;
  f.spill_memory = p.spillMemSize;
  f.preferred_multiple = p.maxSubgroupSize;
  f.max_local_memory = device.properties().local_memory;
  for (int i = 0; i < 3; i++)
    kernel->limits_.groups[i] = std::min(device.properties().max_groups[i], kFewGroups);
  std::copy_n(device.properties().max_group, 3, kernel->limits_.group);

  kernel->handle_ = OwnedHandle(HandleType::kernel, kernel.get());
  if (!kernel->handle_.value())
    return Status::error(xpuErrorMemoryAllocation, "there is no room for another handle");
  return kernel;
}

Status Kernel::check_shape(const xpuDim3& grid, const xpuDim3& block) const {
  const DeviceProperties& p = device_.properties();
  const uint32_t groups[3] = {grid.x, grid.y, grid.z};
  const uint32_t items[3] = {block.x, block.y, block.z};
  for (int i = 0; i < 3; i++) {
    if (!groups[i] || groups[i] > p.max_groups[i])
      return bad_shape(
          "a grid of " + dim(groups) + " work-groups: each must be 1 to " + dim(p.max_groups),
          "gridDim");
    if (!items[i] || items[i] > p.max_group[i])
      return bad_shape("a work-group of " + dim(items) + ": each must be 1 to " + dim(p.max_group),
                       "blockDim");
  }
  const uint64_t group = static_cast<uint64_t>(items[0]) * items[1] * items[2];
  // No device could finish it; one that counted it would come to a small number.
  uint64_t all = group;
  for (const uint32_t n : groups)
    if (__builtin_mul_overflow(all, n, &all))
      return bad_shape("a grid of " + dim(groups) + " work-groups of " + dim(items) +
                           " has more work-items than 64 bits can count",
                       "gridDim");
  if (group > facts_.max_group_size)
    return bad_shape("a work-group of " + dim(items) + " has more than the " +
                         std::to_string(facts_.max_group_size) + " work-items the device takes",
                     "blockDim");
  const std::array<uint32_t, 3>& required = facts_.required_group_size;
  if (required[0] && required != std::array<uint32_t, 3>{block.x, block.y, block.z}) {
    const uint32_t wanted[3] = {required[0], required[1], required[2]};
    return bad_shape("kernel \"" + name() + "\" was compiled for work-groups of " + dim(wanted) +
                         ", not " + dim(items),
                     "blockDim");
  }
  return Status();
}

// CUDA takes shared memory that no parameter uses; it counts as used.
Status Kernel::sum_local_memory(void* const* args, size_t shared_mem) const {
  const size_t most = facts_.max_local_memory;
  size_t open = 0, sum = facts_.local_memory;
  const char* argument = "sharedMem";
  bool fits = shared_mem <= most && (sum += shared_mem) <= most;
  for (size_t i = 0; args && i < parameters().size(); i++) {
    if (parameters()[i].kind != ParameterKind::local) continue;
    if (!args[i]) {
      open++;
      continue;
    }
    size_t size = 0;
    std::memcpy(&size, args[i], sizeof size);
    if (!fits || (size <= most && (sum += size) <= most)) continue;
    fits = false;
    argument = "args";
  }
  if (open > 1 || (open && !shared_mem))
    return invalid_value("kernel \"" + name() + "\" has " + std::to_string(open) +
                             " local-memory parameters without a size; sharedMem can give that of "
                             "one, the others need a pointer to a size_t in args",
                         open > 1 ? "args" : "sharedMem");
  if (fits) return Status();
  return bad_shape("the launch asks for more local memory than the " + std::to_string(most) +
                       " bytes of a work-group, of which kernel \"" + name() + "\" uses " +
                       std::to_string(facts_.local_memory) + " by itself",
                   argument);
}

Status Kernel::set_other_shape(const xpuDim3& grid, const xpuDim3& block) const {
  XPU_TRY(check_launch(grid, block));
  ZE_TRY(device_.ze().table(), KernelSetGroupSize, native(), block.x, block.y, block.z);
  block_ = block;
  return Status();
}

Status Kernel::refused(uint32_t index, size_t size, ze_result_t result) const {
  if (parameters()[index].kind == ParameterKind::local && size > facts_.max_local_memory)
    return bad_shape("parameter " + std::to_string(index) + " asks for " + std::to_string(size) +
                         " bytes of local memory; a work-group has " +
                         std::to_string(facts_.max_local_memory),
                     "sharedMem");
  return Status::error(ze::error_of(result),
                       "parameter " + std::to_string(index) + " of kernel \"" + name() +
                           "\" was refused: zeKernelSetArgumentValue answered " +
                           ze::result_name(result),
                       "args", static_cast<uint32_t>(result));
}

Status Kernel::set_argument(uint32_t index, const Parameter& parameter, const void* value) const {
  const Argument given = argument(parameter, value);
  const bool too_large = !given.value && given.size > facts_.max_local_memory;
  const ze_result_t result = too_large ? ZE_RESULT_ERROR_INVALID_ARGUMENT
                                       : device_.ze().table().KernelSetArgumentValue(
                                             native(), index, given.size, given.value);
  if (result == ZE_RESULT_SUCCESS) [[likely]]
    return Status();
  return refused(index, given.size, result);
}

// Under the lock, after set_shape().
Status Kernel::check_fits(const xpuDim3& grid) const {
  if (!device_.ze().engines().cooperative)
    return Status::error(
        xpuErrorNotSupported,
        "the device has no cooperative launches; xpuDevAttrCooperativeLaunch tells", "cooperative");
  uint32_t most = 0;
  ZE_TRY(device_.ze().table(), KernelSuggestMaxCooperativeGroupCount, native(), &most);
  // The limits of a grid are such that the product fits, see check_launch().
  const uint64_t groups = uint64_t{grid.x} * grid.y * grid.z;
  if (groups <= most) return Status();
  return Status::error(xpuErrorCooperativeLaunchTooLarge,
                       "a cooperative launch of " + std::to_string(groups) +
                           " work-groups: of kernel \"" + name() + "\" no more than " +
                           std::to_string(most) + " run at the same time",
                       "gridDim");
}

Status Kernel::check_cooperative(const xpuDim3& grid, const xpuDim3& block) const {
  std::lock_guard hold(lock_);
  XPU_TRY(set_shape(grid, block));
  return check_fits(grid);
}

Status Kernel::launch_cooperative(ze::List& list, const xpuDim3& grid, const ze::Sync& sync) const {
  XPU_TRY(check_fits(grid));
  return list.launch_cooperative(native(), {grid.x, grid.y, grid.z}, sync);
}

inline Status Kernel::set_arguments(const std::byte* arguments, const Run& run) const {
  const std::byte* const before = set_in_ == run.id() ? set_from_ : nullptr;
  set_in_ = 0;  // unless all goes well
  uint32_t index = 0;
  for (const Parameter& p : parameters()) {
    const bool is_set = before && same_argument(before + p.offset, arguments + p.offset, p.size);
    if (!is_set) XPU_TRY(set_argument(index, p, arguments + p.offset));
    index++;
  }
  set_in_ = run.id();
  set_from_ = arguments;
  return Status();
}

Status Kernel::append(ze::List& list, const xpuDim3& grid, const xpuDim3& block,
                      const std::byte* arguments, const Run& run, const ze::Sync& sync,
                      Launching how) const {
  std::lock_guard hold(lock_);
  XPU_TRY(set_shape(grid, block));
  XPU_TRY(set_arguments(arguments, run));
  return launch(list, grid, sync, how);
}

Status Kernel::append(ze::List& list, const xpuDim3& grid, const xpuDim3& block, void* const* args,
                      size_t shared_mem, const ze::Sync& sync, Launching how) const {
  XPU_TRY(check_launch(grid, block));
  const auto count = static_cast<uint32_t>(parameters().size());
  if (count && !args)
    return invalid_value(
        "kernel \"" + name() + "\" takes " + std::to_string(count) + " arguments, none are given",
        "args");
  for (uint32_t i = 0; i < count; i++) {
    if (!args[i] && parameters()[i].kind != ParameterKind::local)
      return invalid_value("args[" + std::to_string(i) + "] is NULL", "args");
  }
  XPU_TRY(check_local_memory(args, shared_mem));
  std::lock_guard hold(lock_);
  XPU_TRY(set_shape(grid, block));
  set_in_ = 0;
  for (uint32_t i = 0; i < count; i++)
    XPU_TRY(set_argument(i, parameters()[i], args[i] ? args[i] : &shared_mem));
  return launch(list, grid, sync, how);
}

}  // namespace xpu::runtime
