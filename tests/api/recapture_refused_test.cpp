// SPDX-License-Identifier: Apache-2.0
// Recaptures that fail, what is left of their graphs, and what is refused while one goes on.
#include "recapture.h"
#include "user_object.h"

using namespace xpu::test;

namespace {

xpuStream_t t;

// Each is given a chain of three digits (1, 2, 3) that is being captured again in `s`, and fails.
using Wrong = xpuError_t (*)();
xpuError_t launched(const char* name, int a, int b) { return xpu::test::launched(s, name, a, b); }

void check_failure(Wrong wrong, Asked* asked = nullptr) {
  const xpuGraph_t graph = captured_digits(s, 1, 2, 3);
  const xpuGraphNode_t node = node_at(graph, 0);
  const xpuGraphExec_t exec = instantiate(graph);

  begin_again(s, graph, asked);
  assert_code(wrong(), xpuErrorGraphRecaptureFailure);
  assert_true(strlen(last_failure().sentence) > 60);
  assert_status(Invalidated, s);
  assert_code(launched("store", 0, 1), xpuErrorStreamCaptureInvalidated);
  assert_code(xpuGraphDestroy(graph), xpuErrorIllegalState);
  end_lost(s, xpuErrorStreamCaptureInvalidated);

  check_ruined(graph, node);
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));
  assert_ok(xpuGraphExecDestroy(exec));
}

void another_kind_of_node_fails(void**) {
  check_failure([] { return xpuMemsetAsync(p, 0, 4, s); });
}
void an_allocation_that_was_none_fails(void**) {
  check_failure([] {
    void* memory = nullptr;
    return xpuMallocAsync(&memory, 64, s);
  });
}
void a_node_too_many_fails(void**) {
  check_failure([] {
    digits(s, 1, 2, 3);
    return launched("step", 10, 4);
  });
}
void a_missing_dependency_fails(void**) {
  check_failure([] {
    launch_one(s, "store", p, 0, 1);
    assert_ok(xpuStreamUpdateCaptureDependencies(s, nullptr, nullptr, 0,
                                                 xpuStreamSetCaptureDependencies));
    return launched("step", 10, 2);
  });
}

xpuGraph_t captured_graph() {
  xpuStreamCaptureStatus status;
  xpuGraph_t graph = nullptr;
  assert_ok(xpuStreamGetCaptureInfo(s, &status, nullptr, &graph, nullptr, nullptr, nullptr));
  return graph;
}

void a_dependency_too_many_fails(void**) {
  check_failure([] {
    launch_one(s, "store", p, 0, 1);
    launch_one(s, "step", p, 10, 2);
    const xpuGraphNode_t first = node_at(captured_graph(), 0);
    assert_ok(
        xpuStreamUpdateCaptureDependencies(s, &first, nullptr, 1, xpuStreamAddCaptureDependencies));
    return launched("step", 10, 3);
  });
}
void another_dependency_fails(void**) {
  check_failure([] {
    launch_one(s, "store", p, 0, 1);
    launch_one(s, "step", p, 10, 2);
    const xpuGraphNode_t first = node_at(captured_graph(), 0);
    assert_ok(
        xpuStreamUpdateCaptureDependencies(s, &first, nullptr, 1, xpuStreamSetCaptureDependencies));
    return launched("step", 10, 3);
  });
}
void other_edge_data_fails(void**) {
  check_failure([] {
    launch_one(s, "store", p, 0, 1);
    const xpuGraphNode_t first = node_at(captured_graph(), 0);
    const xpuGraphEdgeData data = {1, 0, xpuGraphDependencyTypeProgrammatic, {}};
    assert_ok(
        xpuStreamUpdateCaptureDependencies(s, &first, &data, 1, xpuStreamSetCaptureDependencies));
    return launched("step", 10, 2);
  });
}
void what_the_function_does_not_allow_fails(void**) {
  for (const xpuError_t answer : {xpuErrorInvalidValue, xpuErrorNotReady, xpuErrorUnknown}) {
    Asked asked;
    asked.answer = answer;
    check_failure([] { return launched("store", 0, 9); }, &asked);
    assert_int_equal(1, asked.times);
  }
}

void nodes_that_are_missing_fail_the_end(void**) {
  const xpuGraph_t graph = captured_digits(s, 1, 2, 3);
  const xpuGraphNode_t node = node_at(graph, 0);
  begin_again(s, graph);
  launch_one(s, "store", p, 0, 1);
  end_lost(s, xpuErrorGraphRecaptureFailure);
  assert_status(None, s);
  check_ruined(graph, node);
}

// ---- memory

xpuGraph_t capture_memory(size_t bytes, void** memory) {
  begin(s, xpuStreamCaptureModeRelaxed);
  assert_ok(xpuMallocAsync(memory, bytes, s));
  assert_ok(xpuFreeAsync(*memory, s));
  return end(s);
}

void memory_of_another_size_fails_and_the_function_is_not_asked(void**) {
  Asked asked;
  void *memory = nullptr, *other = nullptr;
  const xpuGraph_t graph = capture_memory(4096, &memory);
  begin_again(s, graph, &asked);
  assert_code(xpuMallocAsync(&other, 4100, s), xpuErrorGraphRecaptureFailure);
  assert_null(other);
  end_lost(s, xpuErrorStreamCaptureInvalidated);
  assert_int_equal(0, asked.times);
  assert_ok(xpuGraphDestroy(graph));
}

void a_free_of_other_memory_fails(void**) {
  void *memory = nullptr, *same = nullptr;
  const xpuGraph_t graph = capture_memory(4096, &memory);
  begin_again(s, graph);
  assert_ok(xpuMallocAsync(&same, 4096, s));
  assert_ptr_equal(memory, same);
  assert_code(xpuFreeAsync(static_cast<char*>(same) + 64, s), xpuErrorGraphRecaptureFailure);
  end_lost(s, xpuErrorStreamCaptureInvalidated);
  assert_ok(xpuGraphDestroy(graph));
}

void a_child_graph_of_another_form_fails(void**) {
  const xpuGraph_t three = captured_digits(s, 1, 2, 3);
  begin(s, xpuStreamCaptureModeRelaxed);
  launch_one(s, "store", p, 0, 1);
  const xpuGraph_t one = end(s);
  const xpuGraphExec_t execs[] = {instantiate(three), instantiate(one)};
  begin(s, xpuStreamCaptureModeRelaxed);
  assert_ok(xpuGraphLaunch(execs[0], s));
  const xpuGraph_t graph = end(s);
  xpuGraph_t child = nullptr;
  assert_ok(xpuGraphChildGraphNodeGetGraph(node_at(graph, 0), &child));

  begin_again(s, graph);
  assert_code(xpuGraphLaunch(execs[1], s), xpuErrorGraphRecaptureFailure);
  end_lost(s, xpuErrorStreamCaptureInvalidated);

  size_t count = 0;
  assert_code(xpuGraphGetNodes(child, nullptr, &count), xpuErrorIllegalState);
  for (const xpuGraphExec_t exec : execs) assert_ok(xpuGraphExecDestroy(exec));
  for (const xpuGraph_t g : {three, one, graph}) assert_ok(xpuGraphDestroy(g));
}

// ---- recaptures that end otherwise

void one_that_is_given_up_or_spoilt_leaves_nothing_to_use(void**) {
  const xpuStream_t mortal = new_stream();
  for (int way = 0; way < 4; way++) {
    const xpuGraph_t graph = captured_digits(s, 1, 2, 3);
    const xpuGraphNode_t node = node_at(graph, 0);
    begin_again(way == 3 ? mortal : s, graph, nullptr, xpuStreamCaptureModeGlobal);
    if (way == 0) assert_ok(xpuStreamAbortCapture(s));
    if (way == 1) {
      assert_code(xpuDeviceSynchronize(), xpuErrorStreamCaptureUnsupported);
      end_lost(s, xpuErrorStreamCaptureInvalidated);
    }
    if (way == 2) {
      launch_one(s, "store", p, 0, 1);
      order(s, t);
      launch_one(t, "step", p, 10, 2);
      launch_one(t, "step", p, 10, 3);
      end_lost(s, xpuErrorStreamCaptureUnjoined);
    }
    if (way == 3) assert_ok(xpuStreamDestroy(mortal));
    check_ruined(graph, node);
  }
}

// ---- while one goes on

void the_graph_can_only_be_looked_at(void**) {
  static xpuGraph_t graph, other, child;
  static xpuGraphNode_t nodes[2], inner;
  static xpuGraphExec_t exec;
  static xpuGraphExecUpdateResultInfo info;
  static xpuGraphConditionalHandle handle;
  info.struct_size = sizeof info;
  graph = captured_digits(s, 1, 2, 3);
  other = new_graph();
  exec = instantiate(graph);
  begin(s, xpuStreamCaptureModeRelaxed);
  assert_ok(xpuGraphLaunch(exec, s));
  const xpuGraph_t outer = end(s);
  assert_ok(xpuGraphChildGraphNodeGetGraph(node_at(outer, 0), &child));
  inner = node_at(child, 0);
  nodes[0] = node_at(graph, 0);
  nodes[1] = node_at(graph, 2);
  static Args<int*, int, int> args(p, 0, 5);
  static const xpuKernelNodeParams params =
      node_params(kernel("store"), dim(1), dim(1), args.get());

  begin_again(s, graph);
  begin_again(t, outer);
#define BUSY(function, argument, ...) \
  REFUSED(xpuErrorIllegalState, function, argument, "is captured again", __VA_ARGS__)
  static const Refusal rows[] = {
      BUSY(xpuGraphDestroy, "graph", graph),
      BUSY(xpuGraphInstantiate, "graph", &outs.exec, graph, 0),
      BUSY(xpuGraphExecUpdate, "hGraph", exec, graph, &info),
      BUSY(xpuGraphClone, "originalGraph", &outs.graph, graph),
      BUSY(xpuGraphAddChildGraphNode, "childGraph", &outs.node, other, nullptr, 0, graph),
      BUSY(xpuGraphAddEmptyNode, "graph", &outs.node, graph, nullptr, 0),
      BUSY(xpuGraphAddEmptyNode, "graph", &outs.node, child, nullptr, 0),
      BUSY(xpuGraphDestroyNode, "node", nodes[0]),
      BUSY(xpuGraphDestroyNode, "node", inner),
      BUSY(xpuGraphAddDependencies, "graph", graph, &nodes[0], &nodes[1], nullptr, 1),
      BUSY(xpuGraphRemoveDependencies, "graph", graph, &nodes[0], &nodes[1], nullptr, 1),
      BUSY(xpuGraphKernelNodeSetParams, "node", nodes[0], &params),
      BUSY(xpuGraphKernelNodeSetParams, "node", inner, &params),
      BUSY(xpuGraphKernelNodeCopyAttributes, "hDst", nodes[0], nodes[1]),
      BUSY(xpuGraphConditionalHandleCreate, "graph", &handle, graph, 0, 0),
      BUSY(xpuStreamBeginCaptureToGraph, "graph", xpuStreamPerThread, graph, nullptr, nullptr, 0,
           xpuStreamCaptureModeRelaxed),
      BUSY(xpuStreamBeginRecaptureToGraph, "graph", xpuStreamPerThread, xpuStreamCaptureModeRelaxed,
           graph, nullptr),
      BUSY(xpuStreamBeginRecaptureToGraph, "graph", xpuStreamPerThread, xpuStreamCaptureModeRelaxed,
           child, nullptr),
  };
  assert_all_refused(rows);
  assert_int_equal(3, node_count(graph));
  assert_int_equal(2, edge_count(graph));
  assert_int_equal(xpuGraphNodeTypeKernel, type_of(inner));
  digits(s, 1, 2, 3);
  end_again(s, graph);
  assert_ok(xpuGraphLaunch(exec, t));
  end_again(t, outer);

  assert_ok(xpuGraphKernelNodeSetParams(nodes[0], &params));
  assert_ok(xpuGraphExecDestroy(exec));
  for (const xpuGraph_t g : {other, outer}) assert_ok(xpuGraphDestroy(g));
  run_and_destroy(graph);
}

void a_beginning_that_is_refused_changes_nothing(void**) {
  static xpuGraph_t graph;
  Thing thing;
  graph = captured_digits(s, 1, 2, 3);
  assert_ok(xpuGraphRetainUserObject(graph, object_of(thing), 1, xpuGraphUserObjectMove));
  begin(t, xpuStreamCaptureModeRelaxed);
#define BEGIN(code, argument, what, ...) \
  REFUSED(code, xpuStreamBeginRecaptureToGraph, argument, what, __VA_ARGS__)
  static const Refusal rows[] = {
      BEGIN(xpuErrorIllegalState, "stream", "is captured", t, xpuStreamCaptureModeRelaxed, graph,
            nullptr),
      BEGIN(xpuErrorStreamCaptureUnsupported, "stream", "is the legacy one", nullptr,
            xpuStreamCaptureModeRelaxed, graph, nullptr),
      BEGIN(xpuErrorInvalidValue, "mode", "is 3", s, static_cast<xpuStreamCaptureMode>(3), graph,
            nullptr),
      BEGIN(xpuErrorInvalidValue, "graph", "is NULL", s, xpuStreamCaptureModeRelaxed, nullptr,
            nullptr),
  };
  assert_all_refused(rows);
  assert_ok(xpuGraphDestroy(end(t)));
  assert_lives(thing);
  run_and_destroy(graph);
  assert_ends(thing);
}

int set_up(void** state) {
  (void)open_things(state);
  t = new_stream();
  return 0;
}
int tear_down(void** state) {
  assert_ok(xpuStreamDestroy(t));
  return close_things(state);
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(another_kind_of_node_fails),
      xpu_test(an_allocation_that_was_none_fails),
      xpu_test(a_node_too_many_fails),
      xpu_test(a_missing_dependency_fails),
      xpu_test(a_dependency_too_many_fails),
      xpu_test(another_dependency_fails),
      xpu_test(other_edge_data_fails),
      xpu_test(what_the_function_does_not_allow_fails),
      xpu_test(nodes_that_are_missing_fail_the_end),
      xpu_test(memory_of_another_size_fails_and_the_function_is_not_asked),
      xpu_test(a_free_of_other_memory_fails),
      xpu_test(a_child_graph_of_another_form_fails),
      xpu_test(one_that_is_given_up_or_spoilt_leaves_nothing_to_use),
      xpu_test(the_graph_can_only_be_looked_at),
      xpu_test(a_beginning_that_is_refused_changes_nothing),
  };
  return run_all(tests, set_up, tear_down);
}
