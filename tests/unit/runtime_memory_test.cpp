// SPDX-License-Identifier: Apache-2.0
// Memory: what a pointer is, what may be freed, how much is too much, and which copies make sense.
#include "runtime_world.h"

namespace xpu::test {
namespace {

using runtime::Allocation;
using runtime::MemoryKind;

void pointers_inside_an_allocation_are_recognised(void**) {
  constexpr size_t size = 1000;
  auto* d = static_cast<char*>(must(memory().allocate_device(device(), size), "device"));
  auto* h = static_cast<char*>(must(memory().allocate_host(device(), size), "host"));
  auto* m = static_cast<char*>(must(memory().allocate_managed(device(), size), "managed"));
  int local = 0;

  const Allocation first = memory().find(d), last = memory().find(d + size - 1);
  const MemoryKind kinds[] = {memory().kind(h + 1), memory().kind(m + 999), memory().kind(&local),
                              memory().kind(nullptr)};

  assert_true(first.kind == MemoryKind::device && first.base == d && first.size == size);
  assert_int_equal(first.device, 0);
  assert_true(last.base == d);
  assert_true(kinds[0] == MemoryKind::host);
  assert_true(kinds[1] == MemoryKind::managed);
  assert_true(kinds[2] == MemoryKind::unregistered);
  assert_true(kinds[3] == MemoryKind::unregistered);
  must(memory().free(d), "free");
  must(memory().free_host(h), "free");
  must(memory().free(m), "free");
}

void memory_that_others_allocated_is_recognised(void**) {
  const ze::Table& table = world().driver->table();
  ze_device_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  void* at = nullptr;
  const ze_result_t made =
      table.MemAllocDevice(world().driver->context(), &desc, 4096, 64, device().ze().handle(), &at);

  const Allocation found = memory().find(static_cast<char*>(at) + 100);
  const xpuError_t freed = memory().free(at).code();

  assert_int_equal(made, ZE_RESULT_SUCCESS);
  assert_true(found.kind == MemoryKind::device && found.base == at && !found.ours);
  assert_true(found.size >= 4096);
  assert_int_equal(freed, xpuErrorInvalidValue);
  (void)table.MemFree(world().driver->context(), at);
}

void only_the_start_of_the_right_kind_may_be_freed(void**) {
  auto* d = static_cast<char*>(must(memory().allocate_device(device(), 64), "device"));
  auto* h = static_cast<char*>(must(memory().allocate_host(device(), 64), "host"));
  int local = 0;

  const xpuError_t codes[] = {memory().free(d + 1).code(), memory().free(h).code(),
                              memory().free_host(d).code(), memory().free(&local).code()};
  const bool nulls = memory().free(nullptr).ok() && memory().free_host(nullptr).ok();
  const bool freed = memory().free(d).ok() && memory().free_host(h).ok();
  const xpuError_t twice = memory().free(d).code();

  for (const xpuError_t code : codes) assert_int_equal(code, xpuErrorInvalidValue);
  assert_true(nulls);
  assert_true(freed);
  assert_int_equal(twice, xpuErrorInvalidValue);
}

void absurd_sizes_are_a_memory_error(void**) {
  const size_t absurd = SIZE_MAX / 2;

  const xpuError_t d = memory().allocate_device(device(), absurd).status().code();
  const xpuError_t h = memory().allocate_host(device(), absurd).status().code();
  const xpuError_t m = memory().allocate_managed(device(), absurd).status().code();
  const xpuError_t all = memory().allocate_device(device(), SIZE_MAX).status().code();

  assert_int_equal(d, xpuErrorMemoryAllocation);
  assert_int_equal(h, xpuErrorMemoryAllocation);
  assert_int_equal(m, xpuErrorMemoryAllocation);
  assert_int_equal(all, xpuErrorMemoryAllocation);
}

void nothing_allocated_is_a_null_pointer(void**) {
  void* d = must(memory().allocate_device(device(), 0), "nothing");
  void* h = must(memory().allocate_host(device(), 0), "nothing");

  assert_null(d);
  assert_null(h);
}

void allocations_are_counted_by_device(void**) {
  const size_t before = memory().allocated(0);
  void* d = must(memory().allocate_device(device(), 12345), "device");
  const size_t with = memory().allocated(0);
  must(memory().free(d), "free");
  const size_t after = memory().allocated(0);

  assert_int_equal(with - before, 12345);
  assert_int_equal(after, before);
}

void freeing_waits_for_the_work_that_uses_it(void**) {
  uint32_t* word = managed<uint32_t>(1);
  runtime::Stream& s = new_stream();
  auto* late = static_cast<uint32_t*>(must(memory().allocate_device(device(), 4), "device"));

  must(runtime::host_function(
           s,
           [](void*) {
             const timespec pause = {0, 20'000'000};
             nanosleep(&pause, nullptr);
           },
           nullptr),
       "a pause");
  fill_words(s, late, 77, 1);
  copy_words(s, word, late, 1);
  const bool freed = memory().free(late).ok();

  assert_true(freed);
  assert_int_equal(*word, 77);
  destroy(s);
  free_managed(word);
}

xpuError_t route(void* dst, const void* src, int kind) {
  return runtime::copy_route(memory(), {.dst = dst, .src = src, .width = 4},
                             static_cast<xpuMemcpyKind>(kind))
      .status()
      .code();
}

void the_direction_is_read_from_the_pointers(void**) {
  void* d = must(memory().allocate_device(device(), 64), "device");
  int pageable[16];
  void* p = pageable;

  int refused = 0;
  for (int kind = xpuMemcpyHostToHost; kind <= xpuMemcpyDefault; kind++)
    for (void* dst : {d, p})
      for (void* src : {d, p}) refused += route(dst, src, kind) != xpuSuccess;
  const xpuError_t unknown[] = {route(d, d, 9), route(d, d, -1)};

  assert_int_equal(refused, 0);
  for (const xpuError_t code : unknown) assert_int_equal(code, xpuErrorInvalidMemcpyDirection);
  must(memory().free(d), "free");
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  const CMUnitTest tests[] = {
      cmocka_unit_test(pointers_inside_an_allocation_are_recognised),
      cmocka_unit_test(memory_that_others_allocated_is_recognised),
      cmocka_unit_test(only_the_start_of_the_right_kind_may_be_freed),
      cmocka_unit_test(absurd_sizes_are_a_memory_error),
      cmocka_unit_test(nothing_allocated_is_a_null_pointer),
      cmocka_unit_test(allocations_are_counted_by_device),
      cmocka_unit_test(freeing_waits_for_the_work_that_uses_it),
      cmocka_unit_test(the_direction_is_read_from_the_pointers),
  };
  return finish(XPU_RUN_TESTS(tests));
}
