// SPDX-License-Identifier: Apache-2.0
// Modules: from SPIR-V, native binaries and OpenCL C; constants, logs, names.
#include "module_fixture.h"
#include "xpu_test.h"

#include <string.h>

namespace {

const std::string& kernels() {
  static const std::string bytes = read_bytes("TEST_KERNELS_SPV");
  return bytes;
}

// Adds 1 * scale to 2 and gives the sum, or -1.
float add_with(ze_module_handle_t module) {
  ze_kernel_handle_t kernel = kernel_of(module, "add");
  if (!kernel) return -1;
  auto* a = static_cast<float*>(shared_memory(4));
  auto* b = static_cast<float*>(shared_memory(4));
  *a = 1;
  *b = 2;
  set(kernel, 0, a);
  set(kernel, 1, b);
  set(kernel, 2, 10.0f);
  set(kernel, 3, 1u);
  const float out = run_kernel(kernel, 1) == ZE_RESULT_SUCCESS ? *b : -1;
  free_memory(a);
  free_memory(b);
  ZE(KernelDestroy)(kernel);
  return out;
}

ze_result_t result_and_destroy(const Built& built) {
  if (built.module) ZE(ModuleDestroy)(built.module);
  return built.result;
}

void spirv_builds_and_runs(void**) {
  static float sum;
  static ze_result_t result;
  {
    const Built b = build_module(kernels(), ZE_MODULE_FORMAT_IL_SPIRV);
    sum = add_with(b.module);
    result = result_and_destroy(b);
  }
  assert_int_equal(result, ZE_RESULT_SUCCESS);
  assert_float_equal(sum, 12, 0);
}

void a_native_binary_gives_the_module_back(void**) {
  static float sum;
  static ze_result_t again, damaged, cut;
  {
    const Built b = build_module(kernels(), ZE_MODULE_FORMAT_IL_SPIRV);
    size_t size = 0;
    ZE(ModuleGetNativeBinary)(b.module, &size, nullptr);
    std::string native(size, '\0');
    ZE(ModuleGetNativeBinary)(b.module, &size, reinterpret_cast<uint8_t*>(native.data()));
    result_and_destroy(b);
    const Built n = build_module(native, ZE_MODULE_FORMAT_NATIVE);
    sum = add_with(n.module);
    again = result_and_destroy(n);
    cut = result_and_destroy(build_module(native.substr(0, size / 2), ZE_MODULE_FORMAT_NATIVE));
    native[size / 2] ^= 1;
    damaged = result_and_destroy(build_module(native, ZE_MODULE_FORMAT_NATIVE));
  }
  assert_int_equal(again, ZE_RESULT_SUCCESS);
  assert_float_equal(sum, 12, 0);
  assert_int_equal(damaged, ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
  assert_int_equal(cut, ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
}

const char kSource[] =
    "typedef struct { int a; char b; } Pair;\n"
    "kernel void add(global const float* a, global float* b, float scale, uint n) {\n"
    "  size_t i = get_global_id(0); if (i < n) b[i] = a[i] * scale + b[i]; }\n"
    "kernel void pair(global int* out, Pair p, local int* l, int3 v) {\n"
    "  l[0] = p.b; out[0] = p.a + l[0] + v.z + EXTRA; }\n";

void opencl_c_builds_and_runs(void**) {
  static float sum;
  static ze_result_t result;
  static int pair_value;
  {
    const Built b = build_module(kSource, kZeModuleFormatOpenclC, "-DEXTRA=1000");
    sum = add_with(b.module);
    ze_kernel_handle_t kernel = kernel_of(b.module, "pair");
    auto* out = static_cast<int*>(shared_memory(4));
    struct Pair {
      int a;
      char b;
    } pair = {100, 20};
    const int v[4] = {0, 0, 3, 0};
    pair_value = -1;
    if (kernel && !set(kernel, 0, out) && !set(kernel, 1, pair) &&
        !ZE(KernelSetArgumentValue)(kernel, 2, 16, nullptr) && !set(kernel, 3, v) &&
        !run_kernel(kernel, 1))
      pair_value = *out;
    free_memory(out);
    if (kernel) ZE(KernelDestroy)(kernel);
    result = result_and_destroy(b);
  }
  assert_int_equal(result, ZE_RESULT_SUCCESS);
  assert_float_equal(sum, 12, 0);
  assert_int_equal(pair_value, 1123);
}

void wrong_opencl_c_fails_with_the_compilers_words(void**) {
  static ze_result_t result;
  static bool named;
  {
    const Built b = build_module("kernel void f() { unknown_thing(); }", kZeModuleFormatOpenclC,
                                 "-cl-std=CL1.2");
    named = b.log.find("unknown_thing") != std::string::npos;
    result = result_and_destroy(b);
  }
  assert_int_equal(result, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  assert_true(named);
}

struct Stored {
  uint32_t value, choice;
};

Stored store_with(const ze_module_constants_t* constants) {
  Stored out = {~0u, ~0u};
  const Built b =
      build_module(read_bytes("TEST_SPECIALIZE_SPV"), ZE_MODULE_FORMAT_IL_SPIRV, "", constants);
  ze_kernel_handle_t kernel = b.module ? kernel_of(b.module, "store") : nullptr;
  auto* memory = static_cast<uint32_t*>(shared_memory(8));
  if (kernel && !set(kernel, 0, memory) && !run_kernel(kernel, 1)) out = {memory[0], memory[1]};
  free_memory(memory);
  if (kernel) ZE(KernelDestroy)(kernel);
  result_and_destroy(b);
  return out;
}

void specialization_constants_reach_the_kernel(void**) {
  const uint32_t ids[] = {7, 9, 999};
  const uint32_t value = 1234567;
  const uint8_t choice = 1;
  const void* values[] = {&value, &choice, &value};
  ze_module_constants_t constants = {3, ids, values};

  const Stored plain = store_with(nullptr);
  const Stored special = store_with(&constants);

  assert_int_equal(plain.value, 10);
  assert_int_equal(plain.choice, 0);
  assert_int_equal(special.value, 1234567);
  assert_int_equal(special.choice, 1);
}

void kernel_names_come_in_the_modules_order(void**) {
  static uint32_t count;
  static char first[16], second[16];
  {
    const Built b = build_module(kernels(), ZE_MODULE_FORMAT_IL_SPIRV);
    ZE(ModuleGetKernelNames)(b.module, &count, nullptr);
    const char* names[16] = {};
    uint32_t two = 2;
    ZE(ModuleGetKernelNames)(b.module, &two, names);
    snprintf(first, sizeof first, "%s", names[0]);
    snprintf(second, sizeof second, "%s", names[1]);
    result_and_destroy(b);
  }
  assert_int_equal(count, 8);
  assert_string_equal(first, "add");
  assert_string_equal(second, "by_value");
}

void a_kernel_with_an_image_is_named_and_the_others_work(void**) {
  static ze_result_t picture, missing;
  static bool named;
  {
    const Built b = build_module(kernels(), ZE_MODULE_FORMAT_IL_SPIRV);
    ze_kernel_handle_t kernel = nullptr;
    picture = make_kernel(b.module, "picture", &kernel);
    missing = make_kernel(b.module, "no_such_kernel", &kernel);
    named = b.log.find("'picture'") != std::string::npos;
    result_and_destroy(b);
  }
  assert_int_equal(picture, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  assert_int_equal(missing, ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  assert_true(named);
}

void flags_for_gpus_are_ignored_and_said_so(void**) {
  static ze_result_t result;
  static bool said;
  {
    const Built b = build_module(kernels(), ZE_MODULE_FORMAT_IL_SPIRV,
                                 "-ze-opt-greater-than-4GB-buffer-required -ze-opt-level=2");
    said = b.log.find("greater-than-4GB") != std::string::npos;
    result = result_and_destroy(b);
  }
  assert_int_equal(result, ZE_RESULT_SUCCESS);
  assert_true(said);
}

void a_flag_without_its_value_is_refused(void**) {
  static bool refused = true;
  for (const char* flags : {"-I", "-D", "-g -D", "-D -D -D", "-I -ze-opt-large-register-file"}) {
    const Built b = build_module(kernels(), ZE_MODULE_FORMAT_IL_SPIRV, flags);
    refused = refused && b.result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE &&
              b.log.find("lacks its value") != std::string::npos;
  }
  assert_true(refused);
}

void wrong_descriptions_are_refused(void**) {
  ze_module_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  const uint8_t byte = 0;
  ze_module_handle_t module = nullptr;
  const auto create = ZE(ModuleCreate);
  const ZeDirect& d = ze_direct();

  assert_int_equal(create(d.context, d.device, nullptr, &module, nullptr),
                   ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  assert_int_equal(create(d.context, d.device, &desc, &module, nullptr),
                   ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  desc.pInputModule = &byte;
  assert_int_equal(create(d.context, d.device, &desc, &module, nullptr),
                   ZE_RESULT_ERROR_INVALID_SIZE);
  desc.inputSize = 1;
  desc.format = static_cast<ze_module_format_t>(77);
  assert_int_equal(create(d.context, d.device, &desc, &module, nullptr),
                   ZE_RESULT_ERROR_INVALID_ENUMERATION);
  assert_int_equal(create(nullptr, d.device, &desc, &module, nullptr),
                   ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  assert_null(module);
}

void a_kernel_outlives_its_module(void**) {
  static ze_result_t result;
  {
    const Built b = build_module(kernels(), ZE_MODULE_FORMAT_IL_SPIRV);
    ze_kernel_handle_t kernel = kernel_of(b.module, "nothing");
    result_and_destroy(b);
    size_t size = 0;
    result = ZE(KernelGetName)(kernel, &size, nullptr);
    ZE(KernelDestroy)(kernel);
  }
  assert_int_equal(result, ZE_RESULT_SUCCESS);
}

}  // namespace

int main() {
  ze_open();
  const CMUnitTest tests[] = {
      cmocka_unit_test(spirv_builds_and_runs),
      cmocka_unit_test(a_native_binary_gives_the_module_back),
      cmocka_unit_test(opencl_c_builds_and_runs),
      cmocka_unit_test(wrong_opencl_c_fails_with_the_compilers_words),
      cmocka_unit_test(specialization_constants_reach_the_kernel),
      cmocka_unit_test(kernel_names_come_in_the_modules_order),
      cmocka_unit_test(a_kernel_with_an_image_is_named_and_the_others_work),
      cmocka_unit_test(flags_for_gpus_are_ignored_and_said_so),
      cmocka_unit_test(a_flag_without_its_value_is_refused),
      cmocka_unit_test(wrong_descriptions_are_refused),
      cmocka_unit_test(a_kernel_outlives_its_module),
  };
  return ze_close(XPU_RUN_TESTS(tests));
}
