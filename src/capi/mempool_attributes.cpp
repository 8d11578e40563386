// SPDX-License-Identifier: Apache-2.0
// Entry points of mempool.h that ask and tell a pool something.
#include <xpugraph/mempool.h>

#include "capi/cast.h"
#include "capi/guard.h"
#include "memory/pools.h"
#include "ze/result.h"

using namespace xpu;
using namespace xpu::capi;
using memory::StreamPool;

namespace {

template <class T>
Status put(void* value, T what) {
  *static_cast<T*>(value) = what;
  return {};
}

Status unknown(xpuMemPoolAttr attr) {
  return invalid_value(
      "attr is " + std::to_string(static_cast<int>(attr)) + ", which is no xpuMemPoolAttr", "attr");
}

Status read(const StreamPool& pool, xpuMemPoolAttr attr, void* value) {
  const StreamPool::Policy policy = pool.policy();
  const StreamPool::Usage usage = pool.usage();
  switch (attr) {
    case xpuMemPoolReuseFollowEventDependencies:
      return put<int>(value, policy.follow_events);
    case xpuMemPoolReuseAllowOpportunistic:
      return put<int>(value, policy.opportunistic);
    case xpuMemPoolReuseAllowInternalDependencies:
      return put<int>(value, policy.add_dependencies);
    case xpuMemPoolAttrReleaseThreshold:
      return put<uint64_t>(value, policy.release_threshold);
    case xpuMemPoolAttrReservedMemCurrent:
      return put<uint64_t>(value, usage.reserved);
    case xpuMemPoolAttrReservedMemHigh:
      return put<uint64_t>(value, usage.reserved_high);
    case xpuMemPoolAttrUsedMemCurrent:
      return put<uint64_t>(value, usage.used);
    case xpuMemPoolAttrUsedMemHigh:
      return put<uint64_t>(value, usage.used_high);
  }
  return unknown(attr);
}

Status set_switch(StreamPool& pool, bool StreamPool::Policy::*which, const void* value) {
  const int wanted = *static_cast<const int*>(value);
  if (wanted != 0 && wanted != 1)
    return invalid_value("the value is " + std::to_string(wanted) + "; it must be 0 or 1", "value");
  pool.change([&](StreamPool::Policy& policy) { policy.*which = wanted; });
  return {};
}

Status reset(StreamPool& pool, void (StreamPool::*forget)(), const void* value) {
  if (*static_cast<const uint64_t*>(value))
    return invalid_value("a high mark can only be set to 0", "value");
  (pool.*forget)();
  return {};
}

Status write(StreamPool& pool, xpuMemPoolAttr attr, const void* value) {
  switch (attr) {
    case xpuMemPoolReuseFollowEventDependencies:
      return set_switch(pool, &StreamPool::Policy::follow_events, value);
    case xpuMemPoolReuseAllowOpportunistic:
      return set_switch(pool, &StreamPool::Policy::opportunistic, value);
    case xpuMemPoolReuseAllowInternalDependencies:
      return set_switch(pool, &StreamPool::Policy::add_dependencies, value);
    case xpuMemPoolAttrReleaseThreshold:
      pool.change([&](StreamPool::Policy& policy) {
        policy.release_threshold = *static_cast<const uint64_t*>(value);
      });
      return {};
    case xpuMemPoolAttrReservedMemHigh:
      return reset(pool, &StreamPool::forget_reserved_high, value);
    case xpuMemPoolAttrUsedMemHigh:
      return reset(pool, &StreamPool::forget_used_high, value);
    case xpuMemPoolAttrReservedMemCurrent:
    case xpuMemPoolAttrUsedMemCurrent:
      return invalid_value("what is held or used now cannot be set", "attr");
  }
  return unknown(attr);
}

Result<runtime::Device*> device_of_location(const xpuMemLocation& location,
                                            const std::string& argument) {
  if (location.type == xpuMemLocationTypeHost)
    return Status::error(xpuErrorNotSupported, "the host does not use device memory",
                         argument + ".type");
  if (location.type != xpuMemLocationTypeDevice)
    return invalid_value("the location's type must be xpuMemLocationTypeDevice",
                         argument + ".type");
  Result<runtime::Device*> found = find_device(location.id);
  if (found.ok()) return found;
  return invalid_value(found.status().sentence(), argument + ".id");
}

Status check_access(const StreamPool& pool, const xpuMemAccessDesc& desc, const std::string& name) {
  XPU_TRY_ASSIGN(const runtime::Device* d, device_of_location(desc.location, name + ".location"));
  const bool own = d == &pool.device();
  switch (desc.flags) {
    case xpuMemAccessFlagsProtRead:
      return Status::error(xpuErrorNotSupported, "memory that can be read can be written, too",
                           name + ".flags");
    case xpuMemAccessFlagsProtNone:
      return own ? invalid_value("the pool's own device keeps its access", name + ".flags")
                 : Status();
    case xpuMemAccessFlagsProtReadWrite:
      break;
    default:
      return invalid_value("flags must be one of xpuMemAccessFlags", name + ".flags");
  }
  if (own) return {};
  XPU_TRY_ASSIGN(const bool can, d->can_reach(pool.device()));
  if (can) return {};
  return Status::error(xpuErrorPeerAccessUnsupported,
                       "device " + std::to_string(d->index()) + " cannot reach memory of device " +
                           std::to_string(pool.device().index()),
                       name + ".location.id");
}

}  // namespace

xpuError_t xpuMemPoolSetAttribute(xpuMemPool_t memPool, xpuMemPoolAttr attr, void* value) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(StreamPool * pool, live_pool(memPool));
    XPU_TRY(require(value, "value"));
    return write(*pool, attr, value);
  });
}

xpuError_t xpuMemPoolGetAttribute(xpuMemPool_t memPool, xpuMemPoolAttr attr, void* value) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const StreamPool* pool, live_pool(memPool));
    XPU_TRY(require(value, "value"));
    return read(*pool, attr, value);
  });
}

xpuError_t xpuMemPoolTrimTo(xpuMemPool_t memPool, size_t minBytesToKeep) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(StreamPool * pool, live_pool(memPool));
    return pool->give_back(minBytesToKeep, true);
  });
}

xpuError_t xpuMemPoolSetAccess(xpuMemPool_t memPool, const xpuMemAccessDesc* descList,
                               size_t count) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(StreamPool * pool, live_pool(memPool));
    if (count) XPU_TRY(require(descList, "descList"));
    for (size_t i = 0; i < count; i++)
      XPU_TRY(check_access(*pool, descList[i], "descList[" + std::to_string(i) + "]"));
    for (size_t i = 0; i < count; i++)
      pool->grant(descList[i].location.id, descList[i].flags == xpuMemAccessFlagsProtReadWrite);
    return {};
  });
}

xpuError_t xpuMemPoolGetAccess(xpuMemAccessFlags* flags, xpuMemPool_t memPool,
                               xpuMemLocation* location) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(flags, "flags"));
    XPU_TRY_ASSIGN(const StreamPool* pool, live_pool(memPool));
    XPU_TRY(require(location, "location"));
    XPU_TRY_ASSIGN(const runtime::Device* d, device_of_location(*location, "location"));
    *flags = pool->grants(d->index()) ? xpuMemAccessFlagsProtReadWrite : xpuMemAccessFlagsProtNone;
    return {};
  });
}
