// SPDX-License-Identifier: Apache-2.0
// When a change of an executable counts: after launches in flight, in uploads and captured
// launches; and nodes that are disabled.
#include "chain.h"

using namespace xpu::test;

static Gate gate;

// More changes than there are encodings, all behind a gate.
static void launches_in_flight_keep_what_they_have(void**) {
  const Chain c = make_chain();

  gate.shut(stream);
  for (int i = 0; i < 8; i++) {
    set(c.exec, c.node[1], "step", c.p, 2 + i, i);
    assert_ok(xpuGraphLaunch(c.exec, stream));
    if (i == 5) gate.open = 1;  // the last two are launched while the others run
  }
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(stream));

  unsigned expected = 1;
  for (unsigned i = 0; i < 8; i++) expected = ((expected * 3 + 1) * (2 + i) + i) * 7 + 3;
  if (shown(executes)) assert_int_equal(expected, value(c.p));
  end_chain(c);
}

static void a_disabled_node_does_nothing_and_keeps_the_order(void**) {
  const Chain c = make_chain();
  unsigned on = 9;

  assert_ok(xpuGraphNodeSetEnabled(c.exec, c.node[1], 0));
  assert_ok(xpuGraphNodeGetEnabled(c.exec, c.node[1], &on));
  assert_int_equal(0, on);
  run(c.exec);
  if (shown(executes)) assert_int_equal((1 * 3 + 1) * 7 + 3, fetch(c.p));

  assert_ok(xpuGraphNodeSetEnabled(c.exec, c.node[1], 17));
  assert_ok(xpuGraphNodeGetEnabled(c.exec, c.node[1], &on));
  assert_int_equal(1, on);
  run(c.exec);
  if (shown(executes)) assert_int_equal(chain_from(31, 5, 2), value(c.p));
  end_chain(c);
}

static void parameters_set_while_disabled_count_when_it_is_enabled(void**) {
  const Chain c = make_chain();
  unsigned on = 9;

  assert_ok(xpuGraphNodeSetEnabled(c.exec, c.node[1], 0));
  run(c.exec);
  set(c.exec, c.node[1], "step", c.p, 2, 9);
  assert_ok(xpuGraphNodeGetEnabled(c.exec, c.node[1], &on));
  assert_int_equal(0, on);
  run(c.exec);
  assert_ok(xpuGraphNodeSetEnabled(c.exec, c.node[1], 1));
  run(c.exec);

  unsigned expected = 1;
  expected = (expected * 3 + 1) * 7 + 3;
  expected = (expected * 3 + 1) * 7 + 3;
  if (shown(executes)) assert_int_equal(chain_from(expected, 2, 9), value(c.p));
  end_chain(c);
}

static void copies_and_fills_can_be_disabled(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(4);
  xpuMemsetParams fill = {sizeof fill, 0, p, 0, 7, 4, 1, 1};
  xpuGraphNode_t f = nullptr, c = nullptr;
  assert_ok(xpuGraphAddMemsetNode(&f, graph, nullptr, 0, &fill));
  assert_ok(xpuGraphAddMemcpyNode1D(&c, graph, &f, 1, p + 1, p, 4, xpuMemcpyDefault));
  const xpuGraphNode_t last = add_one(graph, c, "add", p, 1, 1);
  const xpuGraphExec_t exec = instantiate(graph);

  assert_ok(xpuGraphNodeSetEnabled(exec, f, 0));
  assert_ok(xpuGraphNodeSetEnabled(exec, c, 0));
  run(exec);
  if (shown(executes)) assert_int_equal(0, fetch(p));
  if (shown(executes)) assert_int_equal(1, fetch(p + 1));
  assert_ok(xpuGraphNodeSetEnabled(exec, f, 1));
  run(exec);
  if (shown(executes)) assert_int_equal(7, fetch(p));
  if (shown(executes)) assert_int_equal(2, fetch(p + 1));
  assert_ok(xpuGraphNodeSetEnabled(exec, c, 1));
  assert_ok(xpuGraphNodeSetEnabled(exec, last, 0));
  run(exec);
  if (shown(executes)) assert_int_equal(7, fetch(p + 1));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

// What a captured launch becomes is what a launch would do.
static void a_captured_launch_has_the_changes(void**) {
  const Chain c = make_chain();
  xpuGraph_t captured = nullptr;

  set(c.exec, c.node[1], "step", c.p, 6, 4);
  assert_ok(xpuGraphNodeSetEnabled(c.exec, c.node[0], 0));
  assert_ok(xpuStreamBeginCapture(stream, xpuStreamCaptureModeThreadLocal));
  assert_ok(xpuGraphLaunch(c.exec, stream));
  assert_ok(xpuStreamEndCapture(stream, &captured));
  const xpuGraphExec_t outer = instantiate(captured);
  run(outer);

  if (shown(executes)) assert_int_equal((1 * 6 + 4) * 7 + 3, fetch(c.p));
  assert_ok(xpuGraphExecDestroy(outer));
  assert_ok(xpuGraphDestroy(captured));
  end_chain(c);
}

static void an_upload_takes_the_changes_and_the_launch_has_them(void**) {
  const Chain c = make_chain();

  set(c.exec, c.node[1], "step", c.p, 6, 4);
  assert_ok(xpuGraphUpload(c.exec, stream));
  set(c.exec, c.node[2], "step", c.p, 2, 0);
  run(c.exec);

  if (shown(executes)) assert_int_equal(((1 * 3 + 1) * 6 + 4) * 2, fetch(c.p));
  end_chain(c);
}

static int open_all(void**) {
  stream = new_stream();
  return 0;
}
static int close_all(void**) {
  assert_ok(xpuStreamDestroy(stream));
  return 0;
}

int main() {
  const Test tests[] = {
      xpu_test(launches_in_flight_keep_what_they_have, results(executes)),
      xpu_test(a_disabled_node_does_nothing_and_keeps_the_order, results(executes)),
      xpu_test(parameters_set_while_disabled_count_when_it_is_enabled, results(executes)),
      xpu_test(copies_and_fills_can_be_disabled, results(executes)),
      xpu_test(a_captured_launch_has_the_changes, results(executes)),
      xpu_test(an_upload_takes_the_changes_and_the_launch_has_them, results(executes)),
  };
  return run_all(tests, open_all, close_all);
}
