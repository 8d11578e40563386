// SPDX-License-Identifier: Apache-2.0
// How loops end that go on for long: by their kernels, and after their executable is gone.
#include "branching.h"

using namespace xpu::test;

namespace {

// A loop that goes on until the program lets it end.
struct Endless {
  volatile int* on;
  xpuGraphExec_t exec;
  xpuStream_t stream;
};
Endless start_endless() {
  Endless e = {};
  void* memory = nullptr;
  assert_ok(xpuMallocHost(&memory, sizeof(int)));
  e.on = static_cast<int*>(memory);
  *e.on = 1;
  e.stream = new_stream();
  const xpuGraph_t graph = new_graph();
  const Handle handle = new_handle(graph, 1);
  const xpuGraph_t body = add_while(graph, nullptr, handle).body[0];
  add_one(body, nullptr, "decide_by", handle, memory, 0);
  e.exec = instantiate(graph);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphLaunch(e.exec, e.stream));
  return e;
}
void free_endless(const Endless& e) {
  assert_ok(xpuStreamDestroy(e.stream));
  assert_ok(xpuFreeHost(const_cast<int*>(e.on)));
}

void a_loop_holds_up_no_other_stream(void**) {
  const Endless endless = start_endless();
  const xpuGraph_t graph = new_graph();
  int* p = nullptr;
  void* memory = nullptr;
  assert_ok(xpuMallocHost(&memory, 2 * sizeof(int)));
  p = static_cast<int*>(memory);
  const Handle handle = new_handle(graph, 1);
  const xpuGraphNode_t first = add_one(graph, nullptr, "store", p, 0, 20);
  const xpuGraph_t body = add_while(graph, first, handle).body[0];
  add_one(body, nullptr, "count_down", handle, p, 0);
  run(graph);
  assert_int_equal(0, p[0]);
  assert_code(xpuStreamQuery(endless.stream), xpuErrorNotReady);

  *endless.on = 0;
  assert_ok(xpuStreamSynchronize(endless.stream));
  assert_ok(xpuGraphExecDestroy(endless.exec));
  free_endless(endless);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFreeHost(memory));
}

void a_destroyed_executable_loops_to_its_end(void**) {
  const Endless endless = start_endless();
  assert_ok(xpuGraphExecDestroy(endless.exec));
  sleep_ms(20);
  assert_code(xpuStreamQuery(endless.stream), xpuErrorNotReady);
  *endless.on = 0;
  assert_ok(xpuStreamSynchronize(endless.stream));
  free_endless(endless);
}

// Nobody could stop it any more, and its stream would stand still for ever.
void a_loop_without_end_is_stopped_after_its_executable(void**) {
  const Endless endless = start_endless();
  assert_ok(xpuGraphExecDestroy(endless.exec));
  assert_code(xpuStreamSynchronize(endless.stream), xpuErrorLaunchTimeout);
  if (!strstr(last_failure().sentence, "destroyed")) fail_msg("%s", last_failure().sentence);
  launch_one(endless.stream, "noop");
  assert_ok(xpuStreamSynchronize(endless.stream));
  free_endless(endless);
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(a_loop_holds_up_no_other_stream, needs(executes | waits)),
      xpu_test(a_destroyed_executable_loops_to_its_end, needs(executes | waits)),
      xpu_test(a_loop_without_end_is_stopped_after_its_executable, needs(executes | waits)),
  };
  return run_all(tests, load_first);
}
