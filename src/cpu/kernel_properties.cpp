// SPDX-License-Identifier: Apache-2.0
// What a kernel is, and which launches suit it.
#include <algorithm>
#include <cstring>

#include "cpu/cache.h"
#include "cpu/device.h"
#include "cpu/kernel.h"
#include "cpu/memory.h"

namespace xpu::cpu {
namespace {

// The largest size that divides `global`, so that groups cover it exactly. Beyond 256 work-items a
// group gains nothing on a CPU.
uint32_t divisor(uint32_t global, uint32_t most) {
  for (uint32_t size = std::min(global, most); size > 1; --size)
    if (global % size == 0) return size;
  return 1;
}

constexpr uint32_t kSuggested = 256;

}  // namespace

ze_result_t zeKernelSuggestGroupSize(ze_kernel_handle_t kernel, uint32_t global_x,
                                     uint32_t global_y, uint32_t global_z, uint32_t* x, uint32_t* y,
                                     uint32_t* z) {
  const Kernel* k = cast<Kernel>(kernel);
  if (!k) return refused(kernel);
  if (!x || !y || !z) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (global_x == 0 || global_y == 0 || global_z == 0)
    return ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION;
  if (const Size3& required = k->code().required_group_size; required[0] != 0) {
    *x = required[0];
    *y = required[1];
    *z = required[2];
    return ZE_RESULT_SUCCESS;
  }
  const uint32_t most = std::min(kSuggested, k->code().engine->facts().max_group_size);
  *x = divisor(global_x, most);
  *y = divisor(global_y, most / *x);
  *z = divisor(global_z, most / *x / *y);
  return ZE_RESULT_SUCCESS;
}

// The runtime promises progress to one group at a time: several that wait for each other may share
// a thread and never return.
ze_result_t zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t kernel, uint32_t* count) {
  if (!cast<Kernel>(kernel)) return refused(kernel);
  if (!count) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *count = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetSourceAttributes(ze_kernel_handle_t kernel, uint32_t* size, char** out) {
  const Kernel* k = cast<Kernel>(kernel);
  if (!k) return refused(kernel);
  if (!size) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const std::string& text = k->code().attributes;
  const auto needed = static_cast<uint32_t>(text.size() + 1);
  if (out && *out) {
    if (*size < needed) return ZE_RESULT_ERROR_INVALID_SIZE;
    std::memcpy(*out, text.c_str(), needed);
  }
  *size = needed;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetProperties(ze_kernel_handle_t kernel, ze_kernel_properties_t* out) {
  const Kernel* k = cast<Kernel>(kernel);
  if (!k) return refused(kernel);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const KernelCode& code = k->code();
  const EngineKernel::Facts& facts = code.engine->facts();
  out->numKernelArgs = static_cast<uint32_t>(code.signature.parameters().size());
  out->requiredGroupSizeX = code.required_group_size[0];
  out->requiredGroupSizeY = code.required_group_size[1];
  out->requiredGroupSizeZ = code.required_group_size[2];
  out->requiredNumSubGroups = 0;
  out->requiredSubgroupSize = 0;
  out->maxSubgroupSize = 1;
  out->maxNumSubgroups = std::min(kMaxGroupSize, facts.max_group_size);
  out->localMemSize = static_cast<uint32_t>(code.local_bytes);
  out->privateMemSize = static_cast<uint32_t>(facts.private_bytes);
  out->spillMemSize = 0;
  std::memset(&out->uuid, 0, sizeof out->uuid);
  Digest digest;
  digest.add(code.signature.name());
  std::memcpy(out->uuid.kid, digest.hex().data(), sizeof out->uuid.kid);
  Digest module;
  module.add(k->module()->content().native.data(), k->module()->content().native.size());
  std::memcpy(out->uuid.mid, module.hex().data(), sizeof out->uuid.mid);
  for (auto* next = static_cast<ze_base_properties_t*>(out->pNext); next;
       next = static_cast<ze_base_properties_t*>(next->pNext))
    if (next->stype == ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES)
      reinterpret_cast<ze_kernel_preferred_group_size_properties_t*>(next)->preferredMultiple =
          facts.preferred_group_multiple;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetName(ze_kernel_handle_t kernel, size_t* size, char* out) {
  const Kernel* k = cast<Kernel>(kernel);
  if (!k) return refused(kernel);
  if (!size) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const std::string& name = k->code().signature.name();
  if (out) {
    if (*size < name.size() + 1) return ZE_RESULT_ERROR_INVALID_SIZE;
    std::memcpy(out, name.c_str(), name.size() + 1);
  }
  *size = name.size() + 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSchedulingHintExp(ze_kernel_handle_t kernel,
                                      ze_scheduling_hint_exp_desc_t* desc) {
  if (!cast<Kernel>(kernel)) return refused(kernel);
  return desc ? ZE_RESULT_ERROR_UNSUPPORTED_FEATURE : ZE_RESULT_ERROR_INVALID_NULL_POINTER;
}

ze_result_t zeKernelGetAllocationPropertiesExp(ze_kernel_handle_t kernel, uint32_t* count,
                                               ze_kernel_allocation_exp_properties_t* out) {
  const Kernel* k = cast<Kernel>(kernel);
  if (!k) return refused(kernel);
  if (!count) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const KernelSnapshot state = k->snapshot();
  const uint32_t room = out ? *count : 0;
  uint32_t found = 0;
  for (uint32_t i = 0; i < state.is_set.size(); ++i) {
    const auto allocation = Memory::find(state.pointer(i));
    if (!allocation) continue;
    if (found < room) {
      out[found].base = reinterpret_cast<uintptr_t>(allocation->base);
      out[found].size = allocation->size;
      out[found].type = allocation->type;
      out[found].argIndex = i;
    }
    ++found;
  }
  *count = room ? std::min(found, room) : found;
  return ZE_RESULT_SUCCESS;
}

// Level Zero tells how many parameters a kernel has, not what they are: who has only the driver's
// own binary asks here.
ze_result_t zeCpuKernelGetParameter(ze_kernel_handle_t kernel, uint32_t index, uint32_t* kind,
                                    uint32_t* size) {
  const Kernel* k = cast<Kernel>(kernel);
  if (!k) return refused(kernel);
  if (!kind || !size) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const std::vector<Parameter>& parameters = k->code().signature.parameters();
  if (index >= parameters.size()) return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
  *kind = static_cast<uint32_t>(parameters[index].kind);
  *size = parameters[index].size;
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
