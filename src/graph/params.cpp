// SPDX-License-Identifier: Apache-2.0
// Makes checked versions of node parameters.
#include "graph/params.h"

#include <cstring>
#include <string>

#include "graph/check.h"
#include "graph/graph.h"

namespace xpu::graph {
namespace {

// What the local-memory parameters whose size is not given through `args` get.
Status check_local_sizes(const Signature& kernel, void* const* args, size_t shared_mem) {
  size_t open = 0;
  const auto& parameters = kernel.parameters();
  for (size_t i = 0; i < parameters.size(); i++) {
    if (parameters[i].kind == ParameterKind::local && !args[i]) open++;
  }
  if (open == 0) return {};
  if (open > 1) {
    return invalid_value("kernel '" + kernel.name() + "' has " + std::to_string(open) +
                             " local-memory parameters without a size; sharedMem can give one of "
                             "them, the others need a pointer to a size_t in args",
                         "args");
  }
  if (shared_mem == 0) {
    return invalid_value("kernel '" + kernel.name() +
                             "' has a local-memory parameter; give its bytes in sharedMem or "
                             "through a pointer to a size_t in args",
                         "sharedMem");
  }
  return {};
}

// Says what is missing; called only when something is, or when a size is left to sharedMem.
Status check_args(const Signature& kernel, void* const* args, size_t shared_mem) {
  const auto& parameters = kernel.parameters();
  if (!args) {
    return invalid_value("kernel '" + kernel.name() + "' takes " +
                             std::to_string(parameters.size()) +
                             " arguments; args must point to that many pointers",
                         "args");
  }
  for (size_t i = 0; i < parameters.size(); i++) {
    if (parameters[i].kind != ParameterKind::local && !args[i]) {
      return invalid_value("args[" + std::to_string(i) + "] is NULL; it must point to the " +
                               std::to_string(parameters[i].size) + " bytes of argument " +
                               std::to_string(i) + " of kernel '" + kernel.name() + "'",
                           "args");
    }
  }
  return check_local_sizes(kernel, args, shared_mem);
}

// Most arguments are an int or a pointer, and a call of memcpy for each would be a tenth of what
// capturing a kernel costs.
void copy_value(std::byte* to, const void* from, uint32_t size) noexcept {
  if (size == 8) {
    std::memcpy(to, from, 8);
  } else if (size == 4) {
    std::memcpy(to, from, 4);
  } else {
    std::memcpy(to, from, size);
  }
}

}  // namespace

KernelParams::~KernelParams() { delete[] pointers_.load(std::memory_order_relaxed); }

Result<ParamsRef> KernelParams::make(std::shared_ptr<const Signature> kernel, const xpuDim3& grid,
                                     const xpuDim3& block, void* const* args, size_t shared_mem,
                                     bool packed) {
  XPU_TRY(check_launch_shape(grid, block));
  const Signature& signature = *kernel;
  if (!args && !signature.parameters().empty()) [[unlikely]]
    return check_args(signature, args, shared_mem);
  KernelParams* const made = allocate(std::move(kernel), grid, block, shared_mem);
  ParamsRef ref = ParamsRef::adopt(made);
  made->packed_ = packed;
  std::byte* const room = made->room();
  // Gaps of the layout are zeroed so that equal arguments are equal bytes.
  if (signature.has_gaps()) std::memset(room, 0, signature.block_size());
  void* const* next = args;
  for (const Parameter& p : signature.parameters()) {
    const void* from = *next++;
    if (!from) [[unlikely]] {
      XPU_TRY(check_args(signature, args, shared_mem));
      from = &shared_mem;
    }
    copy_value(room + p.offset, from, p.size);
  }
  return ref;
}

Result<ParamsRef> KernelParams::make_packed(std::shared_ptr<const Signature> kernel,
                                            const xpuDim3& grid, const xpuDim3& block,
                                            std::span<const std::byte> arguments,
                                            size_t shared_mem) {
  XPU_TRY(check_launch_shape(grid, block));
  if (arguments.size() != kernel->block_size()) {
    return invalid_value("the packed arguments of kernel '" + kernel->name() + "' must have " +
                             std::to_string(kernel->block_size()) + " bytes, not " +
                             std::to_string(arguments.size()),
                         "args");
  }
  KernelParams* made = allocate(std::move(kernel), grid, block, shared_mem);
  ParamsRef ref = ParamsRef::adopt(made);
  if (!arguments.empty()) std::memcpy(made->room(), arguments.data(), arguments.size());
  return ref;
}

ParamsRef KernelParams::with(std::shared_ptr<const LaunchAttributes> attributes) const {
  KernelParams* made = allocate(std::shared_ptr(kernel_), grid(), block(), shared_mem_);
  ParamsRef ref = ParamsRef::adopt(made);
  made->attributes_ = std::move(attributes);
  made->packed_ = packed_;
  if (!arguments().empty()) std::memcpy(made->room(), arguments().data(), arguments().size());
  return ref;
}

ParamsRef with_attributes_of(const ParamsRef& old, ParamsRef made) {
  const auto *before = old.as<KernelParams>(), *now = made.as<KernelParams>();
  if (!before || !now || before->attributes() == now->attributes()) return made;
  return now->with(before->attributes());
}

// The first thread's is kept.
void** KernelParams::keep_pointers(std::unique_ptr<void*[]> made) const {
  void** kept = nullptr;
  if (pointers_.compare_exchange_strong(kept, made.get(), std::memory_order_acq_rel))
    return made.release();
  return kept;
}

void** KernelParams::argument_pointers() const {
  if (void** made = pointers_.load(std::memory_order_acquire)) return made;
  const size_t count = kernel_->parameters().size();
  std::unique_ptr<void*[]> fresh(new void*[count + 1]());
  for (size_t i = 0; i < count; i++) fresh[i] = const_cast<std::byte*>(argument(i));
  return keep_pointers(std::move(fresh));
}

void** KernelParams::packed_arguments() const {
  if (void** made = pointers_.load(std::memory_order_acquire)) return made;
  std::unique_ptr<void*[]> fresh(new void*[6]());
  fresh[0] = reinterpret_cast<void*>(uintptr_t{xpuLaunchParamBufferPointer});
  fresh[1] = const_cast<std::byte*>(arguments().data());
  fresh[2] = reinterpret_cast<void*>(uintptr_t{xpuLaunchParamBufferSize});
  fresh[3] = &fresh[5];
  const size_t size = arguments().size();
  static_assert(sizeof size == sizeof(void*));
  std::memcpy(&fresh[5], &size, sizeof size);
  return keep_pointers(std::move(fresh));
}

Result<ParamsRef> CopyParams::make(const CopyShape& shape) {
  XPU_TRY(check_copy(shape));
  return ParamsRef::adopt(new CopyParams(shape));
}

Result<ParamsRef> CopyParams::make_linear(void* dst, const void* src, size_t count,
                                          xpuMemcpyKind kind) {
  CopyShape shape;
  shape.dst.base = dst;
  shape.src.base = const_cast<void*>(src);
  shape.dst.pitch = shape.src.pitch = shape.dst.xsize = shape.src.xsize = count;
  shape.dst.ysize = shape.src.ysize = 1;
  shape.width = count;
  shape.kind = kind;
  shape.linear = true;
  return make(shape);
}

Result<ParamsRef> FillParams::make(const FillShape& shape) {
  XPU_TRY(check_fill(shape));
  return ParamsRef::adopt(new FillParams(shape));
}

Result<ParamsRef> HostParams::make(xpuHostFn_t function, void* user_data) {
  if (!function) return invalid_value("a host node needs a function, fn is NULL", "fn");
  return ParamsRef::adopt(new HostParams({function, user_data}));
}

Result<ParamsRef> ChildParams::make(std::shared_ptr<Graph> graph) {
  if (!graph) return invalid_value("a child graph node needs a graph", "childGraph");
  return ParamsRef::adopt(new ChildParams(std::move(graph)));
}

ParamsRef EmptyParams::make() {
  // Never destroyed: a graph with static lifetime may outlive any static object.
  static const ParamsRef* const only = new ParamsRef(ParamsRef::adopt(new EmptyParams));
  return *only;
}

Result<ParamsRef> AllocParams::make(int device, size_t size, std::vector<int> access) {
  if (!size)
    return invalid_value("an allocation needs at least one byte, bytesize is 0", "bytesize");
  return ParamsRef::adopt(new AllocParams(device, size, std::move(access)));
}

ParamsRef AllocParams::placed(std::shared_ptr<void> allocation, void* address) const {
  auto* params = new AllocParams(device_, size_, access_);
  params->allocation_ = std::move(allocation);
  params->address_ = address;
  return ParamsRef::adopt(params);
}

Result<ParamsRef> FreeParams::make(std::shared_ptr<void> allocation, void* address) {
  return ParamsRef::adopt(new FreeParams(std::move(allocation), address));
}

Result<ParamsRef> EventParams::make_record(std::shared_ptr<void> event, uint64_t handle) {
  if (!event) return invalid_value("an event record node needs an event", "event");
  return ParamsRef::adopt(new EventParams(NodeKind::event_record, std::move(event), handle));
}

Result<ParamsRef> EventParams::make_wait(std::shared_ptr<void> event, uint64_t handle) {
  if (!event) return invalid_value("an event wait node needs an event", "event");
  return ParamsRef::adopt(new EventParams(NodeKind::event_wait, std::move(event), handle));
}

}  // namespace xpu::graph
