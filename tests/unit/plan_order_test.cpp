// SPDX-License-Identifier: Apache-2.0
// Random graphs of every kind of node, planned for every kind of device: what the plan guarantees,
// worked out by Warshall's closure, must hold every order of the graph, worked out the same slow
// way.
#include "graph_making.h"
#include "plan/check.h"
#include "random_dag.h"
#include "xpu_test.h"

namespace {

using namespace xpu;
using namespace xpu::test;
using graph::ChildParams;
using graph::NodeKind;
using plan::DeviceFacts;
using plan::Plan;

// Reachability among a few hundred things.
class Closure {
 public:
  explicit Closure(size_t size) : words_((size + 63) / 64), size_(size), bits_(size * words_) {}
  void edge(size_t a, size_t b) { bits_[a * words_ + b / 64] |= uint64_t{1} << b % 64; }
  bool operator()(size_t a, size_t b) const { return bits_[a * words_ + b / 64] >> b % 64 & 1; }
  void close() {
    for (size_t k = 0; k < size_; k++) {
      for (size_t i = 0; i < size_; i++) {
        if (!(*this)(i, k)) continue;
        for (size_t w = 0; w < words_; w++) bits_[i * words_ + w] |= bits_[k * words_ + w];
      }
    }
  }

 private:
  size_t words_, size_;
  std::vector<uint64_t> bits_;
};

// The graph with a begin and an end for every node at every level; a child's nodes lie between.
struct Expanded {
  std::vector<std::pair<size_t, size_t>> edges;
  std::vector<std::pair<uint64_t, size_t>> work;  // node id, its begin (its end is one further)
  size_t points = 0;

  void expand(const Graph& g, size_t begin, size_t end) {
    const size_t first = points;
    points += 2 * g.size();
    const auto at = [&](const Node* node) {
      size_t i = 0;
      while (g.nodes()[i] != node) i++;
      return first + 2 * i;
    };
    for (const Node* node : g.nodes()) {
      edges.emplace_back(begin, at(node));
      edges.emplace_back(at(node), at(node) + 1);
      edges.emplace_back(at(node) + 1, end);
      for (const graph::Edge& e : node->out()) edges.emplace_back(at(node) + 1, at(e.node));
      if (auto* inner = node->as<ChildParams>()) {
        expand(*inner->graph(), at(node), at(node) + 1);
      } else if (node->kind() != NodeKind::empty) {
        work.emplace_back(node->id(), at(node));
      }
    }
  }
};

ParamsRef random_params(Random& random) {
  switch (random.below(10)) {
    case 0:
      return empty();
    case 1:
      return copy(1u << (10 + random.below(12)), xpuMemcpyHostToDevice);
    case 2:
      return copy(1u << 20, xpuMemcpyDefault);
    case 3:
      return random.one_in(3) ? host() : fill();
    case 4:
      return random.one_in(4) ? (random.one_in(2) ? record() : wait()) : kernel();
    case 5:
      if (!random.one_in(4)) return kernel();
      return random.one_in(2) ? signal_semaphore() : wait_for_semaphore();
    default:
      return kernel();
  }
}

std::shared_ptr<Graph> random_graph(Random& random, uint32_t most, int depth) {
  const Dag dag = random_dag(random, most);
  auto g = Graph::make();
  std::vector<Node*> n;
  for (uint32_t i = 0; i < dag.nodes; i++) {
    const bool nested = depth > 0 && random.one_in(12);
    n.push_back(
        add(*g, nested ? child(*random_graph(random, 6, depth - 1)) : random_params(random)));
  }
  for (auto [a, b] : dag.edges) (void)link(*g, n[a], n[b]);
  if (depth > 0 && random.one_in(10)) add(*g, child(*Graph::make()), {n[0]});
  return g;
}

// Host memory is below a line; nodes are on up to three devices, and some copies go through the
// host.
class Scattered final : public plan::Whereabouts {
 public:
  explicit Scattered(Random& random) : devices_(1 + random.below(3)), salt_(random.below(1000)) {}
  bool is_host_memory(const void* p) const override {
    return reinterpret_cast<uintptr_t>(p) < 0x18000000;
  }
  Result<plan::Site> site(const plan::PlanNode& node, uint32_t index) override {
    plan::Site site;
    const uint32_t chosen = (index * 2654435761u + salt_) >> 8;
    const NodeKind kind = node.params->kind();
    if (kind == NodeKind::kernel || kind == NodeKind::copy || kind == NodeKind::event_record)
      site.device = static_cast<uint8_t>(chosen % devices_);
    if (kind == NodeKind::copy && devices_ > 1 && chosen % 7 < 3)
      site.fetches = static_cast<uint8_t>((site.device + 1) % devices_);
    return site;
  }

 private:
  const uint32_t devices_, salt_;
};

DeviceFacts random_facts(Random& random) {
  DeviceFacts facts;
  facts.compute_lanes = 1 + random.below(5);
  facts.copy_engine = random.one_in(2);
  facts.host_function_in_list = random.one_in(2);
  facts.shortest_branch = 1 + random.below(5);
  facts.fewest_steps_per_segment = random.below(5);
  facts.shape = static_cast<plan::Shape>(random.below(4));
  return facts;
}

Closure promised(const Plan& plan) {
  // Points: begin and end of each node, begin and end of each segment.
  const size_t nodes = plan.nodes.size();
  Closure c(2 * nodes + 2 * plan.segments.size());
  std::vector<size_t> last(plan.lanes.size(), SIZE_MAX);
  for (size_t s = 0; s < plan.segments.size(); s++) {
    const plan::Segment& segment = plan.segments[s];
    const size_t begin = 2 * nodes + 2 * s, end = begin + 1;
    for (uint32_t w : segment.waits_on) c.edge(2 * nodes + 2 * size_t{w} + 1, begin);
    if (last[segment.lane] != SIZE_MAX) c.edge(2 * nodes + 2 * last[segment.lane] + 1, begin);
    last[segment.lane] = s;
    for (size_t i = 0; i < segment.steps.size(); i++) {
      const size_t at = 2 * size_t{segment.steps[i].node};
      c.edge(begin, at);
      c.edge(at, at + 1);
      c.edge(at + 1, end);
      bool ordered = false;
      for (size_t j = i; j--;) {
        ordered = ordered || segment.in_order || segment.steps[j + 1].barrier_before;
        if (ordered) c.edge(2 * size_t{segment.steps[j].node} + 1, at);
      }
    }
  }
  c.close();
  return c;
}

// Number of orders of the graph that the plan does not keep.
size_t orders_lost(const Graph& g, const Plan& plan) {
  Expanded expanded;
  expanded.points = 2;
  expanded.expand(g, 0, 1);
  Closure wanted(expanded.points);
  for (auto [a, b] : expanded.edges) wanted.edge(a, b);
  wanted.close();
  const Closure given = promised(plan);
  // A copy through the host is two nodes of the plan.
  std::vector<size_t> first(expanded.work.size()), last(expanded.work.size());
  size_t found = 0, lost = 0;
  for (size_t i = 0; i < first.size(); i++) {
    while (plan.nodes[first[i]].id != expanded.work[i].first) {
      if (++first[i] == plan.nodes.size()) return SIZE_MAX;
    }
    last[i] = first[i] + (plan.nodes[first[i]].part == plan::PlanNode::Part::out);
    found += last[i] - first[i] + 1;
    if (last[i] != first[i] && !given(2 * first[i] + 1, 2 * last[i])) lost++;
  }
  for (size_t a = 0; a < first.size(); a++) {
    for (size_t b = 0; b < first.size(); b++) {
      const bool before = wanted(expanded.work[a].second + 1, expanded.work[b].second);
      if (before && !given(2 * last[a] + 1, 2 * first[b])) lost++;
    }
  }
  return found == plan.nodes.size() ? lost : SIZE_MAX;
}

struct Case {
  std::shared_ptr<Graph> graph;
  DeviceFacts facts;
  Plan plan;
};
Case make_case(uint64_t seed, uint32_t most) {
  Random random(seed);
  Case c = {random_graph(random, most, 2), {}, {}};
  c.facts = random_facts(random);
  Scattered where(random);
  c.facts.where = &where;
  c.plan = plan::make_plan(*c.graph, c.facts).take();
  return c;
}

size_t lost_in(uint64_t seed) {
  const Case c = make_case(seed, 40);
  return orders_lost(*c.graph, c.plan);
}
void no_order_of_a_graph_is_lost(void**) {
  for (uint64_t seed = 0; seed < 1500; seed++) assert_int_equal(lost_in(seed), 0);
}

Text complaint(uint64_t seed) {
  const Case c = make_case(seed, 60);
  return text(plan::why_not_kept(*c.graph, c.plan));
}
void the_check_agrees(void**) {
  for (uint64_t seed = 0; seed < 3000; seed++) {
    const Text t = complaint(seed);
    assert_string_equal(t.chars, "");
  }
}

struct Spoilt {
  size_t made, noticed, really_lost;
};
// Takes away each barrier, each wait and each in-order list in turn.
Spoilt spoil(uint64_t seed) {
  Case c = make_case(seed, 25);
  Spoilt s = {};
  if (c.facts.shape == plan::Shape::chain) return s;  // orders more than the graph does
  const auto judge = [&] {
    s.made++;
    if (!plan::keeps_every_edge(*c.graph, c.plan)) s.noticed++;
    if (orders_lost(*c.graph, c.plan)) s.really_lost++;
  };
  for (plan::Segment& segment : c.plan.segments) {
    for (plan::Step& step : segment.steps) {
      if (!step.barrier_before) continue;
      step.barrier_before = false;
      judge();
      step.barrier_before = true;
    }
    for (size_t w = 0; w < segment.waits_on.size(); w++) {
      const auto all = segment.waits_on;
      segment.waits_on.erase(segment.waits_on.begin() + static_cast<ptrdiff_t>(w));
      judge();
      segment.waits_on = all;
    }
    if (segment.in_order && segment.steps.size() > 1) {
      segment.in_order = false;
      judge();
      segment.in_order = true;
    }
  }
  return s;
}
// Both that nothing is redundant and that the check sees what is missing.
void every_barrier_and_wait_is_needed_and_missed(void**) {
  Spoilt sum = {};
  for (uint64_t seed = 0; seed < 300; seed++) {
    const Spoilt s = spoil(seed);
    sum.made += s.made;
    sum.noticed += s.noticed;
    sum.really_lost += s.really_lost;
  }
  assert_in_range(sum.made, 1000, 100000);
  assert_int_equal(sum.noticed, sum.made);
  assert_int_equal(sum.really_lost, sum.made);
}

size_t unnoticed_ends(uint64_t seed) {
  Case c = make_case(seed, 25);
  size_t unnoticed = 0;
  const std::vector<uint32_t> ends = c.plan.ends;
  for (size_t e = 0; e < ends.size(); e++) {
    c.plan.ends = ends;
    c.plan.ends.erase(c.plan.ends.begin() + static_cast<ptrdiff_t>(e));
    if (plan::keeps_every_edge(*c.graph, c.plan)) unnoticed++;
  }
  return unnoticed;
}
void no_end_is_redundant(void**) {
  for (uint64_t seed = 0; seed < 300; seed++) assert_int_equal(unnoticed_ends(seed), 0);
}

bool same_twice(uint64_t seed) {
  const Case a = make_case(seed, 60);
  Random random(seed);
  auto again = random_graph(random, 60, 2);
  DeviceFacts facts = random_facts(random);
  Scattered where(random);
  facts.where = &where;
  const Plan b = plan::make_plan(*again, facts).take();
  if (a.plan.segments.size() != b.segments.size() || a.plan.ends != b.ends) return false;
  for (size_t s = 0; s < b.segments.size(); s++) {
    const plan::Segment &x = a.plan.segments[s], &y = b.segments[s];
    if (x.lane != y.lane || x.waits_on != y.waits_on || x.steps.size() != y.steps.size())
      return false;
    for (size_t i = 0; i < x.steps.size(); i++) {
      if (x.steps[i].node != y.steps[i].node) return false;
      if (x.steps[i].barrier_before != y.steps[i].barrier_before) return false;
    }
  }
  return true;
}
void equal_graphs_get_equal_plans(void**) {
  for (uint64_t seed = 0; seed < 300; seed++) assert_true(same_twice(seed));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(no_order_of_a_graph_is_lost),
      cmocka_unit_test(the_check_agrees),
      cmocka_unit_test(every_barrier_and_wait_is_needed_and_missed),
      cmocka_unit_test(no_end_is_redundant),
      cmocka_unit_test(equal_graphs_get_equal_plans),
  };
  return XPU_RUN_TESTS(tests);
}
