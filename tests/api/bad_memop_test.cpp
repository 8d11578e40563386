// SPDX-License-Identifier: Apache-2.0
// Operations on values in memory that cannot be: addresses, flags, kinds, arrays, nodes.
#include "ground.h"

using namespace xpu::test;

#define WRONG(function, argument, what, ...) \
  REFUSED(xpuErrorInvalidValue, function, argument, what, __VA_ARGS__)
#define UNSUPPORTED(function, argument, what, ...) \
  REFUSED(xpuErrorNotSupported, function, argument, what, __VA_ARGS__)

static char* at;  // 64 bytes
static char own[64];
static xpuStream_t stream;
static xpuGraph_t graph;
static xpuGraphNode_t node, e;
static xpuGraphExec_t exec;
static xpuStreamBatchMemOpParams good, two[2];
static xpuBatchMemOpNodeParams params;

static int open_batch(void**) {
  void* memory = nullptr;
  assert_ok(xpuMallocHost(&memory, 64));
  at = static_cast<char*>(memory);
  stream = new_stream();
  graph = new_graph();
  good.writeValue.operation = xpuStreamMemOpWriteValue32;
  good.writeValue.address = at;
  good.writeValue.value64 = 77;
  two[0] = two[1] = good;
  params = {sizeof params, 1, &good, 0, 0};
  memset(at, 0, 64);
  assert_ok(xpuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params));
  assert_ok(xpuGraphAddEmptyNode(&e, graph, nullptr, 0));
  exec = instantiate(graph);
  return 0;
}
static int close_batch(void**) {
  // After all that was refused it still runs, and is what it was.
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (!(lacks() & executes)) assert_int_equal(77, at[0]);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuFreeHost(at));
  return 0;
}

template <class T, class Change>
static T* but(const T& right, Change change) {
  static T bad;
  bad = right;
  change(bad);
  return &bad;
}

#define BAD_STREAM_CALLS(function, bytes, bad_flags)                                               \
  WRONG(function, "addr", "is NULL", stream, nullptr, 1, 0),                                       \
      WRONG(function, "addr", "is between values", stream, at + bytes / 2, 1, 0),                  \
      WRONG(function, "addr", "is a program's own", stream, own + 8 - (uintptr_t(own) & 7), 1, 0), \
      WRONG(function, "addr", "is behind the end", stream, at + 4096 * 1024, 1, 0),                \
      WRONG(function, "flags", "is unknown", stream, at, 1, bad_flags),                            \
      REFUSED(xpuErrorInvalidResourceHandle, function, "stream", "is none",                        \
              reinterpret_cast<xpuStream_t>(graph), at, 1, 0)

static void bad_calls_on_streams_are_refused(void**) {
  static const Refusal rows[] = {
      BAD_STREAM_CALLS(xpuStreamWriteValue32, 4, 2),
      BAD_STREAM_CALLS(xpuStreamWriteValue64, 8, 2),
      BAD_STREAM_CALLS(xpuStreamWaitValue32, 4, 4),
      BAD_STREAM_CALLS(xpuStreamWaitValue64, 8, 4),
      UNSUPPORTED(xpuStreamWaitValue32, "flags", "are for bits", stream, at, 1,
                  xpuStreamWaitValueAnd),
      UNSUPPORTED(xpuStreamWaitValue64, "flags", "are for bits", stream, at, 1,
                  xpuStreamWaitValueNor),
      UNSUPPORTED(xpuStreamWaitValue32, "flags", "flush", stream, at, 1, xpuStreamWaitValueFlush),
  };
  assert_all_refused(rows);
}

static void bad_batches_are_refused(void**) {
  static const Refusal rows[] = {
      WRONG(xpuStreamBatchMemOp, "count", "is 0", stream, 0, two, 0),
      WRONG(xpuStreamBatchMemOp, "count", "is too many", stream, 257, two, 0),
      WRONG(xpuStreamBatchMemOp, "paramArray", "is NULL", stream, 1, nullptr, 0),
      WRONG(xpuStreamBatchMemOp, "flags", "is not 0", stream, 1, two, 1),
      REFUSED(xpuErrorInvalidResourceHandle, xpuStreamBatchMemOp, "stream", "is none",
              reinterpret_cast<xpuStream_t>(graph), 1, two, 0),
      WRONG(xpuStreamBatchMemOp, "paramArray[0].operation", "is unknown", stream, 1,
            but(good, [](auto& one) { one.operation = static_cast<xpuStreamBatchMemOpType>(99); }),
            0),
      UNSUPPORTED(xpuStreamBatchMemOp, "paramArray[0].operation", "is a barrier", stream, 1,
                  but(good, [](auto& one) { one.operation = xpuStreamMemOpBarrier; }), 0),
      UNSUPPORTED(xpuStreamBatchMemOp, "paramArray[0].operation", "is a flush", stream, 1,
                  but(good, [](auto& one) { one.operation = xpuStreamMemOpFlushRemoteWrites; }), 0),
      WRONG(xpuStreamBatchMemOp, "paramArray[0].alias", "is not NULL", stream, 1,
            but(good, [](auto& one) { one.writeValue.alias = at; }), 0),
      WRONG(xpuStreamBatchMemOp, "paramArray[0].alias", "has more behind it", stream, 1,
            but(good, [](auto& one) { one.pad[5] = 1; }), 0),
      WRONG(xpuStreamBatchMemOp, "paramArray[0].address", "is odd", stream, 1,
            but(good, [](auto& one) { one.writeValue.address = at + 1; }), 0),
      WRONG(xpuStreamBatchMemOp, "paramArray[0].flags", "is unknown", stream, 1,
            but(good, [](auto& one) { one.writeValue.flags = 8; }), 0),
  };
  assert_all_refused(rows);
}

#define BAD_PARAMS(function, ...)                                                            \
  WRONG(function, "nodeParams", "is NULL", __VA_ARGS__, nullptr),                            \
      WRONG(function, "nodeParams", "is too short", __VA_ARGS__,                             \
            but(params, [](auto& p) { p.struct_size = 8; })),                                \
      WRONG(function, "nodeParams", "has reserved", __VA_ARGS__,                             \
            but(params, [](auto& p) { p.reserved = 1; })),                                   \
      WRONG(function, "nodeParams->count", "is 0", __VA_ARGS__,                              \
            but(params, [](auto& p) { p.count = 0; })),                                      \
      WRONG(function, "nodeParams->paramArray", "is NULL", __VA_ARGS__,                      \
            but(params, [](auto& p) { p.paramArray = nullptr; })),                           \
      WRONG(function, "nodeParams->flags", "is not 0", __VA_ARGS__,                          \
            but(params, [](auto& p) { p.flags = 1; })),                                      \
      WRONG(function, "nodeParams->paramArray[0].address", "is NULL", __VA_ARGS__,           \
            but(params, [](auto& p) {                                                        \
              p.paramArray = but(good, [](auto& one) { one.writeValue.address = nullptr; }); \
            }))

static void bad_nodes_are_refused(void**) {
  static const Refusal rows[] = {
      BAD_PARAMS(xpuGraphAddBatchMemOpNode, &outs.node, graph, nullptr, 0),
      BAD_PARAMS(xpuGraphBatchMemOpNodeSetParams, node),
      BAD_PARAMS(xpuGraphExecBatchMemOpNodeSetParams, exec, node),
      WRONG(xpuGraphAddBatchMemOpNode, "pGraphNode", "is NULL", nullptr, graph, nullptr, 0,
            &params),
      WRONG(xpuGraphAddBatchMemOpNode, "graph", "is NULL", &outs.node, nullptr, nullptr, 0,
            &params),
      WRONG(xpuGraphBatchMemOpNodeSetParams, "hNode", "is empty", e, &params),
      WRONG(xpuGraphBatchMemOpNodeGetParams, "hNode", "is empty", e, &params),
      WRONG(xpuGraphBatchMemOpNodeGetParams, "params_out", "is NULL", node, nullptr),
      WRONG(xpuGraphExecBatchMemOpNodeSetParams, "hGraphExec", "is NULL", nullptr, node, &params),
      WRONG(xpuGraphExecBatchMemOpNodeSetParams, "hNode", "is empty", exec, e, &params),
      WRONG(xpuGraphExecBatchMemOpNodeSetParams, "nodeParams->paramArray", "are more", exec, node,
            but(params,
                [](auto& p) {
                  p.count = 2;
                  p.paramArray = two;
                })),
      WRONG(xpuGraphExecBatchMemOpNodeSetParams, "nodeParams->paramArray", "are others", exec, node,
            but(params,
                [](auto& p) {
                  p.paramArray =
                      but(good, [](auto& one) { one.operation = xpuStreamMemOpWriteValue64; });
                })),
  };
  assert_all_refused(rows);
}

int main() {
  const Test tests[] = {
      xpu_test(bad_calls_on_streams_are_refused),
      xpu_test(bad_batches_are_refused),
      xpu_test(bad_nodes_are_refused),
  };
  return run_all(tests, open_batch, close_batch);
}
