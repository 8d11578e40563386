// SPDX-License-Identifier: Apache-2.0
// Which attributes nodes have, and which values.
#include "graph/launch_attributes.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace xpu::graph {
namespace {

// Bytes of the member that belongs to an attribute, 0 if nodes do not have it.
size_t value_bytes(xpuLaunchAttributeID id) noexcept {
  using Value = xpuLaunchAttributeValue;
  switch (id) {
    case xpuLaunchAttributeAccessPolicyWindow:
      return sizeof(Value::accessPolicyWindow);
    case xpuLaunchAttributeCooperative:
    case xpuLaunchAttributeClusterSchedulingPolicyPreference:
    case xpuLaunchAttributePriority:
    case xpuLaunchAttributeMemSyncDomain:
    case xpuLaunchAttributePreferredSharedMemoryCarveout:
    case xpuLaunchAttributeNvlinkUtilCentricScheduling:
      return sizeof(int);
    case xpuLaunchAttributeClusterDimension:
    case xpuLaunchAttributePreferredClusterDimension:
      return sizeof(xpuDim3);
    case xpuLaunchAttributeMemSyncDomainMap:
      return sizeof(Value::memSyncDomainMap);
    case xpuLaunchAttributeDeviceUpdatableKernelNode:
      return sizeof(Value::deviceUpdatableKernelNode);
    case xpuLaunchAttributeIgnore:
    case xpuLaunchAttributeSynchronizationPolicy:
    case xpuLaunchAttributeProgrammaticStreamSerialization:
    case xpuLaunchAttributeProgrammaticEvent:
    case xpuLaunchAttributeLaunchCompletionEvent:
      break;
  }
  return 0;
}

Status out_of_range(const char* member, const char* range) {
  return invalid_value(std::string(member) + " must be " + range, "value");
}

Status check_window(const xpuAccessPolicyWindow& window) {
  // Written so that a value that is no number is refused, too.
  if (!(window.hitRatio >= 0.0f && window.hitRatio <= 1.0f))
    return out_of_range("accessPolicyWindow.hitRatio", "0 to 1");
  const int hit = static_cast<int>(window.hitProp), miss = static_cast<int>(window.missProp);
  if (hit < xpuAccessPropertyNormal || hit > xpuAccessPropertyPersisting)
    return out_of_range("accessPolicyWindow.hitProp", "an xpuAccessProperty");
  if (miss < xpuAccessPropertyNormal || miss > xpuAccessPropertyStreaming)
    return out_of_range("accessPolicyWindow.missProp",
                        "xpuAccessPropertyNormal or xpuAccessPropertyStreaming");
  if (window.reserved) return out_of_range("accessPolicyWindow.reserved", "0");
  return {};
}

Status check_clusters(const char* member, const xpuDim3& size) {
  if (!size.x && !size.y && !size.z) return {};
  if (!size.x || !size.y || !size.z)
    return out_of_range(member, "0, 0, 0 for none, or at least 1 in each dimension");
  if (size.x == 1 && size.y == 1 && size.z == 1) return {};
  return Status::error(xpuErrorNotSupported,
                       std::string("Level Zero has no clusters of work-groups; ") + member +
                           " can be 0, 0, 0 or 1, 1, 1",
                       "value");
}

Status check_number(const char* member, int value, int most) {
  if (value >= 0 && value <= most) return {};
  return out_of_range(member, ("0 to " + std::to_string(most)).c_str());
}

}  // namespace

bool is_node_attribute(xpuLaunchAttributeID id) noexcept { return value_bytes(id) > 0; }

Status check_node_attribute(xpuLaunchAttributeID id, const xpuLaunchAttributeValue& value) {
  switch (id) {
    case xpuLaunchAttributeAccessPolicyWindow:
      return check_window(value.accessPolicyWindow);
    case xpuLaunchAttributeCooperative:
    case xpuLaunchAttributePriority:
    case xpuLaunchAttributeMemSyncDomainMap:
      return {};
    case xpuLaunchAttributeClusterDimension:
      return check_clusters("clusterDim", value.clusterDim);
    case xpuLaunchAttributePreferredClusterDimension:
      return check_clusters("preferredClusterDim", value.preferredClusterDim);
    case xpuLaunchAttributeClusterSchedulingPolicyPreference:
      return check_number("clusterSchedulingPolicyPreference",
                          static_cast<int>(value.clusterSchedulingPolicyPreference),
                          xpuClusterSchedulingPolicyLoadBalancing);
    case xpuLaunchAttributeMemSyncDomain:
      return check_number("memSyncDomain", static_cast<int>(value.memSyncDomain),
                          xpuLaunchMemSyncDomainRemote);
    case xpuLaunchAttributeDeviceUpdatableKernelNode:
      if (!value.deviceUpdatableKernelNode.deviceUpdatable) return {};
      return Status::error(xpuErrorNotSupported,
                           "Level Zero has no way for device code to update a node; "
                           "deviceUpdatable must be 0",
                           "value");
    case xpuLaunchAttributePreferredSharedMemoryCarveout:
      if (value.sharedMemCarveout == UINT32_MAX) return {};
      return check_number("sharedMemCarveout", static_cast<int>(value.sharedMemCarveout), 100);
    case xpuLaunchAttributeNvlinkUtilCentricScheduling:
      return check_number("nvlinkUtilCentricScheduling",
                          static_cast<int>(value.nvlinkUtilCentricScheduling), 1);
    default:
      return invalid_value(
          "attribute " + std::to_string(static_cast<int>(id)) + " is none that a kernel node has",
          "attr");
  }
}

bool LaunchAttributes::has(xpuLaunchAttributeID id) const noexcept {
  return std::any_of(set_.begin(), set_.end(),
                     [&](const xpuLaunchAttribute& attribute) { return attribute.id == id; });
}

xpuLaunchAttributeValue LaunchAttributes::get(xpuLaunchAttributeID id) const noexcept {
  for (const xpuLaunchAttribute& attribute : set_)
    if (attribute.id == id) return attribute.val;
  xpuLaunchAttributeValue value;
  std::memset(&value, 0, sizeof value);
  if (id == xpuLaunchAttributeMemSyncDomainMap) value.memSyncDomainMap.remote = 1;
  if (id == xpuLaunchAttributePreferredSharedMemoryCarveout) value.sharedMemCarveout = UINT32_MAX;
  return value;
}

void LaunchAttributes::set(xpuLaunchAttributeID id, const xpuLaunchAttributeValue& value) {
  auto at = std::find_if(set_.begin(), set_.end(),
                         [&](const xpuLaunchAttribute& attribute) { return attribute.id == id; });
  if (at == set_.end()) at = set_.insert(at, xpuLaunchAttribute{});
  std::memset(&*at, 0, sizeof *at);
  at->id = id;
  std::memcpy(&at->val, &value, value_bytes(id));
}

}  // namespace xpu::graph
