// SPDX-License-Identifier: Apache-2.0
// User objects that several threads count at the same time.
#include <thread>

#include "user_object.h"

using namespace xpu::test;

// Each thread has one reference and gets and gives back others; then it lets go.
static int turns_that_failed(xpuUserObject_t object) {
  std::atomic<int> failed{0};
  std::thread threads[4];
  for (std::thread& t : threads)
    t = std::thread([&] {
      for (int i = 0; i < 500; i++) {
        xpuGraph_t graph = nullptr;
        failed += xpuUserObjectRetain(object, 2) != xpuSuccess;
        failed += xpuGraphCreate(&graph, 0) != xpuSuccess;
        failed += xpuGraphRetainUserObject(graph, object, 1, xpuGraphUserObjectMove) != xpuSuccess;
        failed += xpuUserObjectRelease(object, 1) != xpuSuccess;
        failed += xpuGraphDestroy(graph) != xpuSuccess;
      }
      failed += xpuUserObjectRelease(object, 1) != xpuSuccess;
      // Dead by now, or not: a refusal or a reference that is given back, and no crash.
      if (xpuUserObjectRetain(object, 1) == xpuSuccess)
        failed += xpuUserObjectRelease(object, 1) != xpuSuccess;
    });
  for (std::thread& t : threads) t.join();
  return failed;
}
static void threads_may_count_at_once(void**) {
  static Thing thing;
  assert_int_equal(0, turns_that_failed(object_of(thing, 4)));
  assert_ends(thing);
}

// Executables that end while others still run, each with its own reference.
static int launches_that_failed(xpuUserObject_t object) {
  std::atomic<int> failed{0};
  std::thread threads[3];
  for (std::thread& t : threads)
    t = std::thread([&] {
      xpuStream_t stream = nullptr;
      failed += xpuStreamCreateWithFlags(&stream, xpuStreamNonBlocking) != xpuSuccess;
      for (int i = 0; i < 20; i++) {
        xpuGraph_t graph = nullptr;
        xpuGraphExec_t exec = nullptr;
        failed += xpuGraphCreate(&graph, 0) != xpuSuccess;
        failed += xpuGraphRetainUserObject(graph, object, 1, 0) != xpuSuccess;
        failed += xpuGraphInstantiate(&exec, graph, 0) != xpuSuccess;
        failed += xpuGraphDestroy(graph) != xpuSuccess;
        failed += xpuGraphLaunch(exec, stream) != xpuSuccess;
        failed += xpuGraphExecDestroy(exec) != xpuSuccess;
      }
      failed += xpuStreamSynchronize(stream) != xpuSuccess;
      failed += xpuStreamDestroy(stream) != xpuSuccess;
    });
  for (std::thread& t : threads) t.join();
  failed += xpuUserObjectRelease(object, 1) != xpuSuccess;
  return failed;
}
static void launches_of_several_threads_keep_it(void**) {
  static Thing thing;
  assert_int_equal(0, launches_that_failed(object_of(thing)));
  assert_ends(thing);
}

int main(void) {
  const Test tests[] = {
      xpu_test(threads_may_count_at_once),
      xpu_test(launches_of_several_threads_keep_it),
  };
  return run_all(tests, load_first);
}
