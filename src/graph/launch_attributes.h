// SPDX-License-Identifier: Apache-2.0
// Attributes of kernel nodes: those that mean something here, and those that are kept for who asks.
#pragma once

#include <xpugraph/launch.h>

#include <vector>

#include "base/status.h"

namespace xpu::graph {

// Whether a node can have the attribute with that value. What the device can do is not asked.
Status check_node_attribute(xpuLaunchAttributeID id, const xpuLaunchAttributeValue& value);
// Whether nodes have it at all.
bool is_node_attribute(xpuLaunchAttributeID id) noexcept;

// Not changed once a node has it: parameters share it.
class LaunchAttributes {
 public:
  // The value, or that of a node for which it was never set; the bytes that do not count are 0.
  xpuLaunchAttributeValue get(xpuLaunchAttributeID id) const noexcept;
  // Checked by the caller.
  void set(xpuLaunchAttributeID id, const xpuLaunchAttributeValue& value);

  bool cooperative() const noexcept { return get(xpuLaunchAttributeCooperative).cooperative != 0; }
  int priority() const noexcept { return get(xpuLaunchAttributePriority).priority; }
  bool has(xpuLaunchAttributeID id) const noexcept;

 private:
  std::vector<xpuLaunchAttribute> set_;  // one for each id
};

}  // namespace xpu::graph
