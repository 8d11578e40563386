// SPDX-License-Identifier: Apache-2.0
// The end of a process that is in the middle of a loop.
#include <sys/wait.h>
#include <unistd.h>

#include "branching.h"

using namespace xpu::test;

namespace {

// In a child, which has not used a device before.
[[noreturn]] void loop_and_leave() {
  const xpuStream_t s = new_stream();
  const xpuGraph_t graph = new_graph();
  const Handle handle = new_handle(graph, 1);
  const xpuGraph_t body = add_while(graph, nullptr, handle).body[0];
  add_one(body, nullptr, "decide", handle, 1u);
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphLaunch(exec, s));
  sleep_ms(20);
  exit(0);
}

void a_process_can_end_while_a_loop_runs(void**) {
  for (int i = 0; i < 5; i++) {
    int status = -1;
    fflush(nullptr);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) loop_and_leave();
    assert_int_equal(child, waitpid(child, &status, 0));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      fail_msg("the process ended with status 0x%x", static_cast<unsigned>(status));
  }
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(a_process_can_end_while_a_loop_runs, needs(executes | waits)),
  };
  return run_all(tests);
}
