// SPDX-License-Identifier: Apache-2.0
// Giving captures up, and learning who spoilt one.
#include <sys/syscall.h>
#include <unistd.h>

#include "capturing.h"

using namespace xpu::test;

namespace {

// A pool that nobody holds is gone: its usage cannot be asked for.
size_t live_bytes(const xpuGraphPool& pool) {
  xpuGraphPoolUsage usage = {};
  usage.struct_size = sizeof usage;
  assert_ok(xpuGraphPoolGetUsage(pool, &usage));
  return usage.liveBytes;
}

void check_ordinary(xpuStream_t stream) {
  assert_status(None, stream);
  assert_ok(xpuStreamSynchronize(stream));
  begin(stream);
  launch_one(stream, "noop");
  const xpuGraph_t graph = end(stream);
  assert_int_equal(1, node_count(graph));
  assert_ok(xpuGraphDestroy(graph));
}

void a_running_capture_can_be_given_up_in_any_of_its_streams(void**) {
  const xpuStream_t origin = new_stream(), fork = new_stream();
  for (const xpuStream_t asked : {origin, fork}) {
    xpuStreamCaptureStatus state;
    xpuGraph_t graph = nullptr;
    begin(origin);
    launch_one(origin, "noop");
    order(origin, fork);
    launch_one(fork, "noop");
    assert_ok(xpuStreamGetCaptureInfo(origin, &state, nullptr, &graph, nullptr, nullptr, nullptr));

    assert_ok(xpuStreamAbortCapture(asked));

    assert_code(xpuGraphDestroy(graph), xpuErrorInvalidValue);
    check_ordinary(origin);
    check_ordinary(fork);
  }
  assert_ok(xpuStreamDestroy(origin));
  assert_ok(xpuStreamDestroy(fork));
}

void a_spoilt_capture_can_be_given_up(void**) {
  const xpuStream_t s = new_stream();
  begin(s);
  assert_code(xpuStreamSynchronize(s), xpuErrorStreamCaptureUnsupported);
  assert_status(Invalidated, s);

  assert_ok(xpuStreamAbortCapture(s));

  check_ordinary(s);
  assert_ok(xpuStreamDestroy(s));
}

void another_thread_can_give_a_capture_up(void**) {
  const xpuStream_t s = new_stream();
  for (const xpuStreamCaptureMode mode :
       {xpuStreamCaptureModeGlobal, xpuStreamCaptureModeThreadLocal, xpuStreamCaptureModeRelaxed}) {
    begin(s, mode);
    launch_one(s, "noop");
    assert_ok(elsewhere([=] { return xpuStreamAbortCapture(s); }));
    check_ordinary(s);
  }
  assert_ok(xpuStreamDestroy(s));
}

void giving_up_where_nothing_is_captured_does_nothing(void**) {
  const xpuStream_t s = new_stream();
  for (int i = 0; i < 2; i++) {
    assert_ok(xpuStreamAbortCapture(s));
    assert_ok(xpuStreamAbortCapture(nullptr));
    assert_ok(xpuStreamAbortCapture(xpuStreamPerThread));
    check_ordinary(s);
  }
  assert_ok(xpuStreamDestroy(s));
  assert_code(xpuStreamAbortCapture(s), xpuErrorInvalidResourceHandle);
}

// Nothing of it is in the next capture, and no event leads back.
void an_event_of_a_capture_that_was_given_up_is_of_no_use(void**) {
  const xpuStream_t s = new_stream();
  const xpuEvent_t event = new_event();
  begin(s);
  launch_one(s, "noop");
  assert_ok(xpuEventRecord(event, s));
  assert_ok(xpuStreamAbortCapture(s));

  assert_code(xpuEventQuery(event), xpuErrorInvalidValue);
  begin(s);
  assert_code(xpuStreamWaitEvent(s, event, 0), xpuErrorInvalidValue);
  assert_ok(xpuStreamAbortCapture(s));
  assert_ok(xpuEventRecord(event, s));
  assert_ok(xpuEventSynchronize(event));
  assert_ok(xpuEventDestroy(event));
  assert_ok(xpuStreamDestroy(s));
}

void a_graph_that_was_there_before_stays(void**) {
  const xpuStream_t s = new_stream();
  const xpuGraph_t graph = new_graph();
  assert_ok(
      xpuStreamBeginCaptureToGraph(s, graph, nullptr, nullptr, 0, xpuStreamCaptureModeGlobal));
  launch_one(s, "noop");
  assert_code(xpuGraphDestroy(graph), xpuErrorIllegalState);

  assert_ok(xpuStreamAbortCapture(s));

  assert_int_equal(1, node_count(graph));
  assert_ok(xpuGraphDestroyNode(node_at(graph, 0)));
  run_and_destroy(graph);
  assert_ok(xpuStreamDestroy(s));
}

void memory_of_a_private_pool_is_given_back(void**) {
  const xpuStream_t s = new_stream();
  xpuStreamCaptureParams params = {};
  params.struct_size = sizeof params;
  params.mode = xpuStreamCaptureModeGlobal;
  assert_ok(xpuGraphPoolCreate(&params.pool));
  for (int i = 0; i < 2; i++) {
    void* memory = nullptr;
    assert_ok(xpuStreamBeginCaptureWithParams(s, &params));
    assert_ok(xpuMallocAsync(&memory, 4096, s));
    assert_int_equal(4096, live_bytes(params.pool));
    assert_ok(xpuStreamAbortCapture(s));
    assert_int_equal(0, live_bytes(params.pool));
  }
  assert_ok(xpuGraphPoolRelease(params.pool));
  assert_ok(xpuStreamDestroy(s));
}

// A thousand captures that are lost in every way leave no handle and no session behind.
void captures_can_be_given_up_again_and_again(void**) {
  const xpuStream_t origin = new_stream(), fork = new_stream();
  for (int i = 0; i < 1000; i++) {
    begin(origin);
    launch_one(origin, "noop");
    if (i % 2) order(origin, fork);
    if (i % 3 == 0) (void)xpuStreamQuery(origin);
    assert_ok(xpuStreamAbortCapture(i % 2 ? fork : origin));
  }
  check_ordinary(origin);
  check_ordinary(fork);
  assert_ok(xpuStreamDestroy(origin));
  assert_ok(xpuStreamDestroy(fork));
}

long this_thread() { return syscall(SYS_gettid); }
// The number of the thread that does it, 0 if it is not refused.
long spoil() {
  return xpuDeviceSynchronize() == xpuErrorStreamCaptureUnsupported ? this_thread() : 0;
}

void the_end_tells_which_call_in_which_thread_was_the_cause(void**) {
  const xpuStream_t s = new_stream();
  char expected[64];
  begin(s);
  const long culprit = elsewhere(spoil);
  assert_true(culprit != 0 && culprit != this_thread());
  snprintf(expected, sizeof expected, "xpuDeviceSynchronize in thread %ld", culprit);

  // What spoils it later is not the cause.
  assert_code(xpuStreamQuery(s), xpuErrorStreamCaptureInvalidated);
  end_lost(s, xpuErrorStreamCaptureInvalidated);

  const xpuErrorInfo info = last_failure();
  assert_string_equal("xpuStreamEndCapture", info.function);
  if (!strstr(info.sentence, expected)) fail_msg("no \"%s\" in: %s", expected, info.sentence);

  // It is told once, and nothing of it sticks to later calls.
  assert_code(xpuGetLastError(), xpuErrorStreamCaptureInvalidated);
  check_ordinary(s);
  assert_code(xpuGetLastError(), xpuSuccess);
  assert_ok(xpuStreamDestroy(s));
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(a_running_capture_can_be_given_up_in_any_of_its_streams),
      xpu_test(a_spoilt_capture_can_be_given_up),
      xpu_test(another_thread_can_give_a_capture_up),
      xpu_test(giving_up_where_nothing_is_captured_does_nothing),
      xpu_test(an_event_of_a_capture_that_was_given_up_is_of_no_use),
      xpu_test(a_graph_that_was_there_before_stays),
      xpu_test(memory_of_a_private_pool_is_given_back),
      xpu_test(captures_can_be_given_up_again_and_again),
      xpu_test(the_end_tells_which_call_in_which_thread_was_the_cause),
  };
  return run_all(tests, load_first);
}
