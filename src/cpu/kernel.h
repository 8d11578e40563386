// SPDX-License-Identifier: Apache-2.0
// Kernels: argument state on the handle, and the snapshot of it that a launch keeps.
#pragma once

#include "spec/levelzero.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cpu/engine.h"
#include "cpu/handle.h"
#include "cpu/module.h"

namespace xpu::cpu {

class Kernel;

// Everything a launch needs, as it was when the launch was appended. A value: copy it freely; it
// keeps the compiled code alive after its kernel and module handles are destroyed.
struct KernelSnapshot {
  std::shared_ptr<const KernelCode> code;
  std::vector<std::byte> block;  // packed arguments, code->signature's offsets
  std::vector<bool> is_set;      // per parameter
  Size3 group_size = {1, 1, 1};
  Size3 offset = {0, 0, 0};
  std::weak_ptr<Kernel> origin;                 // expired once the kernel handle is destroyed
  std::shared_ptr<std::atomic<uint32_t>> uses;  // the handle's launches in flight

  // The rules of zeKernelSetArgumentValue / zeKernelSetGroupSize; unchanged if refused.
  ze_result_t set_argument(uint32_t index, size_t size, const void* value) noexcept;
  ze_result_t set_group_size(uint32_t x, uint32_t y, uint32_t z) noexcept;
  // SUCCESS, or what makes it impossible to launch (an argument never set; `why` names it).
  ze_result_t check(std::string* why = nullptr) const;
  // The USM pointer held by a pointer parameter, nullptr for other kinds.
  const void* pointer(uint32_t index) const noexcept;
  // A launch of it goes into flight and comes out: strict mode refuses to destroy the kernel or its
  // module in between.
  void enter() const noexcept {
    uses->fetch_add(1, std::memory_order_relaxed);
    code->in_flight.fetch_add(1, std::memory_order_relaxed);
  }
  void leave() const noexcept {
    uses->fetch_sub(1, std::memory_order_relaxed);
    code->in_flight.fetch_sub(1, std::memory_order_relaxed);
  }
  EngineWork work(const Size3& group_count) const noexcept {
    return {code->engine.get(), block.data(), group_count, group_size, offset};
  }
};

class Kernel : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::kernel;
  Kernel(std::shared_ptr<Module> module, std::shared_ptr<const KernelCode> code);

  // Takes the handle's state as it is now (free against concurrent set calls).
  KernelSnapshot snapshot() const;
  const KernelCode& code() const noexcept { return *code_; }
  const std::shared_ptr<const KernelCode>& shared_code() const noexcept { return code_; }
  const std::shared_ptr<Module>& module() const noexcept { return module_; }

  bool in_flight() const noexcept { return state_.uses->load(std::memory_order_relaxed) != 0; }
  ze_result_t set_argument(uint32_t index, size_t size, const void* value);
  ze_result_t set_group_size(uint32_t x, uint32_t y, uint32_t z);
  void set_offset(uint32_t x, uint32_t y, uint32_t z);
  std::atomic<ze_kernel_indirect_access_flags_t> indirect{0};

 private:
  std::shared_ptr<Module> module_;
  std::shared_ptr<const KernelCode> code_;
  mutable std::mutex mutex_;
  KernelSnapshot state_;
};

ze_result_t zeKernelCreate(ze_module_handle_t, const ze_kernel_desc_t*, ze_kernel_handle_t*);
ze_result_t zeKernelDestroy(ze_kernel_handle_t);
ze_result_t zeKernelSetCacheConfig(ze_kernel_handle_t, ze_cache_config_flags_t);
ze_result_t zeKernelSetGroupSize(ze_kernel_handle_t, uint32_t, uint32_t, uint32_t);
ze_result_t zeKernelSuggestGroupSize(ze_kernel_handle_t, uint32_t, uint32_t, uint32_t, uint32_t*,
                                     uint32_t*, uint32_t*);
ze_result_t zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t, uint32_t*);
ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t, uint32_t, size_t, const void*);
ze_result_t zeKernelSetIndirectAccess(ze_kernel_handle_t, ze_kernel_indirect_access_flags_t);
ze_result_t zeKernelGetIndirectAccess(ze_kernel_handle_t, ze_kernel_indirect_access_flags_t*);
ze_result_t zeKernelGetSourceAttributes(ze_kernel_handle_t, uint32_t*, char**);
ze_result_t zeKernelGetProperties(ze_kernel_handle_t, ze_kernel_properties_t*);
ze_result_t zeKernelGetName(ze_kernel_handle_t, size_t*, char*);
ze_result_t zeKernelGetAllocationPropertiesExp(ze_kernel_handle_t, uint32_t*,
                                               ze_kernel_allocation_exp_properties_t*);
ze_result_t zeKernelSetGlobalOffsetExp(ze_kernel_handle_t, uint32_t, uint32_t, uint32_t);
ze_result_t zeKernelSchedulingHintExp(ze_kernel_handle_t, ze_scheduling_hint_exp_desc_t*);
ze_result_t zeCpuKernelGetParameter(ze_kernel_handle_t, uint32_t, uint32_t*, uint32_t*);

}  // namespace xpu::cpu
