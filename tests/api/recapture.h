// SPDX-License-Identifier: Apache-2.0
// What the recapture tests share: a chain that is captured with numbers of its own, and a function
// that keeps what it is asked.
#pragma once

#include "capturing.h"

namespace xpu::test {

inline xpuStream_t s;
inline int* p;  // 16 of them

inline int open_things(void** state) {
  (void)load_first(state);
  s = new_stream();
  p = device_ints(16);
  return 0;
}
inline int close_things(void**) {
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
  return 0;
}

// Allows everything unless told otherwise. Nothing in a callback may assert.
struct Asked {
  xpuError_t answer = xpuSuccess;
  int times = 0;
  xpuGraphNode_t node = nullptr;
  xpuGraphNodeParams was = {}, next = {};
  int third[2] = {};  // the last argument of kernels with three, before and after
  xpuError_t (*inside)(void*) = nullptr;
  void* with = nullptr;
  xpuError_t told = xpuSuccess;  // what `inside` answered

  static xpuError_t ask(void* self, xpuGraphNode_t node, const xpuGraphNodeParams* was,
                        const xpuGraphNodeParams* next) {
    Asked& asked = *static_cast<Asked*>(self);
    asked.times++;
    asked.node = node;
    asked.was = *was;
    asked.next = *next;
    if (was->type == xpuGraphNodeTypeKernel) {
      asked.third[0] = *static_cast<int*>(was->kernel.kernelParams[2]);
      asked.third[1] = *static_cast<int*>(next->kernel.kernelParams[2]);
    }
    if (asked.inside) asked.told = asked.inside(asked.with);
    return asked.answer;
  }
  xpuGraphRecaptureCallbackData data() { return {ask, this}; }
};

inline void begin_again(xpuStream_t stream, xpuGraph_t graph, Asked* asked = nullptr,
                        xpuStreamCaptureMode mode = xpuStreamCaptureModeRelaxed) {
  const xpuGraphRecaptureCallbackData data =
      asked ? asked->data() : xpuGraphRecaptureCallbackData{};
  assert_ok(xpuStreamBeginRecaptureToGraph(stream, mode, graph, asked ? &data : nullptr));
}
inline void end_again(xpuStream_t stream, xpuGraph_t graph) {
  xpuGraph_t same = nullptr;
  assert_ok(xpuStreamEndCapture(stream, &same));
  assert_ptr_equal(graph, same);
}

// p[0] = (first * 10 + second) * 10 + third
inline void digits(xpuStream_t stream, int first, int second, int third) {
  launch_one(stream, "store", p, 0, first);
  launch_one(stream, "step", p, 10, second);
  launch_one(stream, "step", p, 10, third);
}
// A launch of a kernel with two numbers, for threads that must not assert.
inline xpuError_t launched(xpuStream_t stream, const char* name, int a, int b) {
  Args<int*, int, int> args(p, a, b);
  return xpuLaunchKernel(kernel(name), dim(1), dim(1), args.get(), 0, stream);
}
inline xpuGraph_t captured_digits(xpuStream_t stream, int first, int second, int third) {
  begin(stream, xpuStreamCaptureModeRelaxed);
  digits(stream, first, second, third);
  return end(stream);
}

inline void update(xpuGraphExec_t exec, xpuGraph_t graph) {
  xpuGraphExecUpdateResultInfo info = {};
  info.struct_size = sizeof info;
  assert_ok(xpuGraphExecUpdate(exec, graph, &info));
}
inline void run(xpuGraphExec_t exec, xpuStream_t stream) {
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
}
#define assert_computes(expected, at)                           \
  do {                                                          \
    if (shown(executes)) assert_int_equal(expected, fetch(at)); \
  } while (0)

// A graph that can only be destroyed, which is done; `node` is of it.
inline void check_ruined(xpuGraph_t graph, xpuGraphNode_t node) {
  static xpuGraph_t g;
  static xpuGraphNode_t n;
  g = graph;
  n = node;
#define RUINED(function, argument, ...) \
  REFUSED(xpuErrorIllegalState, function, argument, "is ruined", __VA_ARGS__)
  static const Refusal rows[] = {
      RUINED(xpuGraphInstantiate, "graph", &outs.exec, g, 0),
      RUINED(xpuGraphClone, "originalGraph", &outs.graph, g),
      RUINED(xpuGraphGetNodes, "graph", g, nullptr, &outs.count),
      RUINED(xpuGraphGetEdges, "graph", g, nullptr, nullptr, nullptr, &outs.count),
      RUINED(xpuGraphAddEmptyNode, "graph", &outs.node, g, nullptr, 0),
      RUINED(xpuGraphDebugDotPrint, "graph", g, "/dev/null", 0),
      RUINED(xpuStreamBeginCaptureToGraph, "graph", xpuStreamPerThread, g, nullptr, nullptr, 0,
             xpuStreamCaptureModeRelaxed),
      RUINED(xpuStreamBeginRecaptureToGraph, "graph", xpuStreamPerThread,
             xpuStreamCaptureModeRelaxed, g, nullptr),
      RUINED(xpuGraphNodeGetType, "node", n, &outs.type),
      RUINED(xpuGraphDestroyNode, "node", n),
      RUINED(xpuGraphKernelNodeGetParams, "node", n, &outs.kernel_params),
      RUINED(xpuGraphAddDependencies, "graph", g, &n, &n, nullptr, 1),
  };
  assert_all_refused(rows);
  assert_ok(xpuGraphDestroy(graph));
}

}  // namespace xpu::test
