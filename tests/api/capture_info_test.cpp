// SPDX-License-Identifier: Apache-2.0
// Looking into a capture, changing what comes next in it, capturing into a graph that exists, and
// what a graph refuses meanwhile.
#include "capturing.h"

using namespace xpu::test;

namespace {

struct Info {
  xpuStreamCaptureStatus status;
  unsigned long long id;
  xpuGraph_t graph;
  const xpuGraphNode_t* nodes;
  const xpuGraphEdgeData* data;
  size_t count;
};
Info info(xpuStream_t stream) {
  Info i = {};
  assert_ok(
      xpuStreamGetCaptureInfo(stream, &i.status, &i.id, &i.graph, &i.nodes, &i.data, &i.count));
  return i;
}

void nothing_but_the_status_is_told_of_an_idle_stream(void**) {
  const xpuStream_t s = new_stream();
  xpuStreamCaptureStatus seen = xpuStreamCaptureStatusActive;
  unsigned long long id = 77;
  size_t count = 77;

  assert_ok(xpuStreamGetCaptureInfo(s, &seen, &id, nullptr, nullptr, nullptr, &count));

  assert_int_equal(xpuStreamCaptureStatusNone, seen);
  assert_int_equal(77, id);
  assert_int_equal(77, count);
  assert_code(xpuStreamGetCaptureInfo(s, nullptr, &id, nullptr, nullptr, nullptr, nullptr),
              xpuErrorInvalidValue);
  assert_ok(xpuStreamDestroy(s));
}

void the_info_follows_the_stream(void**) {
  const xpuStream_t s = new_stream(), fork = new_stream();

  begin(s);
  assert_int_equal(0, info(s).count);
  launch_one(s, "noop");
  const xpuGraphNode_t first = info(s).nodes[0];
  order(s, fork);
  const Info here = info(s), there = info(fork);
  assert_int_equal(here.id, there.id);
  assert_ptr_equal(here.graph, there.graph);
  assert_int_equal(1, there.count);
  assert_ptr_equal(first, there.nodes[0]);
  launch_one(fork, "noop");
  order(fork, s);
  assert_int_equal(2, info(s).count);
  launch_one(s, "noop");
  assert_int_equal(1, info(s).count);
  assert_ptr_equal(here.graph, end(s));

  assert_int_equal(xpuStreamCaptureStatusNone, info(s).status);
  assert_ok(xpuGraphDestroy(here.graph));
  assert_ok(xpuStreamDestroy(fork));
  assert_ok(xpuStreamDestroy(s));
}

void each_capture_has_an_id_of_its_own(void**) {
  const xpuStream_t s = new_stream();

  begin(s);
  const unsigned long long first = info(s).id;
  assert_ok(xpuGraphDestroy(end(s)));
  begin(s);
  assert_true(first != 0 && info(s).id != first);
  assert_ok(xpuGraphDestroy(end(s)));
  assert_ok(xpuStreamDestroy(s));
}

void edge_data_is_not_lost_silently(void**) {
  const xpuStream_t s = new_stream();
  xpuGraphEdgeData early = {};
  early.from_port = xpuGraphKernelNodePortProgrammatic;
  early.type = xpuGraphDependencyTypeProgrammatic;
  xpuStreamCaptureStatus seen;
  const xpuGraphNode_t* nodes = nullptr;

  begin(s);
  launch_one(s, "noop");
  const xpuGraphNode_t node = info(s).nodes[0];
  assert_ok(
      xpuStreamUpdateCaptureDependencies(s, &node, &early, 1, xpuStreamSetCaptureDependencies));
  assert_code(xpuStreamGetCaptureInfo(s, &seen, nullptr, nullptr, &nodes, nullptr, nullptr),
              xpuErrorLossyQuery);
  assert_int_equal(early.type, info(s).data[0].type);
  assert_status(Active, s);
  assert_ok(xpuGraphDestroy(end(s)));
  assert_ok(xpuStreamDestroy(s));
}

void hand_made_nodes_can_be_spliced_in(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(1, 1);

  begin(s);
  launch_one(s, "step", p, 2, 0);
  const Info i = info(s);
  const xpuGraphNode_t mine = add_one(i.graph, i.nodes[0], "step", p, 1, 5);
  assert_ok(
      xpuStreamUpdateCaptureDependencies(s, &mine, nullptr, 1, xpuStreamSetCaptureDependencies));
  launch_one(s, "step", p, 10, 0);
  run_and_destroy(end(s));

  if (shown(executes)) assert_int_equal((1 * 2 + 5) * 10, fetch(p));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
}

void dropped_nodes_need_not_be_joined(void**) {
  const xpuStream_t s = new_stream(), fork = new_stream();

  begin(s);
  order(s, fork);
  launch_one(fork, "noop");
  assert_ok(xpuStreamUpdateCaptureDependencies(fork, nullptr, nullptr, 0,
                                               xpuStreamSetCaptureDependencies));
  const xpuGraph_t graph = end(s);

  assert_int_equal(1, node_count(graph));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(fork));
  assert_ok(xpuStreamDestroy(s));
}

void bad_updates_leave_the_capture_alone(void**) {
  const xpuStream_t s = new_stream();
  const xpuGraph_t other = new_graph();
  const xpuGraphNode_t foreign = add_one(other, nullptr, "noop");

  assert_code(xpuStreamUpdateCaptureDependencies(s, nullptr, nullptr, 0, 0), xpuErrorIllegalState);
  begin(s);
  assert_code(xpuStreamUpdateCaptureDependencies(s, &foreign, nullptr, 1, 0), xpuErrorInvalidValue);
  assert_code(xpuStreamUpdateCaptureDependencies(s, nullptr, nullptr, 1, 0), xpuErrorInvalidValue);
  assert_code(xpuStreamUpdateCaptureDependencies(s, nullptr, nullptr, 0, 2), xpuErrorInvalidValue);
  assert_status(Active, s);
  assert_ok(xpuGraphDestroy(end(s)));
  assert_ok(xpuGraphDestroy(other));
  assert_ok(xpuStreamDestroy(s));
}

void a_capture_can_go_on_in_a_graph_that_exists(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(1, 1);
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t first = add_one(graph, nullptr, "step", p, 3, 1);
  xpuGraph_t back = nullptr;

  assert_ok(xpuStreamBeginCaptureToGraph(s, graph, &first, nullptr, 1, xpuStreamCaptureModeGlobal));
  launch_one(s, "step", p, 2, 0);
  assert_ok(xpuStreamEndCapture(s, &back));
  assert_ptr_equal(graph, back);
  const xpuGraphNode_t second = node_at(graph, 1);
  assert_ok(
      xpuStreamBeginCaptureToGraph(s, graph, &second, nullptr, 1, xpuStreamCaptureModeGlobal));
  launch_one(s, "step", p, 1, 7);
  assert_ok(xpuStreamEndCapture(s, nullptr));

  assert_int_equal(2, edge_count(graph));
  run_and_destroy(graph);
  if (shown(executes)) assert_int_equal((1 * 3 + 1) * 2 + 7, fetch(p));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
}

void one_graph_is_captured_into_once_at_a_time(void**) {
  const xpuStream_t s = new_stream(), t = new_stream();
  const xpuGraph_t graph = new_graph();

  assert_ok(
      xpuStreamBeginCaptureToGraph(s, graph, nullptr, nullptr, 0, xpuStreamCaptureModeGlobal));
  assert_code(
      xpuStreamBeginCaptureToGraph(t, graph, nullptr, nullptr, 0, xpuStreamCaptureModeGlobal),
      xpuErrorIllegalState);
  assert_ok(xpuStreamEndCapture(s, nullptr));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(t));
  assert_ok(xpuStreamDestroy(s));
}

void a_graph_under_capture_is_neither_destroyed_nor_thinned(void**) {
  const xpuStream_t s = new_stream();

  begin(s);
  launch_one(s, "noop");
  const Info i = info(s);
  const xpuGraphNode_t node = i.nodes[0];
  assert_code(xpuGraphDestroy(i.graph), xpuErrorIllegalState);
  assert_code(xpuGraphDestroyNode(node), xpuErrorIllegalState);
  assert_int_equal(1, node_count(i.graph));
  assert_status(Active, s);
  assert_ok(xpuGraphDestroy(end(s)));
  assert_ok(xpuStreamDestroy(s));
}

void a_parent_of_a_graph_under_capture_is_not_destroyed(void**) {
  const xpuStream_t s = new_stream();
  const xpuGraph_t parent = new_graph(), child = new_graph();
  xpuGraphNode_t node = nullptr;
  xpuGraph_t inner = nullptr;
  assert_ok(xpuGraphAddChildGraphNode(&node, parent, nullptr, 0, child));
  assert_ok(xpuGraphChildGraphNodeGetGraph(node, &inner));

  assert_ok(
      xpuStreamBeginCaptureToGraph(s, inner, nullptr, nullptr, 0, xpuStreamCaptureModeGlobal));
  assert_code(xpuGraphDestroy(parent), xpuErrorIllegalState);
  assert_code(xpuGraphDestroyNode(node), xpuErrorIllegalState);
  launch_one(s, "noop");
  assert_ok(xpuStreamEndCapture(s, nullptr));

  assert_int_equal(1, node_count(inner));
  assert_ok(xpuGraphDestroy(parent));
  assert_ok(xpuGraphDestroy(child));
  assert_ok(xpuStreamDestroy(s));
}

void a_lost_graph_has_no_handle(void**) {
  const xpuStream_t s = new_stream();
  size_t n = 0;

  begin(s);
  launch_one(s, "noop");
  const Info i = info(s);
  assert_code(xpuStreamSynchronize(s), xpuErrorStreamCaptureUnsupported);
  assert_int_equal(xpuStreamCaptureStatusInvalidated, info(s).status);
  end_lost(s, xpuErrorStreamCaptureInvalidated);

  assert_code(xpuGraphGetNodes(i.graph, nullptr, &n), xpuErrorInvalidValue);
  assert_ok(xpuStreamDestroy(s));
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(nothing_but_the_status_is_told_of_an_idle_stream),
      xpu_test(the_info_follows_the_stream),
      xpu_test(each_capture_has_an_id_of_its_own),
      xpu_test(edge_data_is_not_lost_silently),
      xpu_test(hand_made_nodes_can_be_spliced_in, results(executes)),
      xpu_test(dropped_nodes_need_not_be_joined),
      xpu_test(bad_updates_leave_the_capture_alone),
      xpu_test(a_capture_can_go_on_in_a_graph_that_exists, results(executes)),
      xpu_test(one_graph_is_captured_into_once_at_a_time),
      xpu_test(a_graph_under_capture_is_neither_destroyed_nor_thinned),
      xpu_test(a_parent_of_a_graph_under_capture_is_not_destroyed),
      xpu_test(a_lost_graph_has_no_handle),
  };
  return run_all(tests, load_first);
}
