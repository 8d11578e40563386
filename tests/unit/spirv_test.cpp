// SPDX-License-Identifier: Apache-2.0
// Kernel signatures from SPIR-V: right sizes for every kind of parameter, and no bytes that crash
// it.
#include "base/spirv.h"
#include "xpu_test.h"

#include <string.h>

#include <fstream>
#include <iterator>

namespace {

std::string bytes;
std::vector<xpu::SpirvKernel> kernels;

struct Seen {
  bool found;
  size_t count;
  xpu::Parameter parameters[8];
  uint32_t required[3], hint[3];
  char refusal[128];
};

Seen see(const char* name) {
  Seen s{};
  for (const xpu::SpirvKernel& k : kernels) {
    if (k.name != name) continue;
    s.found = true;
    s.count = k.parameters.size();
    for (size_t i = 0; i < s.count && i < 8; ++i) s.parameters[i] = k.parameters[i];
    memcpy(s.required, k.required_group_size.data(), sizeof s.required);
    memcpy(s.hint, k.group_size_hint.data(), sizeof s.hint);
    snprintf(s.refusal, sizeof s.refusal, "%s", k.refusal.c_str());
  }
  return s;
}

void sizes_are_those_of_the_types(void**) {
  const Seen s = see("by_value");

  assert_true(s.found);
  assert_int_equal(s.count, 5);
  const uint32_t sizes[] = {8, 24, 16, 1, 8};
  for (int i = 0; i < 5; ++i) assert_int_equal(s.parameters[i].size, sizes[i]);
  assert_true(s.parameters[0].kind == xpu::ParameterKind::pointer);
  assert_true(s.parameters[1].kind == xpu::ParameterKind::value);
}

void local_pointers_are_told_from_global_ones(void**) {
  const Seen s = see("reverse");
  assert_int_equal(s.count, 2);
  assert_true(s.parameters[0].kind == xpu::ParameterKind::pointer);
  assert_true(s.parameters[1].kind == xpu::ParameterKind::local);
}

void a_required_group_size_is_read(void**) {
  const Seen fixed = see("fixed_size"), any = see("add");
  assert_int_equal(fixed.required[0], 8);
  assert_int_equal(fixed.required[1], 2);
  assert_int_equal(fixed.required[2], 1);
  assert_int_equal(any.required[0], 0);
}

void a_kernel_may_have_no_parameters(void**) {
  const Seen s = see("nothing");
  assert_true(s.found);
  assert_int_equal(s.count, 0);
}

void what_cannot_be_passed_is_named(void**) {
  const Seen s = see("picture");
  assert_true(s.found);
  assert_non_null(strstr(s.refusal, "parameter 0 is an image"));
}

void the_other_byte_order_reads_the_same(void**) {
  static bool same;
  {
    std::string swapped = bytes;
    for (size_t i = 0; i + 4 <= swapped.size(); i += 4) {
      std::swap(swapped[i], swapped[i + 3]);
      std::swap(swapped[i + 1], swapped[i + 2]);
    }
    const auto r = xpu::read_spirv(swapped.data(), swapped.size());
    same = r.ok() && r.value().size() == kernels.size() &&
           r.value()[1].parameters[1].size == kernels[1].parameters[1].size;
  }
  assert_true(same);
}

bool refused(const void* image, size_t size) { return !xpu::read_spirv(image, size).ok(); }

void what_is_not_spirv_is_refused(void**) {
  const uint32_t zero_words[] = {xpu::kSpirvMagic, 0x10000, 0, 10, 0, 0};
  const uint32_t too_long[] = {xpu::kSpirvMagic, 0x10000, 0, 10, 0, 0x50000};
  const uint32_t no_bound[] = {xpu::kSpirvMagic, 0x10000, 0, 0, 0};
  const uint32_t no_version[] = {xpu::kSpirvMagic, 0, 0, 10, 0, 0x3000e, 2, 2};
  const uint32_t version_9[] = {xpu::kSpirvMagic, 0x90900, 0, 10, 0, 0x3000e, 2, 2};
  const uint32_t only_header[] = {xpu::kSpirvMagic, 0x10000, 0, 10, 0};
  const uint32_t only_model[] = {xpu::kSpirvMagic, 0x10000, 0, 10, 0, 0x3000e, 2, 2};
  const uint32_t no_end[] = {xpu::kSpirvMagic, 0x10000, 0, 10, 0, 0x3000e, 2, 2,
                             0x50036,          1,       2, 0,  3};

  assert_true(refused(nullptr, 100));
  assert_true(refused("", 0));
  assert_true(refused("hello, this is text", 19));
  assert_true(refused(zero_words, 4));
  assert_true(refused(zero_words, sizeof zero_words));
  assert_true(refused(zero_words, sizeof zero_words - 1));
  assert_true(refused(too_long, sizeof too_long));
  assert_true(refused(no_bound, sizeof no_bound));
  assert_true(refused(no_version, sizeof no_version));
  assert_true(refused(version_9, sizeof version_9));
  assert_true(refused(only_header, sizeof only_header));
  assert_false(refused(only_model, sizeof only_model));
  assert_true(refused(no_end, sizeof no_end));
}

void no_truncation_crashes_it(void**) {
  for (size_t keep = 0; keep < bytes.size(); ++keep) {
    void* copy = malloc(keep ? keep : 1);  // exactly as long: a read past it is seen
    memcpy(copy, bytes.data(), keep);
    (void)refused(copy, keep);
    free(copy);
  }
}

void no_flipped_bits_crash_it(void**) {
  uint32_t random = 12345;
  char* copy = static_cast<char*>(malloc(bytes.size()));
  for (int round = 0; round < 20000; ++round) {
    memcpy(copy, bytes.data(), bytes.size());
    for (int flip = 0; flip < 4; ++flip) {
      random = random * 1664525 + 1013904223;
      copy[(random >> 8) % bytes.size()] ^= static_cast<char>(1 << (random >> 29));
    }
    (void)refused(copy, bytes.size());
  }
  free(copy);
}

// 40 structures, each of two of the one before: 2^40 members if they were all walked.
void a_tree_of_shared_types_ends_soon(void**) {
  static bool told;
  {
    std::vector<uint32_t> w = {xpu::kSpirvMagic, 0x10000, 0, 200, 0};
    const auto op = [&w](uint32_t code, std::initializer_list<uint32_t> operands) {
      w.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | code);
      w.insert(w.end(), operands);
    };
    op(15, {6, 100, 0x6b});  // OpEntryPoint Kernel %100 "k"
    op(14, {2, 2});          // OpMemoryModel Physical64 OpenCL
    op(21, {1, 8, 0});       // OpTypeInt
    for (uint32_t i = 2; i <= 41; ++i) op(30, {i, i - 1, i - 1});  // OpTypeStruct
    op(32, {50, 7, 41});                                           // OpTypePointer Function
    op(54, {60, 100, 0, 61});                                      // OpFunction
    op(55, {50, 101});                                             // OpFunctionParameter
    op(56, {});
    const auto r = xpu::read_spirv(w.data(), w.size() * 4);
    told = r.ok() && r.value().size() == 1 && !r.value()[0].refusal.empty();
  }
  assert_true(told);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  std::ifstream in(argv[1], std::ios::binary);
  bytes.assign(std::istreambuf_iterator<char>(in), {});
  auto read = xpu::read_spirv(bytes.data(), bytes.size());
  if (!read.ok()) return 1;
  kernels = read.take();
  const CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_those_of_the_types),
      cmocka_unit_test(local_pointers_are_told_from_global_ones),
      cmocka_unit_test(a_required_group_size_is_read),
      cmocka_unit_test(a_kernel_may_have_no_parameters),
      cmocka_unit_test(what_cannot_be_passed_is_named),
      cmocka_unit_test(the_other_byte_order_reads_the_same),
      cmocka_unit_test(what_is_not_spirv_is_refused),
      cmocka_unit_test(no_truncation_crashes_it),
      cmocka_unit_test(no_flipped_bits_crash_it),
      cmocka_unit_test(a_tree_of_shared_types_ends_soon),
  };
  return XPU_RUN_TESTS(tests);
}
