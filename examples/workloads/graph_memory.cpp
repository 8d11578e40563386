// SPDX-License-Identifier: Apache-2.0
// Squares and their negation in memory that graphs allocate: in a plain stream, in a captured graph
// and in one made by hand; then with a result that outlives the launch and is freed in three ways.
#include <vector>

#include "workload.h"

namespace {

constexpr size_t kNumbers = size_t{1} << 16, kBytes = kNumbers * sizeof(float);
constexpr unsigned kSize = 64, kGroups = kNumbers / kSize;

struct Work {
  const Kernels& kernels;
  std::vector<float> in, squares, negated;
  xpuStream_t stream;
};

void expect_results(Work& work) {
  for (size_t i = 0; i < kNumbers; i++) {
    const float square = work.in[i] * work.in[i];
    EXPECT(work.squares[i] == square && work.negated[i] == -square);
  }
  work.squares.assign(kNumbers, 0);
  work.negated.assign(kNumbers, 0);
}

template <class T>
T* allocate(size_t bytes, xpuStream_t stream) {
  void* memory = nullptr;
  CALL(xpuMallocAsync(&memory, bytes, stream));
  return static_cast<T*>(memory);
}

// The same calls, whether the stream runs them or records them.
void enqueue(Work& work) {
  const xpuStream_t stream = work.stream;
  float* in = allocate<float>(kBytes, stream);
  float* squares = allocate<float>(kBytes, stream);
  CALL(xpuMemcpyAsync(in, work.in.data(), kBytes, xpuMemcpyHostToDevice, stream));
  launch(stream, work.kernels["square"], kGroups, kSize, in, squares);
  CALL(xpuFreeAsync(in, stream));
  float* negated = allocate<float>(kBytes, stream);  // may stand where `in` stood
  launch(stream, work.kernels["negate"], kGroups, kSize, squares, negated);
  CALL(xpuMemcpyAsync(work.squares.data(), squares, kBytes, xpuMemcpyDeviceToHost, stream));
  CALL(xpuMemcpyAsync(work.negated.data(), negated, kBytes, xpuMemcpyDeviceToHost, stream));
  CALL(xpuFreeAsync(squares, stream));
  CALL(xpuFreeAsync(negated, stream));
}

xpuGraphNode_t add_allocation(xpuGraph_t graph, const xpuGraphNode_t* before, size_t count,
                              float** memory) {
  xpuMemAllocNodeParams params = {};
  params.struct_size = sizeof params;
  params.poolProps.struct_size = sizeof params.poolProps;
  params.poolProps.allocType = xpuMemAllocationTypePinned;
  params.poolProps.location.type = xpuMemLocationTypeDevice;
  params.bytesize = kBytes;
  xpuGraphNode_t node = nullptr;
  CALL(xpuGraphAddMemAllocNode(&node, graph, before, count, &params));
  *memory = static_cast<float*>(params.dptr);
  return node;
}

struct Kept {
  xpuGraph_t graph;
  float* squares;
};

// in -> squares; with `negate` all of it, else the squares are left allocated.
Kept by_hand(Work& work, bool negate) {
  Kept made = {};
  CALL(xpuGraphCreate(&made.graph, 0));
  const xpuGraph_t graph = made.graph;
  float *in = nullptr, *negated = nullptr;
  xpuGraphNode_t copy, free_in, out[2], frees[2];
  const xpuGraphNode_t allocate_in = add_allocation(graph, nullptr, 0, &in);
  const xpuGraphNode_t allocate_squares = add_allocation(graph, nullptr, 0, &made.squares);
  CALL(xpuGraphAddMemcpyNode1D(&copy, graph, &allocate_in, 1, in, work.in.data(), kBytes,
                               xpuMemcpyHostToDevice));
  const xpuGraphNode_t square = add_kernel(graph, {copy, allocate_squares}, work.kernels["square"],
                                           kGroups, kSize, in, made.squares);
  CALL(xpuGraphAddMemFreeNode(&free_in, graph, &square, 1, in));
  if (!negate) return made;
  const xpuGraphNode_t allocate_negated = add_allocation(graph, &free_in, 1, &negated);
  std::printf("memory freed in the graph is %s\n", in == negated ? "used again" : "not used again");
  const xpuGraphNode_t negation =
      add_kernel(graph, {allocate_negated, square}, work.kernels["negate"], kGroups, kSize,
                 made.squares, negated);
  CALL(xpuGraphAddMemcpyNode1D(&out[0], graph, &negation, 1, work.squares.data(), made.squares,
                               kBytes, xpuMemcpyDeviceToHost));
  CALL(xpuGraphAddMemcpyNode1D(&out[1], graph, &negation, 1, work.negated.data(), negated, kBytes,
                               xpuMemcpyDeviceToHost));
  CALL(xpuGraphAddMemFreeNode(&frees[0], graph, &out[0], 1, made.squares));
  CALL(xpuGraphAddMemFreeNode(&frees[1], graph, &out[1], 1, negated));
  return made;
}

void run_twice(const char* how, Work& work, xpuGraph_t graph) {
  xpuGraphExec_t exec = nullptr;
  CALL(xpuGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; i++) {
    CALL(xpuGraphLaunch(exec, work.stream));
    CALL(xpuStreamSynchronize(work.stream));
    expect_results(work);
  }
  std::printf("%-28s right twice\n", how);
  CALL(xpuGraphExecDestroy(exec));
  CALL(xpuGraphDestroy(graph));
}

// The squares are still there after the launch, for a kernel outside of the graph.
void expect_squares_are_there(Work& work, float* squares) {
  unsigned wrong = 0;
  auto* counter = allocate<unsigned>(sizeof wrong, work.stream);
  auto* in = allocate<float>(kBytes, work.stream);
  CALL(xpuMemsetAsync(counter, 0, sizeof wrong, work.stream));
  CALL(xpuMemcpyAsync(in, work.in.data(), kBytes, xpuMemcpyHostToDevice, work.stream));
  launch(work.stream, work.kernels["check_squares"], kGroups, kSize, in, squares, 1.0F, counter);
  CALL(xpuMemcpyAsync(&wrong, counter, sizeof wrong, xpuMemcpyDeviceToHost, work.stream));
  CALL(xpuFreeAsync(in, work.stream));
  CALL(xpuFreeAsync(counter, work.stream));
  CALL(xpuStreamSynchronize(work.stream));
  EXPECT(wrong == 0);
}

void run_kept(Work& work) {
  const Kept made = by_hand(work, false);
  xpuGraphExec_t exec = nullptr, freeing_exec = nullptr;
  CALL(xpuGraphInstantiate(&exec, made.graph, 0));
  xpuGraph_t freeing = nullptr;
  xpuGraphNode_t free_node = nullptr;
  CALL(xpuGraphCreate(&freeing, 0));
  CALL(xpuGraphAddMemFreeNode(&free_node, freeing, nullptr, 0, made.squares));
  CALL(xpuGraphInstantiate(&freeing_exec, freeing, 0));
  const auto launch_and_look = [&](const char* freed_by) {
    CALL(xpuGraphLaunch(exec, work.stream));
    expect_squares_are_there(work, made.squares);
    EXPECT(xpuGraphLaunch(exec, work.stream) == xpuErrorInvalidValue);  // it is not freed yet
    std::printf("kept, to be freed by %s\n", freed_by);
  };
  launch_and_look("xpuFree");
  CALL(xpuFree(made.squares));
  launch_and_look("xpuFreeAsync");
  CALL(xpuFreeAsync(made.squares, work.stream));
  launch_and_look("another graph");
  CALL(xpuGraphLaunch(freeing_exec, work.stream));
  CALL(xpuStreamSynchronize(work.stream));
  CALL(xpuGraphExecDestroy(freeing_exec));
  CALL(xpuGraphExecDestroy(exec));
  CALL(xpuGraphDestroy(freeing));
  CALL(xpuGraphDestroy(made.graph));
}

}  // namespace

int main(int, char** argv) {
  const Kernels kernels(argv[1]);
  Work work{kernels, {}, std::vector<float>(kNumbers), std::vector<float>(kNumbers), make_stream()};
  for (size_t i = 0; i < kNumbers; i++) work.in.push_back(static_cast<float>(i % 1000));
  for (const char* name : {"square", "negate", "check_squares"}) kernels[name];

  enqueue(work);
  CALL(xpuStreamSynchronize(work.stream));
  expect_results(work);
  std::printf("%-28s right\n", "a stream");

  xpuGraph_t captured = nullptr;
  CALL(xpuStreamBeginCapture(work.stream, xpuStreamCaptureModeGlobal));
  enqueue(work);
  CALL(xpuStreamEndCapture(work.stream, &captured));
  run_twice("a captured graph", work, captured);
  run_twice("a graph by hand", work, by_hand(work, true).graph);
  run_kept(work);
  CALL(xpuStreamDestroy(work.stream));
}
