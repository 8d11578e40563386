# SPDX-License-Identifier: Apache-2.0
"""xpugraph/mempool.h for ctypes. Written by tools/gen: edit the header instead.

Memory that is allocated and freed in the order of streams and graphs: pools, and the memory of
graphs.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param


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
