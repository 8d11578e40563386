// SPDX-License-Identifier: Apache-2.0
// Conditional nodes: graphs inside a node, and the value that decides which of them runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/status.h"
#include "graph/params.h"

namespace xpu::graph {

class Node;

// A value that device code sets while the graph runs: what a public conditional handle stands for.
// It belongs to a graph; executables and encodings hold it as well.
class Condition {
 public:
  // `word` is memory that both host and devices use. `at_launch` is what it is set to when a launch
  // begins; without one it keeps what it had.
  Condition(std::shared_ptr<uint32_t> word, std::optional<uint32_t> at_launch) noexcept
      : word_(std::move(word)), at_launch_(at_launch) {}

  uint32_t* word() const noexcept { return word_.get(); }
  const std::optional<uint32_t>& at_launch() const noexcept { return at_launch_; }
  // The public handle is the address, so that a kernel can be given it and needs nothing else.
  uint64_t handle() const noexcept { return reinterpret_cast<uintptr_t>(word_.get()); }

  // The one node of the template that looks at it; nullptr before there is one.
  const Node* node() const noexcept { return node_; }
  void set_node(const Node* node) noexcept { node_ = node; }
  // The node is gone; a copy of it does not count.
  void drop_node(const Node* node) noexcept {
    if (node_ == node) node_ = nullptr;
  }

  // Two executables would share the word. False if there is one already.
  bool claim() noexcept { return !claimed_.exchange(true, std::memory_order_acq_rel); }
  void unclaim() noexcept { claimed_.store(false, std::memory_order_release); }

 private:
  const std::shared_ptr<uint32_t> word_;
  const std::optional<uint32_t> at_launch_;
  const Node* node_ = nullptr;
  std::atomic<bool> claimed_{false};  // an executable may end in any thread
};

// Values are those of the public xpuGraphConditionalNodeType.
enum class Choice : uint8_t {
  either = 0,  // "if": the first body, or the second one if there is one and the value is 0
  loop = 1,    // "while": the body, as long as the value is not 0 before it
  one_of = 2,  // "switch": the body of that number, if there is one
};

class ConditionalParams final : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept { return kind == NodeKind::conditional; }
  // The graphs belong to the node; they stay editable through their own handles.
  static Result<ParamsRef> make(std::shared_ptr<Condition> condition, Choice choice,
                                std::vector<std::shared_ptr<Graph>> bodies);
  // With copies of the bodies, for a copy of the node. It looks at the same value.
  ParamsRef clone() const;

  const std::shared_ptr<Condition>& condition() const noexcept { return condition_; }
  Choice choice() const noexcept { return choice_; }
  std::span<const std::shared_ptr<Graph>> bodies() const noexcept { return bodies_; }
  // The handles of the bodies: an array that the program may read as long as the node lives. Made
  // with the parameters that a node is added with; copies have none.
  xpuGraph_t* handles() const noexcept { return handles_.get(); }

  // Adds the value that it looks at, and those of nodes in its bodies.
  void collect(std::vector<const Condition*>& conditions) const;
  // The number of the body that runs for a value; bodies().size() if none does.
  size_t chosen(uint32_t value) const noexcept;

 private:
  ConditionalParams(std::shared_ptr<Condition> condition, Choice choice,
                    std::vector<std::shared_ptr<Graph>> bodies) noexcept
      : NodeParams(NodeKind::conditional),
        condition_(std::move(condition)),
        choice_(choice),
        bodies_(std::move(bodies)) {}

  std::shared_ptr<Condition> condition_;
  Choice choice_;
  std::vector<std::shared_ptr<Graph>> bodies_;
  std::unique_ptr<xpuGraph_t[]> handles_;
};

// The conditions of a graph and of the bodies in it, for one executable.
class Conditions {
 public:
  // Refuses a condition that no node looks at, and a graph that has an executable already.
  static Result<Conditions> claim(const Graph& graph);
  // Those of another graph in their place. The same refusals, and then nothing changes; what both
  // graphs have stays claimed.
  Status exchange(const Graph& graph);
  Conditions() noexcept = default;
  Conditions(Conditions&&) noexcept = default;
  Conditions& operator=(Conditions&& other) noexcept {
    std::swap(all_, other.all_);
    return *this;
  }
  ~Conditions() {
    for (const std::shared_ptr<Condition>& condition : all_) condition->unclaim();
  }

 private:
  std::vector<std::shared_ptr<Condition>> all_;
};

// All of them, in the order in which they were made.
std::vector<std::shared_ptr<Condition>> conditions_in(const Graph& graph);

}  // namespace xpu::graph
