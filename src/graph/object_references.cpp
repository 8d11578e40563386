// SPDX-License-Identifier: Apache-2.0
// Counting a graph's references.
#include "graph/object_references.h"

#include <algorithm>
#include <string>

namespace xpu::graph {

void ObjectReferences::retain(std::shared_ptr<UserObject> object, uint32_t count) {
  const auto at = std::find_if(held_.begin(), held_.end(),
                               [&](const Held& held) { return held.object == object; });
  if (at != held_.end())
    at->count += count;
  else
    held_.push_back({std::move(object), count});
}

Status ObjectReferences::release(const UserObject& object, uint32_t count) {
  const auto at = std::find_if(held_.begin(), held_.end(),
                               [&](const Held& held) { return held.object.get() == &object; });
  const uint64_t there = at == held_.end() ? 0 : at->count;
  if (count > there)
    return invalid_value("the graph has " + std::to_string(there) +
                             " references to the object and cannot give back " +
                             std::to_string(count),
                         "count");
  at->count -= count;
  if (!at->count) held_.erase(at);
  return {};
}

}  // namespace xpu::graph
