// SPDX-License-Identifier: Apache-2.0
// Compares parameters of one kind, member by member.
#include "graph/same.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "graph/conditional.h"
#include "graph/external.h"
#include "graph/graph.h"
#include "graph/pairing.h"

namespace xpu::graph {
namespace {

// Of those that are more than a hint.
bool same_attributes(const KernelParams& a, const KernelParams& b) noexcept {
  return a.attributes() == b.attributes() ||
         (a.cooperative() == b.cooperative() && a.priority() == b.priority());
}

bool same_kernel(const KernelParams& a, const KernelParams& b) noexcept {
  return &a.signature() == &b.signature() && same_launch(a, b) && same_attributes(a, b);
}

bool same_side(const CopySide& a, const CopySide& b) noexcept {
  return a.base == b.base && a.pitch == b.pitch && a.xsize == b.xsize && a.ysize == b.ysize &&
         a.x == b.x && a.y == b.y && a.z == b.z;
}

bool same_copy(const CopyShape& a, const CopyShape& b) noexcept {
  return same_side(a.dst, b.dst) && same_side(a.src, b.src) && a.width == b.width &&
         a.height == b.height && a.depth == b.depth && a.kind == b.kind && a.linear == b.linear;
}

bool same_fill(const FillShape& a, const FillShape& b) noexcept {
  return a.dst == b.dst && a.pitch == b.pitch && a.value == b.value &&
         a.element_size == b.element_size && a.width == b.width && a.height == b.height;
}

bool same_semaphores(const SemaphoreParams& a, const SemaphoreParams& b) noexcept {
  if (a.semaphores() != b.semaphores()) return false;
  for (size_t i = 0; i < a.semaphores().size(); i++) {
    if (a.value(i) != b.value(i)) return false;
  }
  return true;
}

bool same_batch(const BatchParams& a, const BatchParams& b) noexcept {
  return std::equal(a.operations().begin(), a.operations().end(), b.operations().begin(),
                    b.operations().end(), [](const auto& one, const auto& other) {
                      return std::memcmp(one.pad, other.pad, sizeof one.pad) == 0;
                    });
}

bool same_conditional(const ConditionalParams& a, const ConditionalParams& b) {
  return a.condition() == b.condition() && a.choice() == b.choice() &&
         std::equal(a.bodies().begin(), a.bodies().end(), b.bodies().begin(), b.bodies().end(),
                    [](const auto& one, const auto& other) { return same(*one, *other); });
}

template <class T>
const T& as(const NodeParams& params) noexcept {
  return static_cast<const T&>(params);
}

}  // namespace

bool same(const NodeParams& a, const NodeParams& b) {
  if (&a == &b) return true;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case NodeKind::kernel:
      return same_kernel(as<KernelParams>(a), as<KernelParams>(b));
    case NodeKind::copy:
      return same_copy(as<CopyParams>(a).shape(), as<CopyParams>(b).shape());
    case NodeKind::fill:
      return same_fill(as<FillParams>(a).shape(), as<FillParams>(b).shape());
    case NodeKind::host:
      return as<HostParams>(a).function() == as<HostParams>(b).function() &&
             as<HostParams>(a).user_data() == as<HostParams>(b).user_data();
    case NodeKind::child:
      return as<ChildParams>(a).graph() == as<ChildParams>(b).graph();
    case NodeKind::empty:
      return true;
    case NodeKind::event_wait:
    case NodeKind::event_record:
      return as<EventParams>(a).event() == as<EventParams>(b).event();
    case NodeKind::semaphore_signal:
    case NodeKind::semaphore_wait:
      return same_semaphores(as<SemaphoreParams>(a), as<SemaphoreParams>(b));
    case NodeKind::mem_alloc:
      return as<AllocParams>(a).allocation() == as<AllocParams>(b).allocation();
    case NodeKind::mem_free:
      return as<FreeParams>(a).allocation() == as<FreeParams>(b).allocation();
    case NodeKind::batch:
      return same_batch(as<BatchParams>(a), as<BatchParams>(b));
    case NodeKind::conditional:
      return same_conditional(as<ConditionalParams>(a), as<ConditionalParams>(b));
  }
  return false;
}

bool same(const Graph& a, const Graph& b) {
  std::vector<Node*> partners;
  if (!pair(a, b, partners).why.empty()) return false;
  for (const Node* node : a.nodes()) {
    const NodeParams &one = *node->params(), &other = *partners[node->slot()]->params();
    const auto* child = node->as<ChildParams>();
    if (child && other.kind() == NodeKind::child) {
      if (!same(*child->graph(), *static_cast<const ChildParams&>(other).graph())) return false;
    } else if (!same(one, other)) {
      return false;
    }
  }
  return true;
}

}  // namespace xpu::graph
