// SPDX-License-Identifier: Apache-2.0
// Random programs of several streams that allocate, write, hand over by events, check and free:
// what one allocation holds is never another's, under every order that the streams leave open.
#include <dlfcn.h>

#include "pooled.h"
#include "random_dag.h"

using namespace xpu::test;

enum { kStreams = 4, kMostLive = 24, kSteps = 150, kMostInts = 3000 };

struct Piece {
  int* at;
  int count;
  int value;
  int stream;  // whose turn it is
};

// Plain data, since a failed assertion leaves by longjmp.
struct Program {
  Random random{0};
  xpuMemPool_t pool;
  xpuStream_t stream[kStreams];
  xpuEvent_t event;
  Piece live[kMostLive];
  int live_count;
  int* sums;  // on the device, one for each check
  int expected[kSteps + kMostLive];
  int checks;
  int overlaps;
};

static void write(Program& p, Piece& piece) {
  piece.value = 1 + static_cast<int>(p.random.below(1000));
  launch(p.stream[piece.stream], "fill_range", dim(static_cast<uint32_t>((piece.count + 63) / 64)),
         dim(64), piece.at, piece.count, piece.value);
}

static void check(Program& p, const Piece& piece) {
  p.expected[p.checks] = piece.count * piece.value;
  launch_one(p.stream[piece.stream], "sum", p.sums + p.checks, piece.at, piece.count);
  p.checks++;
}

static void allocate(Program& p) {
  Piece piece = {};
  piece.stream = static_cast<int>(p.random.below(kStreams));
  piece.count = 1 + static_cast<int>(p.random.below(kMostInts));
  const size_t size = static_cast<size_t>(piece.count) * sizeof(int);
  piece.at = static_cast<int*>(bytes_from(p.pool, size, p.stream[piece.stream]));
  for (int i = 0; i < p.live_count; i++) {
    const Piece& other = p.live[i];
    if (piece.at < other.at + other.count && other.at < piece.at + piece.count) p.overlaps++;
  }
  write(p, piece);
  p.live[p.live_count++] = piece;
}

// Checked by the stream whose turn it is, and freed there.
static void end(Program& p, uint32_t which) {
  check(p, p.live[which]);
  assert_ok(xpuFreeAsync(p.live[which].at, p.stream[p.live[which].stream]));
  p.live[which] = p.live[--p.live_count];
}

static void hand_over(Program& p, Piece& piece) {
  const int to = static_cast<int>(p.random.below(kStreams));
  assert_ok(xpuEventRecord(p.event, p.stream[piece.stream]));
  assert_ok(xpuStreamWaitEvent(p.stream[to], p.event, 0));
  piece.stream = to;
  if (p.random.one_in(2)) write(p, piece);
}

static void change_settings(Program& p) {
  for (const xpuMemPoolAttr attr :
       {xpuMemPoolReuseFollowEventDependencies, xpuMemPoolReuseAllowOpportunistic,
        xpuMemPoolReuseAllowInternalDependencies})
    set_setting(p.pool, attr, p.random.one_in(2));
  set_number(p.pool, xpuMemPoolAttrReleaseThreshold, p.random.one_in(2) ? 0 : UINT64_MAX);
}

static void step(Program& p) {
  const uint32_t what = p.random.below(20);
  const uint32_t which = p.live_count ? p.random.below(static_cast<uint32_t>(p.live_count)) : 0;
  if (p.live_count == 0 || (what < 8 && p.live_count < kMostLive)) return allocate(p);
  if (what < 13) return end(p, which);
  if (what < 17) return hand_over(p, p.live[which]);
  if (what == 17) return assert_ok(xpuStreamSynchronize(p.stream[p.random.below(kStreams)]));
  if (what == 18) return assert_ok(xpuMemPoolTrimTo(p.pool, p.random.one_in(2) ? 0 : kMiB));
  change_settings(p);
}

// The pool and streams end in any order, with allocations and frees under way.
static void end_all(Program& p) {
  bool pool_there = true;
  while (p.live_count || pool_there) {
    if (pool_there && p.random.below(static_cast<uint32_t>(p.live_count) + 1) == 0) {
      assert_ok(xpuMemPoolDestroy(p.pool));
      pool_there = false;
    } else if (p.live_count) {
      end(p, p.random.below(static_cast<uint32_t>(p.live_count)));
    }
  }
  for (xpuStream_t s : p.stream) assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuEventDestroy(p.event));
  assert_ok(xpuDeviceSynchronize());
}

static void run(uint64_t seed, size_t limit) {
  static Program p;
  static int got[kSteps + kMostLive];
  p = {};
  p.random = Random(seed);
  p.sums = device_ints(kSteps + kMostLive);
  p.pool = new_pool(limit);
  for (xpuStream_t& s : p.stream) s = new_stream();
  p.event = new_event(xpuEventDisableTiming);

  for (int i = 0; i < kSteps; i++) step(p);
  end_all(p);

  fetch(got, p.sums, sizeof got);
  int wrong = 0;
  if (shown(executes))
    for (int i = 0; i < p.checks; i++) wrong += got[i] != p.expected[i];
  if (wrong)
    print_error("seed %d: %d of %d sums are wrong\n", static_cast<int>(seed), wrong, p.checks);
  assert_int_equal(0, wrong);
  assert_int_equal(0, p.overlaps);
  assert_true(p.checks > kSteps / 8);
  assert_ok(xpuFree(p.sums));
}

// Allocations of the driver that are there, if it is one that counts; else -1.
static long driver_allocations() {
  const char* path = getenv("XPUGRAPH_DRIVER");
  void* driver = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  using Read = int (*)(long*);
  const Read read =
      driver ? reinterpret_cast<Read>(dlsym(driver, "counting_driver_read")) : nullptr;
  long counts[16] = {};
  const int kinds = read ? read(counts) : 0;
  if (driver) dlclose(driver);
  return kinds ? counts[kinds - 1] : -1;
}

static void no_allocation_is_ever_anothers(void**) {
  (void)kernel("sum");
  run(1000, 0);  // what the library makes once is there from here on
  const long before = driver_allocations();
  const size_t used_before = device_bytes_used();
  for (uint64_t seed = 1; seed <= 12; seed++) run(seed, 0);
  assert_int_equal(used_before, device_bytes_used());
  assert_int_equal(before, driver_allocations());
}

// A limit that is reached makes streams wait for each other's frees.
static void nor_where_there_is_little_memory(void**) {
  for (uint64_t seed = 101; seed <= 108; seed++) run(seed, 2 * kMiB);
}

int main() {
  const Test tests[] = {
      xpu_test(no_allocation_is_ever_anothers, results(executes)),
      xpu_test(nor_where_there_is_little_memory, results(executes)),
  };
  return run_all(tests);
}
