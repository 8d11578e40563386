// SPDX-License-Identifier: Apache-2.0
// What tests of graphs on two devices share: kernels, memory, streams and events of each.
#pragma once

#include "branching.h"

namespace xpu::test {

// Makes something with a device as the current one.
template <class Make>
auto on(int device, Make make) {
  assert_ok(xpuSetDevice(device));
  auto made = make();
  assert_ok(xpuSetDevice(0));
  return made;
}

inline xpuModule_t second_module;  // of device 1; that of device 0 is ground.h's
inline xpuKernel_t kernel_on(int device, const char* name) {
  if (device == 0) return kernel(name);
  if (!second_module) second_module = on(device, load_kernels);
  xpuKernel_t found = nullptr;
  assert_ok(xpuModuleGetKernel(&found, second_module, name));
  return found;
}

inline int* ints_on(int device, size_t count) {
  void* p = on(device, [&] {
    void* memory = nullptr;
    assert_ok(xpuMalloc(&memory, count * sizeof(int)));
    return memory;
  });
  return static_cast<int*>(p);
}
inline xpuStream_t stream_on(int device) { return on(device, new_stream); }
inline xpuEvent_t event_on(int device) {
  return on(device, [] { return new_event(xpuEventDisableTiming); });
}

// What `after` does next follows what `before`, a stream of that device, has so far.
inline void order_across(int device, xpuStream_t before, xpuStream_t after) {
  const xpuEvent_t event = event_on(device);
  assert_ok(xpuEventRecord(event, before));
  assert_ok(xpuStreamWaitEvent(after, event, xpuEventWaitDefault));
  assert_ok(xpuEventDestroy(event));
}

// By the device that the memory is of: others may not reach it.
inline int fetch_on(int device, const int* from) {
  return on(device, [&] { return fetch(from); });
}
inline void zero_on(int device, int* p, size_t count) {
  on(device, [&] {
    assert_ok(xpuMemset(p, 0, count * sizeof(int)));
    assert_ok(xpuDeviceSynchronize());  // of device memory, it does not wait
    return 0;
  });
}

using Before = std::initializer_list<xpuGraphNode_t>;

template <class... A>
xpuGraphNode_t add_on(int device, xpuGraph_t graph, Before before, const char* name, A... values) {
  Args<A...> args(values...);
  const xpuKernelNodeParams params =
      node_params(kernel_on(device, name), dim(1), dim(1), args.get());
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddKernelNode(&node, graph, before.begin(), before.size(), &params));
  return node;
}
inline xpuGraphNode_t add_copy(xpuGraph_t graph, Before before, int* dst, const int* src,
                               size_t count) {
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddMemcpyNode1D(&node, graph, before.begin(), before.size(), dst, src,
                                    count * sizeof(int), xpuMemcpyDefault));
  return node;
}

template <class... A>
void launch_on(int device, xpuStream_t stream, const char* name, A... values) {
  Args<A...> args(values...);
  assert_ok(xpuLaunchKernel(kernel_on(device, name), dim(1), dim(1), args.get(), 0, stream));
}

inline int load_both(void**) {
  (void)kernel("noop");
  (void)kernel_on(1, "noop");
  return 0;
}
inline int unload_second(void**) {
  assert_ok(xpuModuleUnload(second_module));
  return 0;
}

}  // namespace xpu::test
