// SPDX-License-Identifier: Apache-2.0
// Values in memory that streams and graphs write and wait for.
#include "any_node.h"
#include "capturing.h"

using namespace xpu::test;

static xpuStream_t stream, other;
static uint32_t* word;  // pinned host memory, which the host changes
static uint64_t* wide;  // pinned, too
static int* p;          // of the device

static uint32_t seen() { return std::atomic_ref<uint32_t>(*word).load(); }
static void set(uint32_t value) { std::atomic_ref<uint32_t>(*word).store(value); }
static uint64_t seen_wide() { return std::atomic_ref<uint64_t>(*wide).load(); }
static void set_wide(uint64_t value) { std::atomic_ref<uint64_t>(*wide).store(value); }

static int open_memory(void**) {
  (void)load_first(nullptr);
  void* pinned = nullptr;
  assert_ok(xpuMallocHost(&pinned, 64));
  word = static_cast<uint32_t*>(pinned);
  wide = reinterpret_cast<uint64_t*>(word + 8);
  p = device_ints(8);
  stream = new_stream();
  other = new_stream();
  return 0;
}
static int close_memory(void**) {
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuStreamDestroy(other));
  assert_ok(xpuFreeHost(word));
  assert_ok(xpuFree(p));
  return 0;
}

static void expect_held(xpuStream_t held) {
  sleep_ms(20);
  assert_code(xpuStreamQuery(held), xpuErrorNotReady);
}

static xpuStreamBatchMemOpParams operation(xpuStreamBatchMemOpType type, void* address,
                                           uint64_t value, unsigned flags = 0) {
  xpuStreamBatchMemOpParams one = {};
  one.writeValue.operation = type;
  one.writeValue.address = address;
  one.writeValue.value64 = value;
  one.writeValue.flags = flags;
  return one;
}
static xpuGraphNode_t add_batch(xpuGraph_t graph, xpuGraphNode_t after,
                                const xpuStreamBatchMemOpParams* operations, unsigned count) {
  const xpuBatchMemOpNodeParams params = {sizeof params, count, operations, 0, 0};
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddBatchMemOpNode(&node, graph, &after, after ? 1 : 0, &params));
  return node;
}

static void values_are_written_when_the_work_before_is_done(void**) {
  static Gate gate;
  set(1);
  word[1] = 0;
  set_wide(~uint64_t{0});
  gate.shut(stream);
  assert_ok(xpuStreamWriteValue32(stream, word, 0xfedcba98, xpuStreamWriteValueDefault));
  assert_ok(xpuStreamWriteValue64(stream, wide, 0x123456789abcdef0, 1));
  gate.await();
  if (shown(executes)) assert_int_equal(1, seen());
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) {
    assert_int_equal(0xfedcba98, seen());
    assert_int_equal(0, word[1]);  // what is beside stays
    assert_true(seen_wide() == 0x123456789abcdef0);
  }
}

static void a_stream_waits_until_a_value_is_there(void**) {
  set(4);
  launch_one(stream, "store", p, 0, 1);
  assert_ok(xpuStreamWaitValue32(stream, word, 7, xpuStreamWaitValueEq));
  launch_one(stream, "store", p, 0, 2);
  if (shown(executes)) {
    expect_held(stream);
    set(9);  // larger, and not equal
    expect_held(stream);
    assert_int_equal(1, fetch(p));
  }
  set(7);
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(2, fetch(p));
}

static void a_wait_may_be_for_a_value_or_more(void**) {
  set(0);
  assert_ok(xpuStreamWaitValue32(stream, word, 0x80000001, xpuStreamWaitValueGeq));
  if (shown(executes)) expect_held(stream);
  set(0xffffffff);
  assert_ok(xpuStreamSynchronize(stream));
  assert_ok(xpuStreamWaitValue32(stream, word, 5, xpuStreamWaitValueGeq));
  assert_ok(xpuStreamSynchronize(stream));
}

// Intel's bmg cannot, and says so when a node is added, and not when its graph is launched.
static bool waits_for_64_bits() {
  const xpuError_t answer = xpuStreamWaitValue64(stream, wide, 0, xpuStreamWaitValueGeq);
  if (answer == xpuSuccess) return true;
  assert_int_equal(xpuErrorNotSupported, answer);
  assert_non_null(strstr(last_failure().sentence, "32 bits and not 64"));
  const xpuGraph_t graph = new_graph();
  const xpuStreamBatchMemOpParams one = operation(xpuStreamMemOpWaitValue64, wide, 0);
  const xpuBatchMemOpNodeParams params = {sizeof params, 1, &one, 0, 0};
  xpuGraphNode_t node = nullptr;
  assert_code(xpuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params), xpuErrorNotSupported);
  assert_null(node);
  (void)xpuGetLastError();
  assert_ok(xpuGraphDestroy(graph));
  return false;
}

static void values_of_64_bits_are_compared_whole(void**) {
  const bool can = waits_for_64_bits();
  if (shown(executes)) assert_true(can);
  if (!can) return;
  set_wide(uint64_t{1} << 32);
  assert_ok(xpuStreamWaitValue64(stream, wide, (uint64_t{1} << 32) + 1, xpuStreamWaitValueGeq));
  if (shown(executes)) expect_held(stream);
  set_wide(uint64_t{1} << 33);
  assert_ok(xpuStreamSynchronize(stream));
}

static void one_stream_waits_for_what_another_writes(void**) {
  set(0);
  assert_ok(xpuStreamWaitValue32(stream, word, 3, xpuStreamWaitValueEq));
  launch_one(stream, "copy_one", p, 1, p, 0);
  launch_one(other, "store", p, 0, 44);
  assert_ok(xpuStreamWriteValue32(other, word, 3, 0));
  assert_ok(xpuStreamSynchronize(other));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(44, fetch(p + 1));
}

static void a_batch_does_its_operations_one_after_the_other(void**) {
  set(0);
  set_wide(0);
  const xpuStreamBatchMemOpParams all[] = {
      operation(xpuStreamMemOpWriteValue64, wide, 1),
      operation(xpuStreamMemOpWaitValue32, word, 2, xpuStreamWaitValueGeq),
      operation(xpuStreamMemOpWriteValue64, wide, 3),
  };
  assert_ok(xpuStreamBatchMemOp(stream, 3, all, 0));
  if (shown(executes)) {
    expect_held(stream);
    assert_true(seen_wide() == 1);
  }
  set(2);
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_true(seen_wide() == 3);
}

// In device memory, which a kernel of the graph looks at.
static void a_graph_writes_and_waits_at_every_launch(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuStreamBatchMemOpParams begin[] = {
      operation(xpuStreamMemOpWaitValue32, word, 1, xpuStreamWaitValueEq),
      operation(xpuStreamMemOpWriteValue32, word, 0),
      operation(xpuStreamMemOpWriteValue32, p + 2, 5)};
  const xpuGraphNode_t first = add_batch(graph, nullptr, begin, 3);
  const xpuGraphNode_t more = add_one(graph, first, "add", p, 2, 1);
  (void)add_one(graph, more, "step", p, 10, 1);
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphDestroy(graph));
  set(0);
  launch_one(stream, "store", p, 0, 0);
  for (int turn = 0; turn < 3; turn++) assert_ok(xpuGraphLaunch(exec, stream));
  for (int turn = 0; turn < 3; turn++) {
    if (shown(executes)) expect_held(stream);
    set(1);
    for (int i = 0; shown(executes) && i < 5000 && seen(); i++) sleep_ms(1);
  }
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) {
    assert_int_equal(111, fetch(p));
    assert_int_equal(6, fetch(p + 2));
  }
  assert_ok(xpuGraphExecDestroy(exec));
}

static void what_depends_on_no_wait_is_not_behind_one(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuStreamBatchMemOpParams until =
      operation(xpuStreamMemOpWaitValue32, word, 1, xpuStreamWaitValueEq);
  (void)add_batch(graph, nullptr, &until, 1);
  xpuGraphNode_t at = add_one(graph, nullptr, "store", p, 3, 1);
  at = add_one(graph, at, "add", p, 3, 1);
  const xpuStreamBatchMemOpParams answer = operation(xpuStreamMemOpWriteValue32, word, 1);
  (void)add_batch(graph, at, &answer, 1);
  set(0);
  // The graph opens its own wait.
  run_and_destroy(graph);
  if (shown(executes)) assert_int_equal(2, fetch(p + 3));
}

static void an_executable_gets_other_values_and_addresses(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuStreamBatchMemOpParams one = operation(xpuStreamMemOpWriteValue32, word, 1);
  const xpuStreamBatchMemOpParams next = operation(xpuStreamMemOpWriteValue32, word + 1, 2);
  const xpuStreamBatchMemOpParams last = operation(xpuStreamMemOpWriteValue32, word + 2, 3);
  const xpuGraphNode_t node = add_batch(graph, nullptr, &one, 1);
  const xpuGraphExec_t exec = instantiate(graph);
  memset(word, 0, 16);
  const xpuBatchMemOpNodeParams params = {sizeof params, 1, &next, 0, 0};
  assert_ok(xpuGraphExecBatchMemOpNodeSetParams(exec, node, &params));
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_true(word[0] == 0 && word[1] == 2);
  const xpuBatchMemOpNodeParams more = {sizeof more, 1, &last, 0, 0};
  assert_ok(xpuGraphBatchMemOpNodeSetParams(node, &more));
  xpuBatchMemOpNodeParams told = {sizeof told, 0, nullptr, 0, 0};
  assert_ok(xpuGraphBatchMemOpNodeGetParams(node, &told));
  assert_int_equal(1, told.count);
  assert_ptr_equal(word + 2, told.paramArray[0].writeValue.address);
  xpuGraphExecUpdateResultInfo info = {sizeof info, xpuGraphExecUpdateError, nullptr, nullptr};
  assert_ok(xpuGraphExecUpdate(exec, graph, &info));
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(3, word[2]);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static void a_capture_and_the_generic_calls_make_nodes_of_them(void**) {
  begin(stream);
  assert_ok(xpuStreamWriteValue32(stream, word, 21, 0));
  assert_ok(xpuStreamWaitValue32(stream, word, 21, xpuStreamWaitValueEq));
  const xpuGraph_t graph = end(stream);
  assert_int_equal(2, node_count(graph));
  assert_int_equal(xpuGraphNodeTypeBatchMemOp, type_of(node_at(graph, 1)));
  xpuStreamBatchMemOpParams one = operation(xpuStreamMemOpWriteValue64, wide, 22);
  xpuGraphNodeParams any = of_type(xpuGraphNodeTypeBatchMemOp);
  any.memOp = {0, 1, &one, 0, 0};
  const xpuGraphNode_t node = add_any(graph, node_at(graph, 1), &any);
  one.writeValue.value64 = 23;
  assert_ok(xpuGraphNodeSetParams(node, &any));
  set(0);
  set_wide(0);
  run(graph);
  if (shown(executes)) {
    assert_int_equal(21, seen());
    assert_true(seen_wide() == 23);
  }
  assert_ok(xpuGraphDestroy(graph));
}

int main() {
  const Test tests[] = {
      xpu_test(values_are_written_when_the_work_before_is_done,
               needs(calls_back) + results(executes)),
      xpu_test(a_stream_waits_until_a_value_is_there, results(executes)),
      xpu_test(a_wait_may_be_for_a_value_or_more, results(executes)),
      xpu_test(values_of_64_bits_are_compared_whole, results(executes)),
      xpu_test(one_stream_waits_for_what_another_writes, results(executes)),
      xpu_test(a_batch_does_its_operations_one_after_the_other, results(executes)),
      xpu_test(a_graph_writes_and_waits_at_every_launch, results(executes)),
      xpu_test(what_depends_on_no_wait_is_not_behind_one, results(executes)),
      xpu_test(an_executable_gets_other_values_and_addresses, results(executes)),
      xpu_test(a_capture_and_the_generic_calls_make_nodes_of_them, results(executes)),
  };
  return run_all(tests, open_memory, close_memory);
}
