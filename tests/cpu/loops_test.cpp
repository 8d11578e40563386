// SPDX-License-Identifier: Apache-2.0
// SPIR-V whose blocks are in LLVM's order instead of SPIR-V's builds and computes the same.
#include "module_fixture.h"
#include "xpu_test.h"

namespace {

// What the kernel `walk` says, in C.
int walk(const int* in, int n, int id) {
  int sum = id;
  for (int i = 0; i < n; i++) {
    if (in[i] == 1) {
      sum += i;
    } else if (in[i] == 7) {
      while (sum > 100) sum >>= 1;
    } else if (in[i] != 3) {
      sum = sum * 3 - in[i];
    }
  }
  return sum;
}

ze_module_handle_t module;

void loops_and_branches_compute_what_c_computes(void**) {
  constexpr int kItems = 32, kNumbers = 20;
  ze_kernel_handle_t kernel = kernel_of(module, "walk");
  auto* in = static_cast<int*>(shared_memory(kNumbers * 4));
  auto* out = static_cast<int*>(shared_memory(kItems * 4));
  for (int i = 0; i < kNumbers; i++) in[i] = i * 37 % 10;
  assert_int_equal(set(kernel, 0, in), 0);
  assert_int_equal(set(kernel, 1, kNumbers), 0);
  assert_int_equal(set(kernel, 2, out), 0);
  assert_int_equal(ZE(KernelSetGroupSize)(kernel, kItems, 1, 1), 0);

  assert_int_equal(run_kernel(kernel, 1), 0);

  for (int i = 0; i < kItems; i++) assert_int_equal(out[i], walk(in, kNumbers, i));
  free_memory(in);
  free_memory(out);
  ZE(KernelDestroy)(kernel);
}

void a_barrier_in_a_loop_holds_the_group_together(void**) {
  ze_kernel_handle_t kernel = kernel_of(module, "reduce");
  auto* data = static_cast<int*>(shared_memory(64 * 4));
  for (int i = 0; i < 64; i++) data[i] = i;
  assert_int_equal(set(kernel, 0, data), 0);
  assert_int_equal(ZE(KernelSetArgumentValue)(kernel, 1, 64 * 4, nullptr), 0);
  assert_int_equal(ZE(KernelSetGroupSize)(kernel, 64, 1, 1), 0);

  assert_int_equal(run_kernel(kernel, 1), 0);

  assert_int_equal(data[0], 63 * 64 / 2);
  free_memory(data);
  ZE(KernelDestroy)(kernel);
}

}  // namespace

int main() {
  ze_open();
  const Built built = build_module(read_bytes("TEST_LOOPS_SPV"), ZE_MODULE_FORMAT_IL_SPIRV);
  if (built.result != ZE_RESULT_SUCCESS) {
    fprintf(stderr, "the module does not build: %s\n", built.log.c_str());
    return 1;
  }
  module = built.module;
  const CMUnitTest tests[] = {
      cmocka_unit_test(loops_and_branches_compute_what_c_computes),
      cmocka_unit_test(a_barrier_in_a_loop_holds_the_group_together),
  };
  const int code = XPU_RUN_TESTS(tests);
  ZE(ModuleDestroy)(module);
  return code;
}
