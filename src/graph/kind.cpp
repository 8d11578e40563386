// SPDX-License-Identifier: Apache-2.0
// Names of node kinds.
#include "graph/kind.h"

namespace xpu::graph {

const char* kind_name(NodeKind kind) noexcept {
  switch (kind) {
    case NodeKind::kernel:
      return "kernel";
    case NodeKind::copy:
      return "memcpy";
    case NodeKind::fill:
      return "memset";
    case NodeKind::host:
      return "host";
    case NodeKind::child:
      return "child graph";
    case NodeKind::empty:
      return "empty";
    case NodeKind::event_wait:
      return "event wait";
    case NodeKind::event_record:
      return "event record";
    case NodeKind::semaphore_signal:
      return "external semaphore signal";
    case NodeKind::semaphore_wait:
      return "external semaphore wait";
    case NodeKind::mem_alloc:
      return "memory allocation";
    case NodeKind::mem_free:
      return "memory free";
    case NodeKind::batch:
      return "batch of memory operations";
    case NodeKind::conditional:
      return "conditional";
  }
  return "unknown";
}

std::string a_node(NodeKind kind) {
  const std::string name = kind_name(kind);
  const bool vowel = name[0] == 'e' || name[0] == 'u';  // empty, event, external; unknown
  return (vowel ? "an " : "a ") + name + " node";
}

}  // namespace xpu::graph
