// SPDX-License-Identifier: Apache-2.0
// Sixteen threads that capture, instantiate, update, launch and destroy at once, each on graphs of
// its own and all on one executable. XPU_TEST_THREAD_SECONDS: for how long (2).
#include <pthread.h>
#include <time.h>

#include "ground.h"

using namespace xpu::test;

enum { kThreads = 16, kSteps = 3 };

struct Shared {
  xpuKernel_t step, add;
  xpuGraphNode_t node;  // of the executable that all share: adds 1 to one of the cells
  xpuGraphExec_t exec;
  int* cells;
  double deadline;
  std::atomic<int> launches;
  bool looks;  // are results there to be looked at?
};
static Shared shared;

// Assertions of cmocka belong to the main thread: others count what failed.
struct Worker {
  pthread_t id;
  int number;
  int failures;
  int rounds;
  int* value;
  xpuStream_t stream;
  int tuning[kSteps][2];  // a and b of each step, as the next launch is to have them
};
#define CHECK(worker, call) ((call) == xpuSuccess ? 0 : (worker)->failures++)

static double now() {
  timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
}

static xpuGraph_t capture(Worker* w) {
  xpuGraph_t graph = nullptr;
  CHECK(w, xpuStreamBeginCapture(w->stream, xpuStreamCaptureModeThreadLocal));
  CHECK(w, xpuMemsetAsync(w->value, 0, sizeof(int), w->stream));
  for (auto& step : w->tuning) {
    Args<int*, int, int> args(w->value, step[0], step[1]);
    CHECK(w, xpuLaunchKernel(shared.step, dim(1), dim(1), args.get(), 0, w->stream));
  }
  CHECK(w, xpuStreamEndCapture(w->stream, &graph));
  return graph;
}

static void tune(Worker* w) {
  for (int i = 0; i < kSteps; i++) {
    w->tuning[i][0] = w->number + w->rounds + i;
    w->tuning[i][1] = 3 * w->rounds + i;
  }
  w->rounds++;
}

// Launches and compares with the same steps made here; `without`: a step that is disabled.
static void expect_result(Worker* w, xpuGraphExec_t exec, int without = -1) {
  unsigned expected = 0;
  for (int i = 0; i < kSteps; i++)
    if (i != without)
      expected = expected * static_cast<unsigned>(w->tuning[i][0]) +
                 static_cast<unsigned>(w->tuning[i][1]);
  int found = 0;
  CHECK(w, xpuGraphLaunch(exec, w->stream));
  CHECK(w, xpuMemcpyAsync(&found, w->value, sizeof found, xpuMemcpyDeviceToHost, w->stream));
  CHECK(w, xpuStreamSynchronize(w->stream));
  if (shared.looks && found != static_cast<int>(expected)) w->failures++;
}

static void own_graphs(Worker* w) {
  tune(w);
  const xpuGraph_t graph = capture(w);
  xpuGraphNode_t nodes[kSteps + 1] = {};
  size_t count = kSteps + 1;
  xpuGraphExec_t exec = nullptr;
  CHECK(w, xpuGraphGetNodes(graph, nodes, &count));
  CHECK(w, xpuGraphInstantiate(&exec, graph, 0));
  expect_result(w, exec);

  tune(w);  // all of it
  const xpuGraph_t other = capture(w);
  xpuGraphExecUpdateResultInfo info = {};
  info.struct_size = sizeof info;
  CHECK(w, xpuGraphExecUpdate(exec, other, &info));
  expect_result(w, exec);

  w->tuning[1][1] += 7;  // one node of it
  Args<int*, int, int> args(w->value, w->tuning[1][0], w->tuning[1][1]);
  const xpuKernelNodeParams params = node_params(shared.step, dim(1), dim(1), args.get());
  CHECK(w, xpuGraphExecKernelNodeSetParams(exec, nodes[2], &params));
  expect_result(w, exec);
  CHECK(w, xpuGraphNodeSetEnabled(exec, nodes[2], 0));
  expect_result(w, exec, 1);

  CHECK(w, xpuGraphDestroy(other));
  CHECK(w, xpuGraphExecDestroy(exec));
  CHECK(w, xpuGraphDestroy(graph));
}

// Whatever cell the last update of any thread has chosen, the launch adds 1 to it.
static void shared_exec(Worker* w) {
  Args<int*, int, int> args(shared.cells, w->number, 1);
  const xpuKernelNodeParams params = node_params(shared.add, dim(1), dim(1), args.get());
  CHECK(w, xpuGraphExecKernelNodeSetParams(shared.exec, shared.node, &params));
  CHECK(w, xpuGraphLaunch(shared.exec, w->stream));
  shared.launches++;
}

static void* work(void* at) {
  Worker* w = static_cast<Worker*>(at);
  do {
    own_graphs(w);
    shared_exec(w);
  } while (now() < shared.deadline);
  CHECK(w, xpuStreamSynchronize(w->stream));
  return nullptr;
}

static void sixteen_threads_capture_instantiate_update_and_launch(void**) {
  const char* seconds = getenv("XPU_TEST_THREAD_SECONDS");
  static Worker workers[kThreads];
  shared.looks = shown(executes);
  shared.step = kernel("step");
  shared.add = kernel("add");
  shared.cells = device_ints(kThreads);
  const xpuGraph_t graph = new_graph();
  shared.node = add_one(graph, nullptr, "add", shared.cells, 0, 1);
  shared.exec = instantiate(graph);
  shared.deadline = now() + (seconds ? atof(seconds) : 2);
  for (int i = 0; i < kThreads; i++) {
    workers[i].number = i;
    workers[i].stream = new_stream();
    workers[i].value = device_ints(1);
  }
  for (Worker& w : workers) assert_int_equal(0, pthread_create(&w.id, nullptr, work, &w));
  int failures = 0, rounds = 0;
  for (Worker& w : workers) {
    assert_int_equal(0, pthread_join(w.id, nullptr));
    failures += w.failures;
    rounds += w.rounds;
  }
  print_message("%d rounds, %d launches of the shared executable\n", rounds,
                shared.launches.load());
  assert_int_equal(0, failures);

  int cells[kThreads], sum = 0;
  fetch(cells, shared.cells, sizeof cells);
  for (const int cell : cells) sum += cell;
  if (shared.looks) assert_int_equal(shared.launches.load(), sum);

  for (Worker& w : workers) {
    assert_ok(xpuStreamDestroy(w.stream));
    assert_ok(xpuFree(w.value));
  }
  assert_ok(xpuGraphExecDestroy(shared.exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(shared.cells));
}

int main() {
  const Test tests[] = {
      xpu_test(sixteen_threads_capture_instantiate_update_and_launch,
               needs(endures) + results(executes)),
  };
  return run_all(tests);
}
