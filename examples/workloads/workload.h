// SPDX-License-Identifier: Apache-2.0
// What the workloads share: calls that must succeed, kernels of one module, launches with
// arguments.
#pragma once

#include <xpugraph/xpugraph.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

// Ends the program with the library's own sentence if the call fails.
#define CALL(call)                                                                \
  do {                                                                            \
    if (const xpuError_t call_error = (call); call_error != xpuSuccess) {         \
      xpuErrorInfo call_info = {};                                                \
      call_info.struct_size = sizeof call_info;                                   \
      if (xpuGetLastErrorInfo(&call_info) != xpuSuccess) call_info.sentence = ""; \
      std::fprintf(stderr, "%s\n%s: %s\n", #call, xpuGetErrorName(call_error),    \
                   call_info.sentence);                                           \
      std::exit(1);                                                               \
    }                                                                             \
  } while (false)

// Ends the program if something did not come out as it must.
#define EXPECT(condition)                                           \
  do {                                                              \
    if (!(condition)) {                                             \
      std::fprintf(stderr, "this does not hold: %s\n", #condition); \
      std::exit(1);                                                 \
    }                                                               \
  } while (false)

class Kernels {
 public:
  explicit Kernels(const char* path) {
    std::ifstream file(path, std::ios::binary);
    const std::string image(std::istreambuf_iterator<char>(file), {});
    CALL(xpuModuleLoadData(&module_, image.data(), image.size()));
  }
  ~Kernels() { xpuModuleUnload(module_); }
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  xpuKernel_t operator[](const char* name) const {
    xpuKernel_t kernel = nullptr;
    CALL(xpuModuleGetKernel(&kernel, module_, name));
    return kernel;
  }

 private:
  xpuModule_t module_ = nullptr;
};

// launch(stream, kernel, groups, group_size, arguments...)
template <class... Arguments>
void launch(xpuStream_t stream, xpuKernel_t kernel, unsigned groups, unsigned size,
            Arguments... arguments) {
  void* args[] = {&arguments..., nullptr};
  CALL(xpuLaunchKernel(kernel, {groups, 1, 1}, {size, 1, 1}, args, 0, stream));
}

// The same as a node that comes after `count` others.
template <class... Arguments>
xpuGraphNode_t add_kernel(xpuGraph_t graph, const xpuGraphNode_t* before, size_t count,
                          xpuKernel_t kernel, unsigned groups, unsigned size,
                          Arguments... arguments) {
  void* args[] = {&arguments..., nullptr};
  xpuKernelNodeParams params = {};
  params.struct_size = sizeof params;
  params.func = kernel;
  params.gridDim = {groups, 1, 1};
  params.blockDim = {size, 1, 1};
  params.kernelParams = args;
  xpuGraphNode_t node = nullptr;
  CALL(xpuGraphAddKernelNode(&node, graph, before, count, &params));
  return node;
}
template <size_t N, class... Arguments>
xpuGraphNode_t add_kernel(xpuGraph_t graph, const xpuGraphNode_t (&before)[N], xpuKernel_t kernel,
                          unsigned groups, unsigned size, Arguments... arguments) {
  return add_kernel(graph, before, N, kernel, groups, size, arguments...);
}
template <class... Arguments>
xpuGraphNode_t add_root(xpuGraph_t graph, xpuKernel_t kernel, unsigned groups, unsigned size,
                        Arguments... arguments) {
  return add_kernel(graph, nullptr, 0, kernel, groups, size, arguments...);
}

// A conditional node. Its handle is made first: kernels that come before the node set it.
inline xpuGraphConditionalHandle make_handle(xpuGraph_t graph, unsigned value) {
  xpuGraphConditionalHandle handle = 0;
  CALL(xpuGraphConditionalHandleCreate(&handle, graph, value, xpuGraphCondAssignDefault));
  return handle;
}
struct Branch {
  xpuGraphNode_t node;
  xpuGraph_t* bodies;
};
inline Branch add_branch(xpuGraph_t graph, xpuGraphNode_t before, xpuGraphConditionalHandle handle,
                         xpuGraphConditionalNodeType type, unsigned size) {
  xpuGraphNodeParams params = {};
  params.struct_size = sizeof params;
  params.type = xpuGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  Branch made = {};
  CALL(xpuGraphAddNode(&made.node, graph, &before, nullptr, before ? 1 : 0, &params));
  made.bodies = params.conditional.phGraph_out;
  return made;
}

inline xpuStream_t make_stream() {
  xpuStream_t stream = nullptr;
  CALL(xpuStreamCreateWithFlags(&stream, xpuStreamNonBlocking));
  return stream;
}

inline xpuEvent_t make_event() {
  xpuEvent_t event = nullptr;
  CALL(xpuEventCreateWithFlags(&event, xpuEventDisableTiming));
  return event;
}

// What `after` does next comes after what `before` has now.
inline void order(xpuStream_t before, xpuStream_t after, xpuEvent_t event) {
  CALL(xpuEventRecord(event, before));
  CALL(xpuStreamWaitEvent(after, event, 0));
}
