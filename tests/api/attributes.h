// SPDX-License-Identifier: Apache-2.0
// Values of launch attributes, and what a node has.
#pragma once

#include "capturing.h"

namespace xpu::test {

inline xpuLaunchAttributeValue none() {
  xpuLaunchAttributeValue value;
  memset(&value, 0, sizeof value);
  return value;
}
inline xpuLaunchAttributeValue of_number(int number) {
  xpuLaunchAttributeValue value = none();
  value.cooperative = number;  // all members of one int lie in the same place
  return value;
}
inline xpuLaunchAttributeValue of_clusters(uint32_t x, uint32_t y, uint32_t z) {
  xpuLaunchAttributeValue value = none();
  value.clusterDim = {x, y, z};
  return value;
}
inline xpuLaunchAttributeValue get(xpuGraphNode_t node, xpuLaunchAttributeID id) {
  xpuLaunchAttributeValue value;
  memset(&value, 0xa5, sizeof value);
  assert_ok(xpuGraphKernelNodeGetAttribute(node, id, &value));
  return value;
}
}  // namespace xpu::test
