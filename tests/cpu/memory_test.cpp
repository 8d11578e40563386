// SPDX-License-Identifier: Apache-2.0
// Allocation, queries, freeing.
#include "xpu_test.h"
#include "ze_direct.h"

#include <string.h>

namespace {

ze_device_mem_alloc_desc_t device_desc() {
  ze_device_mem_alloc_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  return desc;
}

void* device_memory(size_t size, size_t alignment, ze_result_t* result) {
  const ze_device_mem_alloc_desc_t desc = device_desc();
  void* memory = &memory;
  *result =
      ZE(MemAllocDevice)(ze_direct().context, &desc, size, alignment, ze_direct().device, &memory);
  return memory;
}

void* host_memory(size_t size) {
  ze_host_mem_alloc_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* memory = nullptr;
  ZE(MemAllocHost)(ze_direct().context, &desc, size, 0, &memory);
  return memory;
}

void fresh_memory_holds_nonsense(void**) {
  ze_result_t result{};
  auto* bytes = static_cast<unsigned char*>(device_memory(1000, 0, &result));

  assert_int_equal(result, ZE_RESULT_SUCCESS);
  for (int i = 0; i < 1000; ++i) assert_int_equal(bytes[i], 0xC5);
  assert_int_equal(ZE(MemFree)(ze_direct().context, bytes), ZE_RESULT_SUCCESS);
}

void an_address_inside_is_traced_to_its_allocation(void**) {
  ze_result_t result{};
  auto* memory = static_cast<char*>(device_memory(5000, 0, &result));
  ze_memory_allocation_properties_t p{};
  p.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ze_device_handle_t device = nullptr;
  void* base = nullptr;
  size_t size = 0;

  assert_int_equal(ZE(MemGetAllocProperties)(ze_direct().context, memory + 4999, &p, &device), 0);
  assert_int_equal(ZE(MemGetAddressRange)(ze_direct().context, memory + 77, &base, &size), 0);
  assert_int_equal(p.type, ZE_MEMORY_TYPE_DEVICE);
  assert_ptr_equal(device, ze_direct().device);
  assert_ptr_equal(base, memory);
  assert_int_equal(size, 5000);
  assert_int_equal(ZE(MemGetAllocProperties)(ze_direct().context, memory + 5000, &p, nullptr), 0);
  assert_int_equal(p.type, ZE_MEMORY_TYPE_UNKNOWN);
  ZE(MemFree)(ze_direct().context, memory);
}

void memory_of_the_program_is_unknown(void**) {
  int mine = 0;
  ze_memory_allocation_properties_t p{};
  p.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ze_device_handle_t device = ze_direct().device;

  assert_int_equal(ZE(MemGetAllocProperties)(ze_direct().context, &mine, &p, &device), 0);
  assert_int_equal(p.type, ZE_MEMORY_TYPE_UNKNOWN);
  assert_null(device);
  assert_int_equal(ZE(MemGetAddressRange)(ze_direct().context, &mine, nullptr, nullptr),
                   ZE_RESULT_ERROR_ADDRESS_NOT_FOUND);
}

void host_memory_has_no_device(void**) {
  void* memory = host_memory(64);
  ze_memory_allocation_properties_t p{};
  p.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ze_device_handle_t device = ze_direct().device;
  assert_int_equal(ZE(MemGetAllocProperties)(ze_direct().context, memory, &p, &device), 0);

  assert_int_equal(p.type, ZE_MEMORY_TYPE_HOST);
  assert_null(device);
  ZE(MemFree)(ze_direct().context, memory);
}

void alignment_holds_up_to_2_mib_and_must_be_a_power_of_two(void**) {
  for (size_t alignment = 1; alignment <= (2u << 20); alignment *= 2) {
    ze_result_t result{};
    void* memory = device_memory(100, alignment, &result);
    assert_int_equal(result, ZE_RESULT_SUCCESS);
    assert_int_equal(reinterpret_cast<uintptr_t>(memory) % alignment, 0);
    ZE(MemFree)(ze_direct().context, memory);
  }
  ze_result_t result{};
  assert_null(device_memory(100, 48, &result));
  assert_int_equal(result, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
}

void absurd_sizes_are_refused(void**) {
  ze_result_t result{};
  assert_null(device_memory(0, 0, &result));
  assert_int_equal(result, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  assert_null(device_memory(SIZE_MAX, 0, &result));
  assert_int_equal(result, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);

  ze_relaxed_allocation_limits_exp_desc_t relaxed{};
  relaxed.stype = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC;
  relaxed.flags = ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE;
  ze_device_mem_alloc_desc_t desc = device_desc();
  desc.pNext = &relaxed;
  void* memory = nullptr;
  assert_int_equal(
      ZE(MemAllocDevice)(ze_direct().context, &desc, SIZE_MAX / 2, 0, ze_direct().device, &memory),
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
}

void only_allocations_can_be_freed_and_only_once(void**) {
  ze_result_t result{};
  auto* memory = static_cast<char*>(device_memory(100, 0, &result));
  int mine = 0;
  const auto free_it = ZE(MemFree);

  assert_int_equal(free_it(ze_direct().context, memory + 8), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(free_it(ze_direct().context, memory), ZE_RESULT_SUCCESS);
  assert_int_equal(free_it(ze_direct().context, memory), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(free_it(ze_direct().context, &mine), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(free_it(ze_direct().context, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  assert_int_equal(free_it(nullptr, memory), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
}

void every_free_policy_works(void**) {
  ze_driver_memory_free_ext_properties_t policies{};
  policies.stype = ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES;
  ze_driver_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  properties.pNext = &policies;
  assert_int_equal(ZE(DriverGetProperties)(ze_direct().driver, &properties), 0);
  assert_int_equal(policies.freePolicies, 3);

  for (uint32_t policy = 0; policy < 3; ++policy) {
    ze_result_t result{};
    void* memory = device_memory(100, 0, &result);
    ze_memory_free_ext_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC;
    desc.freePolicy = policy;
    assert_int_equal(ZE(MemFreeExt)(ze_direct().context, &desc, memory), ZE_RESULT_SUCCESS);
  }
}

void ipc_is_unsupported(void**) {
  assert_null(ze_function("zeMemGetIpcHandle"));
  ze_mem_dditable_t table{};
  assert_int_equal(ze_table("zeGetMemProcAddrTable",
                            static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, 4)), &table),
                   0);
  ze_ipc_mem_handle_t handle{};
  assert_int_equal(table.pfnGetIpcHandle(ze_direct().context, &handle, &handle),
                   ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

void residency_is_a_check(void**) {
  ze_result_t result{};
  void* memory = device_memory(4096, 0, &result);
  const auto make = ZE(ContextMakeMemoryResident);

  assert_int_equal(make(ze_direct().context, ze_direct().device, memory, 4096), 0);
  assert_int_equal(make(ze_direct().context, ze_direct().device, memory, 4097),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZE(MemFree)(ze_direct().context, memory);
  assert_int_equal(make(ze_direct().context, ze_direct().device, memory, 4096),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

}  // namespace

int main() {
  ze_open();
  const CMUnitTest tests[] = {
      cmocka_unit_test(fresh_memory_holds_nonsense),
      cmocka_unit_test(an_address_inside_is_traced_to_its_allocation),
      cmocka_unit_test(memory_of_the_program_is_unknown),
      cmocka_unit_test(host_memory_has_no_device),
      cmocka_unit_test(alignment_holds_up_to_2_mib_and_must_be_a_power_of_two),
      cmocka_unit_test(absurd_sizes_are_refused),
      cmocka_unit_test(only_allocations_can_be_freed_and_only_once),
      cmocka_unit_test(every_free_policy_works),
      cmocka_unit_test(ipc_is_unsupported),
      cmocka_unit_test(residency_is_a_check),
  };
  return ze_close(XPU_RUN_TESTS(tests));
}
