// SPDX-License-Identifier: Apache-2.0
// Captured work: each kind of call becomes its kind of node, and a replay does what the calls would
// have done.
#include "capturing.h"

using namespace xpu::test;

namespace {

constexpr int kWidth = 16, kHeight = 4, kDepth = 3;
constexpr size_t kBytes = kWidth * kHeight * kDepth;

void count_call(void* user) { ++*static_cast<std::atomic<int>*>(user); }

// The same work for a stream that is captured and for one that is not.
void give_work(xpuStream_t s, int* p, int n) {
  launch(s, "fill_range", dim(4), dim(64), p, n, 3);
  launch(s, "axpb", dim(4), dim(64), p, n, 5, 7);
  launch_one(s, "step", p, 2, 1);
  assert_ok(xpuMemsetAsync(p + 8, 0x11, 4 * sizeof(int), s));
  assert_ok(xpuMemcpyAsync(p + 16, p + 4, 8 * sizeof(int), xpuMemcpyDeviceToDevice, s));
  launch(s, "axpb", dim(4), dim(64), p, n, 3, 1);
}

void a_replay_gives_what_the_calls_give(void**) {
  constexpr int n = 256;
  static int eager[n], replayed[n];
  const xpuStream_t s = new_stream();
  int* a = device_ints(n);
  int* b = device_ints(n);

  give_work(s, a, n);
  assert_ok(xpuStreamSynchronize(s));
  begin(s);
  give_work(s, b, n);
  const xpuGraph_t graph = end(s);
  assert_int_equal(6, node_count(graph));
  assert_int_equal(5, edge_count(graph));
  run_and_destroy(graph);

  fetch(eager, a, sizeof eager);
  fetch(replayed, b, sizeof replayed);
  if (shown(executes)) assert_memory_equal(eager, replayed, sizeof eager);
  assert_ok(xpuFree(a));
  assert_ok(xpuFree(b));
  assert_ok(xpuStreamDestroy(s));
}

void nothing_runs_while_it_is_captured(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(1, 5);

  begin(s);
  launch_one(s, "store", p, 0, 6);
  const xpuGraph_t graph = end(s);

  assert_ok(xpuStreamSynchronize(s));
  if (shown(executes)) assert_int_equal(5, fetch(p));
  run_and_destroy(graph);
  if (shown(executes)) assert_int_equal(6, fetch(p));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
}

void arguments_are_those_of_the_call(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(2);
  int index = 1, value = 42;
  void* args[] = {&p, &index, &value};

  begin(s);
  assert_ok(xpuLaunchKernel(kernel("store"), dim(1), dim(1), args, 0, s));
  index = 0;
  value = 7;
  run_and_destroy(end(s));

  if (shown(executes)) assert_int_equal(0, fetch(p));
  if (shown(executes)) assert_int_equal(42, fetch(p + 1));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
}

void each_call_becomes_its_kind_of_node(void**) {
  const xpuStream_t s = new_stream();
  void* d = nullptr;
  assert_ok(xpuMalloc(&d, 2 * kBytes));
  unsigned char* to = static_cast<unsigned char*>(d);
  std::atomic<int> calls{0};
  const xpuEvent_t event = new_event();
  const xpuGraph_t child = new_graph();
  const xpuGraphExec_t exec = instantiate(child);
  xpuMemcpy3DParms block = {};
  block.struct_size = sizeof block;
  block.srcPtr = {to, kWidth, kWidth, kHeight};
  block.dstPtr = {to + kBytes, kWidth, kWidth, kHeight};
  block.extent = {kWidth / 2, kHeight, kDepth};
  block.kind = xpuMemcpyDeviceToDevice;

  begin(s);
  launch_one(s, "noop");
  assert_ok(xpuMemcpyAsync(to, to + kBytes, kBytes, xpuMemcpyDefault, s));
  assert_ok(xpuMemcpy2DAsync(to, kWidth, to + kBytes, kWidth, 3, kHeight, xpuMemcpyDefault, s));
  assert_ok(xpuMemcpy3DAsync(&block, s));
  assert_ok(xpuMemsetAsync(to, 1, kBytes, s));
  assert_ok(xpuMemset2DAsync(to, kWidth, 2, 3, kHeight, s));
  assert_ok(xpuLaunchHostFunc(s, count_call, &calls));
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuEventRecordWithFlags(event, s, xpuEventRecordExternal));
  assert_ok(xpuStreamWaitEvent(s, event, xpuEventWaitExternal));
  const xpuGraph_t graph = end(s);

  static const xpuGraphNodeType expected[] = {
      xpuGraphNodeTypeKernel,   xpuGraphNodeTypeMemcpy, xpuGraphNodeTypeMemcpy,
      xpuGraphNodeTypeMemcpy,   xpuGraphNodeTypeMemset, xpuGraphNodeTypeMemset,
      xpuGraphNodeTypeHost,     xpuGraphNodeTypeGraph,  xpuGraphNodeTypeEventRecord,
      xpuGraphNodeTypeWaitEvent};
  constexpr size_t kinds = sizeof expected / sizeof *expected;
  assert_int_equal(kinds, node_count(graph));
  for (size_t i = 0; i < kinds; i++) assert_int_equal(expected[i], type_of(node_at(graph, i)));
  assert_int_equal(0, calls.load());
  run_and_destroy(graph, 2);
  if (shown(calls_back)) assert_int_equal(2, calls.load());
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(child));
  assert_ok(xpuEventDestroy(event));
  assert_ok(xpuFree(d));
  assert_ok(xpuStreamDestroy(s));
}

// Bytes that the reference expects after a pitched copy and a pitched fill of rows.
void expect_rows(unsigned char* image, const unsigned char* from) {
  for (int y = 0; y < kHeight; y++)
    for (int x = 0; x < 5; x++) image[y * kWidth + x] = from[y * kWidth + 2 + x];
  for (int y = 0; y < kHeight - 1; y++)
    for (int x = 0; x < 3; x++) image[(y + 1) * kWidth + 9 + x] = 0x5a;
}

void captured_rows_land_where_they_should(void**) {
  static unsigned char from[kWidth * kHeight], got[kWidth * kHeight], want[kWidth * kHeight];
  for (size_t i = 0; i < sizeof from; i++) from[i] = static_cast<unsigned char>(7 * i + 1);
  expect_rows(want, from);
  const xpuStream_t s = new_stream();
  void *a = nullptr, *b = nullptr;
  assert_ok(xpuMalloc(&a, sizeof from));
  assert_ok(xpuMalloc(&b, sizeof from));
  assert_ok(xpuMemcpy(a, from, sizeof from, xpuMemcpyHostToDevice));
  assert_ok(xpuMemset(b, 0, sizeof from));
  assert_ok(xpuDeviceSynchronize());  // a fill of device memory may still be under way
  unsigned char* dst = static_cast<unsigned char*>(b);

  begin(s);
  assert_ok(xpuMemcpy2DAsync(dst, kWidth, static_cast<unsigned char*>(a) + 2, kWidth, 5, kHeight,
                             xpuMemcpyDeviceToDevice, s));
  assert_ok(xpuMemset2DAsync(dst + kWidth + 9, kWidth, 0x5a, 3, kHeight - 1, s));
  run_and_destroy(end(s));

  fetch(got, b, sizeof got);
  if (shown(executes)) assert_memory_equal(want, got, sizeof got);
  assert_ok(xpuFree(a));
  assert_ok(xpuFree(b));
  assert_ok(xpuStreamDestroy(s));
}

void a_launch_in_a_capture_outlives_its_executable(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(1, 1);
  const xpuGraph_t inner = new_graph();
  add_one(inner, add_one(inner, nullptr, "step", p, 3, 0), "step", p, 1, 4);
  const xpuGraphExec_t exec = instantiate(inner);

  begin(s);
  assert_ok(xpuGraphLaunch(exec, s));
  launch_one(s, "step", p, 10, 0);
  const xpuGraph_t outer = end(s);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(inner));
  run_and_destroy(outer, 2);

  if (shown(executes)) assert_int_equal(((1 * 3 + 4) * 10 * 3 + 4) * 10, fetch(p));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
}

void an_empty_capture_gives_an_empty_graph(void**) {
  const xpuStream_t s = new_stream();

  begin(s);
  const xpuGraph_t graph = end(s);

  assert_int_equal(0, node_count(graph));
  run_and_destroy(graph);
  assert_ok(xpuStreamDestroy(s));
}

void a_copy_of_nothing_makes_no_node(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(2);

  begin(s);
  assert_ok(xpuMemcpyAsync(p, p + 1, 0, xpuMemcpyDefault, s));
  assert_ok(xpuMemsetAsync(p, 0, 0, s));
  const xpuGraph_t graph = end(s);

  assert_int_equal(0, node_count(graph));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
}

void a_bad_launch_loses_the_capture(void**) {
  const xpuStream_t s = new_stream();
  void* none[] = {nullptr};

  begin(s);
  assert_code(xpuLaunchKernel(kernel("noop"), dim(0), dim(1), none, 0, s),
              xpuErrorInvalidConfiguration);
  assert_status(Invalidated, s);
  assert_code(xpuLaunchKernel(kernel("noop"), dim(1), dim(1), none, 0, s),
              xpuErrorStreamCaptureInvalidated);
  end_lost(s, xpuErrorStreamCaptureInvalidated);

  assert_non_null(strstr(last_failure().sentence, "xpuLaunchKernel"));
  assert_status(None, s);
  launch_one(s, "noop");
  assert_ok(xpuStreamSynchronize(s));
  assert_ok(xpuStreamDestroy(s));
}

void the_per_thread_stream_can_be_captured(void**) {
  int* p = device_ints(1);

  begin(xpuStreamPerThread);
  launch_one(xpuStreamPerThread, "store", p, 0, 9);
  const xpuGraph_t graph = end(xpuStreamPerThread);
  run_and_destroy(graph);

  if (shown(executes)) assert_int_equal(9, fetch(p));
  assert_ok(xpuFree(p));
}

void a_module_may_go_before_the_captured_graph_runs(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(1);
  const xpuModule_t module = load_kernels();
  xpuKernel_t store = nullptr;
  assert_ok(xpuModuleGetKernel(&store, module, "store"));
  int index = 0, value = 11;
  void* args[] = {&p, &index, &value};

  begin(s);
  assert_ok(xpuLaunchKernel(store, dim(1), dim(1), args, 0, s));
  const xpuGraph_t graph = end(s);
  assert_ok(xpuModuleUnload(module));
  run_and_destroy(graph);

  if (shown(executes)) assert_int_equal(11, fetch(p));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(a_replay_gives_what_the_calls_give, results(executes)),
      xpu_test(nothing_runs_while_it_is_captured, results(executes)),
      xpu_test(arguments_are_those_of_the_call, results(executes)),
      xpu_test(each_call_becomes_its_kind_of_node, results(calls_back)),
      xpu_test(captured_rows_land_where_they_should, results(executes)),
      xpu_test(a_launch_in_a_capture_outlives_its_executable, results(executes)),
      xpu_test(an_empty_capture_gives_an_empty_graph),
      xpu_test(a_copy_of_nothing_makes_no_node),
      xpu_test(a_bad_launch_loses_the_capture),
      xpu_test(the_per_thread_stream_can_be_captured, results(executes)),
      xpu_test(a_module_may_go_before_the_captured_graph_runs, results(executes)),
  };
  return run_all(tests, load_first);
}
