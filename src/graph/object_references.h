// SPDX-License-Identifier: Apache-2.0
// The references to user objects that a graph has.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"

namespace xpu::graph {

class UserObject;

// A copy has as many. Follows the graph's rule: no two calls at once.
class ObjectReferences {
 public:
  bool empty() const noexcept { return held_.empty(); }
  void retain(std::shared_ptr<UserObject> object, uint32_t count);
  // Refuses more than there are.
  Status release(const UserObject& object, uint32_t count);

 private:
  struct Held {
    std::shared_ptr<UserObject> object;
    uint64_t count;
  };
  std::vector<Held> held_;
};

}  // namespace xpu::graph
