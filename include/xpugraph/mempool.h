// SPDX-License-Identifier: Apache-2.0
// Memory that is allocated and freed in the order of streams and graphs: pools, and the memory of
// graphs.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A pool of device memory that xpuMallocAsync() allocates from. Device memory only.
/// Since 0.1.
typedef struct xpuMemPool_st* xpuMemPool_t;

/// Where memory is.
/// Since 0.1.
typedef enum xpuMemLocationType XPU_ENUM {
  xpuMemLocationTypeInvalid = 0,
  xpuMemLocationTypeDevice = 1,
  xpuMemLocationTypeHost = 2
} xpuMemLocationType;

/// What kind of memory a pool holds.
/// Since 0.1.
typedef enum xpuMemAllocationType XPU_ENUM {
  xpuMemAllocationTypeInvalid = 0,
  xpuMemAllocationTypePinned = 1,  ///< it stays where it is; the only one there is
  xpuMemAllocationTypeManaged = 2
} xpuMemAllocationType;

/// How a pool is shared with other processes: not at all.
/// Since 0.1.
typedef enum xpuMemAllocationHandleType XPU_ENUM {
  xpuMemHandleTypeNone = 0,
  xpuMemHandleTypePosixFileDescriptor = 1
} xpuMemAllocationHandleType;

/// What a device may do with memory.
/// Since 0.1.
typedef enum xpuMemAccessFlags XPU_ENUM {
  xpuMemAccessFlagsProtNone = 0,
  xpuMemAccessFlagsProtRead = 1,
  xpuMemAccessFlagsProtReadWrite = 3
} xpuMemAccessFlags;

/// A place for memory.
/// Since 0.1.
typedef struct xpuMemLocation {
  xpuMemLocationType type;
  int32_t id;  ///< the device if `type` is xpuMemLocationTypeDevice
} xpuMemLocation;

/// What a location may do with memory.
/// Since 0.1.
typedef struct xpuMemAccessDesc {
  xpuMemLocation location;
  xpuMemAccessFlags flags;
} xpuMemAccessDesc;

/// Properties of a pool.
/// Since 0.1.
typedef struct xpuMemPoolProps {
  uint32_t struct_size;            ///< in: sizeof(xpuMemPoolProps)
  xpuMemAllocationType allocType;  ///< xpuMemAllocationTypePinned
  uint32_t handleTypes;            ///< of xpuMemAllocationHandleType: 0
  xpuMemLocation location;         ///< a device
  uint32_t reserved;               ///< 0
  size_t maxSize;                  ///< bytes the pool may hold at most; 0 for no limit
} xpuMemPoolProps;

/// What is told about the memory of graphs on a device; each a uint64_t of bytes.
/// Since 0.1.
typedef enum xpuGraphMemAttributeType XPU_ENUM {
  xpuGraphMemAttrUsedMemCurrent = 0,  ///< held for graphs that have an executable or live memory
  xpuGraphMemAttrUsedMemHigh = 1,     ///< the most of that since it was set to 0
  xpuGraphMemAttrReservedMemCurrent = 2,  ///< held for graphs
  xpuGraphMemAttrReservedMemHigh = 3      ///< the most of that since it was set to 0
} xpuGraphMemAttributeType;

/// Gives back memory of graphs that no launch under way and no live allocation uses. Addresses
/// stay; the next launch of such a graph gets memory again. It does not wait: work counts as under
/// way until a call that waits has seen its end. Errors: xpuErrorInvalidDevice. Since 0.1.
XPU_API xpuError_t xpuDeviceGraphMemTrim(int device);

/// @param[out] value  a uint64_t.
/// Errors: xpuErrorInvalidDevice; xpuErrorInvalidValue for an unknown attribute.
/// Since 0.1.
XPU_API xpuError_t xpuDeviceGetGraphMemAttribute(int device, xpuGraphMemAttributeType attr,
                                                 void* value);
/// Sets one of the two highs to what is there now.
/// @param[in] value  a uint64_t, 0.
/// Errors: xpuErrorInvalidDevice; xpuErrorInvalidValue for another attribute or value.
/// Since 0.1.
XPU_API xpuError_t xpuDeviceSetGraphMemAttribute(int device, xpuGraphMemAttributeType attr,
                                                 void* value);

#ifdef __cplusplus
}
#endif
