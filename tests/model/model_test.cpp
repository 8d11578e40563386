// SPDX-License-Identifier: Apache-2.0
// Random graphs on the real device against the reference walk.
// Usage: model_test FIRST_SEED COUNT; XPU_TEST_MODELS in the environment is a smaller COUNT for
// runs in a hurry.
#include <algorithm>
#include <cstdlib>

#include "order_shows.h"
#include "stage.h"
#include "xpu_test.h"

namespace {

using namespace xpu::test;

uint64_t first_seed = 1;
uint32_t seeds = 50;

constexpr uint32_t kMostVertices = 40, kRounds = 4;

uint32_t faults_of_built(uint64_t seed) {
  const Model model = random_model(seed, kMostVertices, true);
  Stage stage(model);
  return stage.run(stage.build(), kRounds);
}
uint32_t faults_of_captured(uint64_t seed) {
  const Model model = random_model(seed, kMostVertices, false);
  Stage stage(model);
  return stage.run(stage.capture(seed, 1 + static_cast<uint32_t>(seed % 4)), kRounds);
}

void report(const char* what, uint64_t seed, uint32_t faults) {
  if (faults) {
    print_error("%s graph of seed %llu: %u vertices differ from the walk\n", what,
                static_cast<unsigned long long>(seed), faults);
  }
  assert_int_equal(faults, 0);
}

void graphs_of_nodes_compute_what_the_walk_computes(void**) {
  for (uint64_t s = first_seed; s < first_seed + seeds; s++) report("built", s, faults_of_built(s));
}
void captured_graphs_compute_what_the_walk_computes(void**) {
  for (uint64_t s = first_seed; s < first_seed + seeds; s++) {
    report("captured", s, faults_of_captured(s));
  }
}

// 1 if the missing edge showed, 0 if it did not, -1 if the model has no edge that must show.
int missing_edge_shows(uint64_t seed) {
  const Model model = random_model(seed, 12, false);
  Random random(seed);
  const auto edge = needed_edge(model, random);
  if (edge.first == kOutside) return -1;
  Stage stage(model);
  return stage.run(stage.build(edge), kRounds) > 0;
}
// The two are then unordered in every round, and a shuffled schedule puts them the wrong way round
// in half of the rounds: one missing edge in 2^kRounds stays unseen.
void a_graph_with_an_edge_removed_differs(void**) {
  uint32_t tried = 0, shown = 0;
  for (uint64_t s = first_seed; s < first_seed + seeds; s++) {
    const int shows = missing_edge_shows(s);
    tried += shows >= 0;
    shown += shows > 0;
  }
  print_message("%u of %u missing edges showed\n", shown, tried);
  assert_in_range(tried, seeds / 3, seeds);
  assert_in_range(shown, tried - tried / 4, tried);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) first_seed = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) seeds = static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10));
  if (const char* fewer = std::getenv("XPU_TEST_MODELS"))
    seeds = std::min(seeds, static_cast<uint32_t>(std::strtoul(fewer, nullptr, 10)));
  const CMUnitTest tests[] = {
      cmocka_unit_test(graphs_of_nodes_compute_what_the_walk_computes),
      cmocka_unit_test(captured_graphs_compute_what_the_walk_computes),
      cmocka_unit_test(a_graph_with_an_edge_removed_differs),
  };
  const CMUnitTest ordered[] = {tests[0], tests[1]};
  return missing_order_shows() ? XPU_RUN_TESTS(tests) : XPU_RUN_TESTS(ordered);
}
