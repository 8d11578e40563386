// SPDX-License-Identifier: Apache-2.0
// A Jacobi solver that iterates on the device until it has converged: one launch, where CUDA's
// sample launches once for each iteration and looks at the error on the host.
#include <vector>

#include "linear_system.h"

namespace {

constexpr unsigned kMost = 500;
constexpr float kTolerance = 1e-6f;

class Solver {
 public:
  explicit Solver(const char* path) : kernels_(path) {
    CALL(xpuStreamBeginCapture(stream_, xpuStreamCaptureModeGlobal));
    CALL(xpuMemsetAsync(x_, 0, kSize * sizeof(float), stream_));
    CALL(xpuMemsetAsync(turns_, 0, sizeof(unsigned), stream_));
    capture_loop();
    xpuGraph_t graph = nullptr;
    CALL(xpuStreamEndCapture(stream_, &graph));
    CALL(xpuGraphInstantiate(&exec_, graph, 0));
    CALL(xpuGraphDestroy(graph));
  }
  ~Solver() {
    xpuGraphExecDestroy(exec_);
    xpuStreamDestroy(stream_);
    xpuStreamDestroy(body_stream_);
    for (void* memory : {static_cast<void*>(a_), static_cast<void*>(b_), static_cast<void*>(x_),
                         static_cast<void*>(x_new_), static_cast<void*>(turns_)})
      xpuFree(memory);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // The solution; how many iterations it took goes to `turns`.
  std::vector<float> solve(const System& system, unsigned& turns) {
    std::vector<float> x(kSize);
    CALL(xpuMemcpyAsync(a_, system.a.data(), system.a.size() * sizeof(float), xpuMemcpyHostToDevice,
                        stream_));
    CALL(
        xpuMemcpyAsync(b_, system.b.data(), kSize * sizeof(float), xpuMemcpyHostToDevice, stream_));
    CALL(xpuGraphLaunch(exec_, stream_));
    CALL(xpuMemcpyAsync(x.data(), x_, kSize * sizeof(float), xpuMemcpyDeviceToHost, stream_));
    CALL(xpuMemcpyAsync(&turns, turns_, sizeof turns, xpuMemcpyDeviceToHost, stream_));
    CALL(xpuStreamSynchronize(stream_));
    return x;
  }

 private:
  // In the capture of stream_: the loop becomes its next node, and its body is another capture.
  void capture_loop() {
    xpuStreamCaptureStatus status;
    xpuGraph_t graph = nullptr;
    const xpuGraphNode_t* before = nullptr;
    CALL(xpuStreamGetCaptureInfo(stream_, &status, nullptr, &graph, &before, nullptr, nullptr));
    const xpuGraphConditionalHandle more = make_handle(graph, 1);
    const Branch loop = add_branch(graph, before[0], more, xpuGraphCondTypeWhile, 1);
    CALL(xpuStreamUpdateCaptureDependencies(stream_, &loop.node, nullptr, 1,
                                            xpuStreamSetCaptureDependencies));
    CALL(xpuStreamBeginCaptureToGraph(body_stream_, loop.bodies[0], nullptr, nullptr, 0,
                                      xpuStreamCaptureModeGlobal));
    launch(body_stream_, kernels_["jacobi_row"], kSize / kGroup, kGroup, a_, b_, x_, x_new_, kSize);
    launch(body_stream_, kernels_["jacobi_decide"], 1, 1, x_, x_new_, kSize, kTolerance, kMost,
           turns_, more);
    CALL(xpuMemcpyAsync(x_, x_new_, kSize * sizeof(float), xpuMemcpyDeviceToDevice, body_stream_));
    CALL(xpuStreamEndCapture(body_stream_, nullptr));
  }

  const Kernels kernels_;
  const xpuStream_t stream_ = make_stream(), body_stream_ = make_stream();
  float* const a_ = on_device<float>(kSize * kSize);
  float* const b_ = on_device<float>(kSize);
  float* const x_ = on_device<float>(kSize);
  float* const x_new_ = on_device<float>(kSize);
  unsigned* const turns_ = on_device<unsigned>(1);
  xpuGraphExec_t exec_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: jacobi workloads.spv\n");
    return 2;
  }
  Solver solver(argv[1]);
  for (unsigned seed = 1; seed <= 3; seed++) {
    const System system(seed);
    unsigned turns = 0;
    const std::vector<float> x = solver.solve(system, turns);
    const double residual = system.residual(x);
    std::printf("system %u: %u iterations, residual %.2g\n", seed, turns, residual);
    // A change of x of kTolerance is a rest of about that times the diagonal.
    EXPECT(turns > 2 && turns < kMost);
    EXPECT(residual < kTolerance * kSize);
  }
}
