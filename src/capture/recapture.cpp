// SPDX-License-Identifier: Apache-2.0
// Which node a call of a recapture stands for, and what becomes of that node.
#include "capture/recapture.h"

#include <algorithm>
#include <string>

#include "base/error_name.h"
#include "capture/view.h"
#include "graph/order.h"
#include "graph/same.h"
#include "graph/take_over.h"

namespace xpu::capture {
namespace {

using graph::NodeKind;

bool is_made_by_calls(const graph::Node& node) noexcept {
  return node.kind() != NodeKind::empty && node.kind() != NodeKind::conditional;
}

// In any order: where two streams meet, that is chance.
bool depends_on(const graph::Node& node, const Frontier& frontier) noexcept {
  const std::span<graph::Node* const> nodes = frontier.nodes();
  if (node.in().size() != nodes.size()) return false;
  for (size_t i = 0; i < nodes.size(); i++) {
    const uint32_t at = node.in().find(nodes[i]);
    if (at == node.in().size()) return false;
    const graph::Edge& edge = node.in()[at];
    const xpuGraphEdgeData* data = frontier.data() ? &frontier.data()[i] : nullptr;
    if (data ? edge.from_port != data->from_port || edge.to_port != data->to_port ||
                   edge.type != data->type
             : !edge.is_default())
      return false;
  }
  return true;
}

const graph::Graph* child_of(const graph::NodeParams& params) noexcept {
  return params.kind() == NodeKind::child
             ? static_cast<const graph::ChildParams&>(params).graph().get()
             : nullptr;
}

bool do_the_same(const graph::NodeParams& was, const graph::NodeParams& next) {
  const graph::Graph *const one = child_of(was), *const other = child_of(next);
  return one ? graph::same(*one, *other) : graph::same(was, next);
}

// All nodes of the child graph stay, as those of this one do.
void install(graph::Node& node, graph::ParamsRef&& next) {
  if (const auto* child = node.as<graph::ChildParams>())
    graph::take_over(*child->graph(), *next.as<graph::ChildParams>()->graph());
  else
    node.set_params(std::move(next));
}

}  // namespace

Status recapture_failed(std::string why) {
  return Status::error(xpuErrorGraphRecaptureFailure,
                       "the graph is being captured again, and " + std::move(why));
}

void Recapture::pass_over() noexcept {
  while (next_ < graph_.size() && !is_made_by_calls(*graph_.nodes()[next_])) next_++;
}

Result<graph::Node*> Recapture::next(NodeKind kind, const Frontier& frontier) {
  pass_over();
  if (next_ == graph_.size())
    return recapture_failed(std::string("has no node left for this ") + graph::kind_name(kind) +
                            " node; calls must make the same nodes in the same order");
  graph::Node* const node = graph_.nodes()[next_];
  if (node->kind() != kind)
    return recapture_failed("its next node is " + graph::describe(*node) + ", not " +
                            graph::a_node(kind) +
                            "; calls must make the same nodes in the same order");
  if (!depends_on(*node, frontier))
    return recapture_failed(graph::describe(*node) + " has " + std::to_string(node->in().size()) +
                            " dependencies, and they are not the " +
                            std::to_string(frontier.nodes().size()) +
                            " that this call makes; edges must be the same, with their data");
  next_++;
  return node;
}

Status Recapture::check_end() {
  pass_over();
  if (asked_)
    return recapture_failed(
        "a function of the program that was asked about a node of it has not "
        "returned yet; end the capture when all its calls have returned");
  if (next_ == graph_.size()) return {};
  return recapture_failed("no call has made " + graph::describe(*graph_.nodes()[next_]) +
                          " again; calls must make the same nodes in the same order");
}

bool is_recaptured(const graph::Graph& graph) {
  if (!Registry::get().any_recapture()) [[likely]]
    return false;
  bool found = false;
  Registry::get().for_each([&](const Session& session) {
    if (!session.recapture) return;
    const graph::Graph* g = session.graph.get();
    while (g && g != &graph) g = g->owner() ? &g->owner()->graph() : nullptr;
    found = found || g;
    g = &graph;
    while (g != session.graph.get() && g->owner() && g->owner()->kind() == NodeKind::child)
      g = &g->owner()->graph();
    found = found || g == session.graph.get();
  });
  return found;
}

// ---- a call in a stream

Result<graph::Node*> View::next_again(const char* call, NodeKind kind) {
  Result<graph::Node*> node = session_->recapture->next(kind, participant_->frontier);
  if (node.ok()) return node;
  return refuse(call, node.take_status());
}

Status View::other_memory(const char* call, const graph::Node& node) {
  return refuse(call,
                recapture_failed("this call is about other memory than " + graph::describe(node) +
                                 "; sizes, devices and addresses must be the same"));
}

Status View::add_again(const char* call, graph::ParamsRef next) {
  XPU_TRY_ASSIGN(graph::Node * node, next_again(call, next->kind()));
  try {
    const graph::ParamsRef was = node->params();
    const graph::Graph *const old = child_of(*was), *const fresh = child_of(*next);
    if (old && !graph::same_form(*old, *fresh))
      return refuse(call, recapture_failed("the executable that is launched here has other nodes "
                                           "or edges than " +
                                           graph::describe(*node)));
    if (!do_the_same(*was, *next)) {
      if (session_->recapture->ask()) XPU_TRY(ask(call, *node, was, next));
      install(*node, std::move(next));
    } else if (old && (old->keeps_anything() || fresh->keeps_anything())) {
      install(*node, std::move(next));
    }
  } catch (...) {
    if (session_) session_->spoil(call, "the host has no memory left for this call");
    throw;
  }
  advance(node);
  return {};
}

Status View::ask(const char* call, graph::Node& node, const graph::ParamsRef& was,
                 const graph::ParamsRef& next) {
  const uint64_t handle = node.handle();
  if (!handle)
    return refuse(call,
                  Status::error(xpuErrorMemoryAllocation, "no memory is left for another handle"));
  const std::string name = graph::describe(node);
  // Outlives the session if another thread ends that meanwhile.
  const std::shared_ptr<Recapture> recapture = session_->recapture;
  Participant* const participant = participant_;
  Session* const session = session_;
  const uint64_t id = session->id;

  recapture->asking(1);
  leave();
  const xpuError_t answer = recapture->ask()(handle, was, next);
  session->mutex.lock();
  session_ = session;
  recapture->asking(-1);

  const bool goes_on =
      session->id == id && std::find(session->participants.begin(), session->participants.end(),
                                     participant) != session->participants.end();
  if (!goes_on) {
    leave();
    return Status::error(xpuErrorIllegalState,
                         "another thread ended the capture while the function of the program was "
                         "asked about " +
                             name);
  }
  if (!session->ok()) return session->invalidated();
  if (answer == xpuSuccess) return {};
  return refuse(
      call, recapture_failed("the function of the program that was asked answered " +
                             std::string(error_name(answer)) + " to what " + name + " is to do"));
}

}  // namespace xpu::capture
