// SPDX-License-Identifier: Apache-2.0
// The heat equation on a picture, run directly and as a graph: what a graph costs and what it
// saves.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "call.h"
#include "options.h"
#include "picture.h"
#include "solver.h"

namespace heat {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

void print_device() {
  xpuDeviceProp device = {};
  device.struct_size = sizeof device;
  CALL(xpuGetDeviceProperties(&device, 0));
  const bool gpu = device.type == xpuDeviceTypeGpu;
  std::printf("device       %s (%s)\n", device.name, gpu ? "a GPU" : "the CPU, no GPU was found");
}

xpuGraph_t capture(Solver& solver) {
  xpuGraph_t graph = nullptr;
  CALL(xpuStreamBeginCapture(solver.stream(), xpuStreamCaptureModeThreadLocal));
  solver.enqueue_step();
  CALL(xpuStreamEndCapture(solver.stream(), &graph));
  return graph;
}

// Returns microseconds per step.
double run_directly(Solver& solver, uint32_t steps) {
  const auto begin = Clock::now();
  for (uint32_t i = 0; i < steps; i++) solver.enqueue_step();
  CALL(xpuStreamSynchronize(solver.stream()));
  return microseconds_since(begin) / steps;
}

double run_graph(Solver& solver, xpuGraphExec_t exec, uint32_t steps) {
  const auto begin = Clock::now();
  for (uint32_t i = 0; i < steps; i++) CALL(xpuGraphLaunch(exec, solver.stream()));
  CALL(xpuStreamSynchronize(solver.stream()));
  return microseconds_since(begin) / steps;
}

// Graphviz draws the .dot file; false if it is not installed or does not like it.
bool draw(const std::string& dot, const std::string& svg) {
  std::string arguments[] = {"dot", "-Tsvg", "-o", svg, dot};
  char* argv[6] = {};
  for (int i = 0; i < 5; i++) argv[i] = arguments[i].data();
  pid_t child = 0;
  int status = 1;
  if (posix_spawnp(&child, "dot", nullptr, nullptr, argv, environ) != 0) return false;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void write_results(const std::string& folder, xpuGraph_t graph, const Field& heat) {
  std::filesystem::create_directories(folder);
  const std::string png = folder + "/heat.png", dot = folder + "/heat.dot",
                    svg = folder + "/heat.svg";
  write_picture(png, heat);
  CALL(xpuGraphDebugDotPrint(graph, dot.c_str(), xpuGraphDebugDotFlagsVerbose));
  const bool drawn = draw(dot, svg);
  std::printf("wrote        %s, %s%s%s\n", png.c_str(), dot.c_str(), drawn ? ", " : "",
              drawn ? svg.c_str() : "");
  if (!drawn) std::printf("no picture of the graph: `dot` of Graphviz is not there or failed\n");
}

bool same_bits(const Field& a, const Field& b) {
  return std::memcmp(a.cells.data(), b.cells.data(), a.cells.size() * sizeof(float)) == 0;
}

int run(const Options& options) {
  const Start start = read_picture(options.picture);
  print_device();
  std::printf("picture      %s, %u x %u, in %u x %u tiles\n", options.picture.c_str(),
              start.heat.width, start.heat.height, options.columns, options.rows);
  Solver solver(start, options.columns, options.rows, options.kernels);
  std::printf("a step       %u kernels and %u copies in two streams\n", solver.kernels_per_step(),
              solver.copies_per_step());

  run_directly(solver, 2);  // the first launches compile kernels, which is not what is measured
  solver.reset();
  const double direct = run_directly(solver, options.steps);
  const Field expected = solver.result();

  auto begin = Clock::now();
  xpuGraph_t graph = capture(solver);
  const double captured = microseconds_since(begin);
  begin = Clock::now();
  xpuGraphExec_t exec = nullptr;
  CALL(xpuGraphInstantiate(&exec, graph, 0));
  const double instantiated = microseconds_since(begin);
  CALL(xpuGraphUpload(exec, solver.stream()));
  solver.reset();
  const double replayed = run_graph(solver, exec, options.steps);
  const Field heat = solver.result();

  std::printf("capture      %.0f us, once\n", captured);
  std::printf("instantiate  %.0f us, once\n", instantiated);
  std::printf("directly     %.0f us per step, over %u steps\n", direct, options.steps);
  std::printf("as a graph   %.0f us per step, %.2f times as fast\n", replayed, direct / replayed);
  write_results(options.out, graph, heat);
  CALL(xpuGraphExecDestroy(exec));
  CALL(xpuGraphDestroy(graph));

  const bool same = same_bits(heat, expected);
  std::printf(same ? "results identical\n" : "results differ\n");
  return same ? 0 : 1;
}

}  // namespace
}  // namespace heat

int main(int argc, char** argv) { return heat::run(heat::read_options(argc, argv)); }
