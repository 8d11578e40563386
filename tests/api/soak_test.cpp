// SPDX-License-Identifier: Apache-2.0
// A bit of everything, two hundred times: what is left afterwards does not depend on how often.
#include <dlfcn.h>
#include <unistd.h>

#include "ground.h"

using namespace xpu::test;

enum { kRounds = 200, kWarm = 60, kMost = 16 };

static const char* const kNames[kMost] = {"lists",           "queues",       "pools",   "events",
                                          "fences",          "modules",      "kernels", "memory",
                                          "physical memory", "reservations", "mappings"};

static void count_up(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }
static std::atomic<int> calls;

static void eager_round(xpuStream_t s, int* p, xpuKernel_t add) {
  int value = 1, index = 0;
  void* args[] = {&p, &index, &value};
  const xpuEvent_t begin = new_event(), end = new_event(xpuEventDisableTiming);
  assert_ok(xpuEventRecord(begin, s));
  assert_ok(xpuLaunchKernel(add, dim(1), dim(1), args, 0, s));
  assert_ok(xpuMemsetAsync(p + 1, 7, 16, s));
  assert_ok(xpuMemcpyAsync(p + 8, p, 16, xpuMemcpyDeviceToDevice, s));
  assert_ok(xpuLaunchHostFunc(s, count_up, &calls));
  assert_ok(xpuEventRecord(end, s));
  assert_ok(xpuStreamWaitEvent(xpuStreamPerThread, end, 0));
  assert_ok(xpuMemset(p + 16, 1, 4));
  assert_ok(xpuEventDestroy(begin));
  assert_ok(xpuEventDestroy(end));
}

static void refused_round(xpuStream_t s, xpuModule_t module) {
  xpuKernel_t none = nullptr;
  void* memory = nullptr;
  assert_code(xpuModuleGetKernel(&none, module, "no_such_kernel"), xpuErrorSymbolNotFound);
  assert_code(xpuMalloc(&memory, SIZE_MAX), xpuErrorMemoryAllocation);
  assert_code(xpuModuleLoadData(&module, "no SPIR-V at all", 16), xpuErrorInvalidKernelImage);
  assert_code(xpuStreamBeginCapture(s, static_cast<xpuStreamCaptureMode>(9)), xpuErrorInvalidValue);
  assert_code(xpuGetLastError(), xpuErrorInvalidValue);
}

static xpuGraph_t captured(xpuStream_t s, xpuStream_t side, int* p, xpuKernel_t add) {
  int value = 1, index = 2;
  void* args[] = {&p, &index, &value};
  xpuGraph_t graph = nullptr;
  const xpuEvent_t fork = new_event(), join = new_event();
  assert_ok(xpuStreamBeginCapture(s, xpuStreamCaptureModeThreadLocal));
  assert_ok(xpuLaunchKernel(add, dim(1), dim(1), args, 0, s));
  assert_ok(xpuEventRecord(fork, s));
  assert_ok(xpuStreamWaitEvent(side, fork, 0));
  assert_ok(xpuMemcpyAsync(p + 20, p, 8, xpuMemcpyDeviceToDevice, s));
  assert_ok(xpuMemsetAsync(p + 24, 1, 8, side));
  assert_ok(xpuLaunchHostFunc(side, count_up, &calls));
  assert_ok(xpuEventRecord(join, side));
  assert_ok(xpuStreamWaitEvent(s, join, 0));
  assert_ok(xpuLaunchKernel(add, dim(1), dim(1), args, 0, s));
  assert_ok(xpuStreamEndCapture(s, &graph));
  assert_ok(xpuEventDestroy(fork));
  assert_ok(xpuEventDestroy(join));
  return graph;
}

static void graph_round(xpuStream_t s, xpuStream_t side, int* p, xpuKernel_t add) {
  const xpuGraph_t graph = captured(s, side, p, add);
  xpuGraph_t clone = nullptr;
  xpuGraphNode_t child = nullptr;
  assert_ok(xpuGraphClone(&clone, graph));
  assert_ok(xpuGraphAddChildGraphNode(&child, clone, nullptr, 0, graph));
  assert_ok(xpuGraphDestroyNode(child));
  const xpuGraphExec_t exec = instantiate(graph), other = instantiate(clone);
  xpuGraphNode_t first = nullptr;
  size_t one = 1;
  assert_ok(xpuGraphGetNodes(graph, &first, &one));
  xpuGraphExecUpdateResultInfo info = {};
  info.struct_size = sizeof info;
  for (int i = 0; i < 5; i++) {
    int value = i, index = 2;
    void* args[] = {&p, &index, &value};
    const xpuKernelNodeParams params = node_params(add, dim(1), dim(1), args);
    assert_ok(xpuGraphExecKernelNodeSetParams(exec, first, &params));
    assert_ok(xpuGraphNodeSetEnabled(exec, first, i % 2));
    assert_ok(xpuGraphLaunch(exec, i % 2 ? s : side));
  }
  assert_ok(xpuGraphExecUpdate(exec, clone, &info));
  assert_ok(xpuGraphLaunch(other, s));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphExecDestroy(other));
  assert_ok(xpuGraphDestroy(clone));
}

static void lost_capture_round(xpuStream_t s, int* p) {
  xpuGraph_t graph = nullptr;
  assert_ok(xpuStreamBeginCapture(s, xpuStreamCaptureModeThreadLocal));
  assert_ok(xpuMemsetAsync(p, 0, 4, s));
  assert_code(xpuStreamSynchronize(s), xpuErrorStreamCaptureUnsupported);
  assert_code(xpuStreamEndCapture(s, &graph), xpuErrorStreamCaptureInvalidated);
  assert_null(graph);
}

static void one_round(int round) {
  void *pinned = nullptr, *managed = nullptr;
  xpuKernel_t add = nullptr;
  xpuStream_t blocking = nullptr;
  // A module takes a while to build: a few are enough.
  const bool own = round % 20 == 0;
  const xpuModule_t module = own ? load_kernels() : nullptr;
  if (own) assert_ok(xpuModuleGetKernel(&add, module, "add"));
  if (!own) add = kernel("add");
  int* p = device_ints(64);
  const xpuStream_t s = new_stream();
  assert_ok(xpuStreamCreate(&blocking));
  assert_ok(xpuMallocHost(&pinned, 256));
  assert_ok(xpuMallocManaged(&managed, 256, xpuMemAttachGlobal));

  eager_round(s, p, add);
  if (own) refused_round(s, module);
  graph_round(s, blocking, p, add);
  lost_capture_round(s, p);

  if (own) assert_ok(xpuModuleUnload(module));
  assert_ok(xpuStreamDestroy(blocking));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFreeHost(pinned));
  assert_ok(xpuFree(managed));
  assert_ok(xpuFree(p));
}

// Counts of the driver that the library was given, none if it does not count.
static int read_counts(long* counts) {
  const char* path = getenv("XPUGRAPH_DRIVER");
  void* driver = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  using Read = int (*)(long*);
  const Read read =
      driver ? reinterpret_cast<Read>(dlsym(driver, "counting_driver_read")) : nullptr;
  const int n = read ? read(counts) : 0;
  if (driver) dlclose(driver);
  return n;
}

static long resident_kb() {
  long pages = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void nothing_is_left_over_however_often_it_is_done(void**) {
  long before[kMost] = {}, after[kMost] = {}, kb = 0;
  size_t free_before = 0, free_after = 0, total = 0;
  for (int round = 0; round < kRounds; round++) {
    one_round(round);
    if (round != kWarm) continue;
    assert_ok(xpuDeviceSynchronize());
    read_counts(before);
    assert_ok(xpuMemGetInfo(&free_before, &total));
    kb = resident_kb();
  }
  assert_ok(xpuDeviceSynchronize());
  const int kinds = read_counts(after);
  assert_ok(xpuMemGetInfo(&free_after, &total));

  for (int i = 0; i < kinds; i++) {
    if (before[i] != after[i])
      print_error("%ld %s after %d rounds, %ld after %d\n", before[i], kNames[i], kWarm, after[i],
                  kRounds);
    assert_true(after[i] <= before[i]);
  }
  assert_int_equal(free_before, free_after);
  // Two host functions in each round, one in each of six launches.
  if (shown(calls_back)) assert_int_equal(kRounds * (1 + 6), calls.load());
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  print_message("%ld kB after %d rounds, %ld kB after %d\n", kb, kWarm, resident_kb(), kRounds);
  assert_true(resident_kb() < kb + 16 * 1024);
#endif
}

int main() {
  const Test tests[] = {
      xpu_test(nothing_is_left_over_however_often_it_is_done, results(calls_back)),
  };
  return run_all(tests);
}
