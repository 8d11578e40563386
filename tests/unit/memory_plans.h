// SPDX-License-Identifier: Apache-2.0
// Plans: moments in an order and allocations over them, random ones of many families and those of a
// chain; and what Order and Offsets make of a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "memory/offsets.h"
#include "memory/order.h"
#include "memory_reference.h"
#include "random_dag.h"

namespace xpu::test {

// One moment for each step, which allocates, frees or does nothing.
struct Step {
  enum What { nothing, allocate, release } what = nothing;
  uint32_t of = 0;               // the allocation
  std::vector<uint32_t> before;  // steps before this one
};
struct Plan {
  std::vector<Step> steps;
  std::vector<Lifetime> allocations;
  bool is_chain = false;

  uint32_t step(Step::What what, uint32_t of, std::vector<uint32_t> before) {
    steps.push_back({what, of, std::move(before)});
    return static_cast<uint32_t>(steps.size() - 1);
  }
  // Appends to the chain.
  uint32_t chained(Step::What what, uint32_t of) {
    const auto last = static_cast<uint32_t>(steps.size() - 1);
    return step(what, of, steps.empty() ? std::vector<uint32_t>() : std::vector<uint32_t>{last});
  }
  uint32_t alloc(size_t size) {
    const auto of = static_cast<uint32_t>(allocations.size());
    allocations.push_back({size, chained(Step::allocate, of)});
    return of;
  }
  void free(uint32_t of) { allocations[of].end = chained(Step::release, of); }

  Closure closure() const {
    Closure order;
    for (const Step& s : steps) order.add(s.before);
    return order;
  }
};

inline size_t granules(size_t size) { return xpu::memory::Offsets::rounded(size); }

// Sizes of one distribution: all alike, any, powers of two, small and large ones mixed.
inline constexpr uint32_t kOneSize = 0;
inline size_t random_size(Random& random, uint32_t distribution) {
  switch (distribution % 4) {
    case kOneSize:
      return 128 << 10;
    case 1:
      return 1 + random.below(1 << 20);
    case 2:
      return size_t{512} << random.below(12);
    default:
      return random.one_in(3) ? size_t{1} << 20 : 512 * (1 + random.below(64));
  }
}

// Each of `alive` buffers is alive over `alive` steps.
inline Plan ring(Random& random, uint32_t count, uint32_t alive, uint32_t distribution) {
  Plan plan;
  plan.is_chain = true;
  for (uint32_t i = 0; i < count; i++) {
    plan.alloc(random_size(random, distribution));
    if (i + 1 >= alive) plan.free(i + 1 - alive);
  }
  return plan;
}

// Any of at most `alive` is freed next.
inline Plan chain(Random& random, uint32_t count, uint32_t alive, uint32_t distribution) {
  Plan plan;
  plan.is_chain = true;
  std::vector<uint32_t> live;
  for (uint32_t i = 0; i < count; i++) {
    live.push_back(plan.alloc(random_size(random, distribution)));
    while (live.size() > alive || (!live.empty() && random.below(10) < 4)) {
      const uint32_t k = random.below(static_cast<uint32_t>(live.size()));
      plan.free(live[k]);
      live.erase(live.begin() + k);
      if (!random.one_in(4)) break;
    }
  }
  return plan;
}

// Calls within calls: what is allocated first is freed last.
inline Plan nested(Random& random, uint32_t count, uint32_t distribution) {
  Plan plan;
  plan.is_chain = true;
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < count;) {
    if (open.empty() || (open.size() < 12 && !random.one_in(2))) {
      open.push_back(plan.alloc(random_size(random, distribution)));
      i++;
    } else {
      plan.free(open.back());
      open.pop_back();
    }
  }
  while (!open.empty()) plan.free(open.back()), open.pop_back();
  return plan;
}

// `branches` chains behind one root, two buffers of each alive, captured turn by turn: what one
// frees lies between what others use.
inline Plan fork_of(Random& random, uint32_t branches, uint32_t each, uint32_t distribution) {
  Plan plan;
  const uint32_t root = plan.step(Step::nothing, 0, {});
  std::vector<uint32_t> last(branches, root), before(branches);
  for (uint32_t i = 0; i < each; i++) {
    for (uint32_t b = 0; b < branches; b++) {
      const auto of = static_cast<uint32_t>(plan.allocations.size());
      last[b] = plan.step(Step::allocate, of, {last[b]});
      plan.allocations.push_back({random_size(random, distribution), last[b]});
      if (i > 0) {
        last[b] = plan.step(Step::release, before[b], {last[b]});
        plan.allocations[before[b]].end = last[b];
      }
      before[b] = of;
    }
  }
  return plan;
}

inline Dag random_tree(Random& random, uint32_t most_nodes) {
  Dag tree;
  tree.nodes = 2 + random.below(most_nodes);
  for (uint32_t to = 1; to < tree.nodes; to++) tree.edges.emplace_back(random.below(to), to);
  return tree;
}

// A random graph of which each node may allocate or free something that was allocated on its way.
// The nodes that free are nodes as any other: others may come behind them.
inline Plan over(Random& random, const Dag& dag, uint32_t distribution) {
  Plan plan;
  Closure order;
  std::vector<std::vector<uint32_t>> before(dag.nodes);
  for (const auto& [from, to] : dag.edges) before[to].push_back(from);
  std::vector<uint32_t> live;
  for (uint32_t node = 0; node < dag.nodes; node++) {
    order.add(before[node]);
    uint32_t chosen = UINT32_MAX;
    if (random.one_in(2)) {
      for (uint32_t k = 0; k < live.size(); k++) {
        if (!order.before(plan.allocations[live[k]].begin, node)) continue;
        if (chosen == UINT32_MAX || random.one_in(3)) chosen = k;
      }
    }
    if (chosen != UINT32_MAX) {
      plan.step(Step::release, live[chosen], before[node]);
      plan.allocations[live[chosen]].end = node;
      live.erase(live.begin() + chosen);
    } else if (random.below(10) < 8) {
      const auto of = static_cast<uint32_t>(plan.allocations.size());
      plan.step(Step::allocate, of, before[node]);
      plan.allocations.push_back({random_size(random, distribution), node});
      live.push_back(of);
    } else {
      plan.step(Step::nothing, 0, before[node]);
    }
  }
  return plan;
}

// What the floor makes of a plan.
struct Placed {
  std::vector<size_t> offsets;
  size_t peak = 0;
};
inline Placed place(const Plan& plan) {
  xpu::memory::Order order;
  xpu::memory::Offsets offsets;
  Placed placed;
  placed.offsets.resize(plan.allocations.size());
  for (const Step& s : plan.steps) {
    const xpu::memory::Moment moment = order.add(s.before);
    const Lifetime* of = s.what == Step::nothing ? nullptr : &plan.allocations[s.of];
    if (s.what == Step::allocate) placed.offsets[s.of] = offsets.allocate(of->size, moment, order);
    if (s.what == Step::release) offsets.release(placed.offsets[s.of], of->size, moment);
  }
  placed.peak = offsets.peak();
  return placed;
}

// The most bytes in use at once: of a chain by walking it.
inline size_t lower_bound(const Plan& plan) {
  if (plan.is_chain) {
    size_t live = 0, most = 0;
    for (const Step& s : plan.steps) {
      if (s.what == Step::allocate) live += plan.allocations[s.of].size;
      if (s.what == Step::release) live -= plan.allocations[s.of].size;
      most = std::max(most, live);
    }
    return most;
  }
  return most_at_once(plan.allocations, Conflicts(plan.allocations, plan.closure()));
}

// As memory is rounded behind a range: large pages of 2 MiB as far as they are full, then small
// ones.
inline size_t in_pages(size_t bytes) {
  constexpr size_t page = size_t{64} << 10;
  return (bytes + page - 1) / page * page;
}

}  // namespace xpu::test
