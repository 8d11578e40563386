// SPDX-License-Identifier: Apache-2.0
// Runs allocation traces as graphs with memory nodes and as captures into a private pool, and tells
// what each reserves.
//
// Reads what memory_trace.py prints. Every allocation is written to, and read before it is freed; a
// wrong number ends the program. Prints a line per trace, with tabs between: name, what sizes were
// divided by, bytes reserved for the graph, bytes reserved by the pool, nanoseconds to place all
// allocations. With --count it only places them, once more under callgrind's eyes.
#include <xpugraph/xpugraph.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "gauge.h"

namespace cost {
namespace {

void check(xpuError_t error) {
  if (error == xpuSuccess) return;
  xpuErrorInfo info = {};
  info.struct_size = sizeof info;
  (void)xpuGetLastErrorInfo(&info);
  throw std::runtime_error(std::string(info.function) + ": " + info.sentence);
}

struct Step {
  bool allocates;
  size_t value;  // bytes, or the allocation that is freed
};

struct Trace {
  std::string name;
  std::vector<Step> steps;
  std::vector<size_t> sizes;  // of the allocations
  size_t divisor = 1;

  size_t most_at_once() const {
    size_t live = 0, most = 0;
    for (const Step& step : steps) {
      live += step.allocates ? step.value : 0 - sizes[step.value];
      most = std::max(most, live);
    }
    return most;
  }
  // So that graph and pool fit side by side into `memory`, with room for what they waste.
  void scale_to(size_t memory) {
    while (most_at_once() > memory / 4) {
      divisor *= 2;
      for (size_t& size : sizes) size = (size + 1) / 2;
      for (size_t i = 0, next = 0; i < steps.size(); i++)
        if (steps[i].allocates) steps[i].value = sizes[next++];
    }
  }
};

bool read_trace(std::istream& in, Trace& trace) {
  size_t count = 0;
  if (!std::getline(in, trace.name)) return false;
  in >> count;
  while (trace.steps.size() < count) {
    char kind = 0;
    size_t value = 0;
    if (!(in >> kind >> value) || (kind != 'a' && kind != 'f') ||
        (kind == 'f' && value >= trace.sizes.size()))
      throw std::runtime_error("these are no steps of memory_trace.py");
    trace.steps.push_back({kind == 'a', value});
    if (kind == 'a') trace.sizes.push_back(value);
  }
  in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  return true;
}

class Ground {
 public:
  explicit Ground(const char* spirv_path) {
    std::ifstream file(spirv_path, std::ios::binary);
    const std::vector<char> image((std::istreambuf_iterator<char>(file)), {});
    check(xpuModuleLoadData(&module_, image.data(), image.size()));
    check(xpuModuleGetKernel(&kernel_, module_, "touch"));
    check(xpuStreamCreateWithFlags(&stream_, xpuStreamNonBlocking));
  }
  ~Ground() {
    (void)xpuFree(read_);
    (void)xpuStreamDestroy(stream_);
    (void)xpuModuleUnload(module_);
  }
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;

  xpuStream_t stream() const { return stream_; }
  void need(size_t allocations) {
    check(xpuFree(read_));
    read_ = nullptr;
    check(xpuMalloc(&read_, allocations * sizeof(int)));
    check(xpuMemset(read_, 0xff, allocations * sizeof(int)));
    check(xpuDeviceSynchronize());
  }
  void write(void* at, int number) const {
    void* args[] = {&at, &number};
    check(xpuLaunchKernel(kernel_, {1, 1, 1}, {1, 1, 1}, args, 0, stream_));
  }
  void read(const void* at, int number, size_t size) const {
    check(xpuMemcpyAsync(static_cast<int*>(read_) + number, at, std::min(size, sizeof(int)),
                         xpuMemcpyDeviceToDevice, stream_));
  }
  // Whether each allocation had its own number to the end.
  void compare(const std::vector<size_t>& sizes) const {
    std::vector<int> found(sizes.size());
    check(xpuMemcpy(found.data(), read_, found.size() * sizeof(int), xpuMemcpyDeviceToHost));
    for (size_t i = 0; i < sizes.size(); i++) {
      const int expected = static_cast<int>(i);
      if (std::memcmp(&found[i], &expected, std::min(sizes[i], sizeof(int))) != 0)
        throw std::runtime_error("allocation " + std::to_string(i) + " was overwritten");
    }
  }

 private:
  xpuModule_t module_ = nullptr;
  xpuKernel_t kernel_ = nullptr;
  xpuStream_t stream_ = nullptr;
  void* read_ = nullptr;
};

// Captures the steps; allocations come from the pool, or become nodes if it is none. What nothing
// frees is in `kept`.
xpuGraph_t capture(const Ground& ground, const Trace& trace, xpuGraphPool pool,
                   std::vector<void*>& kept) {
  xpuStreamCaptureParams params = {};
  params.struct_size = sizeof params;
  params.pool = pool;
  check(xpuStreamBeginCaptureWithParams(ground.stream(), &params));
  kept.clear();
  for (const Step& step : trace.steps) {
    void* at = step.allocates ? nullptr : kept[step.value];
    if (step.allocates) {
      check(xpuMallocAsync(&at, step.value, ground.stream()));
      ground.write(at, static_cast<int>(kept.size()));
      kept.push_back(at);
    } else {
      ground.read(at, static_cast<int>(step.value), trace.sizes[step.value]);
      check(xpuFreeAsync(at, ground.stream()));
      kept[step.value] = nullptr;
    }
  }
  for (size_t i = 0; i < kept.size(); i++)
    if (kept[i]) ground.read(kept[i], static_cast<int>(i), trace.sizes[i]);
  xpuGraph_t graph = nullptr;
  check(xpuStreamEndCapture(ground.stream(), &graph));
  return graph;
}

size_t reserved_for_graphs() {
  uint64_t bytes = 0;
  check(xpuDeviceGetGraphMemAttribute(0, xpuGraphMemAttrReservedMemCurrent, &bytes));
  return bytes;
}

// Bytes reserved while the trace runs, twice.
size_t run(Ground& ground, const Trace& trace, bool in_pool) {
  xpuGraphPool pool = {};
  if (in_pool) check(xpuGraphPoolCreate(&pool));
  ground.need(trace.sizes.size());
  const size_t before = reserved_for_graphs();
  std::vector<void*> kept;
  const xpuGraph_t graph = capture(ground, trace, pool, kept);
  xpuGraphExec_t exec = nullptr;
  check(xpuGraphInstantiate(&exec, graph, xpuGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 2; i++) check(xpuGraphLaunch(exec, ground.stream()));
  check(xpuStreamSynchronize(ground.stream()));
  ground.compare(trace.sizes);
  size_t reserved = reserved_for_graphs() - before;
  if (in_pool) {
    xpuGraphPoolUsage usage = {};
    usage.struct_size = sizeof usage;
    check(xpuGraphPoolGetUsage(pool, &usage));
    reserved = usage.reservedBytes;
  }
  for (void* at : kept)
    if (at) check(xpuFree(at));
  check(xpuGraphExecDestroy(exec));
  check(xpuGraphDestroy(graph));
  if (in_pool) check(xpuGraphPoolRelease(pool));
  return reserved;
}

// Memory nodes alone, one after another: what is left is the node itself and its place.
xpuGraph_t place(const Trace& trace) {
  xpuGraph_t graph = nullptr;
  xpuGraphNode_t last = nullptr;
  std::vector<void*> at;
  check(xpuGraphCreate(&graph, 0));
  for (const Step& step : trace.steps) {
    const size_t count = last ? 1 : 0;
    const xpuGraphNode_t after = last;
    if (!step.allocates) {
      check(xpuGraphAddMemFreeNode(&last, graph, &after, count, at[step.value]));
      continue;
    }
    xpuMemAllocNodeParams params = {};
    params.struct_size = sizeof params;
    params.poolProps.struct_size = sizeof params.poolProps;
    params.poolProps.allocType = xpuMemAllocationTypePinned;
    params.poolProps.location.type = xpuMemLocationTypeDevice;
    params.bytesize = step.value;
    check(xpuGraphAddMemAllocNode(&last, graph, &after, count, &params));
    at.push_back(params.dptr);
  }
  return graph;
}

double placing_ns(const Gauge& gauge, const Trace& trace) {
  xpuGraph_t graph = nullptr;
  return gauge
      .measure(
          "place " + trace.name, [] {}, [&] { graph = place(trace); },
          [&] { check(xpuGraphDestroy(graph)); })
      .median;
}

int measure_all(const char* spirv_path, bool count) {
  Ground ground(spirv_path);
  const Gauge gauge(count, 0);
  size_t free = 0, memory = 0;
  check(xpuMemGetInfo(&free, &memory));
  for (Trace trace; read_trace(std::cin, trace); trace = {}) {
    trace.scale_to(memory);
    if (count) {
      (void)placing_ns(gauge, trace);
      continue;
    }
    const size_t graph = run(ground, trace, false), pool = run(ground, trace, true);
    std::printf("%s\t%zu\t%zu\t%zu\t%.0f\n", trace.name.c_str(), trace.divisor, graph, pool,
                placing_ns(gauge, trace));
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace cost

int main(int argc, char** argv) {
  const bool count = argc == 3 && std::string(argv[1]) == "--count";
  if (argc != (count ? 3 : 2)) {
    std::fprintf(stderr, "usage: memory_cost [--count] KERNELS.spv <STEPS\n");
    return 2;
  }
  try {
    return cost::measure_all(argv[argc - 1], count);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "memory_cost: %s\n", error.what());
    return 1;
  }
}
