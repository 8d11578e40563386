// SPDX-License-Identifier: Apache-2.0
// What the API tests stand on: the kernels of kernels.cl, launches with typed arguments, device
// memory, and a gate that holds a stream back.
#pragma once

#include <stdlib.h>

#include <atomic>
#include <tuple>
#include <utility>

#include "expect.h"

namespace xpu::test {

struct Image {
  const void* bytes;
  size_t size;
};

// The file that a variable of the environment names, read once for each variable.
template <size_t most>
Image image_of(const char* variable, unsigned char (&bytes)[most], size_t& size) {
  if (size) return {bytes, size};
  const char* path = getenv(variable);
  FILE* file = path ? fopen(path, "rb") : nullptr;
  if (file) {
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
  }
  if (size == 0)
    fail_msg("%s must name a SPIR-V module, it is %s", variable, path ? path : "unset");
  return {bytes, size};
}
// The SPIR-V of kernels.cl.
inline Image kernels_image() {
  static unsigned char bytes[1 << 20];
  static size_t size = 0;
  return image_of("XPU_TEST_KERNELS", bytes, size);
}

inline xpuModule_t load_kernels() {
  const Image image = kernels_image();
  xpuModule_t module = nullptr;
  assert_ok(xpuModuleLoadData(&module, image.bytes, image.size));
  return module;
}

// Of a module that is loaded once, on the device that is current then, and unloaded in the end, so
// that a checker of leaks sees what the library itself keeps.
inline xpuModule_t shared_module;
inline xpuKernel_t kernel(const char* name) {
  static xpuModule_t module = load_kernels();
  if (!shared_module) {
    shared_module = module;
    atexit([] {
      (void)xpuModuleUnload(shared_module);
      (void)xpuDeviceSynchronize();
    });
  }
  xpuKernel_t found = nullptr;
  assert_ok(xpuModuleGetKernel(&found, module, name));
  return found;
}

// Before the first test: loading a module is refused during a capture, and who checks what reaches
// the driver wants it open.
inline int load_first(void**) {
  (void)kernel("noop");
  return 0;
}

inline xpuDim3 dim(uint32_t x, uint32_t y = 1, uint32_t z = 1) { return {x, y, z}; }

// Arguments of a kernel, in the form that launches and nodes take. Points into itself: not copied.
template <class... A>
class Args {
 public:
  explicit Args(A... values) : values_(values...) { point(std::index_sequence_for<A...>()); }
  Args(const Args&) = delete;
  Args& operator=(const Args&) = delete;
  void** get() { return pointers_; }

 private:
  template <size_t... I>
  void point(std::index_sequence<I...>) {
    ((pointers_[I] = &std::get<I>(values_)), ...);
  }
  std::tuple<A...> values_;
  void* pointers_[sizeof...(A) + 1] = {};
};

template <class... A>
void launch(xpuStream_t stream, const char* name, xpuDim3 grid, xpuDim3 block, A... values) {
  Args<A...> args(values...);
  assert_ok(xpuLaunchKernel(kernel(name), grid, block, args.get(), 0, stream));
}
// One work-item.
template <class... A>
void launch_one(xpuStream_t stream, const char* name, A... values) {
  launch(stream, name, dim(1), dim(1), values...);
}

inline xpuKernelNodeParams node_params(xpuKernel_t func, xpuDim3 grid, xpuDim3 block, void** args,
                                       uint32_t shared = 0) {
  xpuKernelNodeParams params = {};
  params.struct_size = sizeof params;
  params.func = func;
  params.gridDim = grid;
  params.blockDim = block;
  params.kernelParams = args;
  params.sharedMemBytes = shared;
  return params;
}

// A node with one work-item after `after`, which may be NULL.
template <class... A>
xpuGraphNode_t add_one(xpuGraph_t graph, xpuGraphNode_t after, const char* name, A... values) {
  Args<A...> args(values...);
  const xpuKernelNodeParams params = node_params(kernel(name), dim(1), dim(1), args.get());
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddKernelNode(&node, graph, &after, after ? 1 : 0, &params));
  return node;
}

inline xpuGraph_t new_graph() {
  xpuGraph_t graph = nullptr;
  assert_ok(xpuGraphCreate(&graph, 0));
  return graph;
}
inline xpuGraphExec_t instantiate(xpuGraph_t graph) {
  xpuGraphExec_t exec = nullptr;
  assert_ok(xpuGraphInstantiate(&exec, graph, 0));
  return exec;
}
// A stream that has no order with the default stream.
inline xpuStream_t new_stream() {
  xpuStream_t stream = nullptr;
  assert_ok(xpuStreamCreateWithFlags(&stream, xpuStreamNonBlocking));
  return stream;
}
inline xpuEvent_t new_event(unsigned flags = xpuEventDefault) {
  xpuEvent_t event = nullptr;
  assert_ok(xpuEventCreateWithFlags(&event, flags));
  return event;
}

// Device memory of `count` ints, all `value`.
inline int* device_ints(size_t count, int value = 0) {
  void* memory = nullptr;
  assert_ok(xpuMalloc(&memory, count * sizeof(int)));
  launch(nullptr, "fill_range", dim(static_cast<uint32_t>((count + 63) / 64)), dim(64), memory,
         static_cast<int>(count), value);
  assert_ok(xpuDeviceSynchronize());
  return static_cast<int*>(memory);
}
inline int fetch(const int* from) {
  int value = 0;
  assert_ok(xpuMemcpy(&value, from, sizeof value, xpuMemcpyDeviceToHost));
  return value;
}
inline void fetch(void* to, const void* from, size_t bytes) {
  assert_ok(xpuMemcpy(to, from, bytes, xpuMemcpyDeviceToHost));
}

// Holds a stream until it is opened. A test that fails leaves it shut: it opens itself in the end.
struct Gate {
  std::atomic<int> open{0};
  std::atomic<int> reached{0};

  static void wait(void* user) {
    Gate* gate = static_cast<Gate*>(user);
    gate->reached = 1;
    for (int i = 0; i < 10000 && !gate->open; i++) sleep_ms(1);
  }
  void shut(xpuStream_t stream) {
    open = 0;
    reached = 0;
    assert_ok(xpuLaunchHostFunc(stream, wait, this));
  }
  // Nothing behind it has run, and all before it has.
  void await() {
    for (int i = 0; i < 10000 && !reached; i++) sleep_ms(1);
    assert_int_equal(1, reached.load());
  }
};

}  // namespace xpu::test
