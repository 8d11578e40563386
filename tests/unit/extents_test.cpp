// SPDX-License-Identifier: Apache-2.0
// How many bytes there are from an address on, against a list of everything that was entered.
#include <random>
#include <vector>

#include "memory/extents.h"
#include "xpu_test.h"

namespace xpu::test {
namespace {

using memory::Extents;

// Addresses that nothing is ever read or written at.
const char* at(size_t offset) { return reinterpret_cast<const char*>(uintptr_t{1} << 44) + offset; }
constexpr size_t kRange = 1 << 16;
constexpr size_t kNoRange = SIZE_MAX;

size_t left(const Extents& extents, size_t offset) {
  return extents.left_at(at(offset)).value_or(kNoRange);
}

struct Piece {
  size_t begin, end;
};
size_t reference(const std::vector<Piece>& pieces, size_t offset) {
  size_t most = 0;
  for (const Piece& p : pieces) {
    if (p.begin <= offset && p.end > offset && p.end - offset > most) most = p.end - offset;
  }
  return most;
}

void an_address_in_no_range_is_unknown(void**) {
  Extents& extents = Extents::get();
  assert_int_equal(kNoRange, left(extents, 0));
  extents.open(at(0), kRange);
  assert_int_equal(0, left(extents, 0));
  assert_int_equal(0, left(extents, kRange - 1));
  assert_int_equal(kNoRange, left(extents, kRange));
  extents.close(at(0), kRange);
  assert_int_equal(kNoRange, left(extents, 0));
}

// The number of offsets at which the answer is not the reference's.
size_t wrong_with_overlaps(uint32_t seed) {
  std::mt19937 random(seed);
  Extents extents;
  std::vector<Piece> pieces;
  extents.open(at(0), kRange);
  for (int i = 0; i < 200; i++) {
    const size_t begin = random() % (kRange - 1);
    const size_t longest = std::min<size_t>(kRange - begin, size_t{1} << (1 + random() % 14));
    pieces.push_back({begin, begin + 1 + random() % longest});
    extents.enter(at(begin), pieces.back().end - begin);
  }
  size_t wrong = 0;
  for (size_t offset = 0; offset < kRange; offset += 1 + random() % 7)
    wrong += left(extents, offset) != reference(pieces, offset);
  return wrong;
}

void of_allocations_that_share_bytes_the_farthest_end_counts(void**) {
  for (uint32_t seed = 1; seed <= 20; seed++) assert_int_equal(0, wrong_with_overlaps(seed));
}

size_t wrong_with_frees(uint32_t seed) {
  std::mt19937 random(seed);
  constexpr size_t kSlot = 1024;
  Extents extents;
  std::vector<Piece> slots(kRange / kSlot, {0, 0});
  extents.open(at(0), kRange);
  size_t wrong = 0;
  for (int i = 0; i < 4000; i++) {
    const size_t slot = random() % slots.size();
    Piece& piece = slots[slot];
    if (piece.end) {
      extents.leave(at(piece.begin));
      piece = {0, 0};
    } else {
      piece = {slot * kSlot, slot * kSlot + 1 + random() % kSlot};
      extents.enter(at(piece.begin), piece.end - piece.begin);
    }
    const size_t offset = random() % kRange;
    wrong += left(extents, offset) != reference(slots, offset);
  }
  return wrong;
}

void what_was_freed_is_in_no_allocation(void**) {
  for (uint32_t seed = 1; seed <= 5; seed++) assert_int_equal(0, wrong_with_frees(seed));
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_address_in_no_range_is_unknown),
      cmocka_unit_test(of_allocations_that_share_bytes_the_farthest_end_counts),
      cmocka_unit_test(what_was_freed_is_in_no_allocation),
  };
  return XPU_RUN_TESTS(tests);
}
