// SPDX-License-Identifier: Apache-2.0
// What graphs of empty kernels cost the host, by length and width: captured from as many streams,
// instantiated, launched for the first time and again. Prints a line of microseconds for each
// shape.
#include <chrono>
#include <vector>

#include "workload.h"

namespace {

double now_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

// `width` parallel chains of `length` empty kernels; one event forks and joins all of them.
xpuGraph_t capture(xpuKernel_t kernel, const std::vector<xpuStream_t>& streams, unsigned length,
                   unsigned width, xpuEvent_t event) {
  xpuGraph_t graph = nullptr;
  CALL(xpuStreamBeginCapture(streams[0], xpuStreamCaptureModeGlobal));
  CALL(xpuEventRecord(event, streams[0]));
  for (unsigned s = 1; s < width; s++) CALL(xpuStreamWaitEvent(streams[s], event, 0));
  for (unsigned s = 0; s < width; s++)
    for (unsigned i = 0; i < length; i++) launch(streams[s], kernel, 1, 1);
  for (unsigned s = 1; s < width; s++) order(streams[s], streams[0], event);
  CALL(xpuStreamEndCapture(streams[0], &graph));
  return graph;
}

void measure(xpuKernel_t kernel, const std::vector<xpuStream_t>& streams, unsigned length,
             unsigned width, xpuEvent_t event) {
  const xpuStream_t stream = streams[0];
  double at[8];
  at[0] = now_us();
  const xpuGraph_t graph = capture(kernel, streams, length, width, event);
  at[1] = now_us();
  xpuGraphExec_t exec = nullptr;
  CALL(xpuGraphInstantiate(&exec, graph, 0));
  at[2] = now_us();
  CALL(xpuGraphLaunch(exec, stream));
  at[3] = now_us();
  CALL(xpuStreamSynchronize(stream));
  at[4] = now_us();
  CALL(xpuGraphLaunch(exec, stream));
  at[5] = now_us();
  CALL(xpuStreamSynchronize(stream));
  at[6] = now_us();
  size_t nodes = 0;
  CALL(xpuGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == size_t{length} * width);
  std::printf("%6u x %u %9.1f %11.1f %9.1f %9.1f %9.1f %9.1f\n", length, width, at[1] - at[0],
              at[2] - at[1], at[3] - at[2], at[4] - at[2], at[5] - at[4], at[6] - at[4]);
  CALL(xpuGraphExecDestroy(exec));
  CALL(xpuGraphDestroy(graph));
}

}  // namespace

int main(int argc, char** argv) {
  const Kernels kernels(argv[1]);
  const unsigned longest = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 256;
  const xpuKernel_t nothing = kernels["nothing"];
  const xpuEvent_t event = make_event();
  std::vector<xpuStream_t> streams;
  for (int i = 0; i < 4; i++) streams.push_back(make_stream());
  launch(streams[0], nothing, 1, 1);  // the first launch of a kernel makes it ready
  CALL(xpuStreamSynchronize(streams[0]));

  std::printf("%10s %9s %11s %9s %9s %9s %9s   (us)\n", "shape", "capture", "instantiate", "first",
              "to sync", "again", "to sync");
  for (const unsigned width : {1U, 4U})
    for (unsigned length = 1; length <= longest; length *= 4)
      measure(nothing, streams, length, width, event);
  for (const xpuStream_t stream : streams) CALL(xpuStreamDestroy(stream));
  CALL(xpuEventDestroy(event));
}
