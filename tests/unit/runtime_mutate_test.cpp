// SPDX-License-Identifier: Apache-2.0
// Closed lists changed in place: arguments, group count, group size.
#include <cstdio>
#include <vector>

#include "runtime_world.h"
#include "ze/mutate.h"

namespace xpu::test {
namespace {

constexpr uint32_t kWanted = ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS |
                             ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_COUNT |
                             ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_SIZE;

runtime::Module* module = nullptr;

runtime::Kernel& add() {
  static runtime::Kernel* const made = [] {
    static std::vector<char> image;
    const char* path = std::getenv("TEST_KERNELS_SPV");
    FILE* file = path ? std::fopen(path, "rb") : nullptr;
    if (!file) {
      fprintf(stderr, "TEST_KERNELS_SPV must name the SPIR-V of runtime_kernels.cl\n");
      exit(1);
    }
    char part[4096];
    while (const size_t n = std::fread(part, 1, sizeof part, file))
      image.insert(image.end(), part, part + n);
    std::fclose(file);
    runtime::ModuleSource source;
    source.image = image.data();
    source.size = image.size();
    module = must(runtime::Module::load(device(), source, nullptr), "loading");
    return must(module->kernel("add"), "add");
  }();
  return *made;
}

struct Recorded {
  ze::List list;
  uint64_t command;
};

Recorded* record(uint32_t* at, uint32_t value) {
  ze::List::Regular what;
  what.patchable = true;
  auto* made = new Recorded{must(ze::List::regular(device().ze(), what), "a mutable list"), 0};
  made->command = must(ze::next_command(made->list, kWanted), "an id");
  void* args[] = {&at, &value};
  must(add().append(made->list, {1, 1, 1}, {4, 1, 1}, args, 0), "launching");
  must(made->list.close(), "closing");
  return made;
}

void run(runtime::Stream& s, Recorded& recorded) {
  const ze_command_list_handle_t handle = recorded.list.get();
  must(s.submit([&](ze::List& on) { return on.append_lists({&handle, 1}); }), "appending");
  must(s.synchronize(), "waiting");
}

void a_patch_changes_what_the_list_does_next(void**) {
  uint32_t* words = managed<uint32_t>(16);
  runtime::Stream& s = new_stream();
  Recorded* recorded = record(words, 1);
  run(s, *recorded);
  uint32_t* other = words + 4;
  uint32_t value = 10;
  auto* patch = new ze::Patch;

  patch->argument(recorded->command, 0, 8, &other);
  patch->argument(recorded->command, 1, 4, &value);
  patch->group_count(recorded->command, {2, 1, 1});
  patch->group_size(recorded->command, 3, 1, 1);
  const bool applied = patch->apply(recorded->list).ok();
  const bool empty = patch->empty();
  run(s, *recorded);

  assert_true(applied);
  assert_true(empty);
  for (int i = 0; i < 4; i++) assert_int_equal(words[i], 1);
  for (int i = 4; i < 10; i++) assert_int_equal(words[i], 10);
  for (int i = 10; i < 16; i++) assert_int_equal(words[i], 0);
  delete patch;
  delete recorded;
  destroy(s);
  free_managed(words);
}

void a_patch_of_nothing_is_no_call(void**) {
  uint32_t* words = managed<uint32_t>(4);
  Recorded* recorded = record(words, 1);
  ze::Patch* patch = new ze::Patch;

  recorder().clear();
  const bool applied = patch->apply(recorded->list).ok();
  const uint64_t calls = recorder().total();

  assert_true(applied);
  assert_int_equal(calls, 0);
  delete patch;
  delete recorded;
  free_managed(words);
}

void a_refused_patch_says_so_and_is_empty(void**) {
  uint32_t* words = managed<uint32_t>(4);
  Recorded* recorded = record(words, 1);
  auto* patch = new ze::Patch;
  uint32_t value = 1;

  patch->argument(recorded->command, 77, 4, &value);
  const bool applied = patch->apply(recorded->list).ok();
  const bool empty = patch->empty();

  assert_false(applied);
  assert_true(empty);
  delete patch;
  delete recorded;
  free_managed(words);
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  if ((device().ze().features().mutable_commands & kWanted) != kWanted) return finish(77);
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_patch_changes_what_the_list_does_next),
      cmocka_unit_test(a_patch_of_nothing_is_no_call),
      cmocka_unit_test(a_refused_patch_says_so_and_is_empty),
  };
  const int code = XPU_RUN_TESTS(tests);
  if (module) (void)xpu::runtime::Module::unload(module->handle());
  return finish(code);
}
