// SPDX-License-Identifier: Apache-2.0
// Kernels: arguments of every kind, group sizes, properties.
#include "module_fixture.h"
#include "xpu_test.h"

#include <pthread.h>
#include <string.h>

namespace {

ze_module_handle_t module;

void by_value_arguments_of_every_shape_arrive(void**) {
  struct Mixed {
    int a;
    char b;
    short c[3];
    int64_t d;
  } mixed = {1, 2, {0, 0, 3}, 4};
  const float v[4] = {0, 0, 5, 0};
  const char small = -6;
  const double wide = 7;
  ze_kernel_handle_t kernel = kernel_of(module, "by_value");
  auto* out = static_cast<int64_t*>(shared_memory(7 * 8));
  assert_int_equal(set(kernel, 0, out), 0);
  assert_int_equal(set(kernel, 1, mixed), 0);
  assert_int_equal(set(kernel, 2, v), 0);
  assert_int_equal(set(kernel, 3, small), 0);
  assert_int_equal(set(kernel, 4, wide), 0);

  assert_int_equal(run_kernel(kernel, 1), 0);

  const int64_t expected[] = {1, 2, 3, 4, 5, -6, 7};
  for (int i = 0; i < 7; ++i) assert_int_equal(out[i], expected[i]);
  free_memory(out);
  ZE(KernelDestroy)(kernel);
}

void local_memory_is_shared_by_a_group_across_a_barrier(void**) {
  ze_kernel_handle_t kernel = kernel_of(module, "reverse");
  auto* data = static_cast<int*>(shared_memory(64 * 4));
  for (int i = 0; i < 64; ++i) data[i] = i;
  assert_int_equal(set(kernel, 0, data), 0);
  assert_int_equal(ZE(KernelSetArgumentValue)(kernel, 1, 16 * 4, nullptr), 0);
  assert_int_equal(ZE(KernelSetGroupSize)(kernel, 16, 1, 1), 0);

  assert_int_equal(run_kernel(kernel, 4), 0);

  for (int i = 0; i < 64; ++i) assert_int_equal(data[i], i / 16 * 16 + 15 - i % 16);
  free_memory(data);
  ZE(KernelDestroy)(kernel);
}

void a_null_pointer_argument_is_null_in_the_kernel(void**) {
  ze_kernel_handle_t kernel = kernel_of(module, "is_null");
  auto* out = static_cast<int*>(shared_memory(4));
  void* null = nullptr;
  assert_int_equal(set(kernel, 1, out), 0);
  assert_int_equal(set(kernel, 0, out), 0);
  assert_int_equal(run_kernel(kernel, 1), 0);
  assert_int_equal(*out, 0);

  assert_int_equal(set(kernel, 0, null), 0);
  assert_int_equal(run_kernel(kernel, 1), 0);
  assert_int_equal(*out, 1);
  assert_int_equal(ZE(KernelSetArgumentValue)(kernel, 0, 8, nullptr), 0);
  *out = 0;
  assert_int_equal(run_kernel(kernel, 1), 0);
  assert_int_equal(*out, 1);
  free_memory(out);
  ZE(KernelDestroy)(kernel);
}

void memory_of_the_program_can_be_an_argument(void**) {
  static int mine[4] = {9, 9, 9, 9};
  int* pointer = mine;
  ze_kernel_handle_t kernel = kernel_of(module, "where");
  assert_int_equal(set(kernel, 0, pointer), 0);

  assert_int_equal(ZE(KernelSetGlobalOffsetExp)(kernel, 100, 0, 0), 0);
  assert_int_equal(run_kernel(kernel, 4), 0);
  assert_int_equal(mine[0], 100);
  assert_int_equal(ZE(KernelSetGlobalOffsetExp)(kernel, 0, 0, 0), 0);
  assert_int_equal(run_kernel(kernel, 4), 0);
  assert_int_equal(mine[0], 0);
  ZE(KernelDestroy)(kernel);
}

void a_required_group_size_is_kept(void**) {
  ze_kernel_handle_t kernel = kernel_of(module, "fixed_size");
  uint32_t x = 0, y = 0, z = 0, size = 0;
  ze_kernel_properties_t p{};
  p.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  char text[64];
  char* at = text;

  assert_int_equal(ZE(KernelGetProperties)(kernel, &p), 0);
  assert_int_equal(p.requiredGroupSizeX, 8);
  assert_int_equal(p.requiredGroupSizeY, 2);
  assert_int_equal(ZE(KernelSuggestGroupSize)(kernel, 64, 64, 1, &x, &y, &z), 0);
  assert_int_equal(x, 8);
  assert_int_equal(y, 2);
  assert_int_equal(ZE(KernelSetGroupSize)(kernel, 4, 2, 1),
                   ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  assert_int_equal(ZE(KernelSetGroupSize)(kernel, 8, 2, 1), 0);
  assert_int_equal(ZE(KernelGetSourceAttributes)(kernel, &size, nullptr), 0);
  assert_true(size <= sizeof text);
  assert_int_equal(ZE(KernelGetSourceAttributes)(kernel, &size, &at), 0);
  assert_string_equal(text, "reqd_work_group_size(8,2,1)");
  ZE(KernelDestroy)(kernel);
}

void suggested_groups_cover_the_range_exactly(void**) {
  ze_kernel_handle_t kernel = kernel_of(module, "add");
  const uint32_t sizes[][3] = {{1, 1, 1}, {1000, 1, 1}, {17, 3, 1}, {512, 512, 4}, {1009, 5, 2}};
  for (const auto& size : sizes) {
    uint32_t x = 0, y = 0, z = 0;
    assert_int_equal(ZE(KernelSuggestGroupSize)(kernel, size[0], size[1], size[2], &x, &y, &z), 0);
    assert_int_equal(size[0] % x, 0);
    assert_int_equal(size[1] % y, 0);
    assert_int_equal(size[2] % z, 0);
    assert_true(x * y * z <= 1024);
    assert_int_equal(ZE(KernelSetGroupSize)(kernel, x, y, z), 0);
  }
  uint32_t x = 0;
  assert_int_equal(ZE(KernelSuggestGroupSize)(kernel, 0, 1, 1, &x, &x, &x),
                   ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
  ZE(KernelDestroy)(kernel);
}

void wrong_group_sizes_are_refused(void**) {
  ze_kernel_handle_t kernel = kernel_of(module, "add");
  const auto size = ZE(KernelSetGroupSize);
  assert_int_equal(size(kernel, 0, 1, 1), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(size(kernel, 1025, 1, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  assert_int_equal(size(kernel, 64, 64, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  assert_int_equal(size(kernel, 1u << 31, 1u << 31, 1u << 31),
                   ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  assert_int_equal(size(kernel, 1024, 1, 1), ZE_RESULT_SUCCESS);
  ZE(KernelDestroy)(kernel);
}

void wrong_arguments_are_refused_by_index_and_size(void**) {
  ze_kernel_handle_t add = kernel_of(module, "add");
  ze_kernel_handle_t reverse = kernel_of(module, "reverse");
  const uint64_t wide = 1;
  const auto argument = ZE(KernelSetArgumentValue);

  assert_int_equal(argument(add, 4, 4, &wide), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  assert_int_equal(argument(add, 2, 8, &wide), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  assert_int_equal(argument(add, 0, 4, &wide), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  assert_int_equal(argument(add, 2, 4, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  assert_int_equal(argument(reverse, 1, 64, &wide), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(argument(reverse, 1, 0, nullptr), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  assert_int_equal(argument(reverse, 1, 1u << 30, nullptr),
                   ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  ZE(KernelDestroy)(add);
  ZE(KernelDestroy)(reverse);
}

void properties_and_name_tell_what_it_is(void**) {
  ze_kernel_handle_t kernel = kernel_of(module, "by_value");
  ze_kernel_preferred_group_size_properties_t preferred{};
  preferred.stype = ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES;
  ze_kernel_properties_t p{};
  p.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  p.pNext = &preferred;
  char name[32];
  size_t size = sizeof name;
  size_t little = 3;

  assert_int_equal(ZE(KernelGetProperties)(kernel, &p), 0);
  assert_int_equal(p.numKernelArgs, 5);
  assert_true(preferred.preferredMultiple >= 1);
  assert_int_equal(ZE(KernelGetName)(kernel, &size, name), 0);
  assert_string_equal(name, "by_value");
  assert_int_equal(size, 9);
  assert_int_equal(ZE(KernelGetName)(kernel, &little, name), ZE_RESULT_ERROR_INVALID_SIZE);
  ZE(KernelDestroy)(kernel);
}

void allocations_behind_the_arguments_are_listed(void**) {
  ze_kernel_handle_t kernel = kernel_of(module, "add");
  auto* a = static_cast<float*>(shared_memory(400));
  static float mine;
  float* b = &mine;
  assert_int_equal(set(kernel, 0, a), 0);
  assert_int_equal(set(kernel, 1, b), 0);
  uint32_t count = 0;
  ze_kernel_allocation_exp_properties_t p[4] = {};

  assert_int_equal(ZE(KernelGetAllocationPropertiesExp)(kernel, &count, nullptr), 0);
  assert_int_equal(count, 1);
  assert_int_equal(ZE(KernelGetAllocationPropertiesExp)(kernel, &count, p), 0);
  assert_int_equal(p[0].base, reinterpret_cast<uintptr_t>(a));
  assert_int_equal(p[0].size, 400);
  assert_int_equal(p[0].argIndex, 0);
  free_memory(a);
  ZE(KernelDestroy)(kernel);
}

struct Worker {
  pthread_t thread;
  float step;
  float sum;
};

// 300 launches of the one compiled kernel, each adding `step` to this worker's own memory.
void* add_up(void* argument) {
  auto* w = static_cast<Worker*>(argument);
  ze_kernel_handle_t kernel = kernel_of(module, "add");
  auto* a = static_cast<float*>(shared_memory(4));
  auto* b = static_cast<float*>(shared_memory(4));
  *a = 1;
  *b = 0;
  set(kernel, 0, a);
  set(kernel, 1, b);
  set(kernel, 2, w->step);
  set(kernel, 3, 1u);
  for (int i = 0; i < 300; ++i)
    if (run_kernel(kernel, 1) != ZE_RESULT_SUCCESS) break;
  w->sum = *b;
  free_memory(a);
  free_memory(b);
  ZE(KernelDestroy)(kernel);
  return nullptr;
}

void threads_launch_one_kernel_with_their_own_arguments(void**) {
  static Worker workers[4];
  for (int i = 0; i < 4; ++i) {
    workers[i].step = static_cast<float>(i + 1);
    assert_int_equal(pthread_create(&workers[i].thread, nullptr, add_up, &workers[i]), 0);
  }
  for (Worker& w : workers) pthread_join(w.thread, nullptr);

  for (const Worker& w : workers) assert_float_equal(w.sum, 300 * w.step, 0);
}

void a_destroyed_kernel_is_recognised(void**) {
  ze_kernel_handle_t kernel = kernel_of(module, "nothing");
  assert_int_equal(ZE(KernelDestroy)(kernel), 0);

  assert_int_equal(ZE(KernelDestroy)(kernel), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(ZE(KernelSetGroupSize)(kernel, 1, 1, 1), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(ZE(KernelSetGroupSize)(nullptr, 1, 1, 1), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  assert_int_equal(ZE(KernelSetGroupSize)(reinterpret_cast<ze_kernel_handle_t>(module), 1, 1, 1),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

}  // namespace

int main() {
  ze_open();
  module = build_module(read_bytes("TEST_KERNELS_SPV"), ZE_MODULE_FORMAT_IL_SPIRV).module;
  if (!module) return 1;
  const CMUnitTest tests[] = {
      cmocka_unit_test(by_value_arguments_of_every_shape_arrive),
      cmocka_unit_test(local_memory_is_shared_by_a_group_across_a_barrier),
      cmocka_unit_test(a_null_pointer_argument_is_null_in_the_kernel),
      cmocka_unit_test(memory_of_the_program_can_be_an_argument),
      cmocka_unit_test(a_required_group_size_is_kept),
      cmocka_unit_test(suggested_groups_cover_the_range_exactly),
      cmocka_unit_test(wrong_group_sizes_are_refused),
      cmocka_unit_test(wrong_arguments_are_refused_by_index_and_size),
      cmocka_unit_test(properties_and_name_tell_what_it_is),
      cmocka_unit_test(allocations_behind_the_arguments_are_listed),
      cmocka_unit_test(threads_launch_one_kernel_with_their_own_arguments),
      cmocka_unit_test(a_destroyed_kernel_is_recognised),
  };
  const int failed = XPU_RUN_TESTS(tests);
  ZE(ModuleDestroy)(module);
  return ze_close(failed);
}
