// SPDX-License-Identifier: Apache-2.0
// Checks where memory is asked for.
#include "capi/memory_place.h"

#include <algorithm>
#include <string>

#include "capi/cast.h"

namespace xpu::capi {
namespace {

Status not_supported(std::string sentence, const char* argument) {
  return Status::error(xpuErrorNotSupported, std::move(sentence), argument);
}

Result<runtime::Device*> device_at(const xpuMemLocation& location, const char* argument) {
  if (location.type != xpuMemLocationTypeDevice)
    return invalid_value("location.type is " + std::to_string(static_cast<int>(location.type)) +
                             "; memory can be on a device alone (xpuMemLocationTypeDevice)",
                         argument);
  Result<runtime::Device*> device = find_device(location.id);
  if (device.ok()) return device;
  return invalid_value(
      "location.id is " + std::to_string(location.id) + ", and there is no such device", argument);
}

}  // namespace

Result<runtime::Device*> place_of(const xpuMemPoolProps& props, const char* argument) {
  if (props.allocType != xpuMemAllocationTypePinned)
    return invalid_value("allocType is " + std::to_string(static_cast<int>(props.allocType)) +
                             "; the only kind of memory here is xpuMemAllocationTypePinned",
                         argument);
  if (props.handleTypes != xpuMemHandleTypeNone)
    return not_supported(
        "memory of pools and graphs cannot be shared with other processes; "
        "handleTypes must be xpuMemHandleTypeNone",
        argument);
  if (props.reserved != 0)
    return invalid_value("reserved must be 0; zero the struct before filling it in", argument);
  return device_at(props.location, argument);
}

Status check_no_memory(const graph::Graph& graph, const char* what, const char* argument) {
  if (!graph.memory()) return {};
  return not_supported(std::string("a graph with memory nodes cannot be ") + what, argument);
}

Result<std::vector<int>> access_of(const xpuMemAccessDesc* descs, size_t count,
                                   const runtime::Device& device, const char* argument) {
  std::vector<int> access;
  if (count && !descs)
    return invalid_value("accessDescs is NULL, accessDescCount is not 0", argument);
  for (size_t i = 0; i < count; i++) {
    XPU_TRY_ASSIGN(const runtime::Device* other, device_at(descs[i].location, argument));
    if (descs[i].flags != xpuMemAccessFlagsProtReadWrite)
      return not_supported(
          "access is for reading and writing alone (xpuMemAccessFlagsProtReadWrite)", argument);
    if (other == &device) {
      access.push_back(other->index());
      continue;
    }
    XPU_TRY_ASSIGN(const bool can, other->can_reach(device));
    if (!can)
      return not_supported("device " + std::to_string(other->index()) +
                               " cannot use memory of device " + std::to_string(device.index()),
                           argument);
    access.push_back(other->index());
  }
  return access;
}

}  // namespace xpu::capi
