// SPDX-License-Identifier: Apache-2.0
// Measures what a graph costs the calling thread: capture, instantiation, launch, by number of
// nodes.
//
// usage: graph_cost KERNELS.spv [REPETITIONS]. Prints lines "NODES PHASE NANOSECONDS", the least of
// the repetitions: per node for capture, instantiate and run, per call for launch. Under callgrind
// started with
// --collect-atstart=no it also dumps a profile per line, so that tools/cost_table.py can add
// instructions.
#include <xpugraph/xpugraph.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_TOGGLE_COLLECT (void)0
#define CALLGRIND_ZERO_STATS (void)0
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#endif

namespace {

void check(xpuError_t error) {
  if (error == xpuSuccess) return;
  xpuErrorInfo info = {};
  info.struct_size = sizeof info;
  (void)xpuGetLastErrorInfo(&info);
  std::fprintf(stderr, "graph_cost: %s: %s: %s\n", info.function, xpuGetErrorName(error),
               info.sentence);
  std::exit(1);
}

// The least time of one phase over the repetitions, and a profile of the last of them.
class Phase {
 public:
  Phase(const char* name, int nodes, double divisor)
      : name_(name), nodes_(nodes), divisor_(divisor) {}

  template <class Work>
  void measure(Work work) {
    CALLGRIND_ZERO_STATS;
    CALLGRIND_TOGGLE_COLLECT;
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    CALLGRIND_TOGGLE_COLLECT;
    least_ = std::min(least_, took.count());
  }
  // Right after the last measure(), before anything else is collected.
  void dump() const {
    const std::string title = std::to_string(nodes_) + " " + name_;
    CALLGRIND_DUMP_STATS_AT(title.c_str());
  }
  void print() const { std::printf("%d %s %.1f\n", nodes_, name_, least_ / divisor_); }

 private:
  const char* name_;
  int nodes_;
  double divisor_, least_ = 1e18;
};

class Bench {
 public:
  explicit Bench(const char* path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
    check(xpuModuleLoadData(&module_, image.data(), image.size()));
    check(xpuModuleGetKernel(&kernel_, module_, "touch"));
    check(xpuStreamCreateWithFlags(&stream_, xpuStreamNonBlocking));
    check(xpuMalloc(&word_, sizeof(int)));
  }
  ~Bench() {
    check(xpuFree(word_));
    check(xpuStreamDestroy(stream_));
    check(xpuModuleUnload(module_));
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void measure(int nodes, int repetitions) {
    // A graph of 10,000 nodes says as much in a few repetitions as one of 10 in many.
    const int times = std::max(2, std::min(repetitions, 200000 / nodes));
    Phase captured("capture", nodes, nodes), instantiated("instantiate", nodes, nodes);
    xpuGraph_t graph = nullptr;
    xpuGraphExec_t exec = nullptr;
    for (int i = 0; i < times; i++) {
      if (graph) check(xpuGraphDestroy(graph));
      captured.measure([&] { graph = capture(nodes); });
    }
    captured.dump();
    for (int i = 0; i < times; i++) {
      if (exec) check(xpuGraphExecDestroy(exec));
      instantiated.measure([&] { check(xpuGraphInstantiate(&exec, graph, 0)); });
    }
    instantiated.dump();
    captured.print();
    instantiated.print();
    measure_replay(exec, nodes, times);
    check(xpuGraphExecDestroy(exec));
    check(xpuGraphDestroy(graph));
  }

 private:
  xpuGraph_t capture(int nodes) {
    xpuGraph_t graph = nullptr;
    int value = 0;
    void* arguments[] = {&word_, &value};
    check(xpuStreamBeginCapture(stream_, xpuStreamCaptureModeThreadLocal));
    for (; value < nodes; value++)
      check(xpuLaunchKernel(kernel_, {1, 1, 1}, {1, 1, 1}, arguments, 0, stream_));
    check(xpuStreamEndCapture(stream_, &graph));
    return graph;
  }

  void measure_replay(xpuGraphExec_t exec, int nodes, int times) {
    Phase launch("launch", nodes, 1), run("run", nodes, nodes);
    check(xpuGraphUpload(exec, stream_));
    launch_and_wait(exec);
    for (int i = 0; i < times; i++) {
      launch.measure([&] { check(xpuGraphLaunch(exec, stream_)); });
      check(xpuStreamSynchronize(stream_));
    }
    launch.dump();
    for (int i = 0; i < times; i++) run.measure([&] { launch_and_wait(exec); });
    run.dump();
    launch.print();
    run.print();
  }

  void launch_and_wait(xpuGraphExec_t exec) {
    check(xpuGraphLaunch(exec, stream_));
    check(xpuStreamSynchronize(stream_));
  }

  xpuModule_t module_ = nullptr;
  xpuKernel_t kernel_ = nullptr;
  xpuStream_t stream_ = nullptr;
  void* word_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: graph_cost KERNELS.spv [REPETITIONS]\n");
    return 2;
  }
  Bench bench(argv[1]);
  for (int nodes : {1, 10, 100, 1000, 10000})
    bench.measure(nodes, argc > 2 ? std::atoi(argv[2]) : 200);
  return 0;
}
