// SPDX-License-Identifier: Apache-2.0
// Kernel launches. Arguments and group size are those of the kernel handle at the append.
#include <span>

#include "cpu/append.h"
#include "cpu/strict.h"

namespace xpu::cpu {

namespace {

ze_result_t append_launch(Append& append, ze_kernel_handle_t handle,
                          const ze_group_count_t* count) {
  if (!append.ok()) return append.result();
  Kernel* kernel = cast<Kernel>(handle);
  if (!kernel) {
    return misuse(append.function(), refused(handle), "the kernel is ", Handles::describe(handle));
  }
  if (!count) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  op::Launch launch{kernel->snapshot(),
                    {count->groupCountX, count->groupCountY, count->groupCountZ}};
  append.compute().kernel(launch.kernel);
  return append.commit(std::move(launch));
}

// A cooperative launch is like any other here: the engine runs the groups of one launch in an order
// of its own, so kernels whose groups wait for each other need a group count that
// zeKernelSuggestMaxCooperativeGroupCount allows.
bool only_cooperative(const void* next) noexcept {
  for (auto* d = static_cast<const ze_base_desc_t*>(next); d;
       d = static_cast<const ze_base_desc_t*>(d->pNext)) {
    if (d->stype != ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC) return false;
  }
  return true;
}

ze_result_t append_indirect(Append& append, std::span<const ze_kernel_handle_t> handles,
                            const uint32_t* limit, const ze_group_count_t* counts) {
  if (!append.ok()) return append.result();
  if (!append.list().immediate() && append.list().is_mutable()) {
    // As Intel's driver: the group count is not the list's to change.
    return misuse(append.function(), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                  "a mutable list takes no indirect launch");
  }
  if (!counts) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  op::LaunchIndirect launch{{}, limit, counts};
  for (ze_kernel_handle_t handle : handles) {
    Kernel* kernel = cast<Kernel>(handle);
    if (!kernel) {
      return misuse(append.function(), refused(handle), "the kernel is ",
                    Handles::describe(handle));
    }
    launch.kernels.push_back(kernel->snapshot());
    append.kernel(launch.kernels.back());
  }
  append.compute();
  if (limit) append.memory("the kernel count", limit, sizeof *limit);
  append.memory("the group counts", counts, handles.size() * sizeof *counts);
  return append.commit(std::move(launch));
}

}  // namespace

ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
                                            ze_kernel_handle_t kernel,
                                            const ze_group_count_t* count, ze_event_handle_t signal,
                                            uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  return append_launch(append, kernel, count);
}

ze_result_t zeCommandListAppendLaunchCooperativeKernel(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t* count,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  return append_launch(append, kernel, count);
}

ze_result_t zeCommandListAppendLaunchKernelWithParameters(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t* count,
    const void* next, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (append.ok() && !only_cooperative(next)) append.refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return append_launch(append, kernel, count);
}

ze_result_t zeCommandListAppendLaunchKernelWithArguments(
    ze_command_list_handle_t list, ze_kernel_handle_t handle, const ze_group_count_t count,
    const ze_group_size_t size, void** arguments, const void* next, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (append.ok() && !only_cooperative(next)) append.refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  if (!append.ok()) return append.result();
  Kernel* kernel = cast<Kernel>(handle);
  if (!kernel) {
    return misuse(__func__, refused(handle), "the kernel is ", Handles::describe(handle));
  }
  const std::vector<Parameter>& parameters = kernel->code().signature.parameters();
  if (!parameters.empty() && !arguments) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  ze_result_t result = kernel->set_group_size(size.groupSizeX, size.groupSizeY, size.groupSizeZ);
  for (uint32_t i = 0; i < parameters.size() && result == ZE_RESULT_SUCCESS; ++i) {
    if (!arguments[i]) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    result = parameters[i].kind == ParameterKind::local
                 ? kernel->set_argument(i, *static_cast<const size_t*>(arguments[i]), nullptr)
                 : kernel->set_argument(i, parameters[i].size, arguments[i]);
  }
  if (result != ZE_RESULT_SUCCESS) return result;
  return append_launch(append, handle, &count);
}

ze_result_t zeCommandListAppendLaunchKernelIndirect(ze_command_list_handle_t list,
                                                    ze_kernel_handle_t kernel,
                                                    const ze_group_count_t* count,
                                                    ze_event_handle_t signal, uint32_t wait_count,
                                                    ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  return append_indirect(append, {&kernel, 1}, nullptr, count);
}

ze_result_t zeCommandListAppendLaunchMultipleKernelsIndirect(
    ze_command_list_handle_t list, uint32_t kernel_count, ze_kernel_handle_t* kernels,
    const uint32_t* limit, const ze_group_count_t* counts, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (append.ok() && (!kernels || !limit)) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return append_indirect(append, {kernels, kernel_count}, limit, counts);
}

}  // namespace xpu::cpu
