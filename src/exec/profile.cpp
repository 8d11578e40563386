// SPDX-License-Identifier: Apache-2.0
// Runs an executable once with a clock at every node, and makes rows of what it says.
#include "exec/profile.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/trace.h"
#include "exec/body.h"
#include "exec/loops.h"
#include "exec/retire.h"
#include "graph/order.h"
#include "runtime/stream.h"

namespace xpu::exec {
namespace {

// The executable's own copy of the template has all nodes, the plan those that run. They meet by
// the number of the (child) graph and the node's id in it; graphs are numbered as the plan does,
// child graphs in the order in which they are come to.
class Rows {
 public:
  // `versions` are what the nodes did in the run.
  Rows(const plan::Plan& plan, const Versions& versions, const std::vector<NodeTime>& times)
      : plan_(plan), versions_(versions), times_(times) {
    for (uint32_t i = 0; i < plan.nodes.size(); i++)
      node_at_.emplace(key(plan.nodes[i].graph, plan.nodes[i].local_id), i);
    lane_of_.resize(plan.nodes.size(), ProfileRow::kNone);
    for (const plan::Segment& segment : plan.segments)
      for (const plan::Step& step : segment.steps) lane_of_[step.node] = segment.lane;
  }

  // The end of all nodes of `graph`, which may begin at `ready`.
  Result<uint64_t> add(const graph::Graph& graph, uint32_t parent, uint64_t ready) {
    const uint32_t number = graphs_++;
    XPU_TRY_ASSIGN(const std::vector<graph::Node*> order, graph::topological_order(graph));
    std::vector<uint64_t> ends(graph.slots());
    uint64_t last = ready;
    for (const graph::Node* node : order) {
      uint64_t begin = ready;
      for (const graph::Edge& edge : node->in()) begin = std::max(begin, ends[edge.node->slot()]);
      const auto at = static_cast<uint32_t>(rows_.size());
      rows_.push_back(row(*node, number, parent, begin));
      if (const auto* child = node->as<graph::ChildParams>()) {
        XPU_TRY_ASSIGN(rows_[at].end_ns, add(*child->graph(), at, begin));
        enclose(at);
      }
      ends[node->slot()] = rows_[at].end_ns;
      last = std::max(last, rows_[at].end_ns);
    }
    return last;
  }
  std::vector<ProfileRow> take() { return std::move(rows_); }

 private:
  // Of a copy through host memory: from the begin of the first half to the end of the second.
  NodeTime time_of(uint32_t node) const noexcept {
    NodeTime time = times_[node];
    if (plan_.nodes[node].part == plan::PlanNode::Part::whole) return time;
    const NodeTime& second = times_[node + 1];
    time.known = time.known && second.known;
    time.end_ns = std::max(time.start_ns, second.end_ns);
    return time;
  }
  static uint64_t key(uint32_t graph, uint32_t local_id) noexcept {
    return uint64_t{graph} << 32 | local_id;
  }

  ProfileRow row(const graph::Node& node, uint32_t number, uint32_t parent, uint64_t begin) const {
    ProfileRow row;
    row.name = graph::kind_name(node.kind());
    row.kind = node.kind();
    row.local_id = node.local_id();
    row.parent = parent;
    row.start_ns = row.end_ns = begin;
    const auto found = node_at_.find(key(number, node.local_id()));
    if (found == node_at_.end()) return row;
    if (const auto* kernel = versions_.params(found->second).as<graph::KernelParams>())
      row.name = kernel->signature().name().c_str();
    row.lane = lane_of_[found->second];
    const NodeTime time = time_of(found->second);
    row.timed = time.known;
    if (time.known) {
      row.start_ns = time.start_ns;
      row.end_ns = time.end_ns;
    }
    return row;
  }

  // A child graph lasts from its first node that ran to its last.
  void enclose(uint32_t at) noexcept {
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t i = at + 1; i < rows_.size(); i++) {
      if (!rows_[i].timed || rows_[i].parent != at) continue;
      first = std::min(first, rows_[i].start_ns);
      last = std::max(last, rows_[i].end_ns);
    }
    if (first == UINT64_MAX) return;
    rows_[at].timed = true;
    rows_[at].start_ns = first;
    rows_[at].end_ns = last;
  }

  const plan::Plan& plan_;
  const Versions& versions_;
  const std::vector<NodeTime>& times_;
  std::unordered_map<uint64_t, uint32_t> node_at_;
  std::vector<uint32_t> lane_of_;
  std::vector<ProfileRow> rows_;
  uint32_t graphs_ = 0;
};

}  // namespace

size_t count_rows(const graph::Graph& graph) noexcept {
  size_t count = graph.size();
  for (const graph::Node* node : graph.nodes()) {
    if (const auto* child = node->as<graph::ChildParams>()) count += count_rows(*child->graph());
  }
  return count;
}

size_t Exec::profile_size() const {
  const std::lock_guard hold(body_->mutex);
  return count_rows(*source_);
}

// The lock is held until the run is over, so that no launch comes to run beside it. What the hook
// guards is not: others may allocate meanwhile.
Result<Profile> Exec::profile(runtime::Stream& stream) {
  const Zone zone("profile");
  Body& body = *body_;
  const std::lock_guard hold(body.mutex);
  if (body.refuses(stream)) return body.refusal(stream);
  std::unique_ptr<Slot> slot;
  Status status = body.launch(stream, [&]() -> Body::Submitted {
    const std::shared_ptr<const Snapshot>& snapshot = body.ring.snapshot();
    auto timing = Timing::make(*snapshot);
    if (!timing.ok()) return {timing.take_status(), false};
    auto made = Slot::make(snapshot, body.ring.now(), timing.take());
    if (!made.ok()) return {made.take_status(), false};
    if (Status encoded = made.value()->encode(); !encoded.ok()) return {std::move(encoded), false};
    slot = made.take();
    Body::Submitted submitted = body.submit_in(*slot, stream);
    // A reading of the clock may be on its way although nothing else is.
    if (!submitted.status.ok() && !submitted.began) slot->lost(stream.queue());
    return submitted;
  });
  if (status.ok()) {
    status = stream.queue().synchronize();
    const auto& loops = body.ring.snapshot()->loops;
    if (status.ok() && loops && loops->has_failed()) status = loops->failure();
    if (!status.ok()) body.broken = status.copy();
  }
  Profile profile;
  if (status.ok()) {
    Result<std::vector<NodeTime>> times = slot->timing->read();
    status = times.take_status();
    if (status.ok()) {
      Rows rows(slot->snapshot->plan, body.ring.now(), times.value());
      status = rows.add(source(), ProfileRow::kNone, 0).take_status();
      profile = {slot->snapshot->plan.lanes, slot->snapshot->plan.devices, rows.take()};
    }
  }
  if (slot) retire(std::move(slot));
  if (!status.ok()) return status;
  return profile;
}

}  // namespace xpu::exec
