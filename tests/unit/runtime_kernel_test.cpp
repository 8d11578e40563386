// SPDX-License-Identifier: Apache-2.0
// Modules and kernels: loading, arguments, launches, and what is refused by name.
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "runtime_world.h"

namespace xpu::test {
namespace {

using runtime::Kernel;
using runtime::Module;
using runtime::ModuleFormat;

const std::vector<char>& spirv() {
  static const auto* const bytes = [] {
    auto* read = new std::vector<char>;
    const char* path = std::getenv("TEST_KERNELS_SPV");
    FILE* file = path ? std::fopen(path, "rb") : nullptr;
    if (!file) {
      fprintf(stderr, "TEST_KERNELS_SPV must name the SPIR-V of runtime_kernels.cl\n");
      exit(1);
    }
    char part[4096];
    while (const size_t n = std::fread(part, 1, sizeof part, file))
      read->insert(read->end(), part, part + n);
    std::fclose(file);
    return read;
  }();
  return *bytes;
}

runtime::ModuleSource source(const void* image, size_t size,
                             ModuleFormat format = ModuleFormat::any) {
  runtime::ModuleSource s;
  s.image = image;
  s.size = size;
  s.format = format;
  return s;
}

Module& module() {
  static Module* const made =
      must(Module::load(device(), source(spirv().data(), spirv().size()), nullptr),
           "loading the module");
  return *made;
}

Kernel& kernel(const char* name) { return *must(module().kernel(name), name); }

void signatures_come_from_the_spirv(void**) {
  const auto& p = kernel("mixed").parameters();
  const size_t none = kernel("nothing").parameters().size();
  const bool local = kernel("reverse").parameters()[1].kind == ParameterKind::local;

  assert_int_equal(p.size(), 5);
  assert_true(p[0].kind == ParameterKind::pointer);
  assert_int_equal(p[1].size, 1);
  assert_int_equal(p[2].size, 24);
  assert_true(p[3].kind == ParameterKind::pointer);
  assert_int_equal(p[4].size, 16);
  assert_int_equal(none, 0);
  assert_true(local);
}

void the_same_name_is_the_same_kernel(void**) {
  Kernel& a = kernel("add");
  Kernel& b = kernel("add");

  assert_ptr_equal(&a, &b);
}

void arguments_of_every_kind_arrive(void**) {
  struct Three {
    int a;
    long b;
    char c;
  };
  long* out = managed<long>(4);
  char small = -5;
  Three three = {1, 20, 3};
  const int* maybe = nullptr;
  float v[4] = {1, 2, 33, 0};
  void* args[] = {&out, &small, &three, &maybe, v};
  runtime::Stream& s = new_stream();

  must(runtime::launch(s, kernel("mixed"), {1, 1, 1}, {1, 1, 1}, args, 0), "launching");
  must(s.synchronize(), "waiting");

  assert_int_equal(out[0], -5);
  assert_int_equal(out[1], 24);
  assert_int_equal(out[2], -1);
  assert_int_equal(out[3], 33);
  destroy(s);
  free_managed(out);
}

void a_packed_block_is_the_same_as_pointers(void**) {
  uint32_t* at = managed<uint32_t>(64);
  Kernel& add = kernel("add");
  runtime::Stream& s = new_stream();
  std::byte block[16] = {};
  uint32_t value = 9;
  memcpy(block + add.parameters()[0].offset, &at, 8);
  memcpy(block + add.parameters()[1].offset, &value, 4);

  const size_t size = add.block_size();
  const runtime::Run run;
  must(s.submit([&](ze::List& list) {
    return add.append(list, {4, 1, 1}, {16, 1, 1}, block, run);
  }),
       "launching");
  must(s.synchronize(), "waiting");

  assert_int_equal(size, 12);
  for (int i = 0; i < 64; i++) assert_int_equal(at[i], 9);
  destroy(s);
  free_managed(at);
}

// A block of `add` for that memory and that number.
struct AddBlock {
  std::byte bytes[16] = {};
  AddBlock(uint32_t* at, uint32_t value) {
    const auto& p = kernel("add").parameters();
    memcpy(bytes + p[0].offset, &at, sizeof at);
    memcpy(bytes + p[1].offset, &value, sizeof value);
  }
};

void a_run_goes_on_after_other_launches_of_its_kernel(void**) {
  uint32_t* mine = managed<uint32_t>(64);
  uint32_t* others = managed<uint32_t>(64);
  Kernel& add = kernel("add");
  runtime::Stream& s = new_stream();
  const AddBlock one(mine, 1), ten(mine, 10), five(mine, 5), theirs(others, 100);
  const runtime::Run run, other_run;
  uint32_t value = 1000;
  void* args[] = {&others, &value};
  const auto append = [&](const AddBlock& block, const runtime::Run& in) {
    must(s.submit([&](ze::List& list) {
      return add.append(list, {4, 1, 1}, {16, 1, 1}, block.bytes, in);
    }),
         "launching");
  };

  append(one, run);
  append(ten, run);
  append(theirs, other_run);
  append(ten, run);
  must(runtime::launch(s, add, {4, 1, 1}, {16, 1, 1}, args, 0), "launching");
  append(ten, run);
  append(five, run);
  must(s.synchronize(), "waiting");

  for (int i = 0; i < 64; i++) assert_int_equal(mine[i], 36);
  for (int i = 0; i < 64; i++) assert_int_equal(others[i], 1100);
  destroy(s);
  free_managed(others);
  free_managed(mine);
}

void local_memory_has_its_size_from_either_place(void**) {
  int* data = managed<int>(8);
  runtime::Stream& s = new_stream();
  for (int i = 0; i < 8; i++) data[i] = i;
  size_t bytes = 8 * sizeof(int);
  void* given[] = {&data, &bytes};
  void* shared[] = {&data, nullptr};

  must(runtime::launch(s, kernel("reverse"), {1, 1, 1}, {8, 1, 1}, given, 0), "launching");
  must(s.synchronize(), "waiting");
  const int first = data[0];
  must(runtime::launch(s, kernel("reverse"), {1, 1, 1}, {8, 1, 1}, shared, bytes), "launching");
  must(s.synchronize(), "waiting");
  const int second = data[0];

  assert_int_equal(first, 7);
  assert_int_equal(second, 0);
  destroy(s);
  free_managed(data);
}

void threads_may_share_a_kernel(void**) {
  constexpr uint32_t workers = 4, launches = 100;
  uint32_t* at = managed<uint32_t>(workers);
  {
    std::vector<std::thread> threads;
    for (uint32_t w = 0; w < workers; w++) {
      threads.emplace_back([w, at] {
        runtime::Stream& s = new_stream();
        uint32_t* mine = at + w;
        uint32_t value = w + 1;
        void* args[] = {&mine, &value};
        for (uint32_t i = 0; i < launches; i++)
          must(runtime::launch(s, kernel("add"), {1, 1, 1}, {1, 1, 1}, args, 0), "launching");
        must(s.synchronize(), "waiting");
        destroy(s);
      });
    }
    for (std::thread& t : threads) t.join();
  }

  for (uint32_t w = 0; w < workers; w++) assert_int_equal(at[w], launches * (w + 1));
  free_managed(at);
}

void bad_launches_are_refused_by_name(void**) {
  uint32_t* at = managed<uint32_t>(1);
  uint32_t value = 0;
  void* args[] = {&at, &value};
  void* missing[] = {&at, nullptr};
  runtime::Stream& s = new_stream();
  auto code = [&](xpuDim3 grid, xpuDim3 block, void** a) {
    return runtime::launch(s, kernel("add"), grid, block, a, 0).code();
  };
  void* out[] = {&at};

  const xpuError_t shapes[] = {
      code({0, 1, 1}, {1, 1, 1}, args), code({1, 1, 1}, {1, 0, 1}, args),
      code({1, 1, 1}, {1u << 30, 1, 1}, args), code({1, 1, 1}, {1u << 20, 1u << 20, 1}, args),
      runtime::launch(s, kernel("fixed_size"), {1, 1, 1}, {8, 1, 1}, out, 0).code()};
  const xpuError_t arguments[] = {code({1, 1, 1}, {1, 1, 1}, nullptr),
                                  code({1, 1, 1}, {1, 1, 1}, missing)};
  const bool right = runtime::launch(s, kernel("fixed_size"), {1, 1, 1}, {4, 2, 1}, out, 0).ok() &&
                     s.synchronize().ok();

  for (const xpuError_t c : shapes) assert_int_equal(c, xpuErrorInvalidConfiguration);
  for (const xpuError_t c : arguments) assert_int_equal(c, xpuErrorInvalidValue);
  assert_true(right);
  assert_int_equal(at[0], 1);
  destroy(s);
  free_managed(at);
}

void bad_modules_are_refused(void**) {
  const auto& good = spirv();
  const char garbage[64] = "this is no module of any kind";
  auto code = [&](const void* image, size_t size, ModuleFormat format = ModuleFormat::any) {
    return Module::load(device(), source(image, size, format), nullptr).status().code();
  };

  const xpuError_t codes[] = {code(nullptr, 10),
                              code(good.data(), 0),
                              code(good.data(), 21),
                              code(garbage, sizeof garbage),
                              code(garbage, sizeof garbage, ModuleFormat::spirv),
                              code(good.data(), good.size() / 2 / 4 * 4)};
  const xpuError_t name = module().kernel("no_such_kernel").status().code();

  for (const xpuError_t c : codes) assert_int_equal(c, xpuErrorInvalidKernelImage);
  assert_int_equal(name, xpuErrorSymbolNotFound);
}

// A module of a program's own, straight from the driver.
ze_module_handle_t foreign_module() {
  static const ze_module_handle_t made = [] {
    ze_module_desc_t desc = {};
    desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
    desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
    desc.inputSize = spirv().size();
    desc.pInputModule = reinterpret_cast<const uint8_t*>(spirv().data());
    desc.pBuildFlags = "";
    ze_module_handle_t handle = nullptr;
    must(ZE_CALL(world().driver->table(), ModuleCreate, world().driver->context(),
                 device().ze().handle(), &desc, &handle, nullptr),
         "a module");
    return handle;
  }();
  return made;
}

// The driver's own binary has no SPIR-V in it; where the sizes come from is the driver's affair.
void native_modules_load_and_run(void**) {
  const ze::Table& table = world().driver->table();
  size_t size = 0;
  must(ZE_CALL(table, ModuleGetNativeBinary, foreign_module(), &size, nullptr), "the size");
  auto* binary = new std::vector<uint8_t>(size);
  must(ZE_CALL(table, ModuleGetNativeBinary, foreign_module(), &size, binary->data()),
       "the binary");
  Module& native = *must(Module::load(device(), source(binary->data(), size), nullptr), "loading");
  Kernel& mixed = *must(native.kernel("mixed"), "mixed");
  const auto& p = mixed.parameters();
  long* out = managed<long>(4);
  char small = 4;
  char three[24] = {1};
  int there = 6;
  int* maybe = managed<int>(1);
  *maybe = there;
  float v[4] = {0, 0, 5, 0};
  void* args[] = {&out, &small, three, &maybe, v};
  runtime::Stream& s = new_stream();

  must(runtime::launch(s, mixed, {1, 1, 1}, {1, 1, 1}, args, 0), "launching");
  must(s.synchronize(), "waiting");
  const bool local =
      must(native.kernel("reverse"), "reverse")->parameters()[1].kind == ParameterKind::local;
  const xpuError_t unknown = native.kernel("no_such_kernel").status().code();

  assert_int_equal(p.size(), 5);
  assert_int_equal(p[2].size, 24);
  assert_int_equal(out[0], 4);
  assert_int_equal(out[1], 1);
  assert_int_equal(out[2], 6);
  assert_int_equal(out[3], 5);
  assert_true(local);
  assert_int_equal(unknown, xpuErrorSymbolNotFound);
  delete binary;
  (void)Module::unload(native.handle());
  destroy(s);
  free_managed(out);
  free_managed(maybe);
}

void kernels_of_a_programs_own_module_run(void**) {
  uint32_t* at = managed<uint32_t>(1);
  uint32_t value = 12;
  void* args[] = {&at, &value};
  runtime::Stream& s = new_stream();
  auto* told = new std::vector<Parameter>(
      must(runtime::native_parameters(device(), foreign_module(), "add"), "parameters"));
  const size_t count = told->size();

  Kernel& add = *must(runtime::make_native_kernel(device(), foreign_module(), "add", *told), "add");
  const uint64_t handle = add.handle();
  must(runtime::launch(s, add, {1, 1, 1}, {1, 1, 1}, args, 0), "launching");
  const bool destroyed = runtime::destroy_native_kernel(handle);
  const bool twice = runtime::destroy_native_kernel(handle);
  const xpuError_t wrong =
      runtime::make_native_kernel(device(), foreign_module(), "add", {}).status().code();
  const xpuError_t unknown =
      runtime::make_native_kernel(device(), foreign_module(), "nobody", {}).status().code();
  must(s.synchronize(), "waiting");

  assert_int_equal(count, 2);
  assert_true(destroyed);
  assert_false(twice);
  assert_int_equal(wrong, xpuErrorInvalidValue);
  assert_int_equal(unknown, xpuErrorSymbolNotFound);
  assert_int_equal(at[0], 12);
  delete told;
  destroy(s);
  free_managed(at);
}

void unloading_kills_the_handles_and_not_the_work(void**) {
  uint32_t* at = managed<uint32_t>(1);
  uint32_t value = 3;
  void* args[] = {&at, &value};
  runtime::Stream& s = new_stream();
  Module& mine =
      *must(Module::load(device(), source(spirv().data(), spirv().size()), nullptr), "loading");
  const uint64_t module_handle = mine.handle();
  Kernel& add = *must(mine.kernel("add"), "add");
  const uint64_t kernel_handle = add.handle();
  auto* kept = new std::shared_ptr<const Signature>(add.shared_from_this());

  const bool unloaded = Module::unload(module_handle);
  const bool twice = Module::unload(module_handle);
  const bool dead = HandleTable::find(HandleType::kernel, kernel_handle) == nullptr;
  must(runtime::launch(s, static_cast<const Kernel&>(**kept), {1, 1, 1}, {1, 1, 1}, args, 0),
       "launching");
  must(s.synchronize(), "waiting");
  delete kept;

  assert_true(unloaded);
  assert_false(twice);
  assert_true(dead);
  assert_int_equal(at[0], 3);
  destroy(s);
  free_managed(at);
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  const CMUnitTest tests[] = {
      cmocka_unit_test(signatures_come_from_the_spirv),
      cmocka_unit_test(the_same_name_is_the_same_kernel),
      cmocka_unit_test(arguments_of_every_kind_arrive),
      cmocka_unit_test(a_packed_block_is_the_same_as_pointers),
      cmocka_unit_test(a_run_goes_on_after_other_launches_of_its_kernel),
      cmocka_unit_test(local_memory_has_its_size_from_either_place),
      cmocka_unit_test(threads_may_share_a_kernel),
      cmocka_unit_test(bad_launches_are_refused_by_name),
      cmocka_unit_test(bad_modules_are_refused),
      cmocka_unit_test(native_modules_load_and_run),
      cmocka_unit_test(kernels_of_a_programs_own_module_run),
      cmocka_unit_test(unloading_kills_the_handles_and_not_the_work),
  };
  const int code = XPU_RUN_TESTS(tests);
  (void)xpu::runtime::Module::unload(module().handle());
  (void)world().driver->table().ModuleDestroy(foreign_module());
  return finish(code);
}
