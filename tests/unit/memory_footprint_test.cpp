// SPDX-License-Identifier: Apache-2.0
// How much memory placement takes beside the least that is possible: for recorded traces, for
// families of random plans, and for small plans beside the best placement there is. Prints the
// distribution of each.
//
// The aim is 1.03 in the median and 1.10 in the worst case, in pages. Recorded steps are there, and
// what is freed in the reverse order or has one size on a chain. Sizes at random are not: an
// address is given when a node is added, before anything is known of what comes later, and best fit
// over random sizes leaves gaps. First fit, next fit, worst fit, large below small, and exact fit
// before each of these were measured: none is better over all, though next fit is on rings. The
// limits of those families hold what was reached.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include "memory_plans.h"
#include "memory_reference.h"
#include "xpu_test.h"

namespace {

using namespace xpu::test;

const char* traces_path;

struct Ratios {
  std::vector<double> in_pages, in_bytes;
  void add(size_t reserved, size_t bound) {
    using xpu::test::in_pages;
    this->in_bytes.push_back(static_cast<double>(reserved) / static_cast<double>(bound));
    this->in_pages.push_back(static_cast<double>(in_pages(reserved)) /
                             static_cast<double>(in_pages(bound)));
  }
};

struct Spread {
  double median = 0, p90 = 0, worst = 0;
};
Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {99, 99, 99};
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values[values.size() * 9 / 10], values.back()};
}

struct Row {
  Spread pages, bytes;
};
Row print(const char* family, const Ratios& ratios) {
  const Row row{spread_of(ratios.in_pages), spread_of(ratios.in_bytes)};
  print_message("%-26s %4zu plans: in pages %.3f %.3f %.3f, in bytes %.3f %.3f %.3f\n", family,
                ratios.in_pages.size(), row.pages.median, row.pages.p90, row.pages.worst,
                row.bytes.median, row.bytes.p90, row.bytes.worst);
  return row;
}

// `count` plans of a family, with sizes of every distribution in turn, or of one.
template <class Make>
Row measure(const char* family, uint32_t count, Make make) {
  Ratios ratios;
  for (uint32_t seed = 0; seed < count; seed++) {
    Random random(seed);
    const Plan plan = make(random, seed);
    if (!plan.allocations.empty()) ratios.add(place(plan).peak, lower_bound(plan));
  }
  return print(family, ratios);
}

void assert_within(const Row& row, double median, double worst) {
  assert_true(row.pages.median <= median);
  assert_true(row.pages.worst <= worst);
}
constexpr double kMedian = 1.03, kWorst = 1.10;

struct Traces {
  int count = 0;
  size_t chain16 = 0;
  Row row;
};
Traces measure_traces() {
  Traces traces;
  Ratios all;
  std::ifstream file(traces_path);
  std::string name;
  size_t steps = 0;
  while (std::getline(file >> std::ws, name) && file >> steps) {
    Plan plan;
    plan.is_chain = true;
    char what = 0;
    for (size_t value = 0; steps-- && file >> what >> value;) {
      if (what == 'a') plan.alloc(value);
      if (what == 'f') plan.free(static_cast<uint32_t>(value));
    }
    const size_t peak = place(plan).peak, bound = lower_bound(plan);
    if (name == "chain16") traces.chain16 = peak;
    all.add(peak, bound);
    traces.count++;
    print_message("%-26s %zu of %zu bytes: %.4f\n", name.c_str(), peak, bound, all.in_bytes.back());
  }
  traces.row = print("traces", all);
  return traces;
}

void recorded_steps_take_next_to_nothing_more(void**) {
  const Traces traces = measure_traces();

  assert_true(traces.count >= 5);
  assert_within(traces.row, kMedian, kWorst);
}
void a_chain_of_buffers_takes_what_is_alive_at_once(void**) {
  // 32 MiB in all; CUDA 13 reserves all of them.
  assert_int_equal(measure_traces().chain16, 6 << 20);
}

void what_is_freed_in_the_reverse_order_wastes_nothing(void**) {
  const Row row =
      measure("nested calls", 400, [](Random& r, uint32_t seed) { return nested(r, 200, seed); });

  assert_within(row, 1.0, 1.02);  // one small page
}

void sizes_that_are_alike_waste_nothing_on_a_chain(void**) {
  const Row row = measure("ring, one size", 100, [](Random& r, uint32_t) {
    return ring(r, 200, 2 + r.below(15), kOneSize);
  });
  const Row any = measure("chain, one size", 100,
                          [](Random& r, uint32_t) { return chain(r, 200, 20, kOneSize); });

  assert_within(row, 1.0, 1.0);
  assert_within(any, 1.0, 1.0);
}

void sizes_that_are_alike_waste_little_on_graphs(void**) {
  const Row row = measure("graph, one size", 400, [](Random& r, uint32_t) {
    return over(r, random_dag(r, 100), kOneSize);
  });

  assert_within(row, 1.0, 1.15);  // one buffer more of seven
  assert_true(row.bytes.p90 <= 1.0);
}

void random_sizes_on_a_ring(void**) {
  const Row row = measure("ring, random sizes", 400, [](Random& r, uint32_t seed) {
    return ring(r, 200, 2 + r.below(15), 1 + seed % 3);
  });

  assert_within(row, 1.13, 1.65);
  assert_true(row.bytes.median <= 1.12 && row.bytes.worst <= 1.62);
}

void random_sizes_on_a_chain(void**) {
  const Row row = measure("chain, random sizes", 400,
                          [](Random& r, uint32_t seed) { return chain(r, 200, 20, 1 + seed % 3); });
  const Row large = measure("chain of 10,000, 50 alive", 9, [](Random& r, uint32_t seed) {
    return chain(r, 10000, 50, 1 + seed % 3);
  });
  const Row wide = measure("chain of 10,000, 500 alive", 9, [](Random& r, uint32_t seed) {
    return chain(r, 10000, 500, 1 + seed % 3);
  });

  assert_within(row, 1.15, 1.6);
  assert_within(large, 1.15, 1.3);
  assert_within(wide, 1.07, 1.1);
}

void random_sizes_on_graphs(void**) {
  const Row row = measure("graph, random sizes", 1000, [](Random& r, uint32_t seed) {
    return over(r, random_dag(r, 100), 1 + seed % 3);
  });
  const Row tree = measure("tree, random sizes", 400, [](Random& r, uint32_t seed) {
    return over(r, random_tree(r, 100), 1 + seed % 3);
  });

  assert_within(row, 1.03, 1.96);
  assert_within(tree, 1.03, 1.5);
  assert_true(row.bytes.median <= 1.03 && row.bytes.p90 <= 1.26);
  assert_true(tree.bytes.median <= 1.03 && tree.bytes.p90 <= 1.25);
}

void random_sizes_on_branches_captured_in_turn(void**) {
  const Row row = measure("fork, random sizes", 60, [](Random& r, uint32_t seed) {
    return fork_of(r, 2 + r.below(8), 25, 1 + seed % 3);
  });
  const Row alike = measure("fork, one size", 20, [](Random& r, uint32_t) {
    return fork_of(r, 2 + r.below(8), 25, kOneSize);
  });

  assert_within(row, 1.5, 2.7);
  assert_within(alike, 1.0, 1.0);
}

struct Small {
  Row row;
  size_t best = 0, plans = 0;
  int below_bound = 0;
};
Small measure_small() {
  Small small;
  Ratios placed, bounds;
  for (uint32_t seed = 0; seed < 3000; seed++) {
    Random random(seed);
    Plan plan = over(random, random_dag(random, 14), seed);
    if (plan.allocations.empty() || plan.allocations.size() > 8) continue;
    for (Lifetime& a : plan.allocations) a.size = granules(a.size);
    const Conflicts conflicts(plan.allocations, plan.closure());
    const size_t bound = most_at_once(plan.allocations, conflicts);
    const size_t best = BestPlacement(plan.allocations, conflicts, bound).bytes();
    const size_t peak = place(plan).peak;
    small.below_bound += best < bound || peak < best;
    small.best += peak == best;
    small.plans++;
    placed.add(peak, best);
    bounds.add(best, bound);
  }
  (void)print("best placement / bound", bounds);
  small.row = print("up to 8, of the best", placed);
  return small;
}

void of_few_allocations_most_are_placed_as_well_as_can_be(void**) {
  const Small small = measure_small();

  assert_true(small.plans > 2000);
  assert_int_equal(small.below_bound, 0);
  assert_true(small.best * 10 >= small.plans * 8);
  assert_true(small.row.bytes.p90 <= 1.01);
  assert_true(small.row.bytes.worst <= 2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  traces_path = argv[1];
  const CMUnitTest tests[] = {
      cmocka_unit_test(recorded_steps_take_next_to_nothing_more),
      cmocka_unit_test(a_chain_of_buffers_takes_what_is_alive_at_once),
      cmocka_unit_test(what_is_freed_in_the_reverse_order_wastes_nothing),
      cmocka_unit_test(sizes_that_are_alike_waste_nothing_on_a_chain),
      cmocka_unit_test(sizes_that_are_alike_waste_little_on_graphs),
      cmocka_unit_test(random_sizes_on_a_ring),
      cmocka_unit_test(random_sizes_on_a_chain),
      cmocka_unit_test(random_sizes_on_graphs),
      cmocka_unit_test(random_sizes_on_branches_captured_in_turn),
      cmocka_unit_test(of_few_allocations_most_are_placed_as_well_as_can_be),
  };
  return XPU_RUN_TESTS(tests);
}
