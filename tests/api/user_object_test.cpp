// SPDX-License-Identifier: Apache-2.0
// User objects: who keeps one alive, and that it ends once, elsewhere, and when nobody does.
#include "user_object.h"

using namespace xpu::test;

static void it_ends_with_the_programs_last_reference(void**) {
  static Thing thing;
  const xpuUserObject_t object = object_of(thing, 2);
  assert_ok(xpuUserObjectRetain(object, 3));
  assert_ok(xpuUserObjectRelease(object, 4));
  assert_lives(thing);
  assert_ok(xpuUserObjectRelease(object, 1));
  assert_ends(thing);
  assert_false(pthread_equal(pthread_self(), thing.on));
  assert_code(xpuUserObjectRetain(object, 1), xpuErrorInvalidValue);
  assert_code(xpuUserObjectRelease(object, 1), xpuErrorInvalidValue);
}

static void nothing_waits_for_its_end(void**) {
  static Thing slow, next;
  slow.may_end = 0;
  const xpuUserObject_t object = object_of(slow);
  assert_ok(xpuUserObjectRelease(object, 1));
  assert_ok(xpuUserObjectRelease(object_of(next), 1));
  assert_int_equal(0, slow.ended.load());
  slow.may_end = 1;
  assert_ends(slow);
  assert_ends(next);
}

static void a_graph_keeps_it(void**) {
  static Thing thing;
  const xpuUserObject_t object = object_of(thing);
  const xpuGraph_t graph = new_graph();
  assert_ok(xpuGraphRetainUserObject(graph, object, 2, 0));
  assert_ok(xpuUserObjectRelease(object, 1));
  assert_lives(thing);
  assert_ok(xpuGraphReleaseUserObject(graph, object, 1));
  assert_lives(thing);
  assert_ok(xpuGraphReleaseUserObject(graph, object, 1));
  assert_ends(thing);
  assert_ok(xpuGraphDestroy(graph));
}

static void a_graph_can_take_the_programs_references(void**) {
  static Thing thing;
  const xpuUserObject_t object = object_of(thing, 3);
  const xpuGraph_t graph = new_graph();
  assert_code(xpuGraphRetainUserObject(graph, object, 4, xpuGraphUserObjectMove),
              xpuErrorInvalidValue);
  assert_code(xpuGraphReleaseUserObject(graph, object, 1), xpuErrorInvalidValue);
  assert_ok(xpuGraphRetainUserObject(graph, object, 3, xpuGraphUserObjectMove));
  assert_code(xpuUserObjectRelease(object, 1), xpuErrorInvalidValue);
  // A reference of the graph is enough to get one of its own again.
  assert_ok(xpuUserObjectRetain(object, 1));
  assert_ok(xpuGraphDestroy(graph));
  assert_lives(thing);
  assert_ok(xpuUserObjectRelease(object, 1));
  assert_ends(thing);
}

static void a_copy_has_as_many_references(void**) {
  static Thing thing;
  const xpuUserObject_t object = object_of(thing, 2);
  const xpuGraph_t graph = new_graph();
  xpuGraph_t copy = nullptr;
  assert_ok(xpuGraphRetainUserObject(graph, object, 2, xpuGraphUserObjectMove));
  assert_ok(xpuGraphClone(&copy, graph));
  assert_ok(xpuGraphDestroy(graph));
  assert_code(xpuGraphReleaseUserObject(copy, object, 3), xpuErrorInvalidValue);
  assert_ok(xpuGraphReleaseUserObject(copy, object, 1));
  assert_lives(thing);
  assert_ok(xpuGraphReleaseUserObject(copy, object, 1));
  assert_ends(thing);
  assert_ok(xpuGraphDestroy(copy));
}

static void an_executable_has_its_own(void**) {
  static Thing thing, later;
  const xpuUserObject_t object = object_of(thing), other = object_of(later);
  const xpuGraph_t graph = new_graph();
  assert_ok(xpuGraphRetainUserObject(graph, object, 1, xpuGraphUserObjectMove));
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphRetainUserObject(graph, other, 1, xpuGraphUserObjectMove));
  assert_ok(xpuGraphReleaseUserObject(graph, object, 1));
  assert_ok(xpuGraphDestroy(graph));
  assert_ends(later);
  assert_lives(thing);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ends(thing);
}

static void a_launch_keeps_it_to_its_end(void**) {
  static Thing thing;
  static Gate gate;
  int* p = device_ints(1);
  const xpuUserObject_t object = object_of(thing);
  const xpuGraph_t graph = new_graph();
  (void)add_one(graph, nullptr, "store", p, 0, 9);
  assert_ok(xpuGraphRetainUserObject(graph, object, 1, xpuGraphUserObjectMove));
  const xpuGraphExec_t exec = instantiate(graph);
  const xpuStream_t stream = new_stream();
  gate.shut(stream);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  sleep_ms(20);
  assert_int_equal(0, thing.ended.load());
  gate.open = 1;
  // No call follows: the library's thread finds out by itself.
  assert_ends(thing);
  assert_ok(xpuStreamSynchronize(stream));
  assert_int_equal(9, fetch(p));
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuFree(p));
}

static void a_child_graph_has_its_own(void**) {
  static Thing thing;
  const xpuUserObject_t object = object_of(thing);
  const xpuGraph_t graph = new_graph(), child = new_graph();
  xpuGraphNode_t node = nullptr;
  xpuGraph_t inside = nullptr;
  assert_ok(xpuGraphRetainUserObject(child, object, 1, xpuGraphUserObjectMove));
  assert_ok(xpuGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  assert_ok(xpuGraphDestroy(child));
  assert_code(xpuGraphReleaseUserObject(graph, object, 1), xpuErrorInvalidValue);
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphChildGraphNodeGetGraph(node, &inside));
  assert_ok(xpuGraphReleaseUserObject(inside, object, 1));
  assert_lives(thing);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ends(thing);
  assert_ok(xpuGraphDestroy(graph));
}

static void a_captured_launch_takes_references_along(void**) {
  static Thing thing;
  const xpuUserObject_t object = object_of(thing);
  xpuGraph_t graph = new_graph(), captured = nullptr;
  assert_ok(xpuGraphRetainUserObject(graph, object, 1, xpuGraphUserObjectMove));
  const xpuGraphExec_t exec = instantiate(graph);
  const xpuStream_t stream = new_stream();
  assert_ok(xpuStreamBeginCapture(stream, xpuStreamCaptureModeThreadLocal));
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamEndCapture(stream, &captured));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_lives(thing);
  assert_ok(xpuGraphDestroy(captured));
  assert_ends(thing);
  assert_ok(xpuStreamDestroy(stream));
}

static void more_than_there_are_cannot_be_given_back(void**) {
  static Thing thing;
  const xpuUserObject_t object = object_of(thing, 2);
  const xpuGraph_t graph = new_graph();
  assert_code(xpuUserObjectRelease(object, 4), xpuErrorInvalidValue);
  assert_string_equal("count", last_failure().argument);
  assert_code(xpuGraphReleaseUserObject(graph, object, 1), xpuErrorInvalidValue);
  assert_lives(thing);
  assert_ok(xpuUserObjectRelease(object, 2));
  assert_ends(thing);
  assert_code(xpuGraphRetainUserObject(graph, object, 1, 0), xpuErrorInvalidValue);
  assert_string_equal("object", last_failure().argument);
  assert_ok(xpuGraphDestroy(graph));
}

static xpuUserObject_t live;
static xpuGraph_t a_graph;
static xpuUserObject_t untouched;
static void what_cannot_be_right_is_refused(void**) {
  static Thing thing;
  live = object_of(thing);
  a_graph = new_graph();
  const unsigned no_sync = xpuUserObjectNoDestructorSync;
  const struct {
    const char* argument;
    xpuError_t got;
  } rows[] = {
      {"object_out", xpuUserObjectCreate(nullptr, &thing, Thing::end, 1, no_sync)},
      {"destroy", xpuUserObjectCreate(&untouched, &thing, nullptr, 1, no_sync)},
      {"initialRefcount", xpuUserObjectCreate(&untouched, &thing, Thing::end, 0, no_sync)},
      {"initialRefcount", xpuUserObjectCreate(&untouched, &thing, Thing::end, 1u << 31, no_sync)},
      {"flags", xpuUserObjectCreate(&untouched, &thing, Thing::end, 1, 0)},
      {"flags", xpuUserObjectCreate(&untouched, &thing, Thing::end, 1, 3)},
      {"object", xpuUserObjectRetain(nullptr, 1)},
      {"count", xpuUserObjectRetain(live, 0)},
      {"count", xpuUserObjectRetain(live, 1u << 31)},
      {"object", xpuUserObjectRetain(reinterpret_cast<xpuUserObject_t>(a_graph), 1)},
      {"object", xpuUserObjectRelease(nullptr, 1)},
      {"count", xpuUserObjectRelease(live, 0)},
      {"graph", xpuGraphRetainUserObject(nullptr, live, 1, 0)},
      {"object", xpuGraphRetainUserObject(a_graph, nullptr, 1, 0)},
      {"count", xpuGraphRetainUserObject(a_graph, live, 0, 0)},
      {"flags", xpuGraphRetainUserObject(a_graph, live, 1, 2)},
      {"graph", xpuGraphReleaseUserObject(nullptr, live, 1)},
      {"object", xpuGraphReleaseUserObject(a_graph, nullptr, 1)},
      {"count", xpuGraphReleaseUserObject(a_graph, live, 0)},
  };
  for (const auto& row : rows) {
    if (row.got != xpuErrorInvalidValue) print_error("%s is taken\n", row.argument);
    assert_int_equal(xpuErrorInvalidValue, row.got);
  }
  assert_code(xpuUserObjectCreate(&untouched, &thing, Thing::end, 1, 0), xpuErrorInvalidValue);
  assert_string_equal("flags", last_failure().argument);
  assert_null(untouched);
  assert_lives(thing);
  assert_ok(xpuUserObjectRelease(live, 1));
  assert_ends(thing);
  assert_ok(xpuGraphDestroy(a_graph));
}

int main(void) {
  const Test tests[] = {
      xpu_test(it_ends_with_the_programs_last_reference),
      xpu_test(nothing_waits_for_its_end),
      xpu_test(a_graph_keeps_it),
      xpu_test(a_graph_can_take_the_programs_references),
      xpu_test(a_copy_has_as_many_references),
      xpu_test(an_executable_has_its_own),
      xpu_test(a_launch_keeps_it_to_its_end, needs(executes | calls_back | waits)),
      xpu_test(a_child_graph_has_its_own),
      xpu_test(a_captured_launch_takes_references_along),
      xpu_test(more_than_there_are_cannot_be_given_back),
      xpu_test(what_cannot_be_right_is_refused),
  };
  return run_all(tests, load_first);
}
