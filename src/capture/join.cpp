// SPDX-License-Identifier: Apache-2.0
// The join rule: a walk back from the origin's frontier that stops when it has met all it looks
// for.
#include "capture/join.h"

#include <algorithm>

namespace xpu::capture {

bool all_joined(const Session& session) {
  std::vector<const graph::Node*> wanted;
  for (const Participant* p : session.participants)
    if (p != session.origin && p->tip && !session.origin->frontier.contains(p->tip))
      wanted.push_back(p->tip);
  if (wanted.empty()) return true;

  std::vector<bool> seen(session.graph->slots());
  std::vector<const graph::Node*> open;
  const auto meet = [&](const graph::Node* node) {
    if (seen[node->slot()]) return;
    seen[node->slot()] = true;
    std::erase(wanted, node);
    open.push_back(node);
  };
  for (const graph::Node* node : session.origin->frontier.nodes()) meet(node);
  while (!open.empty() && !wanted.empty()) {
    const graph::Node* node = open.back();
    open.pop_back();
    for (const graph::Edge& edge : node->in()) meet(edge.node);
  }
  return wanted.empty();
}

}  // namespace xpu::capture
