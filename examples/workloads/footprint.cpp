// SPDX-License-Identifier: Apache-2.0
// How much memory graphs hold: reuse inside a graph, graphs with memory of their own, graphs that
// share a private pool, and allocations that outlive their launch.
#include <set>
#include <vector>

#include "workload.h"

namespace {

constexpr size_t kMiB = size_t{1} << 20, kBytes = 8 * kMiB;
constexpr int kGraphs = 8;
constexpr xpuGraphPool kNone = {};

size_t held() {
  uint64_t bytes = 0;
  CALL(xpuDeviceGetGraphMemAttribute(0, xpuGraphMemAttrReservedMemCurrent, &bytes));
  return bytes;
}

size_t tell(const char* what, size_t bytes = held()) {
  std::printf("  %-52s %6.1f MiB\n", what, static_cast<double>(bytes) / kMiB);
  return bytes;
}

size_t held_by(xpuGraphPool pool) {
  xpuGraphPoolUsage usage = {};
  usage.struct_size = sizeof usage;
  CALL(xpuGraphPoolGetUsage(pool, &usage));
  return usage.reservedBytes;
}

// Allocates, marks and frees, `times` one after another.
xpuGraph_t capture(xpuStream_t stream, xpuKernel_t mark, int times, xpuGraphPool pool,
                   std::set<void*>& addresses, bool leave = false) {
  xpuStreamCaptureParams params = {};
  params.struct_size = sizeof params;
  params.mode = xpuStreamCaptureModeGlobal;
  params.pool = pool;
  xpuGraph_t graph = nullptr;
  CALL(xpuStreamBeginCaptureWithParams(stream, &params));
  for (int i = 0; i < times; i++) {
    void* memory = nullptr;
    CALL(xpuMallocAsync(&memory, kBytes, stream));
    addresses.insert(memory);
    launch(stream, mark, 1, 64, static_cast<unsigned*>(memory), 7U);
    if (!leave) CALL(xpuFreeAsync(memory, stream));
  }
  CALL(xpuStreamEndCapture(stream, &graph));
  return graph;
}

struct Graphs {
  std::vector<xpuGraph_t> graphs;
  std::vector<xpuGraphExec_t> execs;
  std::set<void*> addresses;

  void add(xpuGraph_t graph) {
    xpuGraphExec_t exec = nullptr;
    CALL(xpuGraphInstantiate(&exec, graph, 0));
    graphs.push_back(graph);
    execs.push_back(exec);
  }
  void run(xpuStream_t stream) {
    for (const xpuGraphExec_t exec : execs) CALL(xpuGraphLaunch(exec, stream));
    CALL(xpuStreamSynchronize(stream));
  }
  void destroy() {
    for (const xpuGraphExec_t exec : execs) CALL(xpuGraphExecDestroy(exec));
    for (const xpuGraph_t graph : graphs) CALL(xpuGraphDestroy(graph));
    CALL(xpuDeviceGraphMemTrim(0));
  }
};

}  // namespace

int main(int, char** argv) {
  const Kernels kernels(argv[1]);
  const xpuKernel_t mark = kernels["mark"];
  const xpuStream_t stream = make_stream();

  std::puts("one graph, eight allocations of 8 MiB, each freed before the next");
  Graphs chain;
  chain.add(capture(stream, mark, kGraphs, kNone, chain.addresses));
  chain.run(stream);
  EXPECT(tell("held") == kBytes && chain.addresses.size() == 1);
  chain.destroy();
  EXPECT(tell("held after it is destroyed, and a trim") == 0);

  std::puts("eight graphs, each with memory of its own");
  Graphs own;
  for (int i = 0; i < kGraphs; i++) own.add(capture(stream, mark, 1, kNone, own.addresses));
  own.run(stream);
  EXPECT(tell("held") == kGraphs * kBytes && own.addresses.size() == kGraphs);
  own.destroy();

  std::puts("eight graphs captured into one private pool, never two at once");
  Graphs shared;
  xpuGraphPool pool = {};
  CALL(xpuGraphPoolCreate(&pool));
  for (int i = 0; i < kGraphs; i++) shared.add(capture(stream, mark, 1, pool, shared.addresses));
  shared.run(stream);
  EXPECT(tell("held by the pool", held_by(pool)) == kBytes);
  shared.destroy();
  CALL(xpuGraphPoolRelease(pool));

  std::puts("eight graphs whose allocation outlives the launch");
  Graphs kept;
  for (int i = 0; i < kGraphs; i++) kept.add(capture(stream, mark, 1, kNone, kept.addresses, true));
  kept.run(stream);
  EXPECT(tell("held") == kGraphs * kBytes);
  CALL(xpuDeviceGraphMemTrim(0));
  EXPECT(tell("after a trim: it is in use") == kGraphs * kBytes);
  for (void* memory : kept.addresses) CALL(xpuFree(memory));
  tell("after each was freed");
  CALL(xpuDeviceGraphMemTrim(0));
  EXPECT(tell("after another trim, with the executables still there") == 0);
  kept.destroy();
  CALL(xpuStreamDestroy(stream));
}
