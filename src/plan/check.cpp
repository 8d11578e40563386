// SPDX-License-Identifier: Apache-2.0
// Compares a plan with its graph, edge by edge.
#include "plan/check.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "graph/order.h"

namespace xpu::plan {
namespace {

using graph::ChildParams;
using graph::Graph;
using graph::Node;
using graph::NodeKind;

std::string segment_text(size_t s) { return "segment " + std::to_string(s); }

// What a plan makes sure of, as a question: is one node complete before another begins?
class Promise {
 public:
  explicit Promise(const Plan& plan) : plan_(plan) {}

  std::string read() {
    place_.assign(plan_.nodes.size(), {});
    std::vector<uint32_t> on_lane(plan_.lanes.size());
    std::vector<size_t> last(plan_.lanes.size(), SIZE_MAX);
    for (size_t s = 0; s < plan_.segments.size(); s++) {
      const Segment& segment = plan_.segments[s];
      std::string why = check_segment(s);
      if (!why.empty()) return why;
      number_.push_back(++on_lane[segment.lane]);
      std::vector<uint32_t> done(plan_.lanes.size());
      for (uint32_t w : segment.waits_on) merge(done, w);
      if (last[segment.lane] != SIZE_MAX) merge(done, last[segment.lane]);
      done_.push_back(std::move(done));
      last[segment.lane] = s;
      std::string twice = place_steps(s);
      if (!twice.empty()) return twice;
    }
    for (size_t n = 0; n < plan_.nodes.size(); n++) {
      if (!place_[n].placed) return "node " + std::to_string(n) + " of the plan is in no segment";
    }
    return check_ends();
  }

  bool before(uint32_t a, uint32_t b) const {
    const Place &first = place_[a], &then = place_[b];
    if (first.segment != then.segment) {
      const uint16_t lane = plan_.segments[first.segment].lane;
      return done_[then.segment][lane] >= number_[first.segment];
    }
    if (plan_.segments[first.segment].in_order) return first.step < then.step;
    return first.barriers < then.barriers;
  }

 private:
  struct Place {
    size_t segment = 0, step = 0, barriers = 0;
    bool placed = false;
  };

  std::string check_segment(size_t s) const {
    const Segment& segment = plan_.segments[s];
    if (segment.lane >= plan_.lanes.size())
      return segment_text(s) + " is on a lane that is not there";
    if (segment.steps.empty()) return segment_text(s) + " is empty";
    if (segment.kind != SegmentKind::work && segment.steps.size() != 1) {
      return segment_text(s) + " has more than the node that must stand alone";
    }
    const bool stands_in_stream = segment.kind == SegmentKind::host ||
                                  segment.kind == SegmentKind::conditional ||
                                  segment.kind == SegmentKind::external;
    if (plan_.is_on_host(segment) != stands_in_stream) {
      return segment_text(s) + " is on a lane of another kind";
    }
    for (uint32_t w : segment.waits_on) {
      if (w >= s) return segment_text(s) + " waits for a segment that is submitted after it";
      if (!plan_.segments[w].signals)
        return segment_text(w) + " does not signal, but is waited for";
    }
    return {};
  }

  std::string place_steps(size_t s) {
    size_t barriers = 0, at = 0;
    for (const Step& step : plan_.segments[s].steps) {
      if (step.node >= plan_.nodes.size())
        return segment_text(s) + " runs a node that is not there";
      if (place_[step.node].placed) return "node " + std::to_string(step.node) + " runs twice";
      if (plan_.nodes[step.node].device != plan_.lanes[plan_.segments[s].lane].device)
        return "node " + std::to_string(step.node) + " is on a lane of another device";
      if (step.barrier_before) barriers++;
      place_[step.node] = {s, at++, barriers, true};
    }
    return {};
  }

  std::string check_ends() const {
    std::vector<uint32_t> done(plan_.lanes.size());
    for (uint32_t end : plan_.ends) {
      if (!plan_.segments[end].signals) return segment_text(end) + " is an end and does not signal";
      merge(done, end);
    }
    for (size_t s = 0; s < plan_.segments.size(); s++) {
      if (done[plan_.segments[s].lane] < number_[s]) {
        return "the end of the plan does not wait for " + segment_text(s);
      }
    }
    return {};
  }

  // `into` becomes what is complete once segment `s` is, too.
  void merge(std::vector<uint32_t>& into, size_t s) const {
    for (size_t l = 0; l < into.size(); l++) into[l] = std::max(into[l], done_[s][l]);
    uint32_t& own = into[plan_.segments[s].lane];
    own = std::max(own, number_[s]);
  }

  const Plan& plan_;
  std::vector<Place> place_;
  std::vector<uint32_t> number_;             // of a segment on its lane, from 1
  std::vector<std::vector<uint32_t>> done_;  // per segment: how far each lane is when it begins
};

// Written again, as everything here is: the planner's own idea of it is what is checked.
bool orders_only(const Node& node) noexcept {
  return node.kind() == NodeKind::empty || node.kind() == NodeKind::mem_alloc ||
         node.kind() == NodeKind::mem_free;
}

// Walks the graph and asks for each order that an edge demands.
class Walk {
 public:
  Walk(const Plan& plan, const Promise& promise) : plan_(plan), promise_(promise) {
    for (uint32_t n = 0; n < plan.nodes.size(); n++) index_.emplace(plan.nodes[n].id, n);
  }

  // The plan's nodes after which `graph` is done, given those after which it may begin.
  std::vector<uint32_t> check(const Graph& graph, const std::vector<uint32_t>& begin) {
    Result<std::vector<Node*>> order = graph::topological_order(graph);
    if (!order.ok()) {
      fault_ = order.status().sentence();
      return {};
    }
    std::unordered_map<const Node*, std::vector<uint32_t>> done;
    std::vector<uint32_t> leaves;
    for (const Node* node : order.value()) {
      std::vector<uint32_t> waits = node->in().empty() ? begin : std::vector<uint32_t>();
      for (const graph::Edge& e : node->in()) {
        waits.insert(waits.end(), done[e.node].begin(), done[e.node].end());
      }
      std::sort(waits.begin(), waits.end());
      waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
      std::vector<uint32_t>& end = done[node];
      end = check_node(*node, std::move(waits));
      if (!fault_.empty()) return {};
      if (node->out().empty()) leaves.insert(leaves.end(), end.begin(), end.end());
    }
    return graph.size() ? leaves : begin;
  }

  size_t seen() const noexcept { return seen_; }
  const std::string& fault() const noexcept { return fault_; }

 private:
  std::vector<uint32_t> check_node(const Node& node, std::vector<uint32_t> waits) {
    if (orders_only(node)) return waits;
    if (auto* child = node.as<ChildParams>()) return check(*child->graph(), waits);
    const auto at = index_.find(node.id());
    if (at == index_.end()) {
      fault_ = graph::describe(node) + " is not in the plan";
      return {};
    }
    seen_++;
    uint32_t last = at->second;
    if (plan_.nodes[last].part == PlanNode::Part::out) {
      seen_++;
      if (last + 1 == plan_.nodes.size() || plan_.nodes[last + 1].id != node.id() ||
          !promise_.before(last, last + 1)) {
        fault_ = graph::describe(node) + " is fetched before it is brought";
        return {};
      }
      last++;
    }
    for (uint32_t before : waits) {
      if (!promise_.before(before, at->second)) {
        fault_ = "nothing makes " + graph::describe(node) + " wait for node " +
                 std::to_string(before) + " of the plan";
        return {};
      }
    }
    return {last};
  }

  const Plan& plan_;
  const Promise& promise_;
  std::unordered_map<uint64_t, uint32_t> index_;
  size_t seen_ = 0;
  std::string fault_;
};

}  // namespace

std::string why_not_kept(const Graph& graph, const Plan& plan) {
  Promise promise(plan);
  std::string why = promise.read();
  if (!why.empty()) return why;
  Walk walk(plan, promise);
  (void)walk.check(graph, {});
  if (!walk.fault().empty()) return walk.fault();
  if (walk.seen() != plan.nodes.size()) return "the plan has nodes that the graph does not have";
  return {};
}

}  // namespace xpu::plan
