// SPDX-License-Identifier: Apache-2.0
// The least memory that a graph's allocations need, against every state that the graph can be in.
#include <algorithm>
#include <vector>

#include "memory/lifetimes.h"
#include "memory/lower_bound.h"
#include "random_dag.h"
#include "xpu_test.h"

namespace xpu::test {
namespace {

using memory::After;
using memory::Lifetime;

// A graph of nodes that do nothing, some of which stand for allocations and frees.
struct Case {
  Dag dag;
  std::vector<Lifetime> lives;
};

Case random_case(Random& random, uint32_t most_nodes) {
  Case made{random_dag(random, most_nodes), {}};
  for (uint32_t node = 0; node < made.dag.nodes; node++) {
    if (!random.one_in(2)) continue;
    Lifetime life;
    life.begins = node;
    life.rounded = 1 + random.below(100);
    made.lives.push_back(life);
  }
  // Frees behind their allocation, one for each node at most; a third stay.
  std::vector<bool> taken(made.dag.nodes);
  for (const Lifetime& life : made.lives) taken[life.begins] = true;
  for (Lifetime& life : made.lives) {
    if (random.one_in(3)) continue;
    for (const auto& [from, to] : made.dag.edges) {
      if (from != life.begins || taken[to]) continue;
      life.ends = to;
      taken[to] = true;
      break;
    }
  }
  return made;
}

// A set of nodes that may have run: with each all before it. What has begun in it and not ended is
// alive.
size_t reference(const Case& c) {
  std::vector<uint32_t> before(c.dag.nodes);
  for (const auto& [from, to] : c.dag.edges) before[to] |= 1u << from;
  size_t most = 0;
  for (uint32_t set = 0; set < 1u << c.dag.nodes; set++) {
    bool possible = true;
    for (uint32_t node = 0; node < c.dag.nodes && possible; node++)
      possible = !(set >> node & 1) || (before[node] & ~set) == 0;
    if (!possible) continue;
    size_t alive = 0;
    for (const Lifetime& life : c.lives)
      alive +=
          (set >> life.begins & 1) && (life.stays() || !(set >> life.ends & 1)) ? life.rounded : 0;
    most = std::max(most, alive);
  }
  return most;
}

struct Bounds {
  size_t exact, by_level;
};

Bounds bounds(Case& c) {
  const std::shared_ptr<graph::Graph> graph = graph::Graph::make();
  for (uint32_t i = 0; i < c.dag.nodes; i++) (void)graph->add(graph::EmptyParams::make());
  std::vector<uint32_t> level(c.dag.nodes);
  for (const auto& [from, to] : c.dag.edges) {
    graph::Node *a = graph->nodes()[from], *b = graph->nodes()[to];
    (void)graph->add_edges({&a, 1}, {&b, 1}).ok();
  }
  for (uint32_t to = 0; to < c.dag.nodes; to++) {
    for (const auto& [from, then] : c.dag.edges)
      if (then == to) level[to] = std::max(level[to], level[from] + 1);
  }
  std::vector<size_t> bytes;
  for (Lifetime& life : c.lives) {
    bytes.push_back(life.rounded);
    life.first_level = level[life.begins];
    life.last_level = life.stays() ? c.dag.nodes - 1 : level[life.ends];
  }
  const After after = memory::order_among(*graph, c.lives).take();
  return {memory::heaviest_alive(bytes, after), memory::heaviest_level(c.lives, c.dag.nodes)};
}

void it_is_what_can_be_alive_at_once(void**) {
  Random random(1);
  int shared = 0, below = 0;
  for (int i = 0; i < 1500; i++) {
    Case c = random_case(random, 12);
    const Bounds found = bounds(c);
    const size_t wanted = reference(c);
    size_t all = 0;
    for (const Lifetime& life : c.lives) all += life.rounded;
    shared += wanted < all;
    below += found.by_level < wanted;
    if (found.exact != wanted) print_error("case %d\n", i);
    assert_int_equal(wanted, found.exact);
    assert_true(found.by_level <= wanted);
  }
  // The cases say something: many share memory, and a level does not always have the most.
  assert_true(shared > 100);
  assert_true(below > 10);
}

void a_chain_needs_its_largest_and_branches_need_their_sum(void**) {
  const size_t bytes[] = {3, 5, 4};
  const After chain = {{1, 2}, {2}, {}}, branches = {{}, {}, {}}, fork = {{1, 2}, {}, {}};
  assert_int_equal(5, memory::heaviest_alive(bytes, chain));
  assert_int_equal(12, memory::heaviest_alive(bytes, branches));
  assert_int_equal(9, memory::heaviest_alive(bytes, fork));
  assert_int_equal(0, memory::heaviest_alive({}, {}));
}

// Ends that come before more than one beginning: what is taken over must not be counted twice.
void what_is_taken_over_is_taken_once(void**) {
  // The third comes after the first and the last.
  const size_t bytes[] = {10, 6, 6, 1};
  const After after = {{1, 2}, {}, {}, {2}};
  assert_int_equal(12, memory::heaviest_alive(bytes, after));  // 6 + 6; 10 + 1 is less
}

// The third can take over from the first or the second, the fourth from the first only: whoever
// gives the first to the third has to take it back.
void what_was_taken_over_first_is_given_up_for_more(void**) {
  const size_t bytes[] = {1, 1, 1, 1};
  const After after = {{2, 3}, {2}, {}, {}};
  assert_int_equal(2, memory::heaviest_alive(bytes, after));
}

// Any order at all, whether or not nodes could stand behind it; closed as After has to be.
After random_order(Random& random, uint32_t n) {
  std::vector<std::vector<bool>> less(n, std::vector<bool>(n));
  const uint32_t density = 2 + random.below(5);
  for (uint32_t to = 0; to < n; to++) {
    for (uint32_t from = 0; from < to; from++) {
      if (!random.one_in(density)) continue;
      less[from][to] = true;
      for (uint32_t first = 0; first < from; first++)
        if (less[first][from]) less[first][to] = true;
    }
  }
  After after(n);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++)
      if (less[i][j]) after[i].push_back(j);
  }
  return after;
}

size_t heaviest_by_trying(const std::vector<size_t>& bytes, const After& after) {
  std::vector<uint32_t> comparable(bytes.size());
  for (size_t i = 0; i < bytes.size(); i++) {
    for (const uint32_t j : after[i]) comparable[i] |= 1u << j;
  }
  size_t most = 0;
  for (uint32_t set = 0; set < 1u << bytes.size(); set++) {
    size_t sum = 0;
    for (size_t i = 0; i < bytes.size() && sum != SIZE_MAX; i++) {
      if (set >> i & 1) sum = comparable[i] & set ? SIZE_MAX : sum + bytes[i];
    }
    if (sum != SIZE_MAX) most = std::max(most, sum);
  }
  return most;
}

size_t wrong_orders(uint32_t cases) {
  Random random(7);
  size_t wrong = 0;
  for (uint32_t c = 0; c < cases; c++) {
    const uint32_t n = 2 + random.below(11);
    std::vector<size_t> bytes(n);
    for (size_t& b : bytes) b = 1 + random.below(50);
    const After after = random_order(random, n);
    wrong += memory::heaviest_alive(bytes, after) != heaviest_by_trying(bytes, after);
  }
  return wrong;
}

void it_is_the_heaviest_set_without_an_order(void**) { assert_int_equal(0, wrong_orders(1000)); }

void bytes_may_be_as_many_as_an_address_can_count(void**) {
  const size_t huge = size_t{1} << 62;
  const size_t bytes[] = {huge, huge, huge - 1};
  const After after = {{1}, {}, {}};
  assert_true(memory::heaviest_alive(bytes, after) == 2 * huge - 1);
}

// As many as are solved exactly, with as many pairs as there can be.
void the_largest_that_is_exact_is_right(void**) {
  constexpr uint32_t n = 512;
  std::vector<size_t> bytes(n);
  After after(n);
  for (uint32_t i = 0; i < n; i++) {
    bytes[i] = 1 + i * 7919u % 1000;
    for (uint32_t j = i + 1; j < n; j++) {
      if (j - i >= 8) after[i].push_back(j);
    }
  }
  size_t most = 0;  // eight in a row
  for (uint32_t i = 0; i + 8 <= n; i++) {
    size_t sum = 0;
    for (uint32_t j = i; j < i + 8; j++) sum += bytes[j];
    most = std::max(most, sum);
  }
  const size_t found = memory::heaviest_alive(bytes, after);
  std::vector<size_t>().swap(bytes);
  After().swap(after);
  assert_int_equal(most, found);
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_what_can_be_alive_at_once),
      cmocka_unit_test(a_chain_needs_its_largest_and_branches_need_their_sum),
      cmocka_unit_test(what_is_taken_over_is_taken_once),
      cmocka_unit_test(what_was_taken_over_first_is_given_up_for_more),
      cmocka_unit_test(it_is_the_heaviest_set_without_an_order),
      cmocka_unit_test(bytes_may_be_as_many_as_an_address_can_count),
      cmocka_unit_test(the_largest_that_is_exact_is_right),
  };
  return XPU_RUN_TESTS(tests);
}
