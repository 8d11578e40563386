// SPDX-License-Identifier: Apache-2.0
// One pool used from several threads: each finds in its memory what it put there, one free of two
// succeeds, and pools come and go meanwhile.
#include <pthread.h>

#include "pooled.h"

using namespace xpu::test;

enum { kThreads = 4, kRounds = 60, kCount = 500 };

struct Shared {
  pthread_barrier_t start;
  xpuMemPool_t pool;
  xpuKernel_t fill, sum;
  xpuStream_t stream;
  void* contested[kRounds];
  std::atomic<int> freed[kRounds];
};
static Shared shared;

// Assertions of cmocka belong to the main thread: others count what failed.
struct Thread {
  pthread_t id;
  int number;
  int failures;
  int* sums;
};
#define CHECK(thread, call) ((call) == xpuSuccess ? 0 : (thread)->failures++)

static Thread threads[kThreads];

static int in_threads(void* (*work)(void*)) {
  int failures = 0;
  pthread_barrier_init(&shared.start, nullptr, kThreads);
  for (int i = 0; i < kThreads; i++) {
    threads[i].number = i;
    threads[i].failures = 0;
    assert_int_equal(0, pthread_create(&threads[i].id, nullptr, work, &threads[i]));
  }
  for (int i = 0; i < kThreads; i++) {
    assert_int_equal(0, pthread_join(threads[i].id, nullptr));
    failures += threads[i].failures;
  }
  pthread_barrier_destroy(&shared.start);
  return failures;
}

// In a stream of its own: writes, sums, frees, and waits or trims now and then.
static void* use_the_pool(void* at) {
  Thread* t = static_cast<Thread*>(at);
  xpuStream_t own = nullptr;
  CHECK(t, xpuStreamCreateWithFlags(&own, xpuStreamNonBlocking));
  pthread_barrier_wait(&shared.start);
  for (int i = 0; i < kRounds; i++) {
    void* p = nullptr;
    int n = kCount, value = t->number * kRounds + i;
    int* out = t->sums + i;
    CHECK(t, xpuMallocFromPoolAsync(&p, kCount * sizeof(int), shared.pool, own));
    void* fill_args[] = {&p, &n, &value};
    void* sum_args[] = {&out, &p, &n};
    CHECK(t, xpuLaunchKernel(shared.fill, dim(8), dim(64), fill_args, 0, own));
    CHECK(t, xpuLaunchKernel(shared.sum, dim(1), dim(1), sum_args, 0, own));
    CHECK(t, xpuFreeAsync(p, own));
    if (i % 16 == t->number) CHECK(t, xpuStreamSynchronize(own));
    if (i % 16 == 8 + t->number) CHECK(t, xpuMemPoolTrimTo(shared.pool, 0));
  }
  CHECK(t, xpuStreamSynchronize(own));
  CHECK(t, xpuStreamDestroy(own));
  return nullptr;
}

static void each_thread_finds_what_it_wrote(void**) {
  static int got[kThreads * kRounds];
  int* sums = device_ints(kThreads * kRounds);
  shared.pool = new_pool(4 * kMiB);
  shared.fill = kernel("fill_range");
  shared.sum = kernel("sum");
  for (int i = 0; i < kThreads; i++) threads[i].sums = sums + i * kRounds;

  assert_int_equal(0, in_threads(use_the_pool));

  fetch(got, sums, sizeof got);
  if (shown(executes))
    for (int i = 0; i < kThreads * kRounds; i++) assert_int_equal(i * kCount, got[i]);
  assert_int_equal(0, used(shared.pool));
  assert_ok(xpuDeviceSynchronize());
  assert_int_equal(0, reserved(shared.pool));
  assert_ok(xpuMemPoolDestroy(shared.pool));
  assert_ok(xpuFree(sums));
}

static void* free_what_all_free(void* at) {
  Thread* t = static_cast<Thread*>(at);
  pthread_barrier_wait(&shared.start);
  for (int i = 0; i < kRounds; i++) {
    const bool at_once = (i + t->number) % 8 == 0;
    const xpuError_t code =
        at_once ? xpuFree(shared.contested[i]) : xpuFreeAsync(shared.contested[i], shared.stream);
    if (code == xpuSuccess) shared.freed[i]++;
    CHECK(t, code == xpuErrorInvalidValue ? xpuSuccess : code);
  }
  return nullptr;
}

static void of_several_frees_one_succeeds(void**) {
  shared.pool = new_pool();
  shared.stream = new_stream();
  for (int i = 0; i < kRounds; i++) {
    shared.freed[i] = 0;
    shared.contested[i] = bytes_from(shared.pool, 4096, shared.stream);
  }

  assert_int_equal(0, in_threads(free_what_all_free));

  for (const std::atomic<int>& n : shared.freed) assert_int_equal(1, n.load());
  assert_int_equal(0, used(shared.pool));
  assert_ok(xpuStreamSynchronize(shared.stream));
  assert_ok(xpuMemPoolDestroy(shared.pool));
  assert_ok(xpuStreamDestroy(shared.stream));
}

static void* make_and_end_pools(void* at) {
  Thread* t = static_cast<Thread*>(at);
  const xpuMemPoolProps props = pool_props();
  pthread_barrier_wait(&shared.start);
  for (int i = 0; i < kRounds; i++) {
    xpuMemPool_t pool = nullptr, current = nullptr;
    void *p = nullptr, *q = nullptr;
    CHECK(t, xpuMemPoolCreate(&pool, &props));
    CHECK(t, xpuMallocFromPoolAsync(&p, 3000, pool, xpuStreamPerThread));
    CHECK(t, xpuMallocAsync(&q, 3000, xpuStreamPerThread));
    CHECK(t, xpuMemPoolDestroy(pool));
    CHECK(t, xpuMemsetAsync(p, i, 3000, xpuStreamPerThread));
    CHECK(t, xpuFreeAsync(p, xpuStreamPerThread));
    CHECK(t, xpuFreeAsync(q, xpuStreamPerThread));
    CHECK(t, xpuDeviceGetMemPool(&current, 0));
    if (i % 8 == t->number) CHECK(t, xpuDeviceSynchronize());
  }
  CHECK(t, xpuStreamSynchronize(xpuStreamPerThread));
  return nullptr;
}

static void pools_come_and_go_in_all_threads(void**) {
  const size_t before = device_bytes_used();

  assert_int_equal(0, in_threads(make_and_end_pools));

  assert_ok(xpuDeviceSynchronize());
  assert_int_equal(before, device_bytes_used());
}

int main() {
  const Test tests[] = {
      xpu_test(each_thread_finds_what_it_wrote, results(executes)),
      xpu_test(of_several_frees_one_succeeds),
      xpu_test(pools_come_and_go_in_all_threads),
  };
  return run_all(tests);
}
