# SPDX-License-Identifier: Apache-2.0
"""xpugraph/mempool.h for ctypes. Written by tools/gen: edit the header instead.

Memory that is allocated and freed in the order of streams and graphs: pools, and the memory of
graphs.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.stream import xpuStream_t


class xpuMemPool_t(c.c_void_p):
    """A pool of device memory that xpuMallocAsync() allocates from. Device memory only."""


class xpuMemLocationType(IntEnum):
    """Where memory is."""
    xpuMemLocationTypeInvalid = 0
    xpuMemLocationTypeDevice = 1
    xpuMemLocationTypeHost = 2


class xpuMemAllocationType(IntEnum):
    """What kind of memory a pool holds."""
    xpuMemAllocationTypeInvalid = 0
    xpuMemAllocationTypePinned = 1  # it stays where it is; the only one there is
    xpuMemAllocationTypeManaged = 2


class xpuMemAllocationHandleType(IntEnum):
    """How a pool is shared with other processes: not at all."""
    xpuMemHandleTypeNone = 0
    xpuMemHandleTypePosixFileDescriptor = 1


class xpuMemAccessFlags(IntEnum):
    """What a device may do with memory."""
    xpuMemAccessFlagsProtNone = 0
    xpuMemAccessFlagsProtRead = 1
    xpuMemAccessFlagsProtReadWrite = 3


class xpuMemPoolAttr(IntEnum):
    """Attributes of a pool, and the type of each."""
    # int, 0 or 1 (the default): a stream may have memory that was freed in another stream if an
    # event already makes it wait for that free.
    xpuMemPoolReuseFollowEventDependencies = 1
    # int, 0 or 1 (the default): a stream may have memory whose free in another stream is seen to
    # be over. With 0 only a wait of the program lets others have it.
    xpuMemPoolReuseAllowOpportunistic = 2
    # int, 0 or 1 (the default): rather than fail, a stream is made to wait for a free in another.
    xpuMemPoolReuseAllowInternalDependencies = 3
    # uint64_t, bytes, at first 0: what is held beyond it and not used goes back to the driver when
    # the program waits for a stream, an event or the device.
    xpuMemPoolAttrReleaseThreshold = 4
    xpuMemPoolAttrReservedMemCurrent = 5  # uint64_t, read only: bytes held
    xpuMemPoolAttrReservedMemHigh = 6  # uint64_t: the most there were; may be set to 0
    xpuMemPoolAttrUsedMemCurrent = 7  # uint64_t, read only: bytes allocated and not freed
    xpuMemPoolAttrUsedMemHigh = 8  # uint64_t: the most there were; may be set to 0


class xpuGraphMemAttributeType(IntEnum):
    """What is told about the memory of graphs on a device; each a uint64_t of bytes."""
    xpuGraphMemAttrUsedMemCurrent = 0  # held for graphs that have an executable or live memory
    xpuGraphMemAttrUsedMemHigh = 1  # the most of that since it was set to 0
    xpuGraphMemAttrReservedMemCurrent = 2  # held for graphs
    xpuGraphMemAttrReservedMemHigh = 3  # the most of that since it was set to 0


class xpuMemLocation(c.Structure):
    """A place for memory."""

    _fields_ = [
        ("type", c.c_int),
        ("id", c.c_int32),  # the device if `type` is xpuMemLocationTypeDevice
    ]


class xpuMemAccessDesc(c.Structure):
    """What a location may do with memory."""

    _fields_ = [
        ("location", xpuMemLocation),
        ("flags", c.c_int),
    ]


class xpuMemPoolProps(c.Structure):
    """Properties of a pool."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuMemPoolProps)
        ("allocType", c.c_int),  # xpuMemAllocationTypePinned
        ("handleTypes", c.c_uint32),  # of xpuMemAllocationHandleType: 0
        ("location", xpuMemLocation),  # a device
        ("reserved", c.c_uint32),  # 0
        ("maxSize", c.c_size_t),  # bytes the pool may hold at most; 0 for no limit
    ]


LAYOUT = {
    "xpuMemLocation": (8, [0, 4]),
    "xpuMemAccessDesc": (12, [0, 8]),
    "xpuMemPoolProps": (32, [0, 4, 8, 12, 20, 24]),
}


# Allocates device memory from the current pool of the stream's device, for work that is given to
# the stream after the call, and for work that is ordered after that. Its content is undefined. The
# host waits only if there is no memory without: then, for frees that are on their way. In a stream
# that is captured it becomes an allocation node (see xpuGraphAddMemAllocNode()), or memory of the
# capture's private pool (see xpuStreamBeginCaptureWithParams()).
# devPtr [out]: the address, aligned to 512 bytes or more.
# size [in]: bytes, not 0; rounded up to a multiple of 512.
# Errors: xpuErrorInvalidValue if `size` is 0; xpuErrorMemoryAllocation, which leaves a capture as
# it was.
# Since 0.1.
xpuMallocAsync = Function("xpuMallocAsync", c.c_int, [
    Param("devPtr", c.POINTER(c.c_void_p), "out"),
    Param("size", c.c_size_t),
    Param("stream", xpuStream_t),
])

# As xpuMallocAsync(), from the given pool, which may be of another device than the stream.
# ptr [out]: the address.
# Errors: xpuErrorMemoryAllocation also if the pool's `maxSize` does not allow it.
# Since 0.1.
xpuMallocFromPoolAsync = Function("xpuMallocFromPoolAsync", c.c_int, [
    Param("ptr", c.POINTER(c.c_void_p), "out"),
    Param("size", c.c_size_t),
    Param("memPool", xpuMemPool_t),
    Param("stream", xpuStream_t),
])

# Frees memory of xpuMallocAsync(), xpuMallocFromPoolAsync(), xpuMalloc(), xpuMallocPitch() or
# xpuMallocManaged() as soon as the work that was given to the stream so far is finished. Work of
# other streams that uses it must be ordered before the call by events. From the call on the
# address belongs to nothing (xpuMemoryTypeUnregistered). It takes memory of graphs and of private
# pools too. In a stream that is captured it becomes a free node, which takes memory of allocation
# nodes alone, or gives memory of the capture's private pool back for what is captured behind it.
# devPtr [in]: as it was returned. xpuFree() takes it too, and waits.
# Errors: xpuErrorInvalidValue for NULL, for an address that is no such allocation or was freed
# before. The memory is then as before.
# Since 0.1.
xpuFreeAsync = Function("xpuFreeAsync", c.c_int, [
    Param("devPtr", c.c_void_p),
    Param("stream", xpuStream_t),
])

# Makes a pool. It holds no memory yet.
# memPool [out]: the pool; the caller destroys it.
# poolProps [in]: copied during the call.
# Errors: xpuErrorNotSupported for memory that is not pinned on a device, and for handle types.
# Since 0.1.
xpuMemPoolCreate = Function("xpuMemPoolCreate", c.c_int, [
    Param("memPool", c.POINTER(xpuMemPool_t), "out"),
    Param("poolProps", c.POINTER(xpuMemPoolProps)),
])

# Ends a pool. The handle is dead when the call returns, which does not wait. Allocations stay
# valid until they are freed, and the memory goes with the last of them. If it was a device's
# current pool, the default one is current again.
# Errors: xpuErrorInvalidValue for a device's default pool.
# Since 0.1.
xpuMemPoolDestroy = Function("xpuMemPoolDestroy", c.c_int, [
    Param("memPool", xpuMemPool_t),
])

# Sets an attribute.
# value [in]: of the attribute's type.
# Errors: xpuErrorInvalidValue for one that is read only or unknown, and for a value it cannot
# have.
# Since 0.1.
xpuMemPoolSetAttribute = Function("xpuMemPoolSetAttribute", c.c_int, [
    Param("memPool", xpuMemPool_t),
    Param("attr", c.c_int),
    Param("value", c.c_void_p),
])

# Reads an attribute.
# value [out]: of the attribute's type.
# Since 0.1.
xpuMemPoolGetAttribute = Function("xpuMemPoolGetAttribute", c.c_int, [
    Param("memPool", xpuMemPool_t),
    Param("attr", c.c_int),
    Param("value", c.c_void_p, "out"),
])

# Gives memory back to the driver until the pool holds no more than `minBytesToKeep`, or nothing is
# left that is not used. Never waits: what was freed by work that is not finished counts as used. A
# pool that holds as much is left with as much.
# Since 0.1.
xpuMemPoolTrimTo = Function("xpuMemPoolTrimTo", c.c_int, [
    Param("memPool", xpuMemPool_t),
    Param("minBytesToKeep", c.c_size_t),
])

# Says which devices use the pool's memory, also what is allocated already. Level Zero does not
# keep a device that can reach memory from using it: the call checks that it can, and notes it.
# descList [in]: devices, with xpuMemAccessFlagsProtNone or xpuMemAccessFlagsProtReadWrite.
# Errors, nothing being changed: xpuErrorPeerAccessUnsupported if a device cannot reach the pool's;
# xpuErrorInvalidValue if the pool's own device would lose access; xpuErrorNotSupported for reading
# only and for locations other than devices.
# Since 0.1.
xpuMemPoolSetAccess = Function("xpuMemPoolSetAccess", c.c_int, [
    Param("memPool", xpuMemPool_t),
    Param("descList", c.POINTER(xpuMemAccessDesc)),
    Param("count", c.c_size_t),
])

# What a device may do with the pool's memory.
# flags [out]: xpuMemAccessFlagsProtNone or xpuMemAccessFlagsProtReadWrite.
# location [in]: a device.
# Since 0.1.
xpuMemPoolGetAccess = Function("xpuMemPoolGetAccess", c.c_int, [
    Param("flags", c.POINTER(c.c_int), "out"),
    Param("memPool", xpuMemPool_t),
    Param("location", c.POINTER(xpuMemLocation)),
])

# The pool that a device has from the start. It belongs to the library.
# memPool [out]: the pool.
# Since 0.1.
xpuDeviceGetDefaultMemPool = Function("xpuDeviceGetDefaultMemPool", c.c_int, [
    Param("memPool", c.POINTER(xpuMemPool_t), "out"),
    Param("device", c.c_int32),
])

# The pool that xpuMallocAsync() uses for streams of a device.
# memPool [out]: the pool: the default one until another is set.
# Since 0.1.
xpuDeviceGetMemPool = Function("xpuDeviceGetMemPool", c.c_int, [
    Param("memPool", c.POINTER(xpuMemPool_t), "out"),
    Param("device", c.c_int32),
])

# Sets the pool that xpuMallocAsync() uses for streams of a device.
# memPool [in]: a pool of that device.
# Since 0.1.
xpuDeviceSetMemPool = Function("xpuDeviceSetMemPool", c.c_int, [
    Param("device", c.c_int32),
    Param("memPool", xpuMemPool_t),
])

# Gives back memory of graphs that no launch under way and no live allocation uses. Addresses stay;
# the next launch of such a graph gets memory again. It does not wait: work counts as under way
# until a call that waits has seen its end.
# Errors: xpuErrorInvalidDevice.
# Since 0.1.
xpuDeviceGraphMemTrim = Function("xpuDeviceGraphMemTrim", c.c_int, [
    Param("device", c.c_int32),
])

# value [out]: a uint64_t.
# Errors: xpuErrorInvalidDevice; xpuErrorInvalidValue for an unknown attribute.
# Since 0.1.
xpuDeviceGetGraphMemAttribute = Function("xpuDeviceGetGraphMemAttribute", c.c_int, [
    Param("device", c.c_int32),
    Param("attr", c.c_int),
    Param("value", c.c_void_p, "out"),
])

# Sets one of the two highs to what is there now.
# value [in]: a uint64_t, 0.
# Errors: xpuErrorInvalidDevice; xpuErrorInvalidValue for another attribute or value.
# Since 0.1.
xpuDeviceSetGraphMemAttribute = Function("xpuDeviceSetGraphMemAttribute", c.c_int, [
    Param("device", c.c_int32),
    Param("attr", c.c_int),
    Param("value", c.c_void_p),
])
