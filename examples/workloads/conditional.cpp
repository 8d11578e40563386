// SPDX-License-Identifier: Apache-2.0
// The five graphs of CUDA's sample for conditional nodes, on one byte of device memory: if, while
// with a captured body, a node added in the middle of a capture, if with else, and switch.
#include "workload.h"

namespace {

class Sample {
 public:
  explicit Sample(const char* path) : kernels_(path) {
    void* memory = nullptr;
    CALL(xpuMalloc(&memory, 1));
    byte_ = static_cast<unsigned char*>(memory);
  }
  ~Sample() {
    xpuFree(byte_);
    xpuStreamDestroy(stream_);
    xpuStreamDestroy(other_);
  }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  void if_odd_halves() {
    xpuGraph_t graph = make_graph();
    const xpuGraphConditionalHandle odd = make_handle(graph, 0);
    const xpuGraphNode_t asked = add_root(graph, kernels_["ask_odd"], 1, 1, byte_, odd);
    const Branch branch = add_branch(graph, asked, odd, xpuGraphCondTypeIf, 1);
    add_root(branch.bodies[0], kernels_["set_byte"], 1, 1, byte_, 0);
    EXPECT(run(graph, 3) == 0);
    EXPECT(run(graph, 4) == 4);
    CALL(xpuGraphDestroy(graph));
  }

  // The value is 1 at launch, so the loop runs at least once.
  void while_counts_down() {
    xpuGraph_t graph = make_graph();
    const xpuGraphConditionalHandle more = make_handle(graph, 1);
    const Branch loop = add_branch(graph, nullptr, more, xpuGraphCondTypeWhile, 1);
    capture_countdown(stream_, loop.bodies[0], more);
    EXPECT(run(graph, 10) == 0);
    EXPECT(run(graph, 255) == 0);
    CALL(xpuGraphDestroy(graph));
  }

  void while_in_a_capture() {
    CALL(xpuStreamBeginCapture(stream_, xpuStreamCaptureModeGlobal));
    launch(stream_, kernels_["set_byte"], 1, 1, byte_, 5);
    xpuStreamCaptureStatus status;
    xpuGraph_t graph = nullptr;
    const xpuGraphNode_t* before = nullptr;
    size_t count = 0;
    CALL(xpuStreamGetCaptureInfo(stream_, &status, nullptr, &graph, &before, nullptr, &count));
    EXPECT(count == 1);
    const xpuGraphConditionalHandle more = make_handle(graph, 1);
    const Branch loop = add_branch(graph, before[0], more, xpuGraphCondTypeWhile, 1);
    CALL(xpuStreamUpdateCaptureDependencies(stream_, &loop.node, nullptr, 1,
                                            xpuStreamSetCaptureDependencies));
    capture_countdown(other_, loop.bodies[0], more);
    launch(stream_, kernels_["add_byte"], 1, 1, byte_, 7);
    CALL(xpuStreamEndCapture(stream_, &graph));
    EXPECT(run(graph, 100) == 7);
    CALL(xpuGraphDestroy(graph));
  }

  void if_and_else() {
    xpuGraph_t graph = make_graph();
    const xpuGraphConditionalHandle odd = make_handle(graph, 0);
    const xpuGraphNode_t asked = add_root(graph, kernels_["ask_odd"], 1, 1, byte_, odd);
    const Branch branch = add_branch(graph, asked, odd, xpuGraphCondTypeIf, 2);
    add_root(branch.bodies[0], kernels_["set_byte"], 1, 1, byte_, 1);
    add_root(branch.bodies[1], kernels_["set_byte"], 1, 1, byte_, 2);
    EXPECT(run(graph, 7) == 1);
    EXPECT(run(graph, 8) == 2);
    CALL(xpuGraphDestroy(graph));
  }

  void a_switch() {
    xpuGraph_t graph = make_graph();
    const xpuGraphConditionalHandle number = make_handle(graph, 0);
    const xpuGraphNode_t asked = add_root(graph, kernels_["ask_byte"], 1, 1, byte_, number);
    const Branch branch = add_branch(graph, asked, number, xpuGraphCondTypeSwitch, 4);
    for (int i = 0; i < 4; i++)
      add_root(branch.bodies[i], kernels_["set_byte"], 1, 1, byte_, 10 * (i + 1));
    for (int i = 0; i < 4; i++) EXPECT(run(graph, i) == 10 * (i + 1));
    EXPECT(run(graph, 4) == 4);
    CALL(xpuGraphDestroy(graph));
  }

 private:
  static xpuGraph_t make_graph() {
    xpuGraph_t graph = nullptr;
    CALL(xpuGraphCreate(&graph, 0));
    return graph;
  }

  void capture_countdown(xpuStream_t stream, xpuGraph_t body, xpuGraphConditionalHandle more) {
    CALL(xpuStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                      xpuStreamCaptureModeGlobal));
    launch(stream, kernels_["add_byte"], 1, 1, byte_, -1);
    launch(stream, kernels_["ask_byte"], 1, 1, byte_, more);
    CALL(xpuStreamEndCapture(stream, nullptr));
  }

  // The byte after a launch that begins with `value` in it.
  int run(xpuGraph_t graph, int value) {
    unsigned char byte = 0;
    xpuGraphExec_t exec = nullptr;
    CALL(xpuGraphInstantiate(&exec, graph, 0));
    CALL(xpuMemsetAsync(byte_, value, 1, stream_));
    CALL(xpuGraphLaunch(exec, stream_));
    CALL(xpuMemcpyAsync(&byte, byte_, 1, xpuMemcpyDeviceToHost, stream_));
    CALL(xpuStreamSynchronize(stream_));
    CALL(xpuGraphExecDestroy(exec));
    return byte;
  }

  const Kernels kernels_;
  const xpuStream_t stream_ = make_stream(), other_ = make_stream();
  unsigned char* byte_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: conditional workloads.spv\n");
    return 2;
  }
  Sample sample(argv[1]);
  sample.if_odd_halves();
  sample.while_counts_down();
  sample.while_in_a_capture();
  sample.if_and_else();
  sample.a_switch();
  std::printf("if, while, while in a capture, if with else, switch: as expected\n");
}
