// SPDX-License-Identifier: Apache-2.0
// Loops in several threads at once: of one executable, of executables of their own, and of some
// that are destroyed under way.
#include <atomic>
#include <thread>
#include <vector>

#include "branching.h"

using namespace xpu::test;

namespace {

constexpr int kThreads = 4, kLaunches = 12, kTurns = 5;

struct Loop {
  xpuGraphExec_t exec;
  int* p;  // managed: turns left, turns in all
};

Loop make_loop() {
  Loop loop = {};
  void* memory = nullptr;
  assert_ok(xpuMallocManaged(&memory, 2 * sizeof(int), xpuMemAttachGlobal));
  loop.p = static_cast<int*>(memory);
  loop.p[0] = loop.p[1] = 0;
  const xpuGraph_t graph = new_graph();
  const Handle handle = new_handle(graph, 1);
  const xpuGraphNode_t first = add_one(graph, nullptr, "store", loop.p, 0, kTurns);
  const xpuGraph_t body = add_while(graph, first, handle).body[0];
  add_one(body, nullptr, "count_down", handle, loop.p, 0);
  add_one(body, nullptr, "add", loop.p, 1, 1);
  loop.exec = instantiate(graph);
  assert_ok(xpuGraphDestroy(graph));
  return loop;
}

// Calls that were refused.
int launch_in_own_stream(xpuGraphExec_t exec) {
  xpuStream_t stream = nullptr;
  int refused = xpuStreamCreateWithFlags(&stream, xpuStreamNonBlocking) != xpuSuccess;
  for (int i = 0; i < kLaunches; i++) refused += xpuGraphLaunch(exec, stream) != xpuSuccess;
  refused += xpuStreamSynchronize(stream) != xpuSuccess;
  refused += xpuStreamDestroy(stream) != xpuSuccess;
  return refused;
}

int in_threads(const Loop* loops, bool destroy) {
  std::atomic<int> refused{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++)
    threads.emplace_back([&, i] {
      if (!destroy) {
        refused += launch_in_own_stream(loops[i].exec);
        return;
      }
      xpuStream_t stream = nullptr;
      refused += xpuStreamCreateWithFlags(&stream, xpuStreamNonBlocking) != xpuSuccess;
      for (int k = 0; k < kLaunches; k++)
        refused += xpuGraphLaunch(loops[i].exec, stream) != xpuSuccess;
      refused += xpuGraphExecDestroy(loops[i].exec) != xpuSuccess;
      refused += xpuStreamDestroy(stream) != xpuSuccess;
    });
  for (std::thread& thread : threads) thread.join();
  return refused;
}

void one_executable_is_launched_by_several_threads(void**) {
  const Loop loop = make_loop();
  const Loop same[kThreads] = {loop, loop, loop, loop};
  assert_int_equal(0, in_threads(same, false));
  if (shown(executes)) {
    assert_int_equal(0, loop.p[0]);
    assert_int_equal(kThreads * kLaunches * kTurns, loop.p[1]);
  }
  assert_ok(xpuGraphExecDestroy(loop.exec));
  assert_ok(xpuFree(loop.p));
}

void each_thread_has_its_own_loop(void**) {
  Loop loops[kThreads];
  for (Loop& loop : loops) loop = make_loop();
  assert_int_equal(0, in_threads(loops, false));
  for (const Loop& loop : loops) {
    if (shown(executes)) assert_int_equal(kLaunches * kTurns, loop.p[1]);
    assert_ok(xpuGraphExecDestroy(loop.exec));
    assert_ok(xpuFree(loop.p));
  }
}

void executables_and_streams_are_destroyed_while_they_loop(void**) {
  Loop loops[kThreads];
  for (Loop& loop : loops) loop = make_loop();
  assert_int_equal(0, in_threads(loops, true));
  // Waits for streams that are destroyed, too.
  assert_ok(xpuDeviceSynchronize());
  for (const Loop& loop : loops) {
    if (shown(executes)) assert_int_equal(kLaunches * kTurns, loop.p[1]);
    assert_ok(xpuFree(loop.p));
  }
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(one_executable_is_launched_by_several_threads, results(executes)),
      xpu_test(each_thread_has_its_own_loop, results(executes)),
      xpu_test(executables_and_streams_are_destroyed_while_they_loop, results(executes)),
  };
  return run_all(tests, load_first);
}
