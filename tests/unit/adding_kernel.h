// SPDX-License-Identifier: Apache-2.0
// A kernel for tests of the exec floor, which adds to a word.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "exec_world.h"
#include "runtime/kernel.h"
#include "runtime/module.h"

namespace xpu::test {

inline runtime::Module* module = nullptr;

inline runtime::Kernel& load_add() {
  static std::vector<char> image;
  FILE* file = fopen(getenv("TEST_KERNELS_SPV"), "rb");
  char part[4096];
  while (const size_t n = file ? fread(part, 1, sizeof part, file) : 0)
    image.insert(image.end(), part, part + n);
  if (file) fclose(file);
  runtime::ModuleSource source;
  source.image = image.data();
  source.size = image.size();
  module = must(runtime::Module::load(device(), source, nullptr), "loading");
  return *must(module->kernel("add"), "add");
}
inline std::shared_ptr<const Signature> add_kernel() {
  static runtime::Kernel& loaded = load_add();
  return loaded.shared_from_this();
}

// A node that adds `value` to a word.
inline graph::ParamsRef adding(uint32_t* at, uint32_t value) {
  void* args[] = {&at, &value};
  return must(graph::KernelParams::make(add_kernel(), {1, 1, 1}, {1, 1, 1}, args, 0),
              "a kernel node");
}

// Ends main as finish_execs() does.
inline int finish_adding(int code) {
  if (module) (void)runtime::Module::unload(module->handle());
  return finish_execs(code);
}

}  // namespace xpu::test
