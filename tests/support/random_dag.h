// SPDX-License-Identifier: Apache-2.0
// Random acyclic graphs of many shapes, the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace xpu::test {

// The standard distributions differ between libraries; this does not.
class Random {
 public:
  explicit Random(uint64_t seed) noexcept : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint32_t next() noexcept {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = state_ ^ (state_ >> 29);
    x *= 0xbf58476d1ce4e5b9u;
    return static_cast<uint32_t>(x >> 32);
  }
  // 0 to n - 1.
  uint32_t below(uint32_t n) noexcept {
    return static_cast<uint32_t>((uint64_t{next()} * n) >> 32);
  }
  bool one_in(uint32_t n) noexcept { return below(n) == 0; }

 private:
  uint64_t state_;
};

struct Dag {
  uint32_t nodes = 0;
  std::vector<std::pair<uint32_t, uint32_t>> edges;  // from < to, no two alike
};

namespace dag_detail {

class Builder {
 public:
  explicit Builder(uint32_t nodes) : there_(size_t{nodes} * nodes) { dag_.nodes = nodes; }
  void edge(uint32_t from, uint32_t to) {
    if (from >= to || there_[size_t{from} * dag_.nodes + to]) return;
    there_[size_t{from} * dag_.nodes + to] = true;
    dag_.edges.emplace_back(from, to);
  }
  Dag take() { return std::move(dag_); }

 private:
  Dag dag_;
  std::vector<bool> there_;
};

}  // namespace dag_detail

// One of: anything, layers, parallel chains with cross links, a tree, fork and join, a chain.
inline Dag random_dag(Random& random, uint32_t most_nodes) {
  const uint32_t n = 1 + random.below(most_nodes);
  dag_detail::Builder b(n);
  const uint32_t width = 1 + random.below(6);
  switch (random.below(6)) {
    case 0:
      for (uint32_t i = random.below(3 * n + 1); i--;) b.edge(random.below(n), random.below(n));
      break;
    case 1:  // every node of a layer may depend on any of the layer before
      for (uint32_t to = width; to < n; to++) {
        const uint32_t before = (to / width - 1) * width;
        for (uint32_t k = 1 + random.below(width); k--;) b.edge(before + random.below(width), to);
      }
      break;
    case 2:
      for (uint32_t to = width; to < n; to++) {
        b.edge(to - width, to);
        if (random.one_in(6)) b.edge(random.below(to), to);
      }
      break;
    case 3:
      for (uint32_t to = 1; to < n; to++) b.edge(random.below(to), to);
      break;
    case 4:
      for (uint32_t to = 1; to + 1 < n; to++) {
        b.edge(to > width ? to - width : 0, to);
        if (to + width + 1 >= n) b.edge(to, n - 1);
      }
      break;
    default:
      for (uint32_t to = 1; to < n; to++) b.edge(to - 1, to);
      break;
  }
  return b.take();
}

}  // namespace xpu::test
