// SPDX-License-Identifier: Apache-2.0
// Jacobi's iteration with x and x_new changing places each time: the parameters of one executable
// change between its launches. In three ways: two sets of node parameters in turn, a new capture
// each time, and no graph at all.
#include <chrono>
#include <vector>

#include "linear_system.h"

namespace {

constexpr int kIterations = 60;

struct Solver {
  const Kernels kernels;
  const xpuKernel_t row = kernels["jacobi_row"];
  const xpuStream_t stream = make_stream();
  float* const a = on_device<float>(kSize * kSize);
  float* const b = on_device<float>(kSize);
  float* const x[2] = {on_device<float>(kSize), on_device<float>(kSize)};

  explicit Solver(const char* path) : kernels(path) {}
  ~Solver() {
    xpuStreamDestroy(stream);
    for (float* memory : {a, b, x[0], x[1]}) xpuFree(memory);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // One iteration, from one x to the other.
  void iterate(int turn) const {
    launch(stream, row, kSize / kGroup, kGroup, a, b, x[turn % 2], x[1 - turn % 2], kSize);
  }
  xpuGraph_t capture(int turn) const {
    xpuGraph_t graph = nullptr;
    CALL(xpuStreamBeginCapture(stream, xpuStreamCaptureModeGlobal));
    iterate(turn);
    CALL(xpuStreamEndCapture(stream, &graph));
    return graph;
  }
};

// The node's parameters are set before each launch; nothing waits in between.
void with_two_sets(const Solver& s) {
  const xpuGraph_t graph = s.capture(0);
  xpuGraphNode_t node = nullptr;
  size_t count = 1;
  CALL(xpuGraphGetNodes(graph, &node, &count));
  xpuGraphExec_t exec = nullptr;
  CALL(xpuGraphInstantiate(&exec, graph, 0));
  for (int turn = 0; turn < kIterations; turn++) {
    const float *from = s.x[turn % 2], *to = s.x[1 - turn % 2], *a = s.a, *b = s.b;
    unsigned size = kSize;
    void* args[] = {&a, &b, &from, &to, &size, nullptr};
    xpuKernelNodeParams params = {};
    params.struct_size = sizeof params;
    params.func = s.row;
    params.gridDim = {kSize / kGroup, 1, 1};
    params.blockDim = {kGroup, 1, 1};
    params.kernelParams = args;
    CALL(xpuGraphExecKernelNodeSetParams(exec, node, &params));
    CALL(xpuGraphLaunch(exec, s.stream));
  }
  CALL(xpuGraphExecDestroy(exec));
  CALL(xpuGraphDestroy(graph));
}

// What a program does that has only code to capture. It needs no way out: the same code makes the
// same graph.
void with_new_captures(const Solver& s) {
  xpuGraphExec_t exec = nullptr;
  for (int turn = 0; turn < kIterations; turn++) {
    const xpuGraph_t graph = s.capture(turn);
    xpuGraphExecUpdateResultInfo result = {};
    result.struct_size = sizeof result;
    if (exec)
      CALL(xpuGraphExecUpdate(exec, graph, &result));
    else
      CALL(xpuGraphInstantiate(&exec, graph, 0));
    CALL(xpuGraphDestroy(graph));
    CALL(xpuGraphLaunch(exec, s.stream));
  }
  CALL(xpuGraphExecDestroy(exec));
}

void without_graphs(const Solver& s) {
  for (int turn = 0; turn < kIterations; turn++) s.iterate(turn);
}

std::vector<float> run(const char* how, const Solver& s, void (*iterations)(const Solver&)) {
  using Clock = std::chrono::steady_clock;
  std::vector<float> x(kSize);
  CALL(xpuMemsetAsync(s.x[0], 0, kSize * sizeof(float), s.stream));
  const auto begin = Clock::now();
  iterations(s);
  CALL(xpuStreamSynchronize(s.stream));
  const double us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  CALL(xpuMemcpy(x.data(), s.x[kIterations % 2], kSize * sizeof(float), xpuMemcpyDeviceToHost));
  std::printf("%-22s %6.1f us for each of %d iterations\n", how, us / kIterations, kIterations);
  return x;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: jacobi_update workloads.spv\n");
    return 2;
  }
  const Solver solver(argv[1]);
  const System system(1);
  CALL(
      xpuMemcpy(solver.a, system.a.data(), system.a.size() * sizeof(float), xpuMemcpyHostToDevice));
  CALL(xpuMemcpy(solver.b, system.b.data(), kSize * sizeof(float), xpuMemcpyHostToDevice));

  const std::vector<float> plain = run("a stream", solver, without_graphs);
  EXPECT(system.residual(plain) < 1e-3);
  // The same operations in the same order: the same numbers to the last bit.
  EXPECT(run("two sets of parameters", solver, with_two_sets) == plain);
  EXPECT(run("new captures", solver, with_new_captures) == plain);
}
