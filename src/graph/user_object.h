// SPDX-License-Identifier: Apache-2.0
// Objects of the program that live as long as the program itself, a graph or an executable refers
// to them.
//
// Whoever refers to one holds a shared pointer, so that the end needs no counting: the program's
// references are a number that holds one pointer while it is not 0, and those of a graph are a
// pointer with a number beside it (graph.h), which copies copy.
#pragma once

#include <xpugraph/user_object.h>

#include <memory>

#include "base/afterwards.h"
#include "base/handle.h"
#include "base/status.h"

namespace xpu::graph {

// Safe from any thread.
class UserObject : public std::enable_shared_from_this<UserObject> {
 public:
  // With so many references of the program.
  static Result<std::shared_ptr<UserObject>> make(void* object, xpuHostFn_t destroy,
                                                  uint32_t references);
  // Null if it is no live one.
  static std::shared_ptr<UserObject> find(uint64_t handle) noexcept;
  // Nobody refers to it any more: the program's function is called afterwards.
  ~UserObject();

  uint64_t handle() const noexcept { return handle_.value(); }
  // The program's own references.
  void retain(uint32_t count) noexcept;
  // Refuses more than there are.
  Status release(uint32_t count);

 private:
  UserObject(void* object, xpuHostFn_t destroy);

  std::unique_ptr<afterwards::Call> destroy_;
  OwnedHandle handle_;
  uint64_t references_ = 0;
  std::shared_ptr<UserObject> self_;  // while there are references
};

}  // namespace xpu::graph
