// SPDX-License-Identifier: Apache-2.0
// Capture status, information and updates of what comes next.
#include "capture/inspect.h"

#include <algorithm>

namespace xpu::capture {

xpuStreamCaptureStatus status_of(const View& view) noexcept {
  if (!view) return xpuStreamCaptureStatusNone;
  return view.session().ok() ? xpuStreamCaptureStatusActive : xpuStreamCaptureStatusInvalidated;
}

Shown show_frontier(const View& view) {
  Participant& p = view.participant();
  const std::span<graph::Node* const> nodes = p.frontier.nodes();
  p.shown_nodes.clear();
  for (graph::Node* node : nodes)
    p.shown_nodes.push_back(to_public<xpuGraphNode_t>(node->handle()));
  p.shown_data.assign(nodes.size(), xpuGraphEdgeData{});
  Shown shown;
  if (const xpuGraphEdgeData* data = p.frontier.data())
    for (size_t i = 0; i < nodes.size(); i++) {
      p.shown_data[i] = data[i];
      shown.plain = shown.plain && !data[i].from_port && !data[i].to_port && !data[i].type;
    }
  shown.nodes = p.shown_nodes.data();
  shown.data = p.shown_data.data();
  shown.count = nodes.size();
  return shown;
}

Status update_frontier(const View& view, std::span<graph::Node* const> nodes,
                       const xpuGraphEdgeData* data, bool replace) {
  Session& session = view.session();
  if (!session.ok()) return session.invalidated();
  for (const graph::Node* node : nodes)
    if (&node->graph() != session.graph.get())
      return invalid_value("a node is not of the graph that is being captured", "dependencies");
  Participant& p = view.participant();
  if (!replace) {
    p.frontier.join(nodes, data);
    return {};
  }
  p.frontier.set(nodes, data);
  if (!p.frontier.contains(p.tip)) p.tip = nullptr;
  return {};
}

}  // namespace xpu::capture
