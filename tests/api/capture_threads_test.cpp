// SPDX-License-Identifier: Apache-2.0
// Captures touched by several threads at once: forks of one capture worked on side by side, and
// many captures that begin, end and are spoilt under each other's feet.
#include "capturing.h"

using namespace xpu::test;

namespace {

constexpr int kThreads = 4;
constexpr int kNodes = 200;

// Gives `kNodes` additions to p[i] to each fork, all forks at once. The number of calls that
// failed.
int work_in_forks(const xpuStream_t* forks, int* p, xpuKernel_t add) {
  std::atomic<int> failed{0};
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    threads[i] = std::thread([=, &failed] {
      for (int n = 0; n < kNodes; n++) {
        Args<int*, int, int> args(p, i, n);
        failed += xpuLaunchKernel(add, dim(1), dim(1), args.get(), 0, forks[i]) != xpuSuccess;
      }
    });
  for (std::thread& thread : threads) thread.join();
  return failed;
}

void forks_of_one_capture_are_worked_on_at_once(void**) {
  const xpuStream_t s = new_stream();
  xpuStream_t forks[kThreads];
  int* p = device_ints(kThreads);
  for (xpuStream_t& fork : forks) fork = new_stream();

  begin(s);
  for (const xpuStream_t fork : forks) order(s, fork);
  assert_int_equal(0, work_in_forks(forks, p, kernel("add")));
  for (const xpuStream_t fork : forks) order(fork, s);
  const xpuGraph_t graph = end(s);
  assert_int_equal(kThreads * kNodes, node_count(graph));
  assert_int_equal(kThreads * (kNodes - 1), edge_count(graph));
  run_and_destroy(graph);

  if (shown(executes))
    for (int i = 0; i < kThreads; i++) assert_int_equal(kNodes * (kNodes - 1) / 2, fetch(p + i));
  for (const xpuStream_t fork : forks) assert_ok(xpuStreamDestroy(fork));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
}

// A capture of a few nodes in two streams. Only what the rules allow may come back from its calls.
bool capture_once(xpuStream_t a, xpuStream_t b, xpuEvent_t event, xpuKernel_t noop) {
  void* none[] = {nullptr};
  const auto fine = [](xpuError_t e) {
    return e == xpuSuccess || e == xpuErrorStreamCaptureInvalidated;
  };
  if (xpuStreamBeginCapture(a, xpuStreamCaptureModeGlobal) != xpuSuccess) return false;
  bool ok = fine(xpuLaunchKernel(noop, dim(1), dim(1), none, 0, a));
  ok = fine(xpuEventRecord(event, a)) && ok;
  const bool forked = xpuStreamWaitEvent(b, event, 0) == xpuSuccess;
  if (forked) ok = fine(xpuLaunchKernel(noop, dim(1), dim(1), none, 0, b)) && ok;
  if (forked) ok = fine(xpuEventRecord(event, b)) && fine(xpuStreamWaitEvent(a, event, 0)) && ok;
  xpuGraph_t graph = nullptr;
  ok = fine(xpuStreamEndCapture(a, &graph)) && ok;
  if (graph) ok = xpuGraphDestroy(graph) == xpuSuccess && ok;
  return ok;
}

int capture_side_by_side(const xpuStream_t* streams, const xpuEvent_t* events, xpuKernel_t noop) {
  std::atomic<int> wrong{0};
  std::atomic<bool> over{false};
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    threads[i] = std::thread([=, &wrong] {
      for (int n = 0; n < 100; n++)
        wrong += !capture_once(streams[2 * i], streams[2 * i + 1], events[i], noop);
    });
  std::thread spoiler([&] {
    while (!over) {
      void* memory = nullptr;
      if (xpuMalloc(&memory, 64) == xpuSuccess) {
        xpuStreamCaptureMode mode = xpuStreamCaptureModeRelaxed;
        (void)xpuThreadExchangeStreamCaptureMode(&mode);
        wrong += xpuFree(memory) != xpuSuccess;
        (void)xpuThreadExchangeStreamCaptureMode(&mode);
      }
      xpuStreamCaptureStatus seen;
      (void)xpuStreamIsCapturing(streams[0], &seen);
    }
  });
  for (std::thread& thread : threads) thread.join();
  over = true;
  spoiler.join();
  return wrong;
}

void captures_begin_end_and_are_spoilt_at_once(void**) {
  xpuStream_t streams[2 * kThreads];
  xpuEvent_t events[kThreads];
  for (xpuStream_t& stream : streams) stream = new_stream();
  for (xpuEvent_t& event : events) event = new_event();

  assert_int_equal(0, capture_side_by_side(streams, events, kernel("noop")));

  for (const xpuStream_t stream : streams) {
    assert_status(None, stream);
    assert_ok(xpuStreamDestroy(stream));
  }
  for (const xpuEvent_t event : events) assert_ok(xpuEventDestroy(event));
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(forks_of_one_capture_are_worked_on_at_once, results(executes)),
      xpu_test(captures_begin_end_and_are_spoilt_at_once),
  };
  return run_all(tests, load_first);
}
