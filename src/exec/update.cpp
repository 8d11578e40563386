// SPDX-License-Identifier: Apache-2.0
// Updates: what an executable's nodes do from the next launch on.
#include <mutex>
#include <string>
#include <utility>

#include "base/trace.h"
#include "exec/body.h"
#include "exec/frozen.h"
#include "graph/graph.h"
#include "graph/order.h"
#include "graph/pairing.h"
#include "graph/same.h"

namespace xpu::exec {
namespace {

using graph::ChildParams;
using graph::NodeKind;

Status at(const graph::Node& node, Status status) {
  return Status::error(status.code(), graph::describe(node) + ": " + status.sentence(),
                       status.detail()->argument, status.native());
}

Status refusal(std::string why) {
  return Status::error(xpuErrorGraphExecUpdateFailure, std::move(why), "hGraph");
}

// Bodies of conditional nodes can still be edited by the program.
graph::ParamsRef version_of(const graph::Node& node) {
  if (const auto* conditional = node.as<graph::ConditionalParams>()) return conditional->clone();
  return node.params();
}

// The usual change, which nothing speaks against: the same kernel with other arguments or sizes.
bool is_same_kernel(const graph::NodeParams& was, const graph::NodeParams& next) noexcept {
  if (was.kind() != NodeKind::kernel || next.kind() != NodeKind::kernel) return false;
  const auto& one = static_cast<const graph::KernelParams&>(was);
  const auto& other = static_cast<const graph::KernelParams&>(next);
  return &one.signature() == &other.signature() && !one.attributes() && !other.attributes();
}

bool is_same_launch(const graph::NodeParams& was, const graph::NodeParams& next) noexcept {
  return graph::same_launch(static_cast<const graph::KernelParams&>(was),
                            static_cast<const graph::KernelParams&>(next));
}

}  // namespace

bool can_be_disabled(NodeKind kind) noexcept {
  return kind == NodeKind::kernel || kind == NodeKind::copy || kind == NodeKind::fill;
}

// A node of the source.
struct Exec::Found {
  graph::Node* node;
  uint32_t index;  // Places::kNone for a child graph
};

struct Exec::Difference {
  struct Change {
    Found of;
    graph::ParamsRef params;
  };
  // What a graph of the source is to keep alive from now on.
  struct Keeping {
    graph::Graph* graph;
    graph::Graph::Kept kept;
  };
  std::vector<Change> changes;
  std::vector<Keeping> keeping;
};

Status Exec::know_places() const {
  if (body_->places) [[likely]]
    return Status();
  XPU_TRY_ASSIGN(body_->places, Places::make(*source_, body_->ring.snapshot()->plan));
  return Status();
}

Result<Exec::Found> Exec::find(const graph::Node& node) const {
  if (!body_->places) [[unlikely]]
    XPU_TRY(know_places());
  graph::Node* const ours = body_->places->find(node);
  if (!ours) [[unlikely]]
    return invalid_value(graph::describe(node) +
                             " is none of the executable's: it must be in the graph that the "
                             "executable was made of, and have been there then",
                         "node");
  return Found{ours, body_->places->in_plan(*ours)};
}

Status Exec::set_params(const graph::Node& node, graph::ParamsRef params) {
  const std::lock_guard hold(body_->mutex);
  XPU_TRY_ASSIGN(const Found found, find(node));
  if (is_same_kernel(*found.node->params(), *params)) [[likely]] {
    if (is_same_launch(*found.node->params(), *params)) return Status();
  } else {
    params = graph::with_attributes_of(found.node->params(), std::move(params));
    if (graph::same(*found.node->params(), *params)) return Status();
    Outcome why = Outcome::success;
    XPU_TRY(
        check_change(*body_->ring.snapshot(), found.index, *found.node->params(), *params, why));
    if (const uint32_t second = body_->ring.snapshot()->second_half(found.index);
        second != Snapshot::kNone) {
      body_->ring.tell(found.index);
      body_->ring.tell(second);
      body_->ring.set(second, params);
    }
  }
  body_->ring.tell(found.index);
  body_->ring.set(found.index, params);
  found.node->set_params(std::move(params));
  body_->changed();
  return Status();
}

Status Exec::set_child(const graph::Node& node, const graph::Graph& graph) {
  const std::lock_guard hold(body_->mutex);
  XPU_TRY_ASSIGN(const Found found, find(node));
  Difference difference;
  Refused refused;
  Status status = compare(*found.node->as<ChildParams>()->graph(), graph, difference, refused);
  if (!status.ok())
    return invalid_value("the graph cannot become the child: " + status.sentence(), "childGraph");
  apply(std::move(difference));
  return Status();
}

Status Exec::enable(const graph::Node& node, bool on) {
  const std::lock_guard hold(body_->mutex);
  XPU_TRY_ASSIGN(const Found found, find(node));
  if (body_->ring.now().enabled(found.index) == on) return Status();
  const uint32_t second = body_->ring.snapshot()->second_half(found.index);
  body_->ring.tell(found.index);
  if (second != Snapshot::kNone) body_->ring.tell(second);
  body_->ring.enable(found.index, on);
  if (second != Snapshot::kNone) body_->ring.enable(second, on);
  return Status();
}

Result<bool> Exec::is_enabled(const graph::Node& node) const {
  const std::lock_guard hold(body_->mutex);
  XPU_TRY_ASSIGN(const Found found, find(node));
  return body_->ring.now().enabled(found.index);
}

// Nodes that are not twice the same kernel.
Status Exec::compare_other(graph::Node& node, graph::Node& theirs, Difference& difference,
                           Refused& refused) const {
  const graph::NodeParams &was = *node.params(), &next = *theirs.params();
  if (graph::same(was, next)) return Status();
  if (was.kind() != next.kind()) {
    refused = {Outcome::node_type_changed, &theirs, nullptr};
    return refusal(graph::describe(theirs) + " stands for " + graph::a_node(was.kind()) +
                   " of the executable");
  }
  if (const auto* child = node.as<ChildParams>()) {
    Status status =
        compare(*child->graph(), *theirs.as<ChildParams>()->graph(), difference, refused);
    return status.ok() ? std::move(status) : at(theirs, std::move(status));
  }
  const uint32_t index = body_->places->in_plan(node);
  Outcome why = Outcome::success;
  Status status = check_change(*body_->ring.snapshot(), index, was, next, why);
  if (!status.ok()) {
    refused = {why, &theirs, nullptr};
    return refusal(graph::describe(theirs) + ": " + status.sentence());
  }
  difference.changes.push_back({{&node, index}, version_of(theirs)});
  if (const uint32_t second = body_->ring.snapshot()->second_half(index); second != Snapshot::kNone)
    difference.changes.push_back({{&node, second}, theirs.params()});
  return Status();
}

// Collects what is to change in a graph of the source, and changes nothing.
Status Exec::compare(graph::Graph& mine, const graph::Graph& theirs, Difference& difference,
                     Refused& refused) const {
  std::vector<graph::Node*> partners;
  graph::Mismatch mismatch = graph::pair(mine, theirs, partners);
  if (!mismatch.why.empty()) {
    refused = {Outcome::topology_changed, mismatch.node, mismatch.from};
    return refusal(std::move(mismatch.why));
  }
  std::vector<Difference::Change>& changes = difference.changes;
  for (graph::Node* node : mine.nodes()) {
    graph::Node& theirs_node = *partners[node->slot()];
    const graph::ParamsRef &was = node->params(), &next = theirs_node.params();
    if (was == next) continue;
    if (!is_same_kernel(*was, *next)) [[unlikely]] {
      XPU_TRY(compare_other(*node, theirs_node, difference, refused));
    } else if (!is_same_launch(*was, *next)) {
      if (changes.empty()) changes.reserve(mine.size());
      changes.push_back({{node, body_->places->in_plan(*node)}, next});
    }
  }
  if (mine.keeps_anything() || theirs.keeps_anything())
    difference.keeping.push_back({&mine, theirs.kept()});
  return Status();
}

// All that can fail comes first.
void Exec::apply(Difference difference) {
  Ring& ring = body_->ring;
  if (difference.changes.size() > ring.snapshot()->plan.nodes.size() / 2) {
    ring.tell_all();
  } else {
    for (const Difference::Change& change : difference.changes) ring.tell(change.of.index);
  }
  std::shared_ptr<std::vector<Difference::Keeping>> before;
  if (!difference.keeping.empty())
    before = std::make_shared<std::vector<Difference::Keeping>>(std::move(difference.keeping));

  for (Difference::Change& change : difference.changes) {
    ring.set(change.of.index, change.params);
    change.of.node->set_params(std::move(change.params));
  }
  if (before) {
    for (Difference::Keeping& keeping : *before) keeping.graph->exchange(keeping.kept);
    ring.snapshot()->device.keep_while_running(std::move(before));
  }
  body_->changed();
}

Status Exec::update(const graph::Graph& graph, Refused& refused) {
  const Zone zone("update", static_cast<int64_t>(graph.size()));
  const std::lock_guard hold(body_->mutex);
  XPU_TRY(know_places());
  Difference difference;
  XPU_TRY(compare(*source_, graph, difference, refused));
  XPU_TRY(conditions_.exchange(graph));
  apply(std::move(difference));
  return Status();
}

namespace {

// A template cannot have disabled nodes: in the copy they only order, as they do in a launch.
void empty_disabled(const graph::Graph& source, graph::Graph& copy, const Places& places,
                    const Versions& now) {
  for (size_t i = 0; i < source.size(); i++) {
    const graph::Node& node = *source.nodes()[i];
    graph::Node& twin = *copy.nodes()[i];
    if (const auto* child = node.as<ChildParams>()) {
      empty_disabled(*child->graph(), *twin.as<ChildParams>()->graph(), places, now);
    } else if (can_be_disabled(node.kind()) && !now.enabled(places.in_plan(node))) {
      twin.set_params(graph::EmptyParams::make());
    }
  }
}

}  // namespace

std::shared_ptr<graph::Graph> Exec::as_child() const {
  const std::lock_guard hold(body_->mutex);
  std::shared_ptr<graph::Graph> copy = source_->clone();
  const Versions& now = body_->ring.now();
  if (!now.all_enabled()) empty_disabled(*source_, *copy, *body_->places, now);
  return copy;
}

}  // namespace xpu::exec
