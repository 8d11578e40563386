// SPDX-License-Identifier: Apache-2.0
// Handles, sizes, addresses, attributes and properties that no pool takes.
#include "pooled.h"
#include "zoo.h"

using namespace xpu::test;

static xpuMemPool_t pool, dead_pool;
static void *live, *freed;
static int two = 2;
static uint64_t one_byte = 1;
static xpuMemLocation here = {xpuMemLocationTypeDevice, 0};
static xpuMemPool_t* pool_out() { return reinterpret_cast<xpuMemPool_t*>(&outs.pointer); }

static int open_all(void** state) {
  open_zoo(state);
  dead_pool = new_pool();
  assert_ok(xpuMemPoolDestroy(dead_pool));
  pool = new_pool(4 * kMiB);
  live = bytes_from(pool, 4096, zoo.stream());
  freed = bytes_from(pool, 4096, zoo.stream());
  assert_ok(xpuFreeAsync(freed, zoo.stream()));
  return 0;
}
static int close_all(void** state) {
  assert_int_equal(4096, used(pool));
  assert_ok(xpuFree(live));
  assert_ok(xpuMemPoolDestroy(pool));
  return close_zoo(state);
}

#define WRONG(function, argument, what, ...) \
  REFUSED(xpuErrorInvalidValue, function, argument, what, __VA_ARGS__)
#define NOT_HERE(function, argument, what, ...) \
  REFUSED(xpuErrorNotSupported, function, argument, what, __VA_ARGS__)
#define NO_STREAM(function, what, ...) \
  REFUSED(xpuErrorInvalidResourceHandle, function, "stream", what, __VA_ARGS__)

// A live handle of another type, as whatever is wanted.
static xpuStream_t no_stream() { return reinterpret_cast<xpuStream_t>(zoo.event()); }
static xpuStream_t dead_stream() { return static_cast<xpuStream_t>(zoo.dead[0]); }

static void every_pointer_that_is_null(void**) {
  static const xpuMemPoolProps props = pool_props();
  static const Refusal rows[] = {
      WRONG(xpuMallocAsync, "devPtr", "is NULL", nullptr, 64, zoo.stream()),
      WRONG(xpuMallocFromPoolAsync, "ptr", "is NULL", nullptr, 64, pool, zoo.stream()),
      WRONG(xpuFreeAsync, "devPtr", "is NULL", nullptr, zoo.stream()),
      WRONG(xpuMemPoolCreate, "memPool", "is NULL", nullptr, &props),
      WRONG(xpuMemPoolCreate, "poolProps", "is NULL", pool_out(), nullptr),
      WRONG(xpuMemPoolSetAttribute, "value", "is NULL", pool, xpuMemPoolAttrUsedMemHigh, nullptr),
      WRONG(xpuMemPoolGetAttribute, "value", "is NULL", pool, xpuMemPoolAttrUsedMemHigh, nullptr),
      WRONG(xpuMemPoolSetAccess, "descList", "is NULL", pool, nullptr, 1),
      WRONG(xpuMemPoolGetAccess, "flags", "is NULL", nullptr, pool, &here),
      WRONG(xpuMemPoolGetAccess, "location", "is NULL",
            reinterpret_cast<xpuMemAccessFlags*>(&outs.number), pool, nullptr),
      WRONG(xpuDeviceGetDefaultMemPool, "memPool", "is NULL", nullptr, 0),
      WRONG(xpuDeviceGetMemPool, "memPool", "is NULL", nullptr, 0),
  };
  assert_all_refused(rows);
}

// One call with each word that is no pool.
#define NO_POOL(function, ...)                                                           \
  [](xpuMemPool_t h) -> Refusal {                                                        \
    static xpuMemPool_t bad;                                                             \
    bad = h;                                                                             \
    return {#function, "memPool", "is no pool",                                          \
            []() -> xpuError_t { return function(__VA_ARGS__); }, xpuErrorInvalidValue}; \
  }

static void every_handle_that_is_no_pool(void**) {
  const xpuMemPool_t words[] = {nullptr,
                                dead_pool,
                                reinterpret_cast<xpuMemPool_t>(zoo.stream()),
                                reinterpret_cast<xpuMemPool_t>(zoo.graph()),
                                reinterpret_cast<xpuMemPool_t>(UINTPTR_MAX),
                                reinterpret_cast<xpuMemPool_t>(1),
                                reinterpret_cast<xpuMemPool_t>(&two)};
  Refusal (*const calls[])(xpuMemPool_t) = {
      NO_POOL(xpuMallocFromPoolAsync, &outs.pointer, 64, bad, zoo.stream()),
      NO_POOL(xpuMemPoolDestroy, bad),
      NO_POOL(xpuMemPoolSetAttribute, bad, xpuMemPoolAttrReleaseThreshold, &one_byte),
      NO_POOL(xpuMemPoolGetAttribute, bad, xpuMemPoolAttrReleaseThreshold, &outs.wide),
      NO_POOL(xpuMemPoolTrimTo, bad, 0),
      NO_POOL(xpuMemPoolSetAccess, bad, nullptr, 0),
      NO_POOL(xpuMemPoolGetAccess, reinterpret_cast<xpuMemAccessFlags*>(&outs.number), bad, &here),
      NO_POOL(xpuDeviceSetMemPool, 0, bad),
  };
  for (const xpuMemPool_t word : words) {
    for (const auto call : calls) {
      const Refusal row = call(word);
      assert_int_equal(0, count_wrong(&row, 1));
    }
  }
}

static void every_stream_that_is_none(void**) {
  static const Refusal rows[] = {
      NO_STREAM(xpuMallocAsync, "is an event", &outs.pointer, 64, no_stream()),
      NO_STREAM(xpuMallocAsync, "is dead", &outs.pointer, 64, dead_stream()),
      NO_STREAM(xpuMallocFromPoolAsync, "is an event", &outs.pointer, 64, pool, no_stream()),
      NO_STREAM(xpuMallocFromPoolAsync, "is dead", &outs.pointer, 64, pool, dead_stream()),
      NO_STREAM(xpuFreeAsync, "is an event", live, no_stream()),
      NO_STREAM(xpuFreeAsync, "is dead", live, dead_stream()),
  };
  assert_all_refused(rows);
}

static void every_device_that_there_is_not(void**) {
#define NO_DEVICE(function, ...) \
  REFUSED(xpuErrorInvalidDevice, function, "device", "does not exist", __VA_ARGS__)
  static const Refusal rows[] = {
      NO_DEVICE(xpuDeviceGetDefaultMemPool, pool_out(), -1),
      NO_DEVICE(xpuDeviceGetDefaultMemPool, pool_out(), 99),
      NO_DEVICE(xpuDeviceGetMemPool, pool_out(), -1),
      NO_DEVICE(xpuDeviceSetMemPool, 99, pool),
  };
  assert_all_refused(rows);
}

static void no_pool_gives_that_much(void**) {
#define TOO_MUCH(function, ...) \
  REFUSED(xpuErrorMemoryAllocation, function, "size", "is too much", __VA_ARGS__)
  static const Refusal rows[] = {
      WRONG(xpuMallocAsync, "size", "is 0", &outs.pointer, 0, zoo.stream()),
      WRONG(xpuMallocFromPoolAsync, "size", "is 0", &outs.pointer, 0, pool, zoo.stream()),
      TOO_MUCH(xpuMallocAsync, &outs.pointer, SIZE_MAX, zoo.stream()),
      TOO_MUCH(xpuMallocAsync, &outs.pointer, SIZE_MAX - 511, zoo.stream()),
      TOO_MUCH(xpuMallocAsync, &outs.pointer, size_t{1} << 50, zoo.stream()),
      TOO_MUCH(xpuMallocFromPoolAsync, &outs.pointer, 4 * kMiB + 1, pool, zoo.stream()),
      // It would have fitted without what is allocated.
      TOO_MUCH(xpuMallocFromPoolAsync, &outs.pointer, 4 * kMiB, pool, zoo.stream()),
  };
  assert_all_refused(rows);
}

static void only_the_start_of_an_allocation_is_freed_and_once(void**) {
  static void* host = nullptr;
  assert_ok(xpuMallocHost(&host, 64));
  static const Refusal rows[] = {
      WRONG(xpuFreeAsync, "devPtr", "was freed", freed, zoo.stream()),
      WRONG(xpuFreeAsync, "devPtr", "is inside", static_cast<char*>(live) + 512, zoo.stream()),
      WRONG(xpuFreeAsync, "devPtr", "is host memory", host, zoo.stream()),
      WRONG(xpuFreeAsync, "devPtr", "is a variable", &two, zoo.stream()),
      WRONG(xpuFreeAsync, "devPtr", "is 1", reinterpret_cast<void*>(1), zoo.stream()),
      WRONG(xpuFree, "devPtr", "was freed", freed),
      WRONG(xpuFree, "devPtr", "is inside", static_cast<char*>(live) + 512),
  };
  assert_all_refused(rows);
  assert_ok(xpuFreeHost(host));
}

static void properties_that_no_pool_has(void**) {
  static xpuMemPoolProps p[12];
  for (xpuMemPoolProps& each : p) each = pool_props();
  p[0].struct_size = 0;
  p[1].struct_size = sizeof p[1] - 4;
  p[2].allocType = xpuMemAllocationTypeInvalid;
  p[3].allocType = static_cast<xpuMemAllocationType>(77);
  p[4].allocType = xpuMemAllocationTypeManaged;
  p[5].handleTypes = xpuMemHandleTypePosixFileDescriptor;
  p[6].location.type = xpuMemLocationTypeInvalid;
  p[7].location.type = xpuMemLocationTypeHost;
  p[8].location.type = static_cast<xpuMemLocationType>(-1);
  p[9].location.id = -1;
  p[10].location.id = 99;
  p[11].reserved = 1;
  static const Refusal rows[] = {
      WRONG(xpuMemPoolCreate, "poolProps", "has size 0", pool_out(), &p[0]),
      WRONG(xpuMemPoolCreate, "poolProps", "is too small", pool_out(), &p[1]),
      WRONG(xpuMemPoolCreate, "poolProps->allocType", "is 0", pool_out(), &p[2]),
      WRONG(xpuMemPoolCreate, "poolProps->allocType", "is unknown", pool_out(), &p[3]),
      NOT_HERE(xpuMemPoolCreate, "poolProps->allocType", "is managed", pool_out(), &p[4]),
      NOT_HERE(xpuMemPoolCreate, "poolProps->handleTypes", "is set", pool_out(), &p[5]),
      WRONG(xpuMemPoolCreate, "poolProps->location.type", "is 0", pool_out(), &p[6]),
      NOT_HERE(xpuMemPoolCreate, "poolProps->location.type", "is the host", pool_out(), &p[7]),
      WRONG(xpuMemPoolCreate, "poolProps->location.type", "is unknown", pool_out(), &p[8]),
      WRONG(xpuMemPoolCreate, "poolProps->location.id", "is negative", pool_out(), &p[9]),
      WRONG(xpuMemPoolCreate, "poolProps->location.id", "is no device", pool_out(), &p[10]),
      WRONG(xpuMemPoolCreate, "poolProps->reserved", "is not 0", pool_out(), &p[11]),
  };
  assert_all_refused(rows);
}

static void attributes_that_no_pool_has_or_takes(void**) {
  static const auto unknown = static_cast<xpuMemPoolAttr>(9);
  static const auto none = static_cast<xpuMemPoolAttr>(0);
  static const auto negative = static_cast<xpuMemPoolAttr>(-1);
  static const Refusal rows[] = {
      WRONG(xpuMemPoolGetAttribute, "attr", "is 9", pool, unknown, &outs.wide),
      WRONG(xpuMemPoolGetAttribute, "attr", "is 0", pool, none, &outs.wide),
      WRONG(xpuMemPoolGetAttribute, "attr", "is -1", pool, negative, &outs.wide),
      WRONG(xpuMemPoolSetAttribute, "attr", "is 9", pool, unknown, &one_byte),
      WRONG(xpuMemPoolSetAttribute, "attr", "is 0", pool, none, &one_byte),
      WRONG(xpuMemPoolSetAttribute, "attr", "is read only", pool, xpuMemPoolAttrUsedMemCurrent,
            &one_byte),
      WRONG(xpuMemPoolSetAttribute, "attr", "is read only", pool, xpuMemPoolAttrReservedMemCurrent,
            &one_byte),
      WRONG(xpuMemPoolSetAttribute, "value", "is not 0", pool, xpuMemPoolAttrUsedMemHigh,
            &one_byte),
      WRONG(xpuMemPoolSetAttribute, "value", "is not 0", pool, xpuMemPoolAttrReservedMemHigh,
            &one_byte),
      WRONG(xpuMemPoolSetAttribute, "value", "is 2", pool, xpuMemPoolReuseAllowOpportunistic, &two),
  };
  assert_all_refused(rows);
}

static void access_that_cannot_be_changed(void**) {
  static xpuMemAccessDesc d[6];
  for (xpuMemAccessDesc& each : d) each = {here, xpuMemAccessFlagsProtReadWrite};
  d[0].flags = xpuMemAccessFlagsProtNone;
  d[1].flags = xpuMemAccessFlagsProtRead;
  d[2].flags = static_cast<xpuMemAccessFlags>(2);
  d[3].location.id = 99;
  d[4].location.type = xpuMemLocationTypeHost;
  d[5].location.type = xpuMemLocationTypeInvalid;
  static xpuMemLocation nowhere = {xpuMemLocationTypeDevice, 99};
  static const Refusal rows[] = {
      WRONG(xpuMemPoolSetAccess, "descList[0].flags", "takes the owner's", pool, &d[0], 1),
      NOT_HERE(xpuMemPoolSetAccess, "descList[0].flags", "is read only", pool, &d[1], 1),
      WRONG(xpuMemPoolSetAccess, "descList[0].flags", "is unknown", pool, &d[2], 1),
      WRONG(xpuMemPoolSetAccess, "descList[0].location.id", "is no device", pool, &d[3], 1),
      NOT_HERE(xpuMemPoolSetAccess, "descList[0].location.type", "is the host", pool, &d[4], 1),
      WRONG(xpuMemPoolSetAccess, "descList[0].location.type", "is 0", pool, &d[5], 1),
      WRONG(xpuMemPoolGetAccess, "location.id", "is no device",
            reinterpret_cast<xpuMemAccessFlags*>(&outs.number), pool, &nowhere),
  };
  assert_all_refused(rows);
}

static void the_default_pool_stays(void**) {
  static xpuMemPool_t standard;
  standard = default_pool();
  static const Refusal rows[] = {
      WRONG(xpuMemPoolDestroy, "memPool", "is the default pool", standard),
  };
  assert_all_refused(rows);
  assert_ptr_equal(standard, current_pool());
}

int main() {
  const Test tests[] = {
      xpu_test(every_pointer_that_is_null),
      xpu_test(every_handle_that_is_no_pool),
      xpu_test(every_stream_that_is_none),
      xpu_test(every_device_that_there_is_not),
      xpu_test(no_pool_gives_that_much),
      xpu_test(only_the_start_of_an_allocation_is_freed_and_once),
      xpu_test(properties_that_no_pool_has),
      xpu_test(attributes_that_no_pool_has_or_takes),
      xpu_test(access_that_cannot_be_changed),
      xpu_test(the_default_pool_stays),
  };
  return run_all(tests, open_all, close_all);
}
