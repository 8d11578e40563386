// SPDX-License-Identifier: Apache-2.0
// Expands child graphs and empty nodes.
#include "plan/flat.h"

#include "graph/order.h"

namespace xpu::plan {
namespace {

using graph::ChildParams;
using graph::Graph;
using graph::Node;

// "Nothing to wait for": what a root depends on, or what an empty child graph without dependencies
// leaves behind.
constexpr uint32_t kNothing = UINT32_MAX;

// What a conditional node holds can still be edited by the program: a plan has a copy.
graph::ParamsRef frozen(const Node& node) {
  if (auto* conditional = node.as<graph::ConditionalParams>()) return conditional->clone();
  return node.params();
}

class Flattener {
 public:
  explicit Flattener(Whereabouts* where) noexcept : where_(where) {}

  // The item after which all of `graph` is done, if it begins after item `entry`.
  Result<uint32_t> expand(const Graph& graph, uint32_t entry, uint32_t number) {
    XPU_TRY_ASSIGN(const std::vector<Node*> order, graph::topological_order(graph));
    std::vector<uint32_t> done(graph.slots(), kNothing);
    std::vector<uint32_t> waits, leaves;
    for (const Node* node : order) {
      waits.clear();
      for (const graph::Edge& e : node->in()) {
        if (done[e.node->slot()] != kNothing) waits.push_back(done[e.node->slot()]);
      }
      if (waits.empty() && entry != kNothing) waits.push_back(entry);
      if (auto* child = node->as<ChildParams>()) {
        const uint32_t begin = join(waits);
        XPU_TRY_ASSIGN(done[node->slot()], expand(*child->graph(), begin, ++flat_.child_graphs));
      } else if (does_nothing(node->kind())) {
        done[node->slot()] = join(waits);
      } else {
        XPU_TRY_ASSIGN(done[node->slot()], add_work(*node, number, waits));
      }
      const uint32_t end = done[node->slot()];
      if (node->out().empty() && end != kNothing) leaves.push_back(end);
    }
    if (number == 0) return kNothing;
    return leaves.empty() ? entry : join(leaves);
  }

  void reserve(const Graph& graph) {
    flat_.work.reserve(graph.size());
    flat_.items.reserve(graph.size());
    flat_.first.reserve(graph.size() + 1);
    flat_.before.reserve(graph.edge_count());
  }
  Flat take() { return std::move(flat_); }

 private:
  // The item after which the node is done.
  Result<uint32_t> add_work(const Node& node, uint32_t number, const std::vector<uint32_t>& waits) {
    const auto index = static_cast<uint32_t>(flat_.work.size());
    PlanNode& work =
        flat_.work.emplace_back(PlanNode{frozen(node), node.id(), node.local_id(), number});
    const uint32_t item = add(index, waits);
    if (!where_) return item;
    XPU_TRY_ASSIGN(const Site site, where_->site(work, index));
    work.device = site.device;
    if (site.fetches == Site::kNone) return item;
    work.part = PlanNode::Part::out;
    PlanNode fetches = work;
    fetches.device = site.fetches;
    fetches.part = PlanNode::Part::in;
    flat_.work.push_back(std::move(fetches));
    return add(index + 1, {item});
  }
  uint32_t add(uint32_t item, const std::vector<uint32_t>& waits) {
    flat_.items.push_back(item);
    flat_.before.insert(flat_.before.end(), waits.begin(), waits.end());
    flat_.first.push_back(static_cast<uint32_t>(flat_.before.size()));
    return flat_.size() - 1;
  }
  // A join is only made where it has something to join.
  uint32_t join(const std::vector<uint32_t>& waits) {
    if (waits.empty()) return kNothing;
    if (waits.size() == 1) return waits[0];
    return add(Flat::kJoin | flat_.joins++, waits);
  }

  Whereabouts* const where_;
  Flat flat_;
};

}  // namespace

Result<Flat> flatten(const Graph& graph, Whereabouts* where) {
  Flattener flattener(where);
  flattener.reserve(graph);
  XPU_TRY_ASSIGN([[maybe_unused]] const uint32_t end, flattener.expand(graph, kNothing, 0));
  return flattener.take();
}

}  // namespace xpu::plan
