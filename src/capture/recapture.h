// SPDX-License-Identifier: Apache-2.0
// A graph that is captured again: calls make no nodes, but say anew what those do that are there.
#pragma once

#include <functional>
#include <memory>

#include "capture/frontier.h"
#include "capture/session.h"

namespace xpu::capture {

class Recapture {
 public:
  // Asked about a node that is to do something else, without a lock of the library held; success
  // lets it. The parameters are those until now and the new ones. `node` is its handle.
  using Ask = std::function<xpuError_t(uint64_t node, const graph::ParamsRef& was,
                                       const graph::ParamsRef& next)>;

  // `ask` may be empty: whatever a node is to do, it may.
  Recapture(graph::Graph& graph, Ask ask) : graph_(graph), ask_(std::move(ask)) {}

  const Ask& ask() const noexcept { return ask_; }

  // The node that a captured call of that kind stands for: the next one, which must have just the
  // dependencies that are in front. Nodes that no call makes are passed over.
  Result<graph::Node*> next(graph::NodeKind kind, const Frontier& frontier);
  // Refuses an end before all nodes have been captured again.
  Status check_end();

  // One of the program's functions is asked in some thread.
  void asking(int change) noexcept { asked_ += change; }

 private:
  void pass_over() noexcept;

  graph::Graph& graph_;  // the session's
  const Ask ask_;
  size_t next_ = 0;
  int asked_ = 0;
};

// Begins to capture `stream` into `graph` once more. Its references to user objects are given up;
// whatever else it keeps alive stays, because what its nodes did may still be what they do.
Status begin_again(runtime::Stream& stream, xpuStreamCaptureMode mode,
                   std::shared_ptr<graph::Graph> graph, Recapture::Ask ask);

// Whether what the graph's nodes do is being set anew: a recapture goes on into it, into a graph
// inside of it, or into one that it is inside of as a child graph. To that a body is a graph of its
// own, which can be captured again while the graph around it is.
bool is_recaptured(const graph::Graph& graph);

Status recapture_failed(std::string why);

}  // namespace xpu::capture
