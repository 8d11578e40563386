// SPDX-License-Identifier: Apache-2.0
// Virtual memory: real remapping under the real driver's rules.
#include "xpu_test.h"
#include "ze_direct.h"

#include <string.h>

namespace {

constexpr size_t kPage = 65536;
constexpr size_t kLarge = 2u << 20;

ze_physical_mem_handle_t physical(size_t size, ze_result_t* result, uint32_t flags = 0) {
  ze_physical_mem_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC;
  desc.size = size;
  desc.flags = flags;
  ze_physical_mem_handle_t handle = nullptr;
  *result = ZE(PhysicalMemCreate)(ze_direct().context, ze_direct().device, &desc, &handle);
  return handle;
}

void drop(ze_physical_mem_handle_t handle) { ZE(PhysicalMemDestroy)(ze_direct().context, handle); }

char* reserve(size_t size, ze_result_t* result) {
  void* at = nullptr;
  *result = ZE(VirtualMemReserve)(ze_direct().context, nullptr, size, &at);
  return static_cast<char*>(at);
}

ze_result_t map(const void* at, size_t size, ze_physical_mem_handle_t handle, size_t offset) {
  return ZE(VirtualMemMap)(ze_direct().context, at, size, handle, offset,
                           ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE);
}

ze_result_t unmap(const void* at, size_t size) {
  return ZE(VirtualMemUnmap)(ze_direct().context, at, size);
}

ze_result_t release(const void* at, size_t size) {
  return ZE(VirtualMemFree)(ze_direct().context, at, size);
}

void pages_are_64_kib_and_2_mib(void**) {
  size_t page = 0;
  const auto ask = ZE(VirtualMemQueryPageSize);
  assert_int_equal(ask(ze_direct().context, ze_direct().device, 1, &page), 0);
  assert_int_equal(page, kPage);
  assert_int_equal(ask(ze_direct().context, ze_direct().device, kLarge, &page), 0);
  assert_int_equal(page, kLarge);
}

void the_same_memory_shows_at_another_address_after_remapping(void**) {
  ze_result_t r{};
  ze_physical_mem_handle_t memory = physical(2 * kPage, &r);
  assert_int_equal(r, 0);
  char* at = reserve(8 * kPage, &r);
  assert_int_equal(r, 0);

  assert_int_equal(map(at, 2 * kPage, memory, 0), 0);
  assert_int_equal(static_cast<unsigned char>(at[0]), 0xC5);
  memcpy(at + kPage, "hello", 6);
  assert_int_equal(unmap(at, 2 * kPage), 0);
  assert_int_equal(map(at + 4 * kPage, kPage, memory, kPage), 0);

  assert_string_equal(at + 4 * kPage, "hello");
  assert_int_equal(unmap(at + 4 * kPage, kPage), 0);
  drop(memory);
  assert_int_equal(release(at, 8 * kPage), 0);
}

void device_memory_has_one_mapping_at_a_time(void**) {
  ze_result_t r{};
  ze_physical_mem_handle_t memory = physical(2 * kPage, &r);
  char* at = reserve(4 * kPage, &r);
  assert_int_equal(map(at, kPage, memory, 0), 0);

  assert_int_equal(map(at + kPage, kPage, memory, kPage), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(unmap(at, kPage), 0);
  assert_int_equal(map(at + kPage, kPage, memory, kPage), 0);
  assert_int_equal(unmap(at + kPage, kPage), 0);
  drop(memory);
  release(at, 4 * kPage);
}

void host_memory_may_be_mapped_twice_and_is_one(void**) {
  ze_result_t r{};
  ze_physical_mem_handle_t memory = physical(kPage, &r, ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST);
  assert_int_equal(r, 0);
  char* at = reserve(2 * kPage, &r);
  assert_int_equal(map(at, kPage, memory, 0), 0);
  assert_int_equal(map(at + kPage, kPage, memory, 0), 0);
  at[5] = 42;

  assert_int_equal(at[kPage + 5], 42);
  assert_int_equal(unmap(at, 2 * kPage), 0);
  drop(memory);
  release(at, 2 * kPage);
}

void unaligned_and_foreign_ranges_are_refused(void**) {
  ze_result_t r{};
  ze_physical_mem_handle_t memory = physical(2 * kPage, &r);
  char* at = reserve(2 * kPage, &r);

  assert_int_equal(map(at + 4096, kPage, memory, 0), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  assert_int_equal(map(at, kPage, memory, 4096), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  assert_int_equal(map(at, 4096, memory, 0), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  assert_int_equal(map(at, 4 * kPage, memory, 0), ZE_RESULT_ERROR_INVALID_SIZE);
  assert_int_equal(map(at + kPage, 2 * kPage, memory, 0), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(map(at, kPage, memory, 0), 0);
  assert_int_equal(release(at, kPage), ZE_RESULT_ERROR_INVALID_SIZE);
  assert_int_equal(release(at + kPage, kPage), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  unmap(at, kPage);
  drop(memory);
  assert_int_equal(release(at, 2 * kPage), 0);
  assert_int_equal(release(at, 2 * kPage), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

void sizes_must_be_whole_pages(void**) {
  ze_result_t r{};
  assert_null(physical(kPage + 1, &r));
  assert_int_equal(r, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  assert_null(physical(kLarge + kPage, &r));
  assert_int_equal(r, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  assert_null(physical(0, &r));
  assert_int_equal(r, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  assert_null(physical(size_t{1} << 60, &r));
  assert_int_equal(r, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  assert_null(reserve(4096, &r));
  assert_int_equal(r, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
}

void an_unmap_that_covers_a_mapping_in_part_leaves_it(void**) {
  ze_result_t r{};
  ze_physical_mem_handle_t memory = physical(2 * kPage, &r);
  char* at = reserve(2 * kPage, &r);
  assert_int_equal(map(at, 2 * kPage, memory, 0), 0);
  at[0] = 7;

  assert_int_equal(unmap(at, kPage), 0);
  assert_int_equal(at[0], 7);
  assert_int_equal(unmap(at, 2 * kPage), 0);
  drop(memory);
  release(at, 2 * kPage);
}

void access_is_kept_per_reservation(void**) {
  ze_result_t r{};
  char* at = reserve(4 * kPage, &r);
  ze_memory_access_attribute_t access{};
  size_t size = 0;
  const auto get = ZE(VirtualMemGetAccessAttribute);
  const auto change = ZE(VirtualMemSetAccessAttribute);

  assert_int_equal(get(ze_direct().context, at + kPage, kPage, &access, &size), 0);
  assert_int_equal(access, ZE_MEMORY_ACCESS_ATTRIBUTE_NONE);
  assert_int_equal(size, 3 * kPage);
  assert_int_equal(change(ze_direct().context, at, kPage, ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY), 0);
  assert_int_equal(get(ze_direct().context, at + kPage, kPage, &access, &size), 0);
  assert_int_equal(access, ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY);
  assert_int_equal(
      change(ze_direct().context, at, kPage, static_cast<ze_memory_access_attribute_t>(9)),
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  release(at, 4 * kPage);
}

void a_mapping_answers_queries_as_device_memory(void**) {
  ze_result_t r{};
  ze_physical_mem_handle_t memory = physical(kPage, &r);
  char* at = reserve(2 * kPage, &r);
  assert_int_equal(map(at + kPage, kPage, memory, 0), 0);
  ze_memory_allocation_properties_t p{};
  p.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  void* base = nullptr;
  size_t size = 0;

  assert_int_equal(ZE(MemGetAllocProperties)(ze_direct().context, at + kPage + 9, &p, nullptr), 0);
  assert_int_equal(p.type, ZE_MEMORY_TYPE_DEVICE);
  assert_int_equal(ZE(MemGetAddressRange)(ze_direct().context, at + kPage + 9, &base, &size), 0);
  assert_ptr_equal(base, at + kPage);
  assert_int_equal(size, kPage);
  assert_int_equal(ZE(MemFree)(ze_direct().context, at + kPage), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  unmap(at + kPage, kPage);
  assert_int_equal(ZE(MemGetAllocProperties)(ze_direct().context, at + kPage, &p, nullptr), 0);
  assert_int_equal(p.type, ZE_MEMORY_TYPE_UNKNOWN);
  drop(memory);
  release(at, 2 * kPage);
}

void strict_mode_keeps_what_is_mapped(void**) {
  ze_result_t r{};
  ze_physical_mem_handle_t memory = physical(kPage, &r);
  char* at = reserve(kPage, &r);
  assert_int_equal(map(at, kPage, memory, 0), 0);

  assert_int_equal(ZE(PhysicalMemDestroy)(ze_direct().context, memory),
                   ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  assert_int_equal(release(at, kPage), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  unmap(at, kPage);
  assert_int_equal(ZE(PhysicalMemDestroy)(ze_direct().context, memory), 0);
  assert_int_equal(release(at, kPage), 0);
}

}  // namespace

int main() {
  ze_open();
  const CMUnitTest tests[] = {
      cmocka_unit_test(pages_are_64_kib_and_2_mib),
      cmocka_unit_test(the_same_memory_shows_at_another_address_after_remapping),
      cmocka_unit_test(device_memory_has_one_mapping_at_a_time),
      cmocka_unit_test(host_memory_may_be_mapped_twice_and_is_one),
      cmocka_unit_test(unaligned_and_foreign_ranges_are_refused),
      cmocka_unit_test(sizes_must_be_whole_pages),
      cmocka_unit_test(an_unmap_that_covers_a_mapping_in_part_leaves_it),
      cmocka_unit_test(access_is_kept_per_reservation),
      cmocka_unit_test(a_mapping_answers_queries_as_device_memory),
      cmocka_unit_test(strict_mode_keeps_what_is_mapped),
  };
  return ze_close(XPU_RUN_TESTS(tests));
}
