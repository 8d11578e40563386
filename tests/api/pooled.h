// SPDX-License-Identifier: Apache-2.0
// What the tests of mempool.h share: pools, their numbers, and memory from them.
#pragma once

#include "ground.h"

namespace xpu::test {

inline constexpr size_t kMiB = size_t{1} << 20;

inline xpuMemPoolProps pool_props(size_t max_size = 0, int device = 0) {
  xpuMemPoolProps props = {};
  props.struct_size = sizeof props;
  props.allocType = xpuMemAllocationTypePinned;
  props.location = {xpuMemLocationTypeDevice, device};
  props.maxSize = max_size;
  return props;
}
inline xpuMemPool_t new_pool(size_t max_size = 0, int device = 0) {
  const xpuMemPoolProps props = pool_props(max_size, device);
  xpuMemPool_t pool = nullptr;
  assert_ok(xpuMemPoolCreate(&pool, &props));
  return pool;
}
inline xpuMemPool_t current_pool(int device = 0) {
  xpuMemPool_t pool = nullptr;
  assert_ok(xpuDeviceGetMemPool(&pool, device));
  return pool;
}
inline xpuMemPool_t default_pool(int device = 0) {
  xpuMemPool_t pool = nullptr;
  assert_ok(xpuDeviceGetDefaultMemPool(&pool, device));
  return pool;
}

inline uint64_t number(xpuMemPool_t pool, xpuMemPoolAttr attr) {
  uint64_t value = 0;
  assert_ok(xpuMemPoolGetAttribute(pool, attr, &value));
  return value;
}
inline void set_number(xpuMemPool_t pool, xpuMemPoolAttr attr, uint64_t value) {
  assert_ok(xpuMemPoolSetAttribute(pool, attr, &value));
}
inline int setting(xpuMemPool_t pool, xpuMemPoolAttr attr) {
  int value = -1;
  assert_ok(xpuMemPoolGetAttribute(pool, attr, &value));
  return value;
}
inline void set_setting(xpuMemPool_t pool, xpuMemPoolAttr attr, int value) {
  assert_ok(xpuMemPoolSetAttribute(pool, attr, &value));
}
inline uint64_t reserved(xpuMemPool_t pool) {
  return number(pool, xpuMemPoolAttrReservedMemCurrent);
}
inline uint64_t used(xpuMemPool_t pool) { return number(pool, xpuMemPoolAttrUsedMemCurrent); }

inline int* ints(size_t count, xpuStream_t stream) {
  void* p = nullptr;
  assert_ok(xpuMallocAsync(&p, count * sizeof(int), stream));
  return static_cast<int*>(p);
}
inline void* bytes_from(xpuMemPool_t pool, size_t size, xpuStream_t stream) {
  void* p = nullptr;
  assert_ok(xpuMallocFromPoolAsync(&p, size, pool, stream));
  return p;
}
inline size_t device_bytes_used() {
  size_t free = 0, total = 0;
  assert_ok(xpuMemGetInfo(&free, &total));
  return total - free;
}

}  // namespace xpu::test
