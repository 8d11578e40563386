// SPDX-License-Identifier: Apache-2.0
// What is refused around conditional nodes, and that it changes nothing.
#include "branching.h"

using namespace xpu::test;

namespace {

struct World {
  xpuGraph_t graph, other;
  Handle handle, foreign, used;
  Branch loop;
};
World w;

xpuError_t add(Handle handle, int type, unsigned size) {
  xpuGraphNodeParams params =
      conditional_params(handle, static_cast<xpuGraphConditionalNodeType>(type), size);
  const xpuError_t result = xpuGraphAddNode(&outs.node, w.graph, nullptr, nullptr, 0, &params);
  return result == xpuSuccess || !params.conditional.phGraph_out ? result : xpuErrorUnknown;
}

#define ADD_REFUSED(code, argument, what, handle, type, size)                                  \
  {                                                                                            \
    "xpuGraphAddNode", argument, what, []() -> xpuError_t { return add(handle, type, size); }, \
        code                                                                                   \
  }

void handles_and_nodes_that_cannot_be_are_refused(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidValue, xpuGraphConditionalHandleCreate, "pHandle_out", "NULL", nullptr,
              w.graph, 0, 0),
      REFUSED(xpuErrorInvalidValue, xpuGraphConditionalHandleCreate, "graph", "NULL", &outs.wide,
              nullptr, 0, 0),
      REFUSED(xpuErrorInvalidValue, xpuGraphConditionalHandleCreate, "flags", "unknown", &outs.wide,
              w.graph, 0, 2),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.handle", "0", 0, 0, 1),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.handle", "garbage", 0x1234567, 0,
                  1),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.handle", "inside another",
                  w.handle + 4, 0, 1),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.handle", "of another graph",
                  w.foreign, 0, 1),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.handle", "in use", w.used, 0, 1),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.type", "3", w.handle, 3, 1),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.type", "-1", w.handle, -1, 1),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.size", "an if of 0", w.handle, 0,
                  0),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.size", "an if of 3", w.handle, 0,
                  3),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.size", "a while of 2", w.handle, 1,
                  2),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.size", "a switch of 0", w.handle,
                  2, 0),
      ADD_REFUSED(xpuErrorInvalidValue, "nodeParams->conditional.size", "absurd", w.handle, 2,
                  0xffffffffu),
  };
  assert_all_refused(rows);
  assert_int_equal(1, node_count(w.graph));
}

void a_graph_with_conditional_nodes_cannot_be_copied(void**) {
  static xpuGraphNodeParams moved = {};
  moved.struct_size = sizeof moved;
  moved.type = xpuGraphNodeTypeGraph;
  moved.graph.graph = w.graph;
  moved.graph.ownership = xpuGraphChildGraphOwnershipMove;
  static const Refusal rows[] = {
      REFUSED(xpuErrorNotSupported, xpuGraphClone, "originalGraph", "conditional", &outs.graph,
              w.graph),
      REFUSED(xpuErrorNotSupported, xpuGraphAddChildGraphNode, "childGraph", "conditional",
              &outs.node, w.other, nullptr, 0, w.graph),
      REFUSED(xpuErrorNotSupported, xpuGraphAddNode, "nodeParams->graph.graph", "conditional",
              &outs.node, w.other, nullptr, nullptr, 0, &moved),
  };
  assert_all_refused(rows);
}

void a_body_is_no_graph_of_its_own(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidValue, xpuGraphDestroy, "graph", "a body", w.loop.body[0]),
      REFUSED(xpuErrorInvalidValue, xpuGraphInstantiate, "graph", "a body", &outs.exec,
              w.loop.body[0], 0),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddChildGraphNode, "childGraph", "a body", &outs.node,
              w.other, nullptr, 0, w.loop.body[0]),
  };
  assert_all_refused(rows);
}

xpuHostNodeParams host_params() {
  xpuHostNodeParams params = {};
  params.struct_size = sizeof params;
  params.fn = [](void*) {};
  return params;
}
xpuMemAllocNodeParams alloc_params() {
  xpuMemAllocNodeParams params = {};
  params.struct_size = sizeof params;
  params.poolProps.struct_size = sizeof params.poolProps;
  params.poolProps.allocType = xpuMemAllocationTypePinned;
  params.poolProps.location.type = xpuMemLocationTypeDevice;
  params.bytesize = 64;
  return params;
}

void a_body_has_only_what_it_may_have(void**) {
  static const xpuHostNodeParams host = host_params();
  static xpuMemAllocNodeParams alloc = alloc_params();
  static const xpuEvent_t event = new_event();
  static const xpuGraph_t with_host = new_graph();
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddHostNode(&node, with_host, nullptr, 0, &host));
  static const Refusal rows[] = {
      REFUSED(xpuErrorNotSupported, xpuGraphAddHostNode, "graph", "a body", &outs.node,
              w.loop.body[0], nullptr, 0, &host),
      REFUSED(xpuErrorNotSupported, xpuGraphAddEventRecordNode, "graph", "a body", &outs.node,
              w.loop.body[0], nullptr, 0, event),
      REFUSED(xpuErrorNotSupported, xpuGraphAddEventWaitNode, "graph", "a body", &outs.node,
              w.loop.body[0], nullptr, 0, event),
      REFUSED(xpuErrorNotSupported, xpuGraphAddMemAllocNode, "graph", "a body", &outs.node,
              w.loop.body[0], nullptr, 0, &alloc),
      REFUSED(xpuErrorNotSupported, xpuGraphAddChildGraphNode, "graph", "a host node inside",
              &outs.node, w.loop.body[0], nullptr, 0, with_host),
  };
  assert_all_refused(rows);
  assert_int_equal(0, node_count(w.loop.body[0]));
  assert_ok(xpuGraphDestroy(with_host));
  assert_ok(xpuEventDestroy(event));
}

// The work would be missing from the body, so the capture is lost.
void what_a_body_may_not_have_spoils_its_capture(void**) {
  const xpuStream_t s = new_stream();
  assert_ok(xpuStreamBeginCaptureToGraph(s, w.loop.body[0], nullptr, nullptr, 0,
                                         xpuStreamCaptureModeRelaxed));
  assert_code(xpuLaunchHostFunc(
                  s, [](void*) {}, nullptr),
              xpuErrorNotSupported);
  end_lost(s, xpuErrorStreamCaptureInvalidated);
  assert_int_equal(0, node_count(w.loop.body[0]));
  assert_ok(xpuStreamDestroy(s));
}

void conditional_nodes_are_not_in_child_graphs(void**) {
  const xpuGraph_t child = new_graph(), parent = new_graph();
  xpuGraphNode_t node = nullptr;
  xpuGraph_t inside = nullptr;
  Handle handle = 0;
  assert_ok(xpuGraphAddChildGraphNode(&node, parent, nullptr, 0, child));
  assert_ok(xpuGraphChildGraphNodeGetGraph(node, &inside));
  const Handle of_parent = new_handle(parent);
  xpuGraphNodeParams params = conditional_params(of_parent, xpuGraphCondTypeIf, 1);
  assert_code(xpuGraphAddNode(&node, inside, nullptr, nullptr, 0, &params), xpuErrorNotSupported);
  assert_code(xpuGraphConditionalHandleCreate(&handle, inside, 0, 0), xpuErrorNotSupported);
  assert_int_equal(0, node_count(inside));
  assert_ok(xpuGraphDestroy(parent));
  assert_ok(xpuGraphDestroy(child));
}

void each_handle_has_a_node_when_the_graph_is_instantiated(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphExec_t exec = nullptr;
  const Handle handle = new_handle(graph);
  assert_code(xpuGraphInstantiate(&exec, graph, 0), xpuErrorInvalidValue);
  assert_null(exec);
  xpuGraphInstantiateParams wish = {};
  wish.struct_size = sizeof wish;
  assert_code(xpuGraphInstantiateWithParams(&exec, graph, &wish), xpuErrorInvalidValue);
  assert_int_equal(xpuGraphInstantiateConditionalHandleUnused, wish.result_out);
  const Branch branch = add_if(graph, nullptr, handle);
  // A handle of the graph may be looked at inside a body; one of a body, inside that.
  const Handle inner = new_handle(graph), innermost = new_handle(branch.body[0]);
  assert_code(xpuGraphInstantiate(&exec, graph, 0), xpuErrorInvalidValue);
  const Branch inside = add_if(branch.body[0], nullptr, inner);
  assert_code(xpuGraphInstantiate(&exec, graph, 0), xpuErrorInvalidValue);
  xpuGraphNodeParams outside = conditional_params(innermost, xpuGraphCondTypeIf, 1);
  xpuGraphNode_t node = nullptr;
  assert_code(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &outside), xpuErrorInvalidValue);
  (void)add_if(inside.body[0], nullptr, innermost);
  assert_ok(xpuGraphInstantiate(&exec, graph, 0));
  assert_ok(xpuGraphExecDestroy(exec));

  // A node that is removed gives its handle back, and those in its bodies theirs.
  assert_ok(xpuGraphDestroyNode(branch.node));
  assert_code(xpuGraphInstantiate(&exec, graph, 0), xpuErrorInvalidValue);
  const Branch again = add_if(graph, nullptr, handle);
  (void)add_if(again.body[0], nullptr, inner);
  assert_ok(xpuGraphInstantiate(&exec, graph, 0));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

void there_is_one_executable_at_a_time(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphExec_t second = nullptr;
  (void)add_if(graph, nullptr, new_handle(graph));
  for (int i = 0; i < 3; i++) {
    const xpuGraphExec_t exec = instantiate(graph);
    assert_code(xpuGraphInstantiate(&second, graph, 0), xpuErrorNotSupported);
    assert_null(second);
    assert_ok(xpuGraphExecDestroy(exec));
  }
  assert_ok(xpuGraphDestroy(graph));
}

void a_launch_into_a_captured_stream_is_refused(void**) {
  const xpuStream_t s = new_stream();
  const xpuGraph_t graph = new_graph();
  (void)add_if(graph, nullptr, new_handle(graph));
  const xpuGraphExec_t exec = instantiate(graph);
  begin(s);
  assert_code(xpuGraphLaunch(exec, s), xpuErrorNotSupported);
  end_lost(s, xpuErrorStreamCaptureInvalidated);
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(s));
}

void handles_of_bodies_die_with_the_node(void**) {
  const xpuGraph_t graph = new_graph();
  const Branch branch = add_switch(graph, nullptr, new_handle(graph), 3);
  const xpuGraph_t body = branch.body[1];
  const xpuGraphNode_t node = add_one(body, nullptr, "noop");
  const xpuGraphExec_t exec = instantiate(graph);
  xpuGraphNodeType type;
  size_t n = 0;
  assert_int_equal(xpuGraphNodeTypeConditional, type_of(branch.node));
  assert_ok(xpuGraphDestroy(graph));
  assert_code(xpuGraphGetNodes(body, nullptr, &n), xpuErrorInvalidValue);
  assert_code(xpuGraphNodeGetType(node, &type), xpuErrorInvalidValue);
  const xpuStream_t s = new_stream();
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuStreamDestroy(s));
}

void what_a_node_does_cannot_be_replaced(void**) {
  xpuGraphNodeParams params = conditional_params(w.used, xpuGraphCondTypeWhile, 1);
  assert_code(xpuGraphNodeSetParams(w.loop.node, &params), xpuErrorNotSupported);
}

void a_cycle_in_a_body_is_found_at_instantiation(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraph_t body = add_if(graph, nullptr, new_handle(graph)).body[0];
  const xpuGraphNode_t a = add_one(body, nullptr, "noop"), b = add_one(body, a, "noop");
  xpuGraphExec_t exec = nullptr;
  assert_ok(xpuGraphAddDependencies(body, &b, &a, nullptr, 1));
  assert_code(xpuGraphInstantiate(&exec, graph, 0), xpuErrorInvalidValue);
  if (!strstr(last_failure().sentence, "cycle")) fail_msg("%s", last_failure().sentence);
  assert_ok(xpuGraphRemoveDependencies(body, &b, &a, nullptr, 1));
  assert_ok(xpuGraphInstantiate(&exec, graph, 0));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

int open_world(void** state) {
  w.graph = new_graph();
  w.other = new_graph();
  w.handle = new_handle(w.graph);
  w.foreign = new_handle(w.other);
  w.used = new_handle(w.graph);
  w.loop = add_while(w.graph, nullptr, w.used);
  return load_first(state);
}
int close_world(void**) {
  assert_ok(xpuGraphDestroy(w.graph));
  assert_ok(xpuGraphDestroy(w.other));
  return 0;
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(handles_and_nodes_that_cannot_be_are_refused),
      xpu_test(a_graph_with_conditional_nodes_cannot_be_copied),
      xpu_test(a_body_is_no_graph_of_its_own),
      xpu_test(a_body_has_only_what_it_may_have),
      xpu_test(what_a_body_may_not_have_spoils_its_capture),
      xpu_test(conditional_nodes_are_not_in_child_graphs),
      xpu_test(each_handle_has_a_node_when_the_graph_is_instantiated),
      xpu_test(there_is_one_executable_at_a_time),
      xpu_test(a_launch_into_a_captured_stream_is_refused),
      xpu_test(handles_of_bodies_die_with_the_node),
      xpu_test(what_a_node_does_cannot_be_replaced),
      xpu_test(a_cycle_in_a_body_is_found_at_instantiation),
  };
  return run_all(tests, open_world, close_world);
}
