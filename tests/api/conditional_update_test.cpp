// SPDX-License-Identifier: Apache-2.0
// Updates of executables with conditional nodes: what bodies do changes, what they are does not.
#include "branching.h"

using namespace xpu::test;

namespace {

// store turns -> while { p[1] = p[1] * a + b; if odd { add } } -> copy
struct Made {
  xpuGraph_t graph;
  xpuGraphNode_t first, step, added;
  xpuGraph_t body;
};
Made make(int* p, int turns, int a, int b, int more, unsigned at_launch = 1) {
  Made m = {};
  m.graph = new_graph();
  const Handle handle = new_handle(m.graph, at_launch), always = new_handle(m.graph, 1);
  m.first = add_one(m.graph, nullptr, "store", p, 0, turns);
  m.body = add_while(m.graph, m.first, handle).body[0];
  m.step = add_one(m.body, nullptr, "step", p + 1, a, b);
  const Branch inner = add_if(m.body, m.step, always);
  m.added = add_one(inner.body[0], nullptr, "add", p + 1, 0, more);
  add_one(m.body, inner.node, "count_down", handle, p, 0);
  return m;
}
int after(int value, int turns, int a, int b, int more) {
  for (int i = 0; i < turns; i++) value = value * a + b + more;
  return value;
}

xpuError_t update(xpuGraphExec_t exec, xpuGraph_t graph, xpuGraphExecUpdateResult* result) {
  xpuGraphExecUpdateResultInfo info = {};
  info.struct_size = sizeof info;
  const xpuError_t answer = xpuGraphExecUpdate(exec, graph, &info);
  *result = info.result;
  return answer;
}

// From the graph itself, edited, while launches are under way.
void a_body_that_was_edited_runs_from_the_next_launch_on(void**) {
  static Gate gate;
  const xpuStream_t s = new_stream();
  int* p = device_ints(2);
  const Made m = make(p, 3, 2, 1, 5);
  const xpuGraphExec_t exec = instantiate(m.graph);
  xpuGraphExecUpdateResult result;
  Args<int*, int, int> step(p + 1, 3, 4), added(p + 1, 0, 7);
  const xpuKernelNodeParams step_params = node_params(kernel("step"), dim(1), dim(1), step.get());
  const xpuKernelNodeParams add_params = node_params(kernel("add"), dim(1), dim(1), added.get());

  gate.shut(s);
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(update(exec, m.graph, &result));
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuGraphKernelNodeSetParams(m.step, &step_params));
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(update(exec, m.graph, &result));
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuGraphKernelNodeSetParams(m.added, &add_params));
  assert_ok(update(exec, m.graph, &result));
  for (int i = 0; i < 3; i++) assert_ok(xpuGraphLaunch(exec, s));
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  assert_int_equal(xpuGraphExecUpdateSuccess, result);
  int expected = 0;
  for (int i = 0; i < 3; i++) expected = after(expected, 3, 2, 1, 5);
  expected = after(expected, 3, 3, 4, 5);
  for (int i = 0; i < 3; i++) expected = after(expected, 3, 3, 4, 7);
  if (shown(executes)) assert_int_equal(expected, fetch(p + 1));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(m.graph));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

// Its handles are others, and so are their values at launch: the executable takes them over. An
// encoding that was launched before the update is used again if its launch is known to be over;
// others are made after the update.
void take_over_the_handles_of_another_graph(bool used_again) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(2);
  const Made one = make(p, 2, 2, 1, 5), other = make(p, 4, 3, 2, 1), third = make(p, 4, 9, 9, 9, 0);
  const xpuGraphExec_t exec = instantiate(one.graph);
  xpuGraphExec_t second = nullptr;
  xpuGraphExecUpdateResult result;

  assert_ok(xpuGraphLaunch(exec, s));
  if (used_again) assert_ok(xpuStreamSynchronize(s));
  assert_ok(update(exec, other.graph, &result));
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuGraphLaunch(exec, s));
  // One executable at a time is that of the graph whose handles it has.
  assert_code(xpuGraphInstantiate(&second, other.graph, 0), xpuErrorNotSupported);
  assert_ok(xpuGraphInstantiate(&second, one.graph, 0));
  assert_code(update(second, other.graph, &result), xpuErrorNotSupported);
  assert_ok(xpuGraphExecDestroy(second));
  assert_ok(xpuGraphDestroy(other.graph));
  if (used_again) assert_ok(xpuStreamSynchronize(s));
  assert_ok(update(exec, third.graph, &result));
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));

  const int expected = after(after(after(0, 2, 2, 1, 5), 4, 3, 2, 1), 4, 3, 2, 1);
  if (shown(executes)) {
    assert_int_equal(expected, fetch(p + 1));
    assert_int_equal(4, fetch(p));
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(one.graph));
  assert_ok(xpuGraphDestroy(third.graph));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

void an_executable_takes_over_the_handles_of_another_graph(void**) {
  take_over_the_handles_of_another_graph(false);
}
void an_encoding_that_was_launched_takes_them_over_too(void**) {
  take_over_the_handles_of_another_graph(true);
}

void what_a_conditional_node_is_does_not_change(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(2);
  const Made m = make(p, 3, 2, 1, 5);
  const xpuGraphExec_t exec = instantiate(m.graph);
  xpuGraphExecUpdateResult result;
  const struct {
    xpuGraphConditionalNodeType type;
    unsigned size;
    bool same_body;
    xpuGraphExecUpdateResult result;
  } rows[] = {
      {xpuGraphCondTypeIf, 1, true, xpuGraphExecUpdateErrorParametersChanged},
      {xpuGraphCondTypeSwitch, 2, true, xpuGraphExecUpdateErrorParametersChanged},
      {xpuGraphCondTypeWhile, 1, false, xpuGraphExecUpdateErrorTopologyChanged},
  };
  for (const auto& row : rows) {
    const xpuGraph_t graph = new_graph();
    const xpuGraphNode_t first = add_one(graph, nullptr, "store", p, 0, 1);
    const Branch branch = add_branch(graph, first, new_handle(graph), row.type, row.size);
    add_one(branch.body[0], nullptr, "step", p + 1, 2, 1);
    assert_code(update(exec, graph, &result), xpuErrorGraphExecUpdateFailure);
    assert_int_equal(row.result, result);
    assert_ok(xpuGraphDestroy(graph));
  }
  Args<int*, int, int> step(p + 1, 3, 4);
  const xpuKernelNodeParams params = node_params(kernel("step"), dim(1), dim(1), step.get());
  assert_code(xpuGraphExecKernelNodeSetParams(exec, m.step, &params), xpuErrorInvalidValue);

  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));
  if (shown(executes)) assert_int_equal(after(0, 3, 2, 1, 5), fetch(p + 1));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(m.graph));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(a_body_that_was_edited_runs_from_the_next_launch_on, results(executes)),
      xpu_test(an_executable_takes_over_the_handles_of_another_graph, results(executes)),
      xpu_test(an_encoding_that_was_launched_takes_them_over_too, results(executes)),
      xpu_test(what_a_conditional_node_is_does_not_change, results(executes)),
  };
  return run_all(tests, load_first);
}
