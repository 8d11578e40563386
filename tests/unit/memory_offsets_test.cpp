// SPDX-License-Identifier: Apache-2.0
// Offsets gives the place that a search over every interval that ever was finds, and never one that
// may still be in use.
#include "memory/offsets.h"

#include <random_dag.h>
#include <xpu_test.h>

#include "memory/order.h"
#include "memory_plans.h"
#include "memory_reference.h"

namespace {

using namespace xpu::memory;
using namespace xpu::test;

// Keeps all that was ever given out.
class Everything {
 public:
  explicit Everything(size_t limit) : limit_(limit) {}

  // The smallest gap that is large enough, the lowest of these; else what ends the range.
  size_t place(size_t size, uint32_t then, const Closure& order) const {
    std::vector<Interval> in_the_way;
    for (const Interval& i : all_) {
      if (i.freed == Lifetime::kStays || !order.before(i.freed, then)) in_the_way.push_back(i);
    }
    std::sort(in_the_way.begin(), in_the_way.end(),
              [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    size_t best = Offsets::kNoRoom, best_size = SIZE_MAX, top = 0;
    const auto gap = [&](size_t begin, size_t end) {
      if (end <= begin || end - begin < size || end - begin >= best_size) return;
      best = begin;
      best_size = end - begin;
    };
    for (const Interval& i : in_the_way) {
      gap(top, i.begin);
      top = std::max(top, i.end);
    }
    gap(top, peak_);
    if (best != Offsets::kNoRoom) return best;
    return size > limit_ || top > limit_ - size ? Offsets::kNoRoom : top;
  }
  // Whether something there may still be in use.
  bool is_taken(size_t begin, size_t size, uint32_t then, const Closure& order) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Interval& i) {
      return begin < i.end && i.begin < begin + size &&
             (i.freed == Lifetime::kStays || !order.before(i.freed, then));
    });
  }
  void give(size_t begin, size_t size) {
    all_.push_back({begin, begin + size, Lifetime::kStays});
    peak_ = std::max(peak_, begin + size);
  }
  void release(size_t begin, uint32_t freed) {
    for (Interval& i : all_) {
      if (i.begin == begin && i.freed == Lifetime::kStays) i.freed = freed;
    }
  }
  size_t peak() const { return peak_; }

 private:
  struct Interval {
    size_t begin, end;
    uint32_t freed;
  };
  std::vector<Interval> all_;
  size_t limit_, peak_ = 0;
};

struct Walked {
  int placed = 0, shared = 0, no_room = 0;
  int elsewhere = 0, overlaps = 0, odd_offsets = 0, wrong_peaks = 0;
};

// The plan through both, the same step by step.
void walk(Walked& walked, const Plan& plan, size_t limit) {
  Order order;
  Closure closure;
  Offsets offsets(limit);
  Everything everything(limit);
  std::vector<size_t> at(plan.allocations.size());
  for (const Step& s : plan.steps) {
    const Moment moment = order.add(s.before);
    closure.add(s.before);
    if (s.what == Step::nothing) continue;
    const size_t size = granules(plan.allocations[s.of].size);
    if (s.what == Step::release) {
      if (at[s.of] == Offsets::kNoRoom) continue;
      offsets.release(at[s.of], plan.allocations[s.of].size, moment);
      everything.release(at[s.of], moment);
      continue;
    }
    const size_t before = offsets.peak();
    const size_t got = at[s.of] = offsets.allocate(plan.allocations[s.of].size, moment, order);
    walked.elsewhere += got != everything.place(size, moment, closure);
    if (got == Offsets::kNoRoom) {
      walked.no_room++;
      walked.wrong_peaks += offsets.peak() != before;
      continue;
    }
    walked.placed++;
    walked.shared += got + size <= before;
    walked.odd_offsets += got % Offsets::kGranule != 0;
    walked.overlaps += everything.is_taken(got, size, moment, closure);
    everything.give(got, size);
    walked.wrong_peaks += offsets.peak() != everything.peak();
  }
}

Walked walk_graphs(uint32_t count, size_t limit) {
  Walked walked;
  for (uint32_t seed = 0; seed < count; seed++) {
    Random random(seed);
    walk(walked, over(random, random_dag(random, 80), seed), limit);
  }
  return walked;
}

void assert_as_searched(const Walked& walked) {
  assert_true(walked.placed > 1000);
  assert_true(walked.shared > 100);
  assert_int_equal(walked.elsewhere, 0);
  assert_int_equal(walked.overlaps, 0);
  assert_int_equal(walked.odd_offsets, 0);
  assert_int_equal(walked.wrong_peaks, 0);
}

void on_graphs_the_place_is_the_best_free_one(void**) {
  const Walked walked = walk_graphs(4000, SIZE_MAX);

  assert_as_searched(walked);
  assert_int_equal(walked.no_room, 0);
}

Walked walk_chains() {
  Walked walked;
  for (uint32_t seed = 0; seed < 200; seed++) {
    Random random(seed);
    walk(walked, chain(random, 150, 20, seed), SIZE_MAX);
    walk(walked, ring(random, 60, 2 + random.below(9), seed), SIZE_MAX);
    walk(walked, nested(random, 150, seed), SIZE_MAX);
  }
  return walked;
}

void on_chains_the_place_is_the_best_free_one(void**) { assert_as_searched(walk_chains()); }

void where_the_limit_leaves_no_room_it_says_so_and_changes_nothing(void**) {
  const Walked walked = walk_graphs(2000, 2 << 20);

  assert_true(walked.no_room > 1000);
  assert_as_searched(walked);
}

void absurd_sizes_find_no_room(void**) {
  struct {
    size_t max, over, odd, exact;
  } got;
  {
    Order order;
    const Moment now = order.add({});
    Offsets offsets(1 << 20);
    got.max = offsets.allocate(SIZE_MAX, now, order);
    got.over = offsets.allocate((1 << 20) + 1, now, order);
    got.odd = Offsets().allocate(SIZE_MAX, now, order);
    got.exact = offsets.allocate(1 << 20, now, order);
  }
  assert_true(got.max == Offsets::kNoRoom);
  assert_true(got.over == Offsets::kNoRoom);
  assert_int_equal(got.odd, 0);  // without a limit everything has an offset
  assert_int_equal(got.exact, 0);
}

// What is released at a point is for all behind what the point is behind, and for points likewise:
// how private pools use it.
struct AtPoints {
  size_t first, same, other, joined;
};
AtPoints at_points() {
  Order order;
  Offsets offsets;
  const Moment begin = order.add_after_all();
  const Moment left = order.add(std::vector{begin}), right = order.add(std::vector{begin});
  AtPoints got;
  got.first = offsets.allocate(4096, order.add_point(std::vector{left}), order);
  offsets.release(got.first, 4096, order.add_point(std::vector{left}));
  got.other = offsets.allocate(4096, order.add_point(std::vector{right}), order);
  got.same = offsets.allocate(4096, order.add_point(std::vector{left}), order);
  offsets.release(got.same, 4096, order.add_point(std::vector{left}));
  offsets.release(got.other, 4096, order.add_point(std::vector{right}));
  const Moment join = order.add(std::vector{left, right});
  got.joined = offsets.allocate(8192, order.add_point(std::vector{join}), order);
  return got;
}

void what_a_branch_frees_is_its_own_until_the_join(void**) {
  const AtPoints got = at_points();

  assert_int_equal(got.first, 0);
  assert_int_equal(got.other, 4096);
  assert_int_equal(got.same, 0);
  assert_int_equal(got.joined, 0);
}

// Another order, which knows nothing of the moments before.
struct Settled {
  size_t first, second, blocked, joined;
};
Settled settle() {
  Settled got;
  Offsets offsets;
  {
    Order order;
    const Moment root = order.add({});
    got.first = offsets.allocate(4096, root, order);
    got.second = offsets.allocate(4096, root, order);
    offsets.release(got.first, 4096, order.add(std::vector{root}));
    offsets.release(got.second, 4096, order.add(std::vector{root}));
    got.blocked = offsets.allocate(4096, order.add(std::vector{root}), order);
    offsets.release(got.blocked, 4096, order.add(std::vector{root}));
  }
  Order order;
  offsets.settle(order.add({}));
  got.joined = offsets.allocate(3 * 4096, order.add_after_all(), order);
  return got;
}

void settled_pieces_are_one(void**) {
  const Settled got = settle();

  assert_int_equal(got.blocked, 2 * 4096);
  assert_int_equal(got.joined, 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(on_graphs_the_place_is_the_best_free_one),
      cmocka_unit_test(on_chains_the_place_is_the_best_free_one),
      cmocka_unit_test(where_the_limit_leaves_no_room_it_says_so_and_changes_nothing),
      cmocka_unit_test(absurd_sizes_find_no_room),
      cmocka_unit_test(settled_pieces_are_one),
      cmocka_unit_test(what_a_branch_frees_is_its_own_until_the_join),
  };
  return XPU_RUN_TESTS(tests);
}
