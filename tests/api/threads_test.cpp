// SPDX-License-Identifier: Apache-2.0
// Several threads on one executable, one stream, one kernel, one event, and on the library's start.
#include <pthread.h>

#include "ground.h"

using namespace xpu::test;

enum { kThreads = 4, kRounds = 25 };

struct Shared {
  pthread_barrier_t start;
  xpuGraphExec_t exec;
  xpuGraph_t graph;
  xpuStream_t stream;
  xpuEvent_t event;
  xpuKernel_t add;
  int* p;
};
static Shared shared;

// Assertions of cmocka belong to the main thread: others count what failed.
struct Thread {
  pthread_t id;
  int number;
  int failures;
  int* p;
};
#define CHECK(thread, call) ((call) == xpuSuccess ? 0 : (thread)->failures++)

// Starts `work` in every thread at once; the number of calls that failed.
static int in_threads(void* (*work)(void*)) {
  static Thread threads[kThreads];
  int failures = 0;
  pthread_barrier_init(&shared.start, nullptr, kThreads);
  for (int i = 0; i < kThreads; i++) {
    threads[i].number = i;
    threads[i].failures = 0;
    threads[i].p = shared.p ? shared.p + i : nullptr;
    assert_int_equal(0, pthread_create(&threads[i].id, nullptr, work, &threads[i]));
  }
  for (int i = 0; i < kThreads; i++) {
    assert_int_equal(0, pthread_join(threads[i].id, nullptr));
    failures += threads[i].failures;
  }
  pthread_barrier_destroy(&shared.start);
  return failures;
}

static void* first_call(void* at) {
  Thread* t = static_cast<Thread*>(at);
  int count = 0;
  void* memory = nullptr;
  pthread_barrier_wait(&shared.start);
  CHECK(t, xpuGetDeviceCount(&count));
  CHECK(t, xpuMalloc(&memory, 64));
  CHECK(t, xpuMemsetAsync(memory, 1, 64, nullptr));
  CHECK(t, xpuDeviceSynchronize());
  CHECK(t, xpuFree(memory));
  return nullptr;
}

static void the_library_starts_once_when_all_threads_call_first(void**) {
  assert_int_equal(0, in_threads(first_call));
}

static void* launch_from_own_stream(void* at) {
  Thread* t = static_cast<Thread*>(at);
  xpuStream_t own = nullptr;
  CHECK(t, xpuStreamCreateWithFlags(&own, xpuStreamNonBlocking));
  pthread_barrier_wait(&shared.start);
  for (int i = 0; i < kRounds; i++) {
    CHECK(t, xpuGraphLaunch(shared.exec, own));
    if (i % 8 == t->number) CHECK(t, xpuStreamSynchronize(own));
  }
  CHECK(t, xpuStreamSynchronize(own));
  CHECK(t, xpuStreamDestroy(own));
  return nullptr;
}

static void* launch_in_one_stream(void* at) {
  Thread* t = static_cast<Thread*>(at);
  pthread_barrier_wait(&shared.start);
  for (int i = 0; i < kRounds; i++) CHECK(t, xpuGraphLaunch(shared.exec, shared.stream));
  CHECK(t, xpuStreamSynchronize(shared.stream));
  return nullptr;
}

// Adds 1 and 2 to a number without atomics: two runs that overlapped would lose some.
static void make_counting_graph() {
  shared.graph = new_graph();
  shared.p = device_ints(kThreads);
  xpuGraphNode_t n = add_one(shared.graph, nullptr, "add", shared.p, 0, 1);
  n = add_one(shared.graph, n, "slow_step", shared.p, 1, 0, 500);
  add_one(shared.graph, n, "add", shared.p, 0, 2);
  shared.exec = instantiate(shared.graph);
}
static void end_counting_graph() {
  assert_ok(xpuGraphExecDestroy(shared.exec));
  assert_ok(xpuGraphDestroy(shared.graph));
  assert_ok(xpuFree(shared.p));
}

static void one_executable_is_launched_by_all_threads_in_their_streams(void**) {
  make_counting_graph();

  assert_int_equal(0, in_threads(launch_from_own_stream));

  if (shown(executes)) assert_int_equal(3 * kThreads * kRounds, fetch(shared.p));
  end_counting_graph();
}

static void one_executable_is_launched_by_all_threads_in_one_stream(void**) {
  make_counting_graph();
  shared.stream = new_stream();

  assert_int_equal(0, in_threads(launch_in_one_stream));

  if (shown(executes)) assert_int_equal(3 * kThreads * kRounds, fetch(shared.p));
  assert_ok(xpuStreamDestroy(shared.stream));
  end_counting_graph();
}

static void* use_one_kernel(void* at) {
  Thread* t = static_cast<Thread*>(at);
  int index = 0, value = t->number + 1;
  void* args[] = {&t->p, &index, &value};
  pthread_barrier_wait(&shared.start);
  for (int i = 0; i < kRounds; i++) {
    CHECK(t, xpuLaunchKernel(shared.add, dim(1), dim(1), args, 0, shared.stream));
    CHECK(t, xpuEventRecord(shared.event, shared.stream));
    CHECK(t, xpuStreamWaitEvent(xpuStreamPerThread, shared.event, 0));
  }
  CHECK(t, xpuEventSynchronize(shared.event));
  CHECK(t, xpuStreamSynchronize(xpuStreamPerThread));
  return nullptr;
}

static void one_stream_one_kernel_and_one_event_are_used_by_all_threads(void**) {
  int seen[kThreads];
  shared.p = device_ints(kThreads);
  shared.stream = new_stream();
  shared.event = new_event();
  shared.add = kernel("add");

  assert_int_equal(0, in_threads(use_one_kernel));
  assert_ok(xpuStreamSynchronize(shared.stream));

  fetch(seen, shared.p, sizeof seen);
  if (shown(executes))
    for (int i = 0; i < kThreads; i++) assert_int_equal((i + 1) * kRounds, seen[i]);
  assert_ok(xpuEventDestroy(shared.event));
  assert_ok(xpuStreamDestroy(shared.stream));
  assert_ok(xpuFree(shared.p));
}

// Captures, instantiates, launches and destroys a graph of its own in each round.
static void* make_graphs(void* at) {
  Thread* t = static_cast<Thread*>(at);
  int index = 0, value = 1;
  void* args[] = {&t->p, &index, &value};
  xpuStream_t own = nullptr;
  CHECK(t, xpuStreamCreateWithFlags(&own, xpuStreamNonBlocking));
  pthread_barrier_wait(&shared.start);
  for (int i = 0; i < kRounds; i++) {
    xpuGraph_t graph = nullptr;
    xpuGraphExec_t exec = nullptr;
    CHECK(t, xpuStreamBeginCapture(own, xpuStreamCaptureModeThreadLocal));
    for (int k = 0; k < 4; k++) CHECK(t, xpuLaunchKernel(shared.add, dim(1), dim(1), args, 0, own));
    CHECK(t, xpuStreamEndCapture(own, &graph));
    CHECK(t, xpuGraphInstantiate(&exec, graph, 0));
    CHECK(t, xpuGraphLaunch(exec, own));
    CHECK(t, xpuGraphExecDestroy(exec));
    CHECK(t, xpuGraphDestroy(graph));
  }
  CHECK(t, xpuStreamSynchronize(own));
  CHECK(t, xpuStreamDestroy(own));
  return nullptr;
}

static void each_thread_captures_and_runs_graphs_of_its_own(void**) {
  int seen[kThreads];
  shared.p = device_ints(kThreads);
  shared.add = kernel("add");

  assert_int_equal(0, in_threads(make_graphs));

  fetch(seen, shared.p, sizeof seen);
  if (shown(executes))
    for (int i = 0; i < kThreads; i++) assert_int_equal(4 * kRounds, seen[i]);
  assert_ok(xpuFree(shared.p));
}

static void* make_and_end_things(void* at) {
  Thread* t = static_cast<Thread*>(at);
  pthread_barrier_wait(&shared.start);
  for (int i = 0; i < kRounds; i++) {
    xpuStream_t s = nullptr;
    xpuEvent_t e = nullptr;
    void* memory = nullptr;
    xpuPointerAttributes a = {};
    a.struct_size = sizeof a;
    CHECK(t, xpuStreamCreate(&s));
    CHECK(t, xpuEventCreate(&e));
    CHECK(t, xpuMalloc(&memory, 4096));
    CHECK(t, xpuMemsetAsync(memory, i, 4096, s));
    CHECK(t, xpuEventRecord(e, s));
    CHECK(t, xpuPointerGetAttributes(&a, memory));
    CHECK(t, a.type == xpuMemoryTypeDevice ? xpuSuccess : xpuErrorUnknown);
    CHECK(t, xpuEventDestroy(e));
    CHECK(t, xpuStreamDestroy(s));
    CHECK(t, xpuFree(memory));
  }
  return nullptr;
}

static void all_threads_make_and_end_streams_events_and_memory(void**) {
  assert_int_equal(0, in_threads(make_and_end_things));
}

// What C++ destroys at the end of a thread is gone when the destructors of its keys run.
static pthread_key_t late;
static xpuError_t late_bad, late_stream;
static xpuErrorInfo late_info;

static void call_late(void*) {
  late_bad = xpuGraphDestroy(nullptr);
  late_info = last_failure();
  late_stream = xpuStreamSynchronize(xpuStreamPerThread);
}
static void* call_and_end(void*) {
  (void)xpuGraphDestroy(nullptr);
  (void)xpuStreamSynchronize(xpuStreamPerThread);
  pthread_setspecific(late, &late);
  return nullptr;
}

static void a_thread_that_is_ending_gets_an_answer(void**) {
  pthread_t thread;
  assert_int_equal(0, pthread_key_create(&late, call_late));

  assert_int_equal(0, pthread_create(&thread, nullptr, call_and_end, nullptr));
  assert_int_equal(0, pthread_join(thread, nullptr));

  assert_code(late_bad, xpuErrorInvalidValue);
  assert_int_equal(xpuErrorInvalidValue, late_info.code);
  assert_string_equal("xpuGraphDestroy", late_info.function);
  assert_string_equal("", late_info.argument);
  assert_non_null(strstr(late_info.sentence, "ending"));
  assert_code(late_stream, xpuErrorIllegalState);
  assert_int_equal(0, pthread_key_delete(late));
}

int main() {
  const Test tests[] = {
      xpu_test(the_library_starts_once_when_all_threads_call_first),
      xpu_test(one_executable_is_launched_by_all_threads_in_their_streams, results(executes)),
      xpu_test(one_executable_is_launched_by_all_threads_in_one_stream, results(executes)),
      xpu_test(one_stream_one_kernel_and_one_event_are_used_by_all_threads, results(executes)),
      xpu_test(each_thread_captures_and_runs_graphs_of_its_own, results(executes)),
      xpu_test(all_threads_make_and_end_streams_events_and_memory),
      xpu_test(a_thread_that_is_ending_gets_an_answer),
  };
  return run_all(tests);
}
