// SPDX-License-Identifier: Apache-2.0
// What is refused while something is captured: unsafe calls by mode and thread, waits for captured
// work, and the legacy default stream.
#include "capturing.h"

using namespace xpu::test;

namespace {

constexpr xpuStreamCaptureMode kModes[] = {
    xpuStreamCaptureModeGlobal, xpuStreamCaptureModeThreadLocal, xpuStreamCaptureModeRelaxed};

// The rule of capture.h, in its own words.
bool is_refused(xpuStreamCaptureMode capture, xpuStreamCaptureMode caller, bool other_thread) {
  const bool own_strict = !other_thread && capture != xpuStreamCaptureModeRelaxed;
  if (caller == xpuStreamCaptureModeRelaxed) return false;
  if (caller == xpuStreamCaptureModeThreadLocal) return own_strict;
  return own_strict || capture == xpuStreamCaptureModeGlobal;
}

xpuError_t allocate_as(xpuStreamCaptureMode caller) {
  void* memory = nullptr;
  xpuStreamCaptureMode mode = caller;
  (void)xpuThreadExchangeStreamCaptureMode(&mode);
  const xpuError_t result = xpuMalloc(&memory, 64);
  if (memory) (void)xpuFree(memory);
  (void)xpuThreadExchangeStreamCaptureMode(&mode);
  return result;
}

void check_unsafe_call(xpuStreamCaptureMode capture, xpuStreamCaptureMode caller, bool other) {
  const xpuStream_t s = new_stream();
  const bool refused = is_refused(capture, caller, other);

  begin(s, capture);
  launch_one(s, "noop");
  const xpuError_t got =
      other ? elsewhere([=] { return allocate_as(caller); }) : allocate_as(caller);

  assert_code(got, refused ? xpuErrorStreamCaptureUnsupported : xpuSuccess);
  assert_int_equal(refused ? xpuStreamCaptureStatusInvalidated : xpuStreamCaptureStatusActive,
                   status(s));
  if (refused)
    end_lost(s, xpuErrorStreamCaptureInvalidated);
  else
    assert_ok(xpuGraphDestroy(end(s)));
  assert_status(None, s);
  assert_ok(xpuStreamDestroy(s));
}

void unsafe_calls_are_refused_by_mode_and_thread(void**) {
  for (const xpuStreamCaptureMode capture : kModes)
    for (const xpuStreamCaptureMode caller : kModes) {
      check_unsafe_call(capture, caller, false);
      check_unsafe_call(capture, caller, true);
    }
}

xpuError_t load_nothing() {
  xpuModule_t module = nullptr;
  return xpuModuleLoadData(&module, "", 1);
}
xpuError_t free_memory(void* p) { return xpuFree(p); }

void every_unsafe_call_spoils_the_capture(void**) {
  static void* memory = nullptr;
  static xpuEvent_t event = nullptr;
  static xpuStream_t other = nullptr;
  assert_ok(xpuMalloc(&memory, 64));
  event = new_event();
  other = new_stream();
  const xpuStream_t s = new_stream();
  static xpuError_t (*const calls[])() = {
      [] { return free_memory(memory); },
      [] { return xpuFreeHost(memory); },
      [] {
        void* p;
        return xpuMallocHost(&p, 64);
      },
      [] {
        void* p;
        return xpuMallocManaged(&p, 64, xpuMemAttachGlobal);
      },
      [] {
        void* p;
        size_t pitch;
        return xpuMallocPitch(&p, &pitch, 4, 4);
      },
      load_nothing,
      [] { return xpuStreamSynchronize(other); },
      [] { return xpuStreamQuery(other); },
      [] { return xpuEventSynchronize(event); },
      [] { return xpuEventQuery(event); },
      [] {
        int value = 0;
        return xpuMemcpy(memory, &value, sizeof value, xpuMemcpyHostToDevice);
      },
      [] { return xpuMemset(memory, 0, 64); },
  };

  for (auto call : calls) {
    begin(s);
    assert_code(call(), xpuErrorStreamCaptureUnsupported);
    assert_status(Invalidated, s);
    end_lost(s, xpuErrorStreamCaptureInvalidated);
  }
  assert_ok(xpuFree(memory));
  assert_ok(xpuEventDestroy(event));
  assert_ok(xpuStreamDestroy(other));
  assert_ok(xpuStreamDestroy(s));
}

void waiting_for_captured_work_is_refused_in_every_mode(void**) {
  const xpuStream_t s = new_stream(), fork = new_stream();
  const xpuEvent_t event = new_event();

  for (const xpuStreamCaptureMode mode : kModes) {
    begin(s, mode);
    assert_code(xpuStreamSynchronize(s), xpuErrorStreamCaptureUnsupported);
    end_lost(s, xpuErrorStreamCaptureInvalidated);

    begin(s, mode);
    order(s, fork);
    assert_code(xpuStreamQuery(fork), xpuErrorStreamCaptureUnsupported);
    assert_status(Invalidated, s);
    assert_status(Invalidated, fork);
    end_lost(s, xpuErrorStreamCaptureInvalidated);
    assert_status(None, fork);

    begin(s, mode);
    assert_code(xpuDeviceSynchronize(), xpuErrorStreamCaptureUnsupported);
    end_lost(s, xpuErrorStreamCaptureInvalidated);

    begin(s, mode);
    assert_ok(xpuEventRecord(event, s));
    assert_code(xpuEventQuery(event), xpuErrorCapturedEvent);
    assert_status(Invalidated, s);
    end_lost(s, xpuErrorStreamCaptureInvalidated);
    assert_code(xpuEventSynchronize(event), xpuErrorInvalidValue);
  }
  assert_ok(xpuEventDestroy(event));
  assert_ok(xpuStreamDestroy(fork));
  assert_ok(xpuStreamDestroy(s));
}

void the_legacy_stream_cannot_be_captured(void**) {
  assert_code(xpuStreamBeginCapture(nullptr, xpuStreamCaptureModeGlobal),
              xpuErrorStreamCaptureUnsupported);
  assert_code(xpuStreamBeginCapture(xpuStreamLegacy, xpuStreamCaptureModeRelaxed),
              xpuErrorStreamCaptureUnsupported);
}

void the_legacy_stream_is_refused_while_a_blocking_stream_is_captured(void**) {
  xpuStream_t blocking = nullptr;
  xpuStreamCaptureStatus seen;
  assert_ok(xpuStreamCreate(&blocking));
  void* none[] = {nullptr};
  int value = 0;
  int* p = device_ints(1);

  for (const xpuStreamCaptureMode mode : kModes) {
    begin(blocking, mode);
    assert_code(xpuStreamIsCapturing(nullptr, &seen), xpuErrorStreamCaptureImplicit);
    assert_status(Active, blocking);
    assert_code(xpuLaunchKernel(kernel("noop"), dim(1), dim(1), none, 0, nullptr),
                xpuErrorStreamCaptureImplicit);
    assert_status(Invalidated, blocking);
    end_lost(blocking, xpuErrorStreamCaptureInvalidated);

    begin(blocking, mode);
    assert_code(xpuMemcpy(&value, p, sizeof value, xpuMemcpyDeviceToHost),
                xpuErrorStreamCaptureImplicit);
    end_lost(blocking, xpuErrorStreamCaptureInvalidated);
  }
  launch_one(nullptr, "noop");
  assert_ok(xpuDeviceSynchronize());
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(blocking));
}

void the_legacy_stream_works_while_a_nonblocking_stream_is_captured(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(1);

  begin(s, xpuStreamCaptureModeRelaxed);
  launch_one(nullptr, "store", p, 0, 3);
  assert_status(None, nullptr);
  if (shown(executes)) assert_int_equal(3, fetch(p));
  assert_status(Active, s);

  assert_ok(xpuGraphDestroy(end(s)));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
}

void a_stream_is_captured_once_at_a_time(void**) {
  const xpuStream_t s = new_stream(), fork = new_stream();

  begin(s);
  order(s, fork);
  assert_code(xpuStreamBeginCapture(s, xpuStreamCaptureModeGlobal), xpuErrorIllegalState);
  assert_code(xpuStreamBeginCapture(fork, xpuStreamCaptureModeGlobal), xpuErrorIllegalState);

  assert_status(Active, s);
  assert_ok(xpuGraphDestroy(end(s)));
  assert_ok(xpuStreamDestroy(fork));
  assert_ok(xpuStreamDestroy(s));
}

void a_capture_ends_where_it_began(void**) {
  const xpuStream_t s = new_stream(), fork = new_stream();
  xpuGraph_t graph = nullptr;

  assert_code(xpuStreamEndCapture(s, &graph), xpuErrorIllegalState);
  begin(s);
  order(s, fork);
  assert_code(xpuStreamEndCapture(fork, &graph), xpuErrorStreamCaptureUnmatched);
  assert_code(elsewhere([=, &graph] { return xpuStreamEndCapture(s, &graph); }),
              xpuErrorStreamCaptureWrongThread);
  assert_code(xpuStreamEndCapture(s, nullptr), xpuErrorInvalidValue);
  assert_null(graph);
  assert_status(Active, s);
  assert_ok(xpuGraphDestroy(end(s)));

  begin(s, xpuStreamCaptureModeRelaxed);
  assert_ok(elsewhere([=, &graph] { return xpuStreamEndCapture(s, &graph); }));
  assert_status(None, s);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(fork));
  assert_ok(xpuStreamDestroy(s));
}

struct Spoilt {
  xpuStreamCaptureStatus mine, theirs;
  xpuError_t call, their_end;
};

// Two threads capture; the first makes an unsafe call.
Spoilt spoil_two(xpuStreamCaptureMode mine, xpuStreamCaptureMode theirs) {
  static xpuStream_t s, t;
  s = new_stream();
  t = new_stream();
  Spoilt out = {};
  std::atomic<int> step{0};
  (void)xpuStreamBeginCapture(s, mine);
  std::thread them([&] {
    (void)xpuStreamBeginCapture(t, theirs);
    step = 1;
    while (step != 2) sleep_ms(1);
    xpuGraph_t graph = nullptr;
    out.their_end = xpuStreamEndCapture(t, &graph);
  });
  while (step != 1) sleep_ms(1);
  out.call = allocate_as(xpuStreamCaptureModeGlobal);
  (void)xpuStreamIsCapturing(s, &out.mine);
  (void)xpuStreamIsCapturing(t, &out.theirs);
  step = 2;
  them.join();
  xpuGraph_t graph = nullptr;
  (void)xpuStreamEndCapture(s, &graph);
  (void)xpuStreamDestroy(s);
  (void)xpuStreamDestroy(t);
  return out;
}

void an_unsafe_call_spoils_the_captures_that_forbid_it_and_no_other(void**) {
  for (const xpuStreamCaptureMode mine : kModes)
    for (const xpuStreamCaptureMode theirs : kModes) {
      const bool spoils_mine = mine != xpuStreamCaptureModeRelaxed;
      const bool spoils_theirs = theirs == xpuStreamCaptureModeGlobal;
      const Spoilt got = spoil_two(mine, theirs);
      assert_int_equal(spoils_mine || spoils_theirs ? xpuErrorStreamCaptureUnsupported : xpuSuccess,
                       got.call);
      assert_int_equal(
          spoils_mine ? xpuStreamCaptureStatusInvalidated : xpuStreamCaptureStatusActive, got.mine);
      assert_int_equal(
          spoils_theirs ? xpuStreamCaptureStatusInvalidated : xpuStreamCaptureStatusActive,
          got.theirs);
      assert_int_equal(spoils_theirs ? xpuErrorStreamCaptureInvalidated : xpuSuccess,
                       got.their_end);
    }
}

void the_thread_mode_is_swapped_and_checked(void**) {
  xpuStreamCaptureMode mode = xpuStreamCaptureModeRelaxed;
  assert_ok(xpuThreadExchangeStreamCaptureMode(&mode));
  assert_int_equal(xpuStreamCaptureModeGlobal, mode);
  mode = static_cast<xpuStreamCaptureMode>(3);
  assert_code(xpuThreadExchangeStreamCaptureMode(&mode), xpuErrorInvalidValue);
  assert_int_equal(3, mode);
  mode = xpuStreamCaptureModeGlobal;
  assert_ok(xpuThreadExchangeStreamCaptureMode(&mode));
  assert_int_equal(xpuStreamCaptureModeRelaxed, mode);
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(unsafe_calls_are_refused_by_mode_and_thread),
      xpu_test(every_unsafe_call_spoils_the_capture),
      xpu_test(waiting_for_captured_work_is_refused_in_every_mode),
      xpu_test(the_legacy_stream_cannot_be_captured),
      xpu_test(the_legacy_stream_is_refused_while_a_blocking_stream_is_captured),
      xpu_test(the_legacy_stream_works_while_a_nonblocking_stream_is_captured, results(executes)),
      xpu_test(a_stream_is_captured_once_at_a_time),
      xpu_test(a_capture_ends_where_it_began),
      xpu_test(an_unsafe_call_spoils_the_captures_that_forbid_it_and_no_other),
      xpu_test(the_thread_mode_is_swapped_and_checked),
  };
  return run_all(tests, load_first);
}
