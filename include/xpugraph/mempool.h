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

/// Attributes of a pool, and the type of each.
/// Since 0.1.
typedef enum xpuMemPoolAttr XPU_ENUM {
  /// int, 0 or 1 (the default): a stream may have memory that was freed in another stream if an
  /// event already makes it wait for that free.
  xpuMemPoolReuseFollowEventDependencies = 1,
  /// int, 0 or 1 (the default): a stream may have memory whose free in another stream is seen to be
  /// over. With 0 only a wait of the program lets others have it.
  xpuMemPoolReuseAllowOpportunistic = 2,
  /// int, 0 or 1 (the default): rather than fail, a stream is made to wait for a free in another.
  xpuMemPoolReuseAllowInternalDependencies = 3,
  /// uint64_t, bytes, at first 0: what is held beyond it and not used goes back to the driver when
  /// the program waits for a stream, an event or the device.
  xpuMemPoolAttrReleaseThreshold = 4,
  xpuMemPoolAttrReservedMemCurrent = 5,  ///< uint64_t, read only: bytes held
  xpuMemPoolAttrReservedMemHigh = 6,     ///< uint64_t: the most there were; may be set to 0
  xpuMemPoolAttrUsedMemCurrent = 7,      ///< uint64_t, read only: bytes allocated and not freed
  xpuMemPoolAttrUsedMemHigh = 8          ///< uint64_t: the most there were; may be set to 0
} xpuMemPoolAttr;

/// Allocates device memory from the current pool of the stream's device, for work that is given to
/// the stream after the call, and for work that is ordered after that. Its content is undefined.
/// The host waits only if there is no memory without: then, for frees that are on their way.
/// In a stream that is captured it becomes an allocation node (see xpuGraphAddMemAllocNode()), or
/// memory of the capture's private pool (see xpuStreamBeginCaptureWithParams()).
/// @param[out] devPtr  the address, aligned to 512 bytes or more.
/// @param[in] size  bytes, not 0; rounded up to a multiple of 512.
/// Errors: xpuErrorInvalidValue if `size` is 0; xpuErrorMemoryAllocation, which leaves a capture as
/// it was. Since 0.1.
XPU_API xpuError_t xpuMallocAsync(void** devPtr, size_t size, xpuStream_t stream);

/// As xpuMallocAsync(), from the given pool, which may be of another device than the stream.
/// @param[out] ptr  the address.
/// Errors: xpuErrorMemoryAllocation also if the pool's `maxSize` does not allow it.
/// Since 0.1.
XPU_API xpuError_t xpuMallocFromPoolAsync(void** ptr, size_t size, xpuMemPool_t memPool,
                                          xpuStream_t stream);

/// Frees memory of xpuMallocAsync(), xpuMallocFromPoolAsync(), xpuMalloc(), xpuMallocPitch() or
/// xpuMallocManaged() as soon as the work that was given to the stream so far is finished. Work of
/// other streams that uses it must be ordered before the call by events. From the call on
/// the address belongs to nothing (xpuMemoryTypeUnregistered). It takes memory of graphs and of
/// private pools too. In a stream that is captured it becomes a free node, which takes memory of
/// allocation nodes alone, or gives memory of the capture's private pool back for what is captured
/// behind it.
/// @param[in] devPtr  as it was returned. xpuFree() takes it too, and waits.
/// Errors: xpuErrorInvalidValue for NULL, for an address that is no such allocation or was freed
/// before. The memory is then as before.
/// Since 0.1.
XPU_API xpuError_t xpuFreeAsync(void* devPtr, xpuStream_t stream);

/// Makes a pool. It holds no memory yet.
/// @param[out] memPool  the pool; the caller destroys it.
/// @param[in] poolProps  copied during the call.
/// Errors: xpuErrorNotSupported for memory that is not pinned on a device, and for handle types.
/// Since 0.1.
XPU_API xpuError_t xpuMemPoolCreate(xpuMemPool_t* memPool, const xpuMemPoolProps* poolProps);

/// Ends a pool. The handle is dead when the call returns, which does not wait. Allocations stay
/// valid until they are freed, and the memory goes with the last of them. If it was a device's
/// current pool, the default one is current again.
/// Errors: xpuErrorInvalidValue for a device's default pool.
/// Since 0.1.
XPU_API xpuError_t xpuMemPoolDestroy(xpuMemPool_t memPool);

/// Sets an attribute.
/// @param[in] value  of the attribute's type.
/// Errors: xpuErrorInvalidValue for one that is read only or unknown, and for a value it cannot
/// have.
/// Since 0.1.
XPU_API xpuError_t xpuMemPoolSetAttribute(xpuMemPool_t memPool, xpuMemPoolAttr attr, void* value);

/// Reads an attribute.
/// @param[out] value  of the attribute's type.
/// Since 0.1.
XPU_API xpuError_t xpuMemPoolGetAttribute(xpuMemPool_t memPool, xpuMemPoolAttr attr, void* value);

/// Gives memory back to the driver until the pool holds no more than `minBytesToKeep`, or nothing
/// is left that is not used. Never waits: what was freed by work that is not finished counts as
/// used. A pool that holds as much is left with as much.
/// Since 0.1.
XPU_API xpuError_t xpuMemPoolTrimTo(xpuMemPool_t memPool, size_t minBytesToKeep);

/// Says which devices use the pool's memory, also what is allocated already. Level Zero does not
/// keep a device that can reach memory from using it: the call checks that it can, and notes it.
/// @param[in] descList  devices, with xpuMemAccessFlagsProtNone or xpuMemAccessFlagsProtReadWrite.
/// Errors, nothing being changed: xpuErrorPeerAccessUnsupported if a device cannot reach the
/// pool's; xpuErrorInvalidValue if the pool's own device would lose access; xpuErrorNotSupported
/// for reading only and for locations other than devices. Since 0.1.
XPU_API xpuError_t xpuMemPoolSetAccess(xpuMemPool_t memPool, const xpuMemAccessDesc* descList,
                                       size_t count);

/// What a device may do with the pool's memory.
/// @param[out] flags  xpuMemAccessFlagsProtNone or xpuMemAccessFlagsProtReadWrite.
/// @param[in] location  a device.
/// Since 0.1.
XPU_API xpuError_t xpuMemPoolGetAccess(xpuMemAccessFlags* flags, xpuMemPool_t memPool,
                                       xpuMemLocation* location);

/// The pool that a device has from the start. It belongs to the library.
/// @param[out] memPool  the pool.
/// Since 0.1.
XPU_API xpuError_t xpuDeviceGetDefaultMemPool(xpuMemPool_t* memPool, int device);

/// The pool that xpuMallocAsync() uses for streams of a device.
/// @param[out] memPool  the pool: the default one until another is set.
/// Since 0.1.
XPU_API xpuError_t xpuDeviceGetMemPool(xpuMemPool_t* memPool, int device);

/// Sets the pool that xpuMallocAsync() uses for streams of a device.
/// @param[in] memPool  a pool of that device.
/// Since 0.1.
XPU_API xpuError_t xpuDeviceSetMemPool(int device, xpuMemPool_t memPool);

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
