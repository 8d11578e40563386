// SPDX-License-Identifier: Apache-2.0
// Calls about external semaphores that cannot be: descriptors, handles, arrays, values, nodes.
#include "any_node.h"
#include "semaphores.h"

using namespace xpu::test;

#define WRONG(function, argument, what, ...) \
  REFUSED(xpuErrorInvalidValue, function, argument, what, __VA_ARGS__)
#define DEAD(function, argument, what, ...) \
  REFUSED(xpuErrorInvalidResourceHandle, function, argument, what, __VA_ARGS__)

static Counted counted;
static xpuExternalSemaphore_t dead, out, null_out;
static xpuStream_t stream;
static xpuGraph_t graph;
static xpuGraphNode_t s, w, e;
static xpuGraphExec_t exec;

static xpuExternalSemaphoreHandleDesc import_desc;
static xpuExternalSemaphoreSignalParams to, bad_to[3];
static xpuExternalSemaphoreWaitParams from, bad_from[3];
static xpuExternalSemaphoreSignalNodeParams signals, short_signals;
static xpuExternalSemaphoreWaitNodeParams awaits, short_awaits;
static xpuExternalSemaphore_t two[2], none[1], gone[1];
static xpuExternalSemaphoreSignalParams two_to[2];
static xpuExternalSemaphoreWaitParams two_from[2];

static int open_all_semaphores(void**) {
  if (lacks() & shares) return 0;
  counted.open();
  Counted other;
  other.open();
  dead = other.handle;
  other.close();
  stream = new_stream();
  graph = new_graph();
  import_desc.struct_size = sizeof import_desc;
  import_desc.type = xpuExternalSemaphoreHandleTypeOpaqueFd;
  import_desc.handle.fd = counted.fd;
  bad_to[0].flags = 1;
  bad_to[1].reserved[14] = 1;
  bad_to[2].params.reserved[13] = 1;
  bad_from[0].flags = 1;
  bad_from[1].reserved[14] = 1;
  bad_from[2].params.reserved[13] = 1;
  two[0] = two[1] = counted.handle;
  gone[0] = dead;
  signals = {sizeof signals, 1, &counted.handle, &to};
  awaits = {sizeof awaits, 1, &counted.handle, &from};
  short_signals = {8, 1, &counted.handle, &to};
  short_awaits = {8, 1, &counted.handle, &from};
  assert_ok(xpuGraphAddExternalSemaphoresSignalNode(&s, graph, nullptr, 0, &signals));
  assert_ok(xpuGraphAddExternalSemaphoresWaitNode(&w, graph, nullptr, 0, &awaits));
  assert_ok(xpuGraphAddEmptyNode(&e, graph, nullptr, 0));
  exec = instantiate(graph);
  return 0;
}
static int close_all_semaphores(void**) {
  if (lacks() & shares) return 0;
  // After all that was refused it still runs; its wait takes its own signal.
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  assert_false(counted.take());
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(stream));
  counted.close();
  return 0;
}

// A wrong variant of good parameters, alive until the next call.
template <class T, class Change>
static T* but(const T& right, Change change) {
  static T bad;
  bad = right;
  change(bad);
  return &bad;
}

static void bad_imports_are_refused(void**) {
  static const Refusal rows[] = {
      WRONG(xpuImportExternalSemaphore, "extSem_out", "is NULL", nullptr, &import_desc),
      WRONG(xpuImportExternalSemaphore, "semHandleDesc", "is NULL", &out, nullptr),
      WRONG(xpuImportExternalSemaphore, "semHandleDesc", "is too short", &out,
            but(import_desc, [](auto& d) { d.struct_size = 4; })),
      WRONG(xpuImportExternalSemaphore, "semHandleDesc", "has flags", &out,
            but(import_desc, [](auto& d) { d.flags = 1; })),
      WRONG(xpuImportExternalSemaphore, "semHandleDesc", "has reserved", &out,
            but(import_desc, [](auto& d) { d.reserved = 1; })),
      REFUSED(xpuErrorNotSupported, xpuImportExternalSemaphore, "semHandleDesc->type",
              "is a Windows handle", &out,
              but(import_desc,
                  [](auto& d) { d.type = static_cast<xpuExternalSemaphoreHandleType>(2); })),
      WRONG(xpuImportExternalSemaphore, "semHandleDesc->handle.fd", "is negative", &out,
            but(import_desc, [](auto& d) { d.handle.fd = -1; })),
      WRONG(xpuImportExternalSemaphore, "semHandleDesc->handle.fd", "is not open", &out,
            but(import_desc, [](auto& d) { d.handle.fd = 1 << 20; })),
      WRONG(xpuImportExternalSemaphore, "semHandleDesc->handle.fd", "is no semaphore", &out,
            but(import_desc, [](auto& d) { d.handle.fd = 0; })),
      WRONG(xpuImportExternalSemaphore, "semHandleDesc->handle.fd", "is no timeline", &out,
            but(import_desc,
                [](auto& d) { d.type = xpuExternalSemaphoreHandleTypeTimelineSemaphoreFd; })),
  };
  assert_all_refused(rows);
  assert_null(out);
  assert_int_equal(FD_CLOEXEC, fcntl(counted.fd, F_GETFD));  // still the caller's
}

// Whatever the driver: the descriptor stays the caller's, and a sentence says what to do.
static void a_descriptor_of_something_else_is_refused(void**) {
  int ends[2];
  assert_int_equal(0, pipe(ends));
  xpuExternalSemaphoreHandleDesc desc = {};
  desc.struct_size = sizeof desc;
  desc.type = xpuExternalSemaphoreHandleTypeOpaqueFd;
  desc.handle.fd = ends[0];
  const xpuError_t got = xpuImportExternalSemaphore(&null_out, &desc);
  assert_true(got == xpuErrorInvalidValue || got == xpuErrorNotSupported);
  assert_null(null_out);
  assert_true(strlen(last_failure().sentence) > 20);
  (void)xpuGetLastError();
  assert_int_equal(0, close(ends[0]));
  assert_int_equal(0, close(ends[1]));
}

static void bad_uses_in_streams_are_refused(void**) {
  static const Refusal rows[] = {
      DEAD(xpuDestroyExternalSemaphore, "extSem", "is NULL", nullptr),
      DEAD(xpuDestroyExternalSemaphore, "extSem", "is destroyed", dead),
      WRONG(xpuSignalExternalSemaphoresAsync, "extSemArray", "is NULL", nullptr, &to, 1, stream),
      WRONG(xpuSignalExternalSemaphoresAsync, "paramsArray", "is NULL", two, nullptr, 1, stream),
      WRONG(xpuSignalExternalSemaphoresAsync, "numExtSems", "is 0", two, &to, 0, stream),
      DEAD(xpuSignalExternalSemaphoresAsync, "extSemArray", "has NULL", none, &to, 1, stream),
      DEAD(xpuSignalExternalSemaphoresAsync, "extSemArray", "has a dead one", gone, &to, 1, stream),
      DEAD(xpuSignalExternalSemaphoresAsync, "stream", "is none", two, &to, 1,
           reinterpret_cast<xpuStream_t>(counted.handle)),
      WRONG(xpuSignalExternalSemaphoresAsync, "paramsArray", "has flags", two, &bad_to[0], 1,
            stream),
      WRONG(xpuSignalExternalSemaphoresAsync, "paramsArray", "has reserved", two, &bad_to[1], 1,
            stream),
      WRONG(xpuSignalExternalSemaphoresAsync, "paramsArray", "has reserved inside", two, &bad_to[2],
            1, stream),
      WRONG(xpuWaitExternalSemaphoresAsync, "extSemArray", "is NULL", nullptr, &from, 1, stream),
      WRONG(xpuWaitExternalSemaphoresAsync, "paramsArray", "is NULL", two, nullptr, 1, stream),
      WRONG(xpuWaitExternalSemaphoresAsync, "numExtSems", "is 0", two, &from, 0, stream),
      DEAD(xpuWaitExternalSemaphoresAsync, "extSemArray", "has NULL", none, &from, 1, stream),
      DEAD(xpuWaitExternalSemaphoresAsync, "extSemArray", "has a dead one", gone, &from, 1, stream),
      DEAD(xpuWaitExternalSemaphoresAsync, "stream", "is none", two, &from, 1,
           reinterpret_cast<xpuStream_t>(counted.handle)),
      WRONG(xpuWaitExternalSemaphoresAsync, "paramsArray", "has flags", two, &bad_from[0], 1,
            stream),
      WRONG(xpuWaitExternalSemaphoresAsync, "paramsArray", "has reserved", two, &bad_from[1], 1,
            stream),
      WRONG(xpuWaitExternalSemaphoresAsync, "paramsArray", "has reserved inside", two, &bad_from[2],
            1, stream),
  };
  assert_all_refused(rows);
  assert_ok(xpuStreamSynchronize(stream));
  assert_false(counted.take());
}

// Each call that takes parameters of a node, with every kind of wrong ones.
#define BAD_PARAMS(function, good, brief, wrong, ...)                           \
  WRONG(function, "nodeParams", "is NULL", __VA_ARGS__, nullptr),               \
      WRONG(function, "nodeParams", "is too short", __VA_ARGS__, &brief),       \
      WRONG(function, "nodeParams->numExtSems", "is 0", __VA_ARGS__,            \
            but(good, [](auto& p) { p.numExtSems = 0; })),                      \
      WRONG(function, "nodeParams->extSemArray", "is NULL", __VA_ARGS__,        \
            but(good, [](auto& p) { p.extSemArray = nullptr; })),               \
      WRONG(function, "nodeParams->extSemArray", "has NULL", __VA_ARGS__,       \
            but(good, [](auto& p) { p.extSemArray = none; })),                  \
      WRONG(function, "nodeParams->extSemArray", "has a dead one", __VA_ARGS__, \
            but(good, [](auto& p) { p.extSemArray = gone; })),                  \
      WRONG(function, "nodeParams->paramsArray", "is NULL", __VA_ARGS__,        \
            but(good, [](auto& p) { p.paramsArray = nullptr; })),               \
      WRONG(function, "nodeParams->paramsArray", "has flags", __VA_ARGS__,      \
            but(good, [](auto& p) { p.paramsArray = wrong; }))

static void bad_parameters_of_nodes_are_refused(void**) {
  static const Refusal rows[] = {
      BAD_PARAMS(xpuGraphAddExternalSemaphoresSignalNode, signals, short_signals, bad_to,
                 &outs.node, graph, nullptr, 0),
      BAD_PARAMS(xpuGraphAddExternalSemaphoresWaitNode, awaits, short_awaits, bad_from, &outs.node,
                 graph, nullptr, 0),
      BAD_PARAMS(xpuGraphExternalSemaphoresSignalNodeSetParams, signals, short_signals, bad_to, s),
      BAD_PARAMS(xpuGraphExternalSemaphoresWaitNodeSetParams, awaits, short_awaits, bad_from, w),
      BAD_PARAMS(xpuGraphExecExternalSemaphoresSignalNodeSetParams, signals, short_signals, bad_to,
                 exec, s),
      BAD_PARAMS(xpuGraphExecExternalSemaphoresWaitNodeSetParams, awaits, short_awaits, bad_from,
                 exec, w),
      WRONG(xpuGraphExternalSemaphoresSignalNodeGetParams, "params_out", "is NULL", s, nullptr),
      WRONG(xpuGraphExternalSemaphoresWaitNodeGetParams, "params_out", "is NULL", w, nullptr),
  };
  assert_all_refused(rows);
}

static void bad_graphs_and_nodes_are_refused(void**) {
  static const Refusal rows[] = {
      WRONG(xpuGraphAddExternalSemaphoresSignalNode, "pGraphNode", "is NULL", nullptr, graph,
            nullptr, 0, &signals),
      WRONG(xpuGraphAddExternalSemaphoresWaitNode, "pGraphNode", "is NULL", nullptr, graph, nullptr,
            0, &awaits),
      WRONG(xpuGraphAddExternalSemaphoresSignalNode, "graph", "is NULL", &outs.node, nullptr,
            nullptr, 0, &signals),
      WRONG(xpuGraphAddExternalSemaphoresWaitNode, "graph", "is NULL", &outs.node, nullptr, nullptr,
            0, &awaits),
      WRONG(xpuGraphExternalSemaphoresSignalNodeGetParams, "hNode", "waits", w, &signals),
      WRONG(xpuGraphExternalSemaphoresWaitNodeGetParams, "hNode", "signals", s, &awaits),
      WRONG(xpuGraphExternalSemaphoresSignalNodeSetParams, "hNode", "is empty", e, &signals),
      WRONG(xpuGraphExternalSemaphoresWaitNodeSetParams, "hNode", "is NULL", nullptr, &awaits),
      WRONG(xpuGraphExecExternalSemaphoresSignalNodeSetParams, "hGraphExec", "is NULL", nullptr, s,
            &signals),
      WRONG(xpuGraphExecExternalSemaphoresWaitNodeSetParams, "hGraphExec", "is NULL", nullptr, w,
            &awaits),
      WRONG(xpuGraphExecExternalSemaphoresSignalNodeSetParams, "hNode", "waits", exec, w, &signals),
      WRONG(xpuGraphExecExternalSemaphoresWaitNodeSetParams, "hNode", "signals", exec, s, &awaits),
  };
  assert_all_refused(rows);
}

static void an_executables_node_keeps_the_number_of_semaphores(void**) {
  static const Refusal rows[] = {
      WRONG(xpuGraphExecExternalSemaphoresSignalNodeSetParams, "nodeParams->numExtSems",
            "is another", exec, s,
            but(signals,
                [](auto& p) {
                  p.numExtSems = 2;
                  p.extSemArray = two;
                  p.paramsArray = two_to;
                })),
      WRONG(xpuGraphExecExternalSemaphoresWaitNodeSetParams, "nodeParams->numExtSems", "is another",
            exec, w,
            but(awaits,
                [](auto& p) {
                  p.numExtSems = 2;
                  p.extSemArray = two;
                  p.paramsArray = two_from;
                })),
  };
  assert_all_refused(rows);
}

static void bodies_of_conditional_nodes_take_none(void**) {
  const xpuGraph_t outer = new_graph();
  xpuGraphConditionalHandle handle = 0;
  assert_ok(xpuGraphConditionalHandleCreate(&handle, outer, 1, xpuGraphCondAssignDefault));
  xpuGraphNodeParams params = of_type(xpuGraphNodeTypeConditional);
  params.conditional.handle = handle;
  params.conditional.type = xpuGraphCondTypeIf;
  params.conditional.size = 1;
  (void)add_any(outer, nullptr, &params);
  xpuGraphNode_t node = nullptr;
  assert_code(xpuGraphAddExternalSemaphoresSignalNode(&node, params.conditional.phGraph_out[0],
                                                      nullptr, 0, &signals),
              xpuErrorNotSupported);
  assert_null(node);
  (void)xpuGetLastError();
  assert_ok(xpuGraphDestroy(outer));
}

// Runs where there are two.
static void semaphores_of_another_device_are_refused(void**) {
  int devices = 0;
  assert_ok(xpuGetDeviceCount(&devices));
  if (devices < 2) return;
  assert_ok(xpuSetDevice(1));
  Counted there;
  there.open();
  assert_ok(xpuSetDevice(0));
  assert_code(xpuSignalExternalSemaphoresAsync(&there.handle, &to, 1, stream),
              xpuErrorInvalidResourceHandle);
  assert_string_equal("stream", last_failure().argument);
  xpuExternalSemaphore_t both[] = {counted.handle, there.handle};
  assert_code(xpuSignalExternalSemaphoresAsync(both, two_to, 2, stream), xpuErrorInvalidValue);
  assert_string_equal("extSemArray[1]", last_failure().argument);
  const xpuExternalSemaphoreSignalNodeParams params = {sizeof params, 1, &there.handle, &to};
  assert_code(xpuGraphExecExternalSemaphoresSignalNodeSetParams(exec, s, &params),
              xpuErrorInvalidValue);
  assert_string_equal("nodeParams->extSemArray", last_failure().argument);
  const xpuGraph_t other = new_graph();
  xpuGraphNode_t node = nullptr;
  xpuGraphExec_t made = nullptr;
  assert_ok(xpuGraphAddExternalSemaphoresSignalNode(&node, other, nullptr, 0, &params));
  assert_code(xpuGraphInstantiate(&made, other, 0), xpuErrorInvalidValue);
  assert_null(made);
  (void)xpuGetLastError();
  assert_ok(xpuGraphDestroy(other));
  there.close();
}

int main() {
  const Test tests[] = {
      xpu_test(a_descriptor_of_something_else_is_refused),
      xpu_test(bad_imports_are_refused, needs(shares)),
      xpu_test(bad_uses_in_streams_are_refused, needs(shares)),
      xpu_test(bad_parameters_of_nodes_are_refused, needs(shares)),
      xpu_test(bad_graphs_and_nodes_are_refused, needs(shares)),
      xpu_test(an_executables_node_keeps_the_number_of_semaphores, needs(shares)),
      xpu_test(bodies_of_conditional_nodes_take_none, needs(shares)),
      xpu_test(semaphores_of_another_device_are_refused, needs(shares)),
  };
  return run_all(tests, open_all_semaphores, close_all_semaphores);
}
