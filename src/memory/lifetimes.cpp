// SPDX-License-Identifier: Apache-2.0
// Levels, and sets of allocations that are over, passed down the graph.
#include "memory/lifetimes.h"

#include <algorithm>
#include <unordered_map>

#include "graph/order.h"

namespace xpu::memory {
namespace {

// By slot.
std::vector<uint32_t> levels_of(const graph::Graph& graph,
                                const std::vector<graph::Node*>& sorted) {
  std::vector<uint32_t> level(graph.slots(), 0);
  for (const graph::Node* node : sorted) {
    for (const graph::Edge& e : node->in())
      level[node->slot()] = std::max(level[node->slot()], level[e.node->slot()] + 1);
  }
  return level;
}

Lifetime placed(const graph::Node& node, const graph::AllocParams& params) {
  const auto& allocation = *static_cast<const Allocation*>(params.allocation().get());
  const Arena::Place place = allocation.arena->place_of(allocation.address);
  Lifetime life;
  life.begins = node.local_id();
  life.bytes = params.size();
  life.rounded = Offsets::rounded(params.size());
  life.device = params.device();
  life.range = place.range;
  life.offset = place.offset;
  life.address = params.address();
  return life;
}

// A set of lifetimes.
class Members {
 public:
  explicit Members(size_t size = 0) : words_((size + 63) / 64) {}
  void add(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  bool has(size_t i) const { return words_[i / 64] >> (i % 64) & 1; }
  void add(const Members& others) {
    for (size_t i = 0; i < words_.size(); i++) words_[i] |= others.words_[i];
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace

Result<Lifetimes> Lifetimes::of(const graph::Graph& graph) {
  XPU_TRY_ASSIGN(const std::vector<graph::Node*> sorted, graph::topological_order(graph));
  const std::vector<uint32_t> level = levels_of(graph, sorted);
  Lifetimes found;
  found.graph = graph.id();
  for (const uint32_t l : level) found.levels = std::max(found.levels, l + 1);
  std::unordered_map<const void*, const graph::Node*> ends;
  for (const graph::Node* node : graph.nodes()) {
    if (const auto* end = node->as<graph::FreeParams>()) ends[end->allocation().get()] = node;
  }
  for (const graph::Node* node : graph.nodes()) {
    const auto* params = node->as<graph::AllocParams>();
    if (!params) continue;
    Lifetime life = placed(*node, *params);
    life.first_level = level[node->slot()];
    life.last_level = found.levels - 1;
    if (const auto end = ends.find(params->allocation().get()); end != ends.end()) {
      life.ends = end->second->local_id();
      life.last_level = std::max(life.first_level, level[end->second->slot()]);
    }
    found.all.push_back(life);
  }
  return found;
}

Result<After> order_among(const graph::Graph& graph, const std::vector<Lifetime>& some) {
  XPU_TRY_ASSIGN(const std::vector<graph::Node*> sorted, graph::topological_order(graph));
  std::unordered_map<uint32_t, size_t> begins, ends;
  for (size_t i = 0; i < some.size(); i++) {
    begins[some[i].begins] = i;
    if (!some[i].stays()) ends[some[i].ends] = i;
  }
  After after(some.size());
  // Of the allocations that have begun, and that are over, once a node has run. A free that nothing
  // puts behind its allocation ends nothing.
  std::vector<Members> begun(graph.slots()), over(graph.slots());
  for (const graph::Node* node : sorted) {
    Members& has_begun = begun[node->slot()] = Members(some.size());
    Members& is_over = over[node->slot()] = Members(some.size());
    for (const graph::Edge& e : node->in()) {
      has_begun.add(begun[e.node->slot()]);
      is_over.add(over[e.node->slot()]);
    }
    if (const auto at = begins.find(node->local_id()); at != begins.end()) {
      for (size_t i = 0; i < some.size(); i++) {
        if (is_over.has(i)) after[i].push_back(static_cast<uint32_t>(at->second));
      }
      has_begun.add(at->second);
    } else if (const auto end = ends.find(node->local_id());
               end != ends.end() && has_begun.has(end->second)) {
      is_over.add(end->second);
    }
  }
  return after;
}

size_t heaviest_level(const std::vector<Lifetime>& some, uint32_t levels) {
  std::vector<size_t> more(levels + size_t{1}), less(levels + size_t{1});
  for (const Lifetime& life : some) {
    more[life.first_level] += life.rounded;
    less[life.last_level + size_t{1}] += life.rounded;
  }
  size_t alive = 0, most = 0;
  for (uint32_t l = 0; l < levels; l++) {
    alive += more[l];
    alive -= less[l];
    most = std::max(most, alive);
  }
  return most;
}

}  // namespace xpu::memory
