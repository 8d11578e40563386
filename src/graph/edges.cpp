// SPDX-License-Identifier: Apache-2.0
// Edges come and go, all of a call or none.
#include <string>

#include "graph/graph.h"
#include "graph/well_formed.h"

namespace xpu::graph {
namespace {

constexpr uint8_t kTypeDefault = 0, kTypeProgrammatic = 1;
constexpr uint8_t kPortDefault = 0, kPortProgrammatic = 1, kPortLaunchCompletion = 2;

std::string between(const Node* from, const Node* to) {
  return "the edge from node " + std::to_string(from->local_id()) + " to node " +
         std::to_string(to->local_id());
}

Edge edge_to(Node* node, const xpuGraphEdgeData* data) noexcept {
  Edge edge;
  edge.node = node;
  if (data) {
    edge.from_port = data->from_port;
    edge.to_port = data->to_port;
    edge.type = data->type;
  }
  return edge;
}

}  // namespace

Status check_edge_data(const xpuGraphEdgeData& data, NodeKind from, NodeKind to) {
  for (unsigned char byte : data.reserved) {
    if (byte) return invalid_value("the reserved bytes of edge data must be 0", "edgeData");
  }
  if (data.to_port) {
    return invalid_value("to_port is " + std::to_string(data.to_port) + "; only 0 exists",
                         "edgeData");
  }
  if (data.type == kTypeDefault) {
    const bool fits = data.from_port == kPortDefault ||
                      (data.from_port == kPortLaunchCompletion && from == NodeKind::kernel);
    if (fits) return {};
    return invalid_value("from_port is " + std::to_string(data.from_port) +
                             "; a default edge leaves by port 0, or by 2 (launch completion) if it "
                             "comes from a kernel",
                         "edgeData");
  }
  if (data.type != kTypeProgrammatic) {
    return invalid_value(
        "type is " + std::to_string(data.type) + "; it is 0 (default) or 1 (programmatic)",
        "edgeData");
  }
  if (from != NodeKind::kernel || to != NodeKind::kernel) {
    return invalid_value(
        "a programmatic edge joins two kernels, not " + a_node(from) + " and " + a_node(to),
        "edgeData");
  }
  if (data.from_port != kPortProgrammatic && data.from_port != kPortLaunchCompletion) {
    return invalid_value("from_port is " + std::to_string(data.from_port) +
                             "; a programmatic edge leaves by port 1 or 2",
                         "edgeData");
  }
  return {};
}

Status Graph::check_ends(std::span<Node* const> from, std::span<Node* const> to) const {
  if (from.size() != to.size()) {
    return invalid_value("from and to must have the same number of entries", "to");
  }
  for (size_t i = 0; i < from.size(); i++) {
    for (const Node* end : {from[i], to[i]}) {
      if (end && end->graph_ == this) continue;
      const bool first = end == from[i];
      return invalid_value("entry " + std::to_string(i) + " of " + (first ? "from" : "to") +
                               (end ? " is a node of another graph" : " is no live node"),
                           first ? "from" : "to");
    }
  }
  return {};
}

Status Graph::add_edges(std::span<Node* const> from, std::span<Node* const> to,
                        const xpuGraphEdgeData* data) {
  XPU_TRY(check_ends(from, to));
  for (size_t i = 0; i < from.size(); i++) {
    if (from[i] == to[i]) {
      return invalid_value(
          "node " + std::to_string(from[i]->local_id()) + " cannot depend on itself", "to");
    }
    if (data) XPU_TRY(check_edge_data(data[i], from[i]->kind(), to[i]->kind()));
  }
  // Takes back what was added unless the call comes to its end: an edge may be found to exist, or
  // memory may run out, after others went in.
  struct Undo {
    std::span<Node*const> from, to;
    size_t done = 0;
    ~Undo() {
      for (; done; done--) {
        from[done - 1]->out_.pop();
        to[done - 1]->in_.pop();
      }
    }
  } undo{from, to};
  for (size_t i = 0; i < from.size(); i++) {
    EdgeList &out = from[i]->out_, &in = to[i]->in_;
    const bool exists =
        out.size() <= in.size() ? out.find(to[i]) < out.size() : in.find(from[i]) < in.size();
    if (exists) return invalid_value(between(from[i], to[i]) + " exists already", "to");
    out.reserve_more(1);
    in.reserve_more(1);
    const xpuGraphEdgeData* edge = data ? &data[i] : nullptr;
    out.push(edge_to(to[i], edge));
    in.push(edge_to(from[i], edge));
    undo.done++;
  }
  undo.done = 0;
  edges_ += from.size();
  check_after(*this, "adding edges");
  return {};
}

Status Graph::remove_edges(std::span<Node* const> from, std::span<Node* const> to) {
  XPU_TRY(check_ends(from, to));
  struct Removed {
    uint32_t out_at, in_at;
    Edge out, in;
  };
  // Puts back what was removed, each where it was. The lists have had the room, so this cannot
  // fail.
  struct Undo {
    std::span<Node*const> from, to;
    std::vector<Removed> done;
    ~Undo() {
      for (size_t i = done.size(); i--;) {
        from[i]->out_.insert(done[i].out_at, done[i].out);
        to[i]->in_.insert(done[i].in_at, done[i].in);
      }
    }
  } undo{from, to, {}};
  undo.done.reserve(from.size());
  for (size_t i = 0; i < from.size(); i++) {
    EdgeList &out = from[i]->out_, &in = to[i]->in_;
    const uint32_t out_at = out.find(to[i]);
    if (out_at == out.size()) {
      return invalid_value(between(from[i], to[i]) + " does not exist", "to");
    }
    const uint32_t in_at = in.find(from[i]);
    undo.done.push_back({out_at, in_at, out[out_at], in[in_at]});
    out.erase(out_at);
    in.erase(in_at);
  }
  undo.done.clear();
  edges_ -= from.size();
  check_after(*this, "removing edges");
  return {};
}

}  // namespace xpu::graph
