// SPDX-License-Identifier: Apache-2.0
// Entry points of user_object.h.
#include "graph/user_object.h"

#include <climits>

#include "capi/cast.h"
#include "capi/guard.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

Result<std::shared_ptr<graph::UserObject>> live_object(xpuUserObject_t handle) {
  std::shared_ptr<graph::UserObject> object = graph::UserObject::find(from_public(handle));
  if (!object) return no_such(xpuErrorInvalidValue, handle, "user object", "object");
  return object;
}

Status check_references(unsigned int count, const char* argument) {
  if (count >= 1 && count <= INT_MAX) return {};
  return invalid_value(std::string(argument) + " is " + std::to_string(count) +
                           "; references are counted from 1 to " + std::to_string(INT_MAX),
                       argument);
}

}  // namespace

xpuError_t xpuUserObjectCreate(xpuUserObject_t* object_out, void* ptr, xpuHostFn_t destroy,
                               unsigned int initialRefcount, unsigned int flags) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(object_out, "object_out"));
    if (!destroy) return invalid_value("destroy is NULL; it must be a function", "destroy");
    XPU_TRY(check_references(initialRefcount, "initialRefcount"));
    if (flags != xpuUserObjectNoDestructorSync)
      return invalid_value("flags must be xpuUserObjectNoDestructorSync (1)", "flags");
    XPU_TRY_ASSIGN(const std::shared_ptr<graph::UserObject> made,
                   graph::UserObject::make(ptr, destroy, initialRefcount));
    *object_out = to_public<xpuUserObject_t>(made->handle());
    return {};
  });
}

xpuError_t xpuUserObjectRetain(xpuUserObject_t object, unsigned int count) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const std::shared_ptr<graph::UserObject> o, live_object(object));
    XPU_TRY(check_references(count, "count"));
    o->retain(count);
    return {};
  });
}

xpuError_t xpuUserObjectRelease(xpuUserObject_t object, unsigned int count) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const std::shared_ptr<graph::UserObject> o, live_object(object));
    XPU_TRY(check_references(count, "count"));
    return o->release(count);
  });
}

xpuError_t xpuGraphRetainUserObject(xpuGraph_t graph, xpuUserObject_t object, unsigned int count,
                                    unsigned int flags) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(graph::Graph * g, live_graph(graph));
    XPU_TRY_ASSIGN(const std::shared_ptr<graph::UserObject> o, live_object(object));
    XPU_TRY(check_references(count, "count"));
    if (flags & ~static_cast<unsigned>(xpuGraphUserObjectMove))
      return invalid_value("flags must be 0 or xpuGraphUserObjectMove (1)", "flags");
    g->objects().retain(o, count);
    if (!(flags & xpuGraphUserObjectMove)) return {};
    Status status = o->release(count);
    if (!status.ok()) (void)g->objects().release(*o, count);
    return status;
  });
}

xpuError_t xpuGraphReleaseUserObject(xpuGraph_t graph, xpuUserObject_t object, unsigned int count) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(graph::Graph * g, live_graph(graph));
    XPU_TRY_ASSIGN(const std::shared_ptr<graph::UserObject> o, live_object(object));
    XPU_TRY(check_references(count, "count"));
    return g->objects().release(*o, count);
  });
}
