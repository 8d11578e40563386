// SPDX-License-Identifier: Apache-2.0
// What python_cost.py measures Python's calls against: the same calls from C, in the same process;
// and callgrind's switches, which only C has.
#include <pthread.h>
#include <stdbool.h>
#include <time.h>
#include <xpugraph/xpugraph.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION (void)0
#define CALLGRIND_TOGGLE_COLLECT (void)0
#define CALLGRIND_ZERO_STATS (void)0
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#endif

// A host function holds a stream back, so that what is measured is giving work to it and nothing
// else.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool closed;

static void stand_at_the_gate(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (closed) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

XPU_API int cost_gate_close(xpuStream_t stream) {
  pthread_mutex_lock(&mutex);
  closed = true;
  pthread_mutex_unlock(&mutex);
  return xpuLaunchHostFunc(stream, stand_at_the_gate, NULL);
}

XPU_API void cost_gate_open(void) {
  pthread_mutex_lock(&mutex);
  closed = false;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

XPU_API void cost_count_start(void) { CALLGRIND_START_INSTRUMENTATION; }

XPU_API void cost_count_begin(void) {
  CALLGRIND_ZERO_STATS;
  CALLGRIND_TOGGLE_COLLECT;
}

XPU_API void cost_count_end(const char* title) {
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(title);
}

// Nanoseconds; with a title the instructions are counted up to end(), which is given it, too.
static double begin(const char* title) {
  if (title) cost_count_begin();
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double end(const char* title) {
  const double now = begin(NULL);
  if (title) cost_count_end(title);
  return now;
}

// Each makes `count` calls and gives the nanoseconds of one, or -1 if a call failed.
XPU_API double cost_replays(xpuGraphExec_t exec, xpuStream_t stream, int count, const char* title) {
  const double from = begin(title);
  for (int i = 0; i < count; i++)
    if (xpuGraphLaunch(exec, stream) != xpuSuccess) return -1;
  return (end(title) - from) / count;
}

XPU_API double cost_launches(xpuKernel_t axpy, void* y, void* x, xpuStream_t stream, int count,
                             const char* title) {
  const double from = begin(title);
  for (int i = 0; i < count; i++) {
    float a = 2;
    int n = 256;
    void* args[] = {&y, &x, &a, &n};
    if (xpuLaunchKernel(axpy, (xpuDim3){4, 1, 1}, (xpuDim3){64, 1, 1}, args, 0, stream) !=
        xpuSuccess)
      return -1;
  }
  return (end(title) - from) / count;
}
