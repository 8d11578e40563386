// SPDX-License-Identifier: Apache-2.0
// A sum in two stages as a graph, made twice: node by node, and by capturing three streams.
// Both graphs, and a clone of the first, run three times; a host function checks each result.
#include <numeric>
#include <vector>

#include "workload.h"

namespace {

constexpr size_t kNumbers = size_t{1} << 20;
constexpr unsigned kGroups = 64, kGroupSize = 256;

struct Sum {
  std::vector<float> numbers;
  float* in = nullptr;
  double* parts = nullptr;
  double* total = nullptr;
  double result = 0;
  double expected = 0;
  int right = 0;
};

// Runs in the graph, behind the copy of the result; then the next launch must write it anew.
void check(void* user) {
  Sum& sum = *static_cast<Sum*>(user);
  if (sum.result == sum.expected) sum.right++;
  sum.result = 0;
}

template <class T>
T* device_memory(size_t count) {
  void* memory = nullptr;
  CALL(xpuMalloc(&memory, count * sizeof(T)));
  return static_cast<T*>(memory);
}

// A double is set to zero as two elements of four bytes.
xpuMemsetParams zero_doubles(double* memory, size_t count) {
  xpuMemsetParams params = {};
  params.struct_size = sizeof params;
  params.dst = memory;
  params.elementSize = 4;
  params.width = 2 * count;
  params.height = 1;
  return params;
}

xpuGraph_t by_hand(Sum& sum, const Kernels& kernels) {
  xpuGraph_t graph = nullptr;
  CALL(xpuGraphCreate(&graph, 0));
  xpuGraphNode_t copy_in, zero_parts, zero_total, copy_out, host;
  CALL(xpuGraphAddMemcpyNode1D(&copy_in, graph, nullptr, 0, sum.in, sum.numbers.data(),
                               kNumbers * sizeof(float), xpuMemcpyHostToDevice));
  xpuMemsetParams zero = zero_doubles(sum.parts, kGroups);
  CALL(xpuGraphAddMemsetNode(&zero_parts, graph, nullptr, 0, &zero));
  const xpuGraphNode_t reduce = add_kernel(graph, {copy_in, zero_parts}, kernels["reduce"], kGroups,
                                           kGroupSize, sum.in, sum.parts, uint64_t{kNumbers});
  zero = zero_doubles(sum.total, 1);
  CALL(xpuGraphAddMemsetNode(&zero_total, graph, nullptr, 0, &zero));
  const xpuGraphNode_t last = add_kernel(graph, {reduce, zero_total}, kernels["reduce_final"], 1, 1,
                                         sum.parts, sum.total, uint32_t{kGroups});
  CALL(xpuGraphAddMemcpyNode1D(&copy_out, graph, &last, 1, &sum.result, sum.total, sizeof(double),
                               xpuMemcpyDeviceToHost));
  xpuHostNodeParams params = {};
  params.struct_size = sizeof params;
  params.fn = check;
  params.userData = &sum;
  CALL(xpuGraphAddHostNode(&host, graph, &copy_out, 1, &params));
  return graph;
}

xpuGraph_t by_capture(Sum& sum, const Kernels& kernels) {
  const xpuStream_t main = make_stream(), parts = make_stream(), total = make_stream();
  const xpuEvent_t fork = make_event(), parts_done = make_event(), total_done = make_event();
  xpuGraph_t graph = nullptr;
  const xpuKernel_t reduce = kernels["reduce"], reduce_final = kernels["reduce_final"];
  CALL(xpuStreamBeginCapture(main, xpuStreamCaptureModeGlobal));
  CALL(xpuEventRecord(fork, main));
  CALL(xpuStreamWaitEvent(parts, fork, 0));
  CALL(xpuStreamWaitEvent(total, fork, 0));
  CALL(xpuMemcpyAsync(sum.in, sum.numbers.data(), kNumbers * sizeof(float), xpuMemcpyHostToDevice,
                      main));
  CALL(xpuMemsetAsync(sum.parts, 0, kGroups * sizeof(double), parts));
  CALL(xpuMemsetAsync(sum.total, 0, sizeof(double), total));
  order(parts, main, parts_done);
  launch(main, reduce, kGroups, kGroupSize, sum.in, sum.parts, uint64_t{kNumbers});
  order(total, main, total_done);
  launch(main, reduce_final, 1, 1, sum.parts, sum.total, uint32_t{kGroups});
  CALL(xpuMemcpyAsync(&sum.result, sum.total, sizeof(double), xpuMemcpyDeviceToHost, main));
  CALL(xpuLaunchHostFunc(main, check, &sum));
  CALL(xpuStreamEndCapture(main, &graph));
  for (const xpuEvent_t event : {fork, parts_done, total_done}) CALL(xpuEventDestroy(event));
  for (const xpuStream_t stream : {main, parts, total}) CALL(xpuStreamDestroy(stream));
  return graph;
}

void run(const char* how, xpuGraph_t graph, Sum& sum) {
  size_t nodes = 0;
  CALL(xpuGraphGetNodes(graph, nullptr, &nodes));
  xpuGraphExec_t exec = nullptr;
  CALL(xpuGraphInstantiate(&exec, graph, 0));
  const xpuStream_t stream = make_stream();
  sum.right = 0;
  for (int i = 0; i < 3; i++) CALL(xpuGraphLaunch(exec, stream));
  CALL(xpuStreamSynchronize(stream));
  std::printf("%-12s %zu nodes, %d of 3 sums are %.0f\n", how, nodes, sum.right, sum.expected);
  EXPECT(nodes == 7 && sum.right == 3);
  CALL(xpuStreamDestroy(stream));
  CALL(xpuGraphExecDestroy(exec));
}

}  // namespace

int main(int, char** argv) {
  const Kernels kernels(argv[1]);
  Sum sum;
  // Small whole numbers: their sum is exact in any order.
  for (size_t i = 0; i < kNumbers; i++) sum.numbers.push_back(static_cast<float>(i % 97));
  sum.expected = std::accumulate(sum.numbers.begin(), sum.numbers.end(), 0.0);
  sum.in = device_memory<float>(kNumbers);
  sum.parts = device_memory<double>(kGroups);
  sum.total = device_memory<double>(1);

  const xpuGraph_t made = by_hand(sum, kernels);
  const xpuGraph_t captured = by_capture(sum, kernels);
  xpuGraph_t clone = nullptr;
  CALL(xpuGraphClone(&clone, made));
  run("by hand", made, sum);
  run("a clone", clone, sum);
  run("by capture", captured, sum);

  for (const xpuGraph_t graph : {made, captured, clone}) CALL(xpuGraphDestroy(graph));
  for (void* memory :
       {static_cast<void*>(sum.in), static_cast<void*>(sum.parts), static_cast<void*>(sum.total)})
    CALL(xpuFree(memory));
}
