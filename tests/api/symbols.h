// SPDX-License-Identifier: Apache-2.0
// The module of globals.cl, and its symbols in a line each.
#pragma once

#include "capturing.h"

namespace xpu::test {

inline xpuModule_t globals;

inline xpuModule_t load_image(const Image& image) {
  xpuModule_t module = nullptr;
  assert_ok(xpuModuleLoadData(&module, image.bytes, image.size));
  return module;
}
inline Image globals_image() {
  static unsigned char bytes[1 << 16];
  static size_t size = 0;
  return image_of("XPU_TEST_GLOBALS", bytes, size);
}

inline xpuSymbol_t symbol(const char* name, xpuModule_t module = globals) {
  xpuSymbol_t found = nullptr;
  assert_ok(xpuModuleGetSymbol(&found, module, name));
  assert_non_null(found);
  return found;
}
template <class T>
inline T value_of(const char* name, size_t offset = 0, xpuModule_t module = globals) {
  T value{};
  assert_ok(xpuMemcpyFromSymbol(&value, symbol(name, module), sizeof value, offset,
                                xpuMemcpyDeviceToHost));
  return value;
}

inline xpuKernel_t kernel_of(xpuModule_t module, const char* name) {
  xpuKernel_t found = nullptr;
  assert_ok(xpuModuleGetKernel(&found, module, name));
  return found;
}
template <class... A>
void launch_of(xpuModule_t module, xpuStream_t stream, const char* name, uint32_t groups,
               uint32_t size, A... values) {
  Args<A...> args(values...);
  assert_ok(
      xpuLaunchKernel(kernel_of(module, name), dim(groups), dim(size), args.get(), 0, stream));
}

}  // namespace xpu::test
