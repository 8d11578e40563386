// SPDX-License-Identifier: Apache-2.0
// Capturing once more into a graph: its nodes stay, and do what was captured last.
#include "recapture.h"

#include "branching.h"
#include "semaphores.h"
#include "user_object.h"

using namespace xpu::test;

namespace {

void other_arguments_reach_an_executable_that_was_made_before(void**) {
  const xpuGraph_t graph = captured_digits(s, 1, 2, 3);
  const xpuGraphExec_t exec = instantiate(graph);
  const xpuGraphNode_t nodes[] = {node_at(graph, 0), node_at(graph, 1), node_at(graph, 2)};

  for (int i = 0; i < 3; i++) {
    begin_again(s, graph);
    digits(s, 4, i, 6);
    end_again(s, graph);
    for (size_t n = 0; n < 3; n++) assert_ptr_equal(nodes[n], node_at(graph, n));
    assert_int_equal(2, edge_count(graph));

    update(exec, graph);
    run(exec, s);
    assert_computes(406 + 10 * i, p);
  }
  assert_ok(xpuGraphExecDestroy(exec));
  run_and_destroy(graph);
  assert_computes(426, p);
}

void another_kernel_is_another_parameter(void**) {
  const xpuGraph_t graph = captured_digits(s, 1, 2, 3);
  Asked asked;
  begin_again(s, graph, &asked);
  launch_one(s, "store", p, 0, 7);
  launch_one(s, "add", p, 0, 5);
  launch_one(s, "step", p, 10, 3);
  end_again(s, graph);
  assert_int_equal(2, asked.times);
  run_and_destroy(graph);
  assert_computes(123, p);
}

void the_function_is_asked_about_what_differs_and_about_nothing_else(void**) {
  const xpuGraph_t graph = captured_digits(s, 1, 2, 3);
  Asked asked;
  begin_again(s, graph, &asked);
  digits(s, 1, 2, 3);
  end_again(s, graph);
  assert_int_equal(0, asked.times);

  begin_again(s, graph, &asked);
  digits(s, 1, 8, 3);
  end_again(s, graph);
  assert_int_equal(1, asked.times);
  assert_ptr_equal(node_at(graph, 1), asked.node);
  for (const xpuGraphNodeParams* told : {&asked.was, &asked.next}) {
    assert_int_equal(sizeof *told, told->struct_size);
    assert_int_equal(xpuGraphNodeTypeKernel, told->type);
    assert_ptr_equal(kernel("step"), told->kernel.func);
    assert_int_equal(1, told->kernel.gridDim.x);
  }
  assert_int_equal(2, asked.third[0]);
  assert_int_equal(8, asked.third[1]);
  assert_ok(xpuGraphDestroy(graph));
}

void without_a_function_every_change_is_allowed(void**) {
  const xpuGraph_t graph = captured_digits(s, 1, 2, 3);
  const xpuGraphRecaptureCallbackData nobody = {nullptr, nullptr};
  assert_ok(xpuStreamBeginRecaptureToGraph(s, xpuStreamCaptureModeGlobal, graph, &nobody));
  digits(s, 3, 2, 1);
  end_again(s, graph);
  run_and_destroy(graph);
  assert_computes(321, p);
}

xpuError_t ask_elsewhere(void* stream) {
  return elsewhere([=] {
    xpuStreamCaptureStatus status;
    return xpuStreamIsCapturing(static_cast<xpuStream_t>(stream), &status);
  });
}
xpuError_t ask_here(void* stream) {
  xpuStreamCaptureStatus status;
  return xpuStreamIsCapturing(static_cast<xpuStream_t>(stream), &status);
}

void nothing_is_locked_while_the_function_runs_but_it_may_not_call(void**) {
  const xpuGraph_t graph = captured_digits(s, 1, 2, 3);
  for (int i = 0; i < 2; i++) {
    Asked asked;
    asked.inside = i ? ask_here : ask_elsewhere;
    asked.with = s;
    begin_again(s, graph, &asked);
    digits(s, 1, 4 + i, 3);
    assert_code(asked.told, i ? xpuErrorNotPermitted : xpuSuccess);
    end_again(s, graph);
  }
  (void)xpuGetLastError();
  assert_ok(xpuGraphDestroy(graph));
}

// ---- kinds of nodes

xpuEvent_t events[2];
Timeline timeline;
void host_function(void*) {}

struct Recorder {
  xpuGraphNodeType type;
  void (*record)(int variant);  // in `s`
};
const Recorder kRecorders[] = {
    {xpuGraphNodeTypeMemcpy,
     [](int v) { assert_ok(xpuMemcpyAsync(p + 1, p + 2 + v, 4, xpuMemcpyDeviceToDevice, s)); }},
    {xpuGraphNodeTypeMemset, [](int v) { assert_ok(xpuMemsetAsync(p, v, 8, s)); }},
    {xpuGraphNodeTypeHost,
     [](int v) { assert_ok(xpuLaunchHostFunc(s, host_function, v ? p : nullptr)); }},
    {xpuGraphNodeTypeEventRecord,
     [](int v) { assert_ok(xpuEventRecordWithFlags(events[v], s, xpuEventRecordExternal)); }},
    {xpuGraphNodeTypeWaitEvent,
     [](int v) { assert_ok(xpuStreamWaitEvent(s, events[v], xpuEventWaitExternal)); }},
    {xpuGraphNodeTypeBatchMemOp,
     [](int v) { assert_ok(xpuStreamWriteValue32(s, p, static_cast<unsigned>(v), 0)); }},
};
const Recorder kSharers[] = {
    {xpuGraphNodeTypeExtSemaphoreSignal,
     [](int v) { signal(timeline.handle, s, static_cast<uint64_t>(v)); }},
    {xpuGraphNodeTypeExtSemaphoreWait,
     [](int v) { wait(timeline.handle, s, static_cast<uint64_t>(v)); }},
};

void check_kind(const Recorder& kind) {
  Asked asked;
  begin(s, xpuStreamCaptureModeRelaxed);
  kind.record(0);
  const xpuGraph_t graph = end(s);
  assert_int_equal(kind.type, type_of(node_at(graph, 0)));
  // The same, another one, and that once more.
  for (int i = 0; i < 3; i++) {
    begin_again(s, graph, &asked);
    kind.record(i > 0);
    end_again(s, graph);
    assert_int_equal(i > 0, asked.times);
  }
  assert_int_equal(kind.type, asked.was.type);
  assert_int_equal(kind.type, asked.next.type);
  assert_ptr_equal(node_at(graph, 0), asked.node);
  // What was told suits the calls that take it.
  assert_ok(xpuGraphNodeSetParams(node_at(graph, 0), &asked.next));
  assert_ok(xpuGraphDestroy(graph));
}

void every_kind_of_node_can_be_captured_again(void**) {
  for (const Recorder& kind : kRecorders) check_kind(kind);
}
void external_semaphores_can_be_captured_again(void**) {
  timeline.open();
  for (const Recorder& kind : kSharers) check_kind(kind);
  timeline.close();
}

int* work_in_memory(int value) {
  void* memory = nullptr;
  assert_ok(xpuMallocAsync(&memory, 4096, s));
  launch_one(s, "store", memory, 0, value);
  launch_one(s, "copy_one", p, 0, memory, 0);
  assert_ok(xpuFreeAsync(memory, s));
  return static_cast<int*>(memory);
}

void allocations_keep_their_addresses(void**) {
  Asked asked;
  begin(s, xpuStreamCaptureModeRelaxed);
  const int* const first = work_in_memory(5);
  const int* const second = work_in_memory(6);
  const xpuGraph_t graph = end(s);
  const xpuGraphExec_t exec = instantiate(graph);

  begin_again(s, graph, &asked);
  assert_ptr_equal(first, work_in_memory(7));
  assert_ptr_equal(second, work_in_memory(8));
  end_again(s, graph);
  assert_int_equal(2, asked.times);

  update(exec, graph);
  run(exec, s);
  assert_computes(8, p);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

xpuGraphExec_t exec_of_digits(int first, int second, int third, Thing* thing = nullptr) {
  const xpuGraph_t graph = captured_digits(s, first, second, third);
  if (thing) {
    const xpuUserObject_t object = object_of(*thing);
    assert_ok(xpuGraphRetainUserObject(graph, object, 1, xpuGraphUserObjectMove));
  }
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphDestroy(graph));
  return exec;
}

void a_child_graph_takes_over_what_another_executable_does(void**) {
  Thing thing;
  Asked asked;
  const xpuGraphExec_t one = exec_of_digits(1, 2, 3), other = exec_of_digits(4, 2, 5, &thing);
  begin(s, xpuStreamCaptureModeRelaxed);
  assert_ok(xpuGraphLaunch(one, s));
  const xpuGraph_t graph = end(s);
  xpuGraph_t child = nullptr;
  assert_ok(xpuGraphChildGraphNodeGetGraph(node_at(graph, 0), &child));
  const xpuGraphNode_t inner = node_at(child, 0);
  const xpuGraphExec_t exec = instantiate(graph);

  begin_again(s, graph, &asked);
  assert_ok(xpuGraphLaunch(one, s));
  end_again(s, graph);
  assert_int_equal(0, asked.times);

  begin_again(s, graph, &asked);
  assert_ok(xpuGraphLaunch(other, s));
  end_again(s, graph);
  assert_int_equal(1, asked.times);
  assert_int_equal(xpuGraphNodeTypeGraph, asked.was.type);
  assert_ptr_equal(child, asked.was.graph.graph);
  assert_ptr_equal(inner, node_at(child, 0));
  // It holds what the work of the other one needs.
  assert_ok(xpuGraphExecDestroy(other));
  assert_lives(thing);

  update(exec, graph);
  run(exec, s);
  assert_computes(425, p);
  assert_ok(xpuGraphExecDestroy(one));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ends(thing);
}

// A condition in the middle, whose body is captured again while the graph around it is.
void bodies_are_captured_again_by_themselves(void**) {
  const xpuStream_t t = new_stream();
  const xpuGraph_t graph = new_graph();
  const Handle handle = new_handle(graph, 1);
  const xpuGraphNode_t first = add_one(graph, nullptr, "store", p, 0, 1);
  const Branch when = add_if(graph, first, handle);
  const xpuGraphNode_t last = add_one(graph, when.node, "step", p, 10, 3);
  assert_ok(xpuStreamBeginCaptureToGraph(t, when.body[0], nullptr, nullptr, 0,
                                         xpuStreamCaptureModeRelaxed));
  launch_one(t, "step", p, 10, 2);
  assert_ok(xpuStreamEndCapture(t, nullptr));
  const xpuGraphExec_t exec = instantiate(graph);

  begin_again(s, graph);
  launch_one(s, "store", p, 0, 4);
  begin_again(t, when.body[0]);
  launch_one(t, "step", p, 10, 5);
  end_again(t, when.body[0]);
  assert_ok(xpuStreamUpdateCaptureDependencies(s, &when.node, nullptr, 1,
                                               xpuStreamSetCaptureDependencies));
  launch_one(s, "step", p, 10, 6);
  end_again(s, graph);

  assert_ptr_equal(last, node_at(graph, 2));
  update(exec, graph);
  run(exec, s);
  assert_computes(456, p);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(t));
}

// ---- several streams

void forked(xpuStream_t t, xpuStream_t u, int value, bool turned) {
  launch_one(s, "store", p, 0, value);
  order(s, t);
  order(s, u);
  launch_one(t, "store", p, 1, value + 1);
  launch_one(u, "store", p, 2, value + 2);
  order(turned ? u : t, s);
  order(turned ? t : u, s);
  launch_one(s, "store", p, 3, value + 3);
}

// The order in which a node's dependencies came together does not matter.
void streams_are_forked_and_joined_as_before(void**) {
  const xpuStream_t t = new_stream(), u = new_stream();
  begin(s, xpuStreamCaptureModeRelaxed);
  forked(t, u, 10, false);
  const xpuGraph_t graph = end(s);
  begin_again(s, graph);
  forked(u, t, 20, true);
  end_again(s, graph);
  assert_status(None, t);
  run_and_destroy(graph);
  for (int i = 0; i < 4; i++) assert_computes(20 + i, p + i);
  assert_ok(xpuStreamDestroy(t));
  assert_ok(xpuStreamDestroy(u));
}

void empty_nodes_stay_where_they_are(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t empty[2];
  assert_ok(xpuGraphAddEmptyNode(&empty[0], graph, nullptr, 0));
  (void)add_one(graph, empty[0], "store", p, 0, 1);
  assert_ok(xpuGraphAddEmptyNode(&empty[1], graph, nullptr, 0));
  begin_again(s, graph);
  assert_ok(
      xpuStreamUpdateCaptureDependencies(s, empty, nullptr, 1, xpuStreamAddCaptureDependencies));
  launch_one(s, "store", p, 0, 2);
  end_again(s, graph);
  assert_int_equal(3, node_count(graph));
  run_and_destroy(graph);
  assert_computes(2, p);
}

void user_objects_are_given_up_first_and_can_be_given_anew(void**) {
  Thing old, fresh;
  const xpuGraph_t graph = captured_digits(s, 1, 2, 3);
  assert_ok(xpuGraphRetainUserObject(graph, object_of(old), 1, xpuGraphUserObjectMove));
  begin_again(s, graph);
  assert_ends(old);
  assert_ok(xpuGraphRetainUserObject(graph, object_of(fresh), 1, xpuGraphUserObjectMove));
  digits(s, 1, 2, 3);
  end_again(s, graph);
  assert_lives(fresh);
  assert_ok(xpuGraphDestroy(graph));
  assert_ends(fresh);
}

int set_up(void** state) {
  (void)open_things(state);
  events[0] = new_event();
  events[1] = new_event();
  return 0;
}
int tear_down(void** state) {
  assert_ok(xpuEventDestroy(events[0]));
  assert_ok(xpuEventDestroy(events[1]));
  return close_things(state);
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(other_arguments_reach_an_executable_that_was_made_before, results(executes)),
      xpu_test(another_kernel_is_another_parameter, results(executes)),
      xpu_test(the_function_is_asked_about_what_differs_and_about_nothing_else),
      xpu_test(without_a_function_every_change_is_allowed, results(executes)),
      xpu_test(nothing_is_locked_while_the_function_runs_but_it_may_not_call),
      xpu_test(every_kind_of_node_can_be_captured_again),
      xpu_test(external_semaphores_can_be_captured_again, needs(shares)),
      xpu_test(allocations_keep_their_addresses, results(executes)),
      xpu_test(a_child_graph_takes_over_what_another_executable_does, results(executes)),
      xpu_test(bodies_are_captured_again_by_themselves, results(executes)),
      xpu_test(streams_are_forked_and_joined_as_before, results(executes)),
      xpu_test(empty_nodes_stay_where_they_are, results(executes)),
      xpu_test(user_objects_are_given_up_first_and_can_be_given_anew),
  };
  return run_all(tests, set_up, tear_down);
}
