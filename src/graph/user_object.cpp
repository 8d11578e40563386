// SPDX-License-Identifier: Apache-2.0
// References of the program, and the end of the last one.
#include "graph/user_object.h"

#include <mutex>
#include <string>

namespace xpu::graph {
namespace {

// Guards the numbers of all objects, and a handle's way to its object against the object's end. One
// for all: these calls are rare.
std::mutex& objects_lock() noexcept {
  static std::mutex* const only = new std::mutex;
  return *only;
}

}  // namespace

UserObject::UserObject(void* object, xpuHostFn_t destroy)
    : destroy_(new afterwards::Call{{destroy, object}}) {}

Result<std::shared_ptr<UserObject>> UserObject::make(void* object, xpuHostFn_t destroy,
                                                     uint32_t references) {
  XPU_TRY(afterwards::begin());
  std::shared_ptr<UserObject> made(new UserObject(object, destroy));
  made->handle_ = OwnedHandle(HandleType::user_object, made.get());
  if (made->handle()) {
    made->retain(references);
    return made;
  }
  // The program still has the object, since it gets no handle for it.
  made->destroy_.reset();
  return Status::error(xpuErrorMemoryAllocation, "no memory is left for another handle");
}

UserObject::~UserObject() {
  {
    const std::lock_guard hold(objects_lock());
    handle_.reset();
  }
  if (destroy_) afterwards::call(std::move(destroy_));
}

std::shared_ptr<UserObject> UserObject::find(uint64_t handle) noexcept {
  const std::lock_guard hold(objects_lock());
  auto* const object = static_cast<UserObject*>(HandleTable::find(HandleType::user_object, handle));
  return object ? object->weak_from_this().lock() : nullptr;
}

void UserObject::retain(uint32_t count) noexcept {
  const std::lock_guard hold(objects_lock());
  if (!references_) self_ = shared_from_this();
  references_ += count;
}

Status UserObject::release(uint32_t count) {
  std::shared_ptr<UserObject> last;  // let go without the lock
  const std::lock_guard hold(objects_lock());
  if (count > references_)
    return invalid_value("the program has " + std::to_string(references_) +
                             " references to the object and cannot give back " +
                             std::to_string(count) + "; those of graphs are the graphs'",
                         "count");
  references_ -= count;
  if (!references_) last = std::move(self_);
  return {};
}

}  // namespace xpu::graph
