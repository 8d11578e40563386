// SPDX-License-Identifier: Apache-2.0
// Graphs on the CPU driver beside the same kernels given to its OpenCL runtime one by one, and two
// branches of a graph beside the same kernels one after another; all in one process.
//
// usage: eager_cost KERNELS.spv KERNELS.cl. Prints a line per figure, with tabs between: name, the
// value, the 90th percentile, unit. Ends 1 if something fails or computes a wrong number.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <xpugraph/xpugraph.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "gauge.h"

namespace cost {
namespace {

constexpr int kChain = 1000, kBranch = 16;
constexpr unsigned kTurns = 1'000'000;  // of spin: about a millisecond

void check(xpuError_t error) {
  if (error == xpuSuccess) return;
  xpuErrorInfo info = {};
  info.struct_size = sizeof info;
  (void)xpuGetLastErrorInfo(&info);
  throw std::runtime_error(std::string(info.function) + ": " + info.sentence);
}

void check_cl(cl_int result, const char* call) {
  if (result != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " answered " + std::to_string(result));
}

std::string read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void print(const char* name, const Spread& spread, double divisor, const char* unit) {
  std::printf("%s\t%.3f\t%.3f\t%s\n", name, spread.median / divisor, spread.p90 / divisor, unit);
}

// The chain of `touch` without a graph, in an in-order queue.
class Eager {
 public:
  explicit Eager(const std::string& source) {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    check_cl(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check_cl(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr), "clGetDeviceIDs");
    cl_int result = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result);
    check_cl(result, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device, 0, &result);
    check_cl(result, "clCreateCommandQueue");
    const char* text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &result);
    check_cl(result, "clCreateProgramWithSource");
    check_cl(clBuildProgram(program_, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    kernel_ = clCreateKernel(program_, "touch", &result);
    check_cl(result, "clCreateKernel");
    buffer_ = clCreateBuffer(context_, CL_MEM_READ_WRITE, sizeof(int), nullptr, &result);
    check_cl(result, "clCreateBuffer");
  }
  ~Eager() {
    (void)clReleaseMemObject(buffer_);
    (void)clReleaseKernel(kernel_);
    (void)clReleaseProgram(program_);
    (void)clReleaseCommandQueue(queue_);
    (void)clReleaseContext(context_);
  }
  Eager(const Eager&) = delete;
  Eager& operator=(const Eager&) = delete;

  void run() {
    const size_t one = 1;
    for (int i = 0; i < kChain; i++) {
      check_cl(clSetKernelArg(kernel_, 0, sizeof buffer_, &buffer_), "clSetKernelArg");
      check_cl(clSetKernelArg(kernel_, 1, sizeof i, &i), "clSetKernelArg");
      check_cl(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &one, &one, 0, nullptr, nullptr),
               "clEnqueueNDRangeKernel");
    }
    check_cl(clFinish(queue_), "clFinish");
  }
  int result() {
    int value = -1;
    check_cl(
        clEnqueueReadBuffer(queue_, buffer_, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    return value;
  }

 private:
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  cl_mem buffer_ = nullptr;
};

class Graphs {
 public:
  explicit Graphs(const std::string& image) {
    check(xpuModuleLoadData(&module_, image.data(), image.size()));
    check(xpuModuleGetKernel(&touch_, module_, "touch"));
    check(xpuModuleGetKernel(&spin_, module_, "spin"));
    for (xpuStream_t& stream : streams_)
      check(xpuStreamCreateWithFlags(&stream, xpuStreamNonBlocking));
    for (xpuEvent_t& event : events_) check(xpuEventCreateWithFlags(&event, xpuEventDisableTiming));
    for (void*& word : words_) check(xpuMalloc(&word, sizeof(int)));
  }
  ~Graphs() {
    for (void* word : words_) (void)xpuFree(word);
    for (xpuEvent_t event : events_) (void)xpuEventDestroy(event);
    for (xpuStream_t stream : streams_) (void)xpuStreamDestroy(stream);
    (void)xpuModuleUnload(module_);
  }
  Graphs(const Graphs&) = delete;
  Graphs& operator=(const Graphs&) = delete;

  xpuGraphExec_t chain() {
    begin();
    for (int i = 0; i < kChain; i++) {
      void* arguments[] = {&words_[0], &i};
      check(xpuLaunchKernel(touch_, {1, 1, 1}, {1, 1, 1}, arguments, 0, streams_[0]));
    }
    return end();
  }
  // Two times kBranch kernels, side by side or one after another.
  xpuGraphExec_t branches(bool side_by_side) {
    begin();
    check(xpuEventRecord(events_[0], streams_[0]));
    check(xpuStreamWaitEvent(streams_[1], events_[0], 0));
    for (int i = 0; i < 2 * kBranch; i++) {
      unsigned turns = kTurns;
      void* arguments[] = {&words_[i % 2], &turns};
      check(xpuLaunchKernel(spin_, {1, 1, 1}, {1, 1, 1}, arguments, 0,
                            streams_[side_by_side ? i % 2 : 0]));
    }
    check(xpuEventRecord(events_[1], streams_[1]));
    check(xpuStreamWaitEvent(streams_[0], events_[1], 0));
    return end();
  }
  void launch(xpuGraphExec_t exec) { check(xpuGraphLaunch(exec, streams_[0])); }
  void wait() { check(xpuStreamSynchronize(streams_[0])); }
  int word(int index) {
    int value = -1;
    check(xpuMemcpy(&value, words_[index], sizeof value, xpuMemcpyDeviceToHost));
    return value;
  }
  void set_words(int value) {
    for (void* word : words_) check(xpuMemcpy(word, &value, sizeof value, xpuMemcpyHostToDevice));
  }

 private:
  void begin() { check(xpuStreamBeginCapture(streams_[0], xpuStreamCaptureModeThreadLocal)); }
  xpuGraphExec_t end() {
    xpuGraph_t graph = nullptr;
    check(xpuStreamEndCapture(streams_[0], &graph));
    xpuGraphExec_t exec = nullptr;
    check(xpuGraphInstantiate(&exec, graph, 0));
    check(xpuGraphDestroy(graph));
    return exec;
  }

  xpuModule_t module_ = nullptr;
  xpuKernel_t touch_ = nullptr, spin_ = nullptr;
  xpuStream_t streams_[2] = {};
  xpuEvent_t events_[2] = {};
  void* words_[2] = {};
};

unsigned spun(unsigned times) {
  unsigned x = 1;
  for (unsigned i = 0; i < times; i++) x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  return x;
}

void expect(bool good, const char* what) {
  if (!good) throw std::runtime_error(std::string(what) + " computed a wrong number");
}

void measure(const char* spirv_path, const char* source_path, int repetitions) {
  const Gauge gauge(false, repetitions);
  const auto nothing = [] {};
  Eager eager(read(source_path));
  Graphs graphs(read(spirv_path));

  const xpuGraphExec_t chain = graphs.chain();
  const auto wait = [&] { graphs.wait(); };
  const auto run = [&](xpuGraphExec_t exec) { graphs.launch(exec), graphs.wait(); };
  const Spread by_one = gauge.measure(
      "eager", nothing, [&] { eager.run(); }, nothing);
  const Spread by_graph = gauge.measure(
      "graph", nothing, [&] { run(chain); }, nothing);
  const Spread call = gauge.measure(
      "launch", nothing, [&] { graphs.launch(chain); }, wait);
  expect(eager.result() == kChain - 1, "the eager chain");
  expect(graphs.word(0) == kChain - 1, "the graph of the chain");
  check(xpuGraphExecDestroy(chain));
  print("eager kernel", by_one, kChain, "ns");
  print("kernel of a graph", by_graph, kChain, "ns");
  print("launch call", call, 1, "ns");

  Spread took[2];
  for (const bool side_by_side : {false, true}) {
    const xpuGraphExec_t exec = graphs.branches(side_by_side);
    graphs.set_words(1);
    run(exec);
    for (int i : {0, 1})
      expect(static_cast<unsigned>(graphs.word(i)) == spun(kBranch * kTurns), "a branch");
    took[side_by_side] = gauge.measure(
        "branches", nothing, [&] { run(exec); }, nothing);
    check(xpuGraphExecDestroy(exec));
  }
  print("branches one after another", took[false], 1, "ns");
  print("branches side by side", took[true], 1, "ns");
}

}  // namespace
}  // namespace cost

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: eager_cost KERNELS.spv KERNELS.cl [REPETITIONS]\n");
    return 2;
  }
  try {
    cost::measure(argv[1], argv[2], argc == 4 ? std::atoi(argv[3]) : 0);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "eager_cost: %s\n", error.what());
    return 1;
  }
  return 0;
}
