// SPDX-License-Identifier: Apache-2.0
// What hot paths stand on: the lock excludes and wakes, objects of slabs do not overlap and give
// their memory back, whichever thread frees them.
#include <malloc.h>

#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "base/lock.h"
#include "base/slab.h"
#include "xpu_test.h"

namespace {

using namespace xpu;

// Counts without atomics, and lets others run between reading and writing; holds the lock long
// enough, now and then, for the others to go to sleep.
uint64_t counted_by_threads(int threads, int turns) {
  Lock lock;
  uint64_t count = 0;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; t++) {
    all.emplace_back([&] {
      for (int i = 0; i < turns; i++) {
        const std::lock_guard hold(lock);
        const uint64_t seen = count;
        if (i % 16 == 0) std::this_thread::yield();
        count = seen + 1;
        if (i % 500 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  return count;
}

void one_thread_at_a_time_is_inside(void**) {
  assert_int_equal(counted_by_threads(8, 5000), 8 * 5000);
}

struct Piece {
  unsigned char* at;
  size_t size;
  unsigned char mark;
};

size_t size_of(uint32_t number) {
  if (number % 997 == 0) return 40000;  // larger than a chunk
  return number % 7 == 0 ? 2500 : 16 + number % 200;
}

std::vector<Piece> make_pieces(uint32_t count, unsigned char seed) {
  std::vector<Piece> pieces;
  for (uint32_t i = 0; i < count; i++) {
    const Piece piece = {static_cast<unsigned char*>(slab_allocate(size_of(i))), size_of(i),
                         static_cast<unsigned char>(seed + i)};
    memset(piece.at, piece.mark, piece.size);
    pieces.push_back(piece);
  }
  return pieces;
}

int spoilt(const std::vector<Piece>& pieces) {
  int wrong = 0;
  for (const Piece& p : pieces) {
    wrong += reinterpret_cast<uintptr_t>(p.at) % 16 != 0;
    for (size_t i = 0; i < p.size; i++) wrong += p.at[i] != p.mark;
  }
  return wrong;
}

void free_all(const std::vector<Piece>& pieces) {
  for (const Piece& p : pieces) slab_free(p.at);
}

struct Exchanged {
  int spoilt = 0;
  size_t kept = 0;
};

// Two threads make objects at the same time, and each frees those of the other.
Exchanged exchanged_between_threads(uint32_t count) {
  const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  Exchanged e;
  for (int round = 0; round < 3; round++) {
    std::vector<Piece> first, second;
    std::thread a([&] { first = make_pieces(count, 1); });
    std::thread b([&] { second = make_pieces(count, 77); });
    a.join();
    b.join();
    e.spoilt += spoilt(first) + spoilt(second);
    std::thread c([&] { free_all(second); });
    free_all(first);
    c.join();
  }
  const size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
  e.kept = after > before ? after - before : 0;
  return e;
}

void objects_are_apart_and_their_memory_comes_back(void**) {
  const Exchanged e = exchanged_between_threads(20000);

  assert_int_equal(e.spoilt, 0);
  // 17 MiB were taken in each round.
  assert_true(e.kept < 256 * 1024);
}

void nothing_is_freed_without_a_word(void**) { slab_free(nullptr); }

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(one_thread_at_a_time_is_inside),
      cmocka_unit_test(objects_are_apart_and_their_memory_comes_back),
      cmocka_unit_test(nothing_is_freed_without_a_word),
  };
  return XPU_RUN_TESTS(tests);
}
