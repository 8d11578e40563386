// SPDX-License-Identifier: Apache-2.0
// Dilworth's theorem with weights: the heaviest antichain weighs as much as the cheapest cover by
// chains. A cover saves, on every byte that one allocation takes over from another, the byte; what
// it can save at most is a maximum flow from ends to beginnings, which Dinic's algorithm finds.
#include "memory/lower_bound.h"

#include <algorithm>
#include <numeric>

namespace xpu::memory {
namespace {

class Flow {
 public:
  explicit Flow(size_t vertices) : out_(vertices), level_(vertices), next_(vertices) {}

  void pipe(uint32_t from, uint32_t to, size_t room) {
    out_[from].push_back(static_cast<uint32_t>(pipes_.size()));
    pipes_.push_back({to, room});
    out_[to].push_back(static_cast<uint32_t>(pipes_.size()));
    pipes_.push_back({from, 0});
  }

  size_t most(uint32_t source, uint32_t sink) {
    size_t sum = 0;
    while (reaches(source, sink)) {
      std::fill(next_.begin(), next_.end(), 0u);
      while (const size_t pushed = push(source, sink, SIZE_MAX)) sum += pushed;
    }
    return sum;
  }

 private:
  // `pipes_[i ^ 1]` is the way back of pipe i.
  struct Pipe {
    uint32_t to;
    size_t room;
  };
  static constexpr uint32_t kFar = UINT32_MAX;

  bool reaches(uint32_t source, uint32_t sink) {
    std::fill(level_.begin(), level_.end(), kFar);
    level_[source] = 0;
    std::vector<uint32_t> queue{source};
    for (size_t i = 0; i < queue.size() && level_[sink] == kFar; i++) {
      for (const uint32_t p : out_[queue[i]]) {
        if (!pipes_[p].room || level_[pipes_[p].to] != kFar) continue;
        level_[pipes_[p].to] = level_[queue[i]] + 1;
        queue.push_back(pipes_[p].to);
      }
    }
    return level_[sink] != kFar;
  }

  // As deep as there are levels, which are no more than vertices.
  size_t push(uint32_t at, uint32_t sink, size_t most) {
    if (at == sink) return most;
    for (uint32_t& i = next_[at]; i < out_[at].size(); i++) {
      const uint32_t p = out_[at][i];
      const uint32_t to = pipes_[p].to;
      if (!pipes_[p].room || level_[to] != level_[at] + 1) continue;
      const size_t pushed = push(to, sink, std::min(most, pipes_[p].room));
      if (!pushed) continue;
      pipes_[p].room -= pushed;
      pipes_[p ^ 1].room += pushed;
      return pushed;
    }
    return 0;
  }

  std::vector<Pipe> pipes_;
  std::vector<std::vector<uint32_t>> out_;
  std::vector<uint32_t> level_, next_;
};

}  // namespace

size_t heaviest_alive(std::span<const size_t> bytes, const After& after) {
  const auto n = static_cast<uint32_t>(bytes.size());
  const uint32_t source = 2 * n, sink = 2 * n + 1;
  Flow flow(2 * size_t{n} + 2);
  for (uint32_t i = 0; i < n; i++) {
    flow.pipe(source, i, bytes[i]);
    flow.pipe(n + i, sink, bytes[i]);
    for (const uint32_t then : after[i]) flow.pipe(i, n + then, SIZE_MAX);
  }
  const size_t all = std::accumulate(bytes.begin(), bytes.end(), size_t{0});
  return all - flow.most(source, sink);
}

}  // namespace xpu::memory
