// SPDX-License-Identifier: Apache-2.0
// Signatures from Intel's native modules: a module made here, and what becomes of damaged ones.
#include <elf.h>

#include <cstring>
#include <string>
#include <vector>

#include "random_dag.h"
#include "runtime/zebin.h"
#include "xpu_test.h"

namespace xpu::test {
namespace {

constexpr char kText[] = R"(---
version:         '1.39'
kernels:
  - name:            axpy
    execution_env:
      grf_count:       128
      simd_size:       32
    payload_arguments:
      - arg_type:        global_id_offset
        offset:          0
        size:            12
      - arg_type:        arg_bypointer
        offset:          32
        size:            8
        arg_index:       0
        addrmode:        stateless
        addrspace:       global
        access_type:     readwrite
      - arg_type:        arg_byvalue
        offset:          40
        size:            4
        arg_index:       2
      - arg_type:        arg_bypointer
        offset:          48
        size:            4
        arg_index:       1
        addrmode:        slm
        addrspace:       local
        access_type:     readwrite
        slm_alignment:   16
    binding_table_indices:
      - bti_value:       0
        arg_index:       9
  - name:            structure
    execution_env:
      required_work_group_size: [ 8, 2, 1 ]
    payload_arguments:
      - arg_type:        arg_byvalue
        offset:          0
        size:            4
        arg_index:       0
        source_offset:   0
      - arg_type:        arg_byvalue
        offset:          8
        size:            8
        arg_index:       0
        source_offset:   8
  - name:            picture
    payload_arguments:
      - arg_type:        arg_bypointer
        offset:          0
        size:            0
        arg_index:       0
        addrmode:        bindless
        addrspace:       image
functions:
  - name:            helper
    payload_arguments:
      - arg_type:        arg_byvalue
        size:            400
        arg_index:       0
...
)";

// A file of three sections: none, the names, the text.
std::vector<char> module_of(const std::string& text) {
  const char names[] = "\0.shstrtab\0.ze_info";
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  Elf64_Shdr sections[3] = {};
  sections[1].sh_name = 1;
  sections[1].sh_offset = sizeof header;
  sections[1].sh_size = sizeof names;
  sections[2].sh_name = 11;
  sections[2].sh_offset = sizeof header + sizeof names;
  sections[2].sh_size = text.size();
  header.e_shoff = sizeof header + sizeof names + text.size();
  std::vector<char> file;
  auto add = [&](const void* data, size_t size) {
    const char* bytes = static_cast<const char*>(data);
    file.insert(file.end(), bytes, bytes + size);
  };
  add(&header, sizeof header);
  add(names, sizeof names);
  add(text.data(), text.size());
  add(sections, sizeof sections);
  return file;
}

struct Seen {
  size_t kernels;
  bool names;
  Parameter axpy[3];
  size_t axpy_parameters;
  uint32_t structure_size;
  uint32_t group[3];
  bool refused;
};

Seen read_good() {
  const std::vector<char> file = module_of(kText);
  auto read = runtime::read_zebin(file.data(), file.size());
  Seen seen = {};
  if (!read.ok() || read.value().size() != 3) return seen;
  const auto& k = read.value();
  seen.kernels = k.size();
  seen.names = k[0].name == "axpy" && k[1].name == "structure" && k[2].name == "picture";
  seen.axpy_parameters = k[0].parameters.size();
  for (size_t i = 0; i < 3 && i < k[0].parameters.size(); i++) seen.axpy[i] = k[0].parameters[i];
  seen.structure_size = k[1].parameters.empty() ? 0 : k[1].parameters[0].size;
  for (size_t i = 0; i < 3; i++) seen.group[i] = k[1].required_group_size[i];
  seen.refused = !k[2].refusal.empty();
  return seen;
}

void kernels_and_parameters_are_read(void**) {
  const Seen seen = read_good();

  assert_int_equal(seen.kernels, 3);
  assert_true(seen.names);
  assert_int_equal(seen.axpy_parameters, 3);
  assert_true(seen.axpy[0].kind == ParameterKind::pointer && seen.axpy[0].size == 8);
  assert_true(seen.axpy[1].kind == ParameterKind::local && seen.axpy[1].size == 8);
  assert_true(seen.axpy[2].kind == ParameterKind::value && seen.axpy[2].size == 4);
  assert_int_equal(seen.structure_size, 16);
  assert_int_equal(seen.group[0], 8);
  assert_int_equal(seen.group[1], 2);
  assert_true(seen.refused);
}

xpuError_t code_of(const std::vector<char>& file) {
  return runtime::read_zebin(file.data(), file.size()).status().code();
}

xpuError_t code_without_text() {
  std::vector<char> file = module_of(kText);
  for (size_t i = 0; i + 8 < file.size(); i++) {
    if (!std::memcmp(&file[i], ".ze_info", 8)) file[i + 1] = 'y';
  }
  return code_of(file);
}

void what_is_no_module_is_refused(void**) {
  const xpuError_t none = code_of({}), text = code_of(std::vector<char>(200, 'x'));
  const xpuError_t without = code_without_text();

  assert_int_equal(none, xpuErrorInvalidKernelImage);
  assert_int_equal(text, xpuErrorInvalidKernelImage);
  assert_int_equal(without, xpuErrorInvalidKernelImage);
}

// Nothing to compare with but the sanitizers: every truncation, and thousands of flipped bits, in a
// block of exactly that size.
int survived() {
  const std::vector<char> good = module_of(kText);
  int read = 0;
  for (size_t size = 0; size < good.size(); size++) {
    const std::vector<char> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    (void)code_of(cut);
    read++;
  }
  Random random(1);
  for (int i = 0; i < 4000; i++) {
    std::vector<char> bad = good;
    for (uint32_t flips = 1 + random.below(6); flips--;) {
      // Headers are a twentieth of the file and where most can go wrong.
      const auto size = static_cast<uint32_t>(bad.size());
      const uint32_t at =
          random.one_in(2) ? random.below(size)
                           : (random.one_in(2) ? random.below(64) : size - 1 - random.below(192));
      bad[at] = static_cast<char>(bad[at] ^ (1 << random.below(8)));
    }
    (void)code_of(bad);
    read++;
  }
  return read;
}

void damaged_modules_do_no_harm(void**) {
  const int read = survived();

  assert_true(read > 4000);
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  const CMUnitTest tests[] = {
      cmocka_unit_test(kernels_and_parameters_are_read),
      cmocka_unit_test(what_is_no_module_is_refused),
      cmocka_unit_test(damaged_modules_do_no_harm),
  };
  return XPU_RUN_TESTS(tests);
}
