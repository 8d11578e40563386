// SPDX-License-Identifier: Apache-2.0
// Pairs two graphs from their ends.
#include "graph/pairing.h"

#include "graph/order.h"

namespace xpu::graph {
namespace {

bool same_data(const Edge& a, const Edge& b) noexcept { return a.carries() == b.carries(); }

// The usual case, cheaper by far: nodes that were added in the same order have the same
// dependencies in the same order. Then the rule would pair them like this, too: so it does with the
// last nodes, and with the dependencies of all that it has paired. A node that depends on a later
// one is left to the rule.
bool pair_in_order(const Graph& a, const Graph& b, std::vector<Node*>& partners) {
  const auto of_a = a.nodes(), of_b = b.nodes();
  for (size_t i = 0; i < of_a.size(); i++) {
    const EdgeList &in_a = of_a[i]->in(), &in_b = of_b[i]->in();
    if (in_a.size() != in_b.size() || of_a[i]->out().empty() != of_b[i]->out().empty())
      return false;
    for (uint32_t k = 0; k < in_a.size(); k++) {
      if (partners[in_a[k].node->slot()] != in_b[k].node || !same_data(in_a[k], in_b[k]))
        return false;
    }
    partners[of_a[i]->slot()] = of_b[i];
  }
  return true;
}

std::vector<Node*> ends_of(const Graph& graph) {
  std::vector<Node*> ends;
  for (Node* node : graph.nodes()) {
    if (node->out().empty()) ends.push_back(node);
  }
  return ends;
}

std::string count(size_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

class Walk {
 public:
  Walk(const Graph& a, const Graph& b, std::vector<Node*>& partners)
      : a_(a), b_(b), partners_(partners), back_(b.slots(), nullptr) {}

  Mismatch run() {
    const std::vector<Node*> ends_a = ends_of(a_), ends_b = ends_of(b_);
    for (size_t i = 0; i < ends_a.size() && i < ends_b.size(); i++) join(ends_a[i], ends_b[i]);
    if (ends_b.size() > ends_a.size())
      return {ends_b[ends_a.size()], nullptr,
              "the graph has " + count(ends_b.size(), "last node") + ", the executable " +
                  std::to_string(ends_a.size())};
    while (!open_.empty()) {
      const Node* const node = open_.back();
      open_.pop_back();
      Mismatch mismatch = pair_dependencies(*node, *partners_[node->slot()]);
      if (!mismatch.why.empty()) return mismatch;
    }
    for (const Node* node : a_.nodes()) {
      if (!partners_[node->slot()])
        return {nullptr, nullptr,
                "the graph has nothing that stands for " + describe(*node) + " of the executable"};
    }
    return {};
  }

 private:
  void join(Node* a, Node* b) {
    partners_[a->slot()] = b;
    back_[b->slot()] = a;
    open_.push_back(a);
  }

  Mismatch pair_dependencies(const Node& a, Node& b) {
    if (a.in().size() != b.in().size())
      return {&b, nullptr,
              describe(b) + " has " + std::to_string(b.in().size()) + " of what were " +
                  std::to_string(a.in().size()) + " dependencies"};
    for (uint32_t k = 0; k < a.in().size(); k++) {
      Node *const from_a = a.in()[k].node, *const from_b = b.in()[k].node;
      if (!partners_[from_a->slot()] && !back_[from_b->slot()]) join(from_a, from_b);
      if (partners_[from_a->slot()] != from_b)
        return {&b, from_b,
                "the edge from " + describe(*from_b) + " to " + describe(b) +
                    " has no counterpart: in the executable it begins at another node"};
      if (!same_data(a.in()[k], b.in()[k]))
        return {&b, from_b,
                "the edge from " + describe(*from_b) + " to " + describe(b) +
                    " carries other data than in the executable"};
    }
    return {};
  }

  const Graph& a_;
  const Graph& b_;
  std::vector<Node*>& partners_;
  std::vector<const Node*> back_;  // of `a`, by slot of that of `b`
  std::vector<const Node*> open_;  // paired, but their dependencies are not
};

}  // namespace

Mismatch pair(const Graph& a, const Graph& b, std::vector<Node*>& partners) {
  if (a.size() != b.size())
    return {nullptr, nullptr,
            "the graph has " + count(b.size(), "node") + ", the executable " +
                std::to_string(a.size())};
  partners.assign(a.slots(), nullptr);
  if (pair_in_order(a, b, partners)) return {};
  partners.assign(a.slots(), nullptr);
  return Walk(a, b, partners).run();
}

}  // namespace xpu::graph
