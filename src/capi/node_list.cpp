// SPDX-License-Identifier: Apache-2.0
// Reading an array of node handles.
#include "capi/node_list.h"

namespace xpu::capi {

Status NodeList::read(const xpuGraphNode_t* handles, size_t count, const char* argument) {
  if (count == 0) return {};
  if (!handles)
    return invalid_value(std::string(argument) + " is NULL but the count is " +
                             std::to_string(count) + "; give an array or a count of 0",
                         argument);
  graph::Node** to = few_;
  for (size_t i = 0; i < count; i++) {
    Result<graph::Node*> node = live_node(handles[i], argument);
    if (!node.ok() && node.status().code() == xpuErrorIllegalState) return node.take_status();
    if (!node.ok())
      return invalid_value(std::string(argument) + "[" + std::to_string(i) +
                               "] is not a live node: it is NULL, was destroyed, or is a handle of "
                               "something else",
                           argument);
    // The array grows with what was found to be a node, so that an absurd count fails on its first
    // bad entry and not on an absurd allocation.
    if (i == kFew) many_.assign(few_, few_ + kFew);
    if (i >= kFew)
      many_.push_back(node.value());
    else
      to[i] = node.value();
  }
  count_ = count;
  return {};
}

}  // namespace xpu::capi
