// SPDX-License-Identifier: Apache-2.0
// Order answers as a closure of bits does, on thousands of random graphs with points and joins of
// everything among them; with more branches than it keeps it says less, and nothing wrong.
#include "memory/order.h"

#include <random_dag.h>
#include <stdio.h>
#include <xpu_test.h>

#include "memory_reference.h"

namespace {

using namespace xpu::memory;
using namespace xpu::test;

// The same moments in both.
struct Pair {
  Order order;
  Closure closure;
  bool same_numbers = true;
  Moment note(Moment ours, uint32_t reference) {
    same_numbers &= ours == reference;
    return ours;
  }
  Moment add(const std::vector<Moment>& before) {
    return note(order.add(before), closure.add(before));
  }
  Moment add_after_all() { return note(order.add_after_all(), closure.add_after_all()); }
  Moment add_point(const std::vector<Moment>& after) {
    return note(order.add_point(after), closure.add_point(after));
  }
};

struct Compared {
  long asked = 0, missed = 0, invented = 0, bases_wrong = 0;
  bool same_numbers = true;
  void all_of(const Pair& pair) {
    same_numbers &= pair.same_numbers;
    for (Moment then = 0; then < pair.order.size(); then++) {
      for (Moment first = 0; first < pair.order.size(); first++) {
        const bool known = pair.order.before(first, then);
        const bool really = pair.closure.before(first, then);
        asked++;
        missed += really && !known;
        invented += known && !really;
        bases_wrong += first < pair.order.all_before(then) && !really;
      }
    }
  }
};

// Nodes in the order of the graph. Every `points`th moment or so is a point behind some of them,
// every `joins`th comes after everything; what has no node before it comes after the last such.
void grow(Pair& pair, Random& random, const Dag& dag, uint32_t points, uint32_t joins) {
  std::vector<std::vector<uint32_t>> before(dag.nodes);
  for (const auto& [from, to] : dag.edges) before[to].push_back(from);
  std::vector<Moment> moments;
  std::vector<Moment> begin;
  for (uint32_t node = 0; node < dag.nodes; node++) {
    if (joins && random.one_in(joins)) begin = {pair.add_after_all()};
    std::vector<Moment> after;
    for (const uint32_t b : before[node]) after.push_back(moments[b]);
    if (after.empty()) after = begin;
    if (!after.empty() && random.one_in(4))
      after.push_back(after[random.below(static_cast<uint32_t>(after.size()))]);  // they may repeat
    moments.push_back(pair.add(after));
    while (points && random.one_in(points)) {
      std::vector<Moment> behind;
      for (uint32_t k = 1 + random.below(3); k--;)
        behind.push_back(moments[random.below(static_cast<uint32_t>(moments.size()))]);
      pair.add_point(behind);
    }
  }
}

Compared compare(uint32_t graphs, uint32_t most_nodes, uint32_t points, uint32_t joins) {
  Compared compared;
  for (uint32_t seed = 0; seed < graphs; seed++) {
    Random random(seed * 4 + points + joins);
    Pair pair;
    grow(pair, random, random_dag(random, most_nodes), points, joins);
    compared.all_of(pair);
  }
  return compared;
}

void assert_exact(const Compared& compared) {
  assert_true(compared.asked > 100'000);
  assert_true(compared.same_numbers);
  assert_int_equal(compared.missed, 0);
  assert_int_equal(compared.invented, 0);
  assert_int_equal(compared.bases_wrong, 0);
}

void nodes_of_graphs_are_ordered_as_their_paths_say(void**) {
  assert_exact(compare(2000, 60, 0, 0));
  assert_exact(compare(20, 250, 0, 0));
}
void points_are_behind_their_nodes_and_before_what_is_behind_all_of_them(void**) {
  assert_exact(compare(2000, 50, 3, 0));
}
void a_moment_after_all_is_after_points_too(void**) {
  assert_exact(compare(1000, 50, 0, 9));
  assert_exact(compare(2000, 50, 3, 9));
}

// Roots of which `joined` are joined and one is not, then a fork behind the join.
struct Joined {
  Compared compared;
  uint32_t known = 0, newest_known = 0;
};
Joined join(uint32_t joined) {
  Pair pair;
  std::vector<Moment> roots;
  for (uint32_t i = 0; i < joined; i++) roots.push_back(pair.add({}));
  pair.add({});
  const Moment end = pair.add(roots);
  pair.add({end});
  pair.add({end});
  Joined result;
  result.compared.all_of(pair);
  for (const Moment root : roots) {
    const bool known = pair.order.before(root, end);
    result.known += known;
    if (root + Order::kMostBranches >= joined) result.newest_known += known;
  }
  return result;
}

void up_to_the_limit_of_branches_nothing_is_forgotten(void**) {
  const Joined at = join(Order::kMostBranches);

  assert_int_equal(at.compared.missed, 0);
  assert_int_equal(at.compared.invented, 0);
}
void beyond_the_limit_the_oldest_branches_are_forgotten(void**) {
  const Joined beyond = join(Order::kMostBranches * 2);

  assert_int_equal(beyond.compared.invented, 0);
  assert_int_equal(beyond.newest_known, Order::kMostBranches);
  assert_true(beyond.known < Order::kMostBranches * 2);
}

// Wide graphs of many shapes: joins of hundreds of branches over and over.
Compared compare_wide() {
  Compared compared;
  for (uint32_t seed = 0; seed < 12; seed++) {
    Random random(seed);
    Pair pair;
    std::vector<Moment> all;
    const uint32_t roots = 300 + random.below(300);
    for (uint32_t i = 0; i < roots; i++) all.push_back(pair.add({}));
    for (uint32_t i = 0; i < 300; i++) {
      std::vector<Moment> before;
      const uint32_t count = random.one_in(10) ? 1 + random.below(500) : 1 + random.below(4);
      for (uint32_t k = count; k--;)
        before.push_back(all[random.below(static_cast<uint32_t>(all.size()))]);
      if (random.one_in(8)) pair.add_point(before);
      if (random.one_in(100))
        all = {pair.add_after_all()};
      else
        all.push_back(pair.add(before));
    }
    compared.all_of(pair);
  }
  return compared;
}

void in_wide_graphs_nothing_is_wrongly_said_to_be_before(void**) {
  const Compared compared = compare_wide();

  assert_true(compared.same_numbers);
  assert_int_equal(compared.invented, 0);
  assert_int_equal(compared.bases_wrong, 0);
  assert_true(compared.missed > 0);  // so the limit was met
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(nodes_of_graphs_are_ordered_as_their_paths_say),
      cmocka_unit_test(points_are_behind_their_nodes_and_before_what_is_behind_all_of_them),
      cmocka_unit_test(a_moment_after_all_is_after_points_too),
      cmocka_unit_test(up_to_the_limit_of_branches_nothing_is_forgotten),
      cmocka_unit_test(beyond_the_limit_the_oldest_branches_are_forgotten),
      cmocka_unit_test(in_wide_graphs_nothing_is_wrongly_said_to_be_before),
  };
  return XPU_RUN_TESTS(tests);
}
