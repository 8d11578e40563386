// SPDX-License-Identifier: Apache-2.0
// Kernel handles: the state that launches read.
#include "cpu/kernel.h"

#include <algorithm>
#include <cstring>

#include "cpu/device.h"
#include "cpu/strict.h"

namespace xpu::cpu {

ze_result_t KernelSnapshot::set_argument(uint32_t index, size_t size, const void* value) noexcept {
  const std::vector<Parameter>& parameters = code->signature.parameters();
  if (index >= parameters.size()) return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
  const Parameter& p = parameters[index];
  std::byte* at = block.data() + p.offset;
  switch (p.kind) {
    case ParameterKind::local:
      if (value) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
      if (size == 0 || size > kMaxLocalMemory) return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
      std::memcpy(at, &size, sizeof size);
      break;
    case ParameterKind::pointer:
      if (size != sizeof(void*)) return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
      if (value)
        std::memcpy(at, value, sizeof(void*));
      else
        std::memset(at, 0, sizeof(void*));
      break;
    case ParameterKind::value:
      if (size != p.size) return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
      if (!value) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
      std::memcpy(at, value, p.size);
      break;
  }
  is_set[index] = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t KernelSnapshot::set_group_size(uint32_t x, uint32_t y, uint32_t z) noexcept {
  if (x == 0 || y == 0 || z == 0) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  const uint64_t most = std::min(kMaxGroupSize, code->engine->facts().max_group_size);
  const bool fits =
      x <= most && y <= most && z <= most && uint64_t{x} * y <= most && uint64_t{x} * y * z <= most;
  const Size3& required = code->required_group_size;
  const bool allowed = required[0] == 0 || required == Size3{x, y, z};
  if (!fits || !allowed) return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  group_size = {x, y, z};
  return ZE_RESULT_SUCCESS;
}

ze_result_t KernelSnapshot::check(std::string* why) const {
  uint64_t local = code->local_bytes;
  const std::vector<Parameter>& parameters = code->signature.parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!is_set[i]) {
      if (why)
        *why = "argument " + std::to_string(i) + " of kernel " + code->signature.name() +
               " was never set";
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    if (parameters[i].kind != ParameterKind::local) continue;
    size_t bytes = 0;
    std::memcpy(&bytes, block.data() + parameters[i].offset, sizeof bytes);
    local += bytes;
  }
  if (local > kMaxLocalMemory) {
    if (why)
      *why = "kernel " + code->signature.name() + " needs " + std::to_string(local) +
             " bytes of local memory; the device has " + std::to_string(kMaxLocalMemory);
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  return ZE_RESULT_SUCCESS;
}

const void* KernelSnapshot::pointer(uint32_t index) const noexcept {
  const std::vector<Parameter>& parameters = code->signature.parameters();
  if (index >= parameters.size() || parameters[index].kind != ParameterKind::pointer)
    return nullptr;
  const void* value = nullptr;
  std::memcpy(&value, block.data() + parameters[index].offset, sizeof value);
  return value;
}

Kernel::Kernel(std::shared_ptr<Module> module, std::shared_ptr<const KernelCode> code)
    : Object(kType), module_(std::move(module)), code_(std::move(code)) {
  state_.code = code_;
  state_.block.resize(code_->signature.block_size());
  state_.is_set.resize(code_->signature.parameters().size());
  if (code_->required_group_size[0] != 0) state_.group_size = code_->required_group_size;
  state_.uses = std::make_shared<std::atomic<uint32_t>>(0);
}

KernelSnapshot Kernel::snapshot() const {
  const std::lock_guard lock(mutex_);
  KernelSnapshot copy = state_;
  copy.origin = std::static_pointer_cast<Kernel>(const_cast<Kernel*>(this)->shared_from_this());
  return copy;
}

ze_result_t Kernel::set_argument(uint32_t index, size_t size, const void* value) {
  const std::lock_guard lock(mutex_);
  return state_.set_argument(index, size, value);
}

ze_result_t Kernel::set_group_size(uint32_t x, uint32_t y, uint32_t z) {
  const std::lock_guard lock(mutex_);
  return state_.set_group_size(x, y, z);
}

void Kernel::set_offset(uint32_t x, uint32_t y, uint32_t z) {
  const std::lock_guard lock(mutex_);
  state_.offset = {x, y, z};
}

ze_result_t zeKernelCreate(ze_module_handle_t module, const ze_kernel_desc_t* desc,
                           ze_kernel_handle_t* out) {
  auto in = share<Module>(module);
  if (!in) return refused(module);
  if (!desc || !out || !desc->pKernelName) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = nullptr;
  const Module::Content& content = in->content();
  if (content.refused.count(desc->pKernelName)) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  const auto found = content.kernels.find(desc->pKernelName);
  if (found == content.kernels.end()) return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
  return publish(std::make_shared<Kernel>(std::move(in), found->second), out);
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t kernel) {
  const Kernel* k = cast<Kernel>(kernel);
  if (!k) return refused(kernel);
  if (strict() && k->in_flight())
    return misuse("zeKernelDestroy", ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
                  Handles::describe(kernel), " (", k->code().signature.name(),
                  ") is in use: a launch of it is in flight");
  (void)retire<Kernel>(kernel);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetCacheConfig(ze_kernel_handle_t kernel, ze_cache_config_flags_t) {
  return cast<Kernel>(kernel) ? ZE_RESULT_SUCCESS : refused(kernel);
}

ze_result_t zeKernelSetGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  Kernel* k = cast<Kernel>(kernel);
  return k ? k->set_group_size(x, y, z) : refused(kernel);
}

ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t kernel, uint32_t index, size_t size,
                                     const void* value) {
  Kernel* k = cast<Kernel>(kernel);
  return k ? k->set_argument(index, size, value) : refused(kernel);
}

ze_result_t zeKernelSetGlobalOffsetExp(ze_kernel_handle_t kernel, uint32_t x, uint32_t y,
                                       uint32_t z) {
  Kernel* k = cast<Kernel>(kernel);
  if (!k) return refused(kernel);
  k->set_offset(x, y, z);
  return ZE_RESULT_SUCCESS;
}

// All memory is accessible always; the flags are only kept.
ze_result_t zeKernelSetIndirectAccess(ze_kernel_handle_t kernel,
                                      ze_kernel_indirect_access_flags_t flags) {
  Kernel* k = cast<Kernel>(kernel);
  if (!k) return refused(kernel);
  if (flags > (ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
               ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED))
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  k->indirect = flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetIndirectAccess(ze_kernel_handle_t kernel,
                                      ze_kernel_indirect_access_flags_t* out) {
  const Kernel* k = cast<Kernel>(kernel);
  if (!k) return refused(kernel);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = k->indirect;
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
