# SPDX-License-Identifier: Apache-2.0
"""xpugraph/memory.h for ctypes. Written by tools/gen: edit the header instead.

Memory: allocation, copies and fills.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.stream import xpuStream_t


class xpuMemcpyKind(IntEnum):
    """Where a copy goes from and to."""
    xpuMemcpyHostToHost = 0
    xpuMemcpyHostToDevice = 1
    xpuMemcpyDeviceToHost = 2
    xpuMemcpyDeviceToDevice = 3
    xpuMemcpyDefault = 4  # read from the addresses; the library does so in any case


class xpuMemoryType(IntEnum):
    """What an address belongs to."""
    xpuMemoryTypeUnregistered = 0  # memory that no driver knows, such as that of malloc
    xpuMemoryTypeHost = 1
    xpuMemoryTypeDevice = 2
    xpuMemoryTypeManaged = 3


class xpuHostAllocFlags(IntEnum):
    """Flags of xpuHostAlloc(). All host memory is portable and mapped."""
    xpuHostAllocDefault = 0
    xpuHostAllocPortable = 1
    xpuHostAllocMapped = 2
    xpuHostAllocWriteCombined = 4  # the host will not read it; a hint


class xpuMemAttachFlags(IntEnum):
    """Flags of xpuMallocManaged(); both give memory that host and device may use."""
    xpuMemAttachGlobal = 1
    xpuMemAttachHost = 2


class xpuPitchedPtr(c.Structure):
    """A block of rows: `pitch` bytes from row to row, `ysize` rows from slice to slice."""

    _fields_ = [
        ("ptr", c.c_void_p),
        ("pitch", c.c_size_t),  # bytes
        ("xsize", c.c_size_t),  # width of a row in bytes; not read by copies
        ("ysize", c.c_size_t),  # rows of a slice; not read when one slice is copied
    ]


class xpuExtent(c.Structure):
    """The size of a copy."""

    _fields_ = [
        ("width", c.c_size_t),  # bytes
        ("height", c.c_size_t),  # rows
        ("depth", c.c_size_t),  # slices
    ]


class xpuPos(c.Structure):
    """Where in a block a copy begins."""

    _fields_ = [
        ("x", c.c_size_t),  # bytes
        ("y", c.c_size_t),  # rows
        ("z", c.c_size_t),  # slices
    ]


class xpuMemcpy3DParms(c.Structure):
    """A three-dimensional copy."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuMemcpy3DParms)
        ("kind", c.c_int),
        ("srcPos", xpuPos),
        ("srcPtr", xpuPitchedPtr),
        ("dstPos", xpuPos),
        ("dstPtr", xpuPitchedPtr),
        ("extent", xpuExtent),
    ]


class xpuPointerAttributes(c.Structure):
    """What is known about an address."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuPointerAttributes)
        ("type", c.c_int),
        ("device", c.c_int32),  # the device that it belongs to; -1 if none
        ("reserved", c.c_uint32),  # 0
        ("devicePointer", c.c_void_p),  # the address for kernels, NULL if they cannot use it
        ("hostPointer", c.c_void_p),  # the address for the host, NULL if it cannot use it
    ]


LAYOUT = {
    "xpuPitchedPtr": (32, [0, 8, 16, 24]),
    "xpuExtent": (24, [0, 8, 16]),
    "xpuPos": (24, [0, 8, 16]),
    "xpuMemcpy3DParms": (144, [0, 4, 8, 32, 64, 88, 120]),
    "xpuPointerAttributes": (32, [0, 4, 8, 12, 16, 24]),
}


# Allocates device memory on the current device. Its content is undefined.
# devPtr [out]: the address, aligned to 256 bytes or more; NULL if `size` is 0.
# Errors: xpuErrorMemoryAllocation.
# Since 0.1.
xpuMalloc = Function("xpuMalloc", c.c_int, [
    Param("devPtr", c.POINTER(c.c_void_p), "out"),
    Param("size", c.c_size_t),
])

# Allocates device memory for `height` rows of `width` bytes.
# devPtr [out]: the address, aligned as for xpuMalloc(); NULL if one of the sizes is 0.
# pitch [out]: bytes from row to row, at least `width`.
# Since 0.1.
xpuMallocPitch = Function("xpuMallocPitch", c.c_int, [
    Param("devPtr", c.POINTER(c.c_void_p), "out"),
    Param("pitch", c.POINTER(c.c_size_t), "out"),
    Param("width", c.c_size_t),
    Param("height", c.c_size_t),
])

# Allocates host memory that every device can use at the same address.
# ptr [out]: the address, aligned to 64 bytes or more; NULL if `size` is 0.
# Since 0.1.
xpuMallocHost = Function("xpuMallocHost", c.c_int, [
    Param("ptr", c.POINTER(c.c_void_p), "out"),
    Param("size", c.c_size_t),
])

# As xpuMallocHost(), with flags.
# pHost [out]: the address.
# flags [in]: of xpuHostAllocFlags, or-ed.
# Since 0.1.
xpuHostAlloc = Function("xpuHostAlloc", c.c_int, [
    Param("pHost", c.POINTER(c.c_void_p), "out"),
    Param("size", c.c_size_t),
    Param("flags", c.c_uint32),
])

# The address at which kernels find host memory: the same one.
# pDevice [out]: the address.
# pHost [in]: inside memory of xpuMallocHost() or xpuHostAlloc().
# flags [in]: 0.
# Errors: xpuErrorInvalidValue if `pHost` is not such memory.
# Since 0.1.
xpuHostGetDevicePointer = Function("xpuHostGetDevicePointer", c.c_int, [
    Param("pDevice", c.POINTER(c.c_void_p), "out"),
    Param("pHost", c.c_void_p),
    Param("flags", c.c_uint32),
])

# Allocates memory that the host and the current device share; the driver moves it as needed.
# devPtr [out]: the address.
# flags [in]: one of xpuMemAttachFlags.
# Errors: xpuErrorInvalidValue if `size` is 0; xpuErrorNotSupported if the device has no such
# memory.
# Since 0.1.
xpuMallocManaged = Function("xpuMallocManaged", c.c_int, [
    Param("devPtr", c.POINTER(c.c_void_p), "out"),
    Param("size", c.c_size_t),
    Param("flags", c.c_uint32),
])

# Frees memory of xpuMalloc(), xpuMallocPitch(), xpuMallocManaged() or a pool (mempool.h), after
# waiting until the devices are idle. Graphs and executables that name the address do not keep it.
# devPtr [in]: as it was returned; NULL does nothing.
# Errors: xpuErrorInvalidValue for an address that is no such allocation or was freed before.
# Since 0.1.
xpuFree = Function("xpuFree", c.c_int, [
    Param("devPtr", c.c_void_p),
])

# Frees memory of xpuMallocHost() or xpuHostAlloc(), after waiting until the devices are idle.
# ptr [in]: as it was returned; NULL does nothing.
# Errors: as for xpuFree().
# Since 0.1.
xpuFreeHost = Function("xpuFreeHost", c.c_int, [
    Param("ptr", c.c_void_p),
])

# Copies bytes. A count of 0 does nothing.
# Errors: xpuErrorInvalidMemcpyDirection for an unknown kind; xpuErrorInvalidValue for NULL and for
# a range that leaves its allocation.
# Since 0.1.
xpuMemcpy = Function("xpuMemcpy", c.c_int, [
    Param("dst", c.c_void_p),
    Param("src", c.c_void_p),
    Param("count", c.c_size_t),
    Param("kind", c.c_int),
])

# Queues a copy. Both ranges must stay valid, and the source unchanged, until it is finished. If
# one of them is memory of type xpuMemoryTypeUnregistered, the call itself waits, except in a
# capture.
# Errors: as for xpuMemcpy().
# Since 0.1.
xpuMemcpyAsync = Function("xpuMemcpyAsync", c.c_int, [
    Param("dst", c.c_void_p),
    Param("src", c.c_void_p),
    Param("count", c.c_size_t),
    Param("kind", c.c_int),
    Param("stream", xpuStream_t),
])

# Copies `height` rows of `width` bytes.
# dpitch [in]: bytes from row to row of `dst`, at least `width`.
# spitch [in]: bytes from row to row of `src`, at least `width`.
# Errors: xpuErrorInvalidPitchValue for a pitch below `width`; otherwise as for xpuMemcpy().
# Since 0.1.
xpuMemcpy2D = Function("xpuMemcpy2D", c.c_int, [
    Param("dst", c.c_void_p),
    Param("dpitch", c.c_size_t),
    Param("src", c.c_void_p),
    Param("spitch", c.c_size_t),
    Param("width", c.c_size_t),
    Param("height", c.c_size_t),
    Param("kind", c.c_int),
])

# Queues a copy of rows; see xpuMemcpy2D() and xpuMemcpyAsync().
# Since 0.1.
xpuMemcpy2DAsync = Function("xpuMemcpy2DAsync", c.c_int, [
    Param("dst", c.c_void_p),
    Param("dpitch", c.c_size_t),
    Param("src", c.c_void_p),
    Param("spitch", c.c_size_t),
    Param("width", c.c_size_t),
    Param("height", c.c_size_t),
    Param("kind", c.c_int),
    Param("stream", xpuStream_t),
])

# Copies a block. An extent with a 0 in it does nothing.
# p [in]: copied during the call.
# Errors: xpuErrorInvalidPitchValue for a pitch below the width; otherwise as for xpuMemcpy().
# Since 0.1.
xpuMemcpy3D = Function("xpuMemcpy3D", c.c_int, [
    Param("p", c.POINTER(xpuMemcpy3DParms)),
])

# Queues a copy of a block; see xpuMemcpy3D() and xpuMemcpyAsync().
# Since 0.1.
xpuMemcpy3DAsync = Function("xpuMemcpy3DAsync", c.c_int, [
    Param("p", c.POINTER(xpuMemcpy3DParms)),
    Param("stream", xpuStream_t),
])

# Sets `count` bytes to the low byte of `value`. A count of 0 does nothing.
# Errors: xpuErrorInvalidValue for NULL, for memory that devices cannot use and for a range that
# leaves its allocation.
# Since 0.1.
xpuMemset = Function("xpuMemset", c.c_int, [
    Param("devPtr", c.c_void_p),
    Param("value", c.c_int32),
    Param("count", c.c_size_t),
])

# Queues a fill of bytes; see xpuMemset().
# Since 0.1.
xpuMemsetAsync = Function("xpuMemsetAsync", c.c_int, [
    Param("devPtr", c.c_void_p),
    Param("value", c.c_int32),
    Param("count", c.c_size_t),
    Param("stream", xpuStream_t),
])

# Sets `height` rows of `width` bytes, `pitch` bytes apart, to the low byte of `value`.
# Errors: xpuErrorInvalidPitchValue for a pitch below `width`; otherwise as for xpuMemset().
# Since 0.1.
xpuMemset2D = Function("xpuMemset2D", c.c_int, [
    Param("devPtr", c.c_void_p),
    Param("pitch", c.c_size_t),
    Param("value", c.c_int32),
    Param("width", c.c_size_t),
    Param("height", c.c_size_t),
])

# Queues a fill of rows; see xpuMemset2D().
# Since 0.1.
xpuMemset2DAsync = Function("xpuMemset2DAsync", c.c_int, [
    Param("devPtr", c.c_void_p),
    Param("pitch", c.c_size_t),
    Param("value", c.c_int32),
    Param("width", c.c_size_t),
    Param("height", c.c_size_t),
    Param("stream", xpuStream_t),
])

# How much memory the current device has.
# free [out]: bytes still to be had. Where the driver does not tell, it is the total less what this
# process has allocated: an upper bound.
# total [out]: bytes.
# Since 0.1.
xpuMemGetInfo = Function("xpuMemGetInfo", c.c_int, [
    Param("free", c.POINTER(c.c_size_t), "out"),
    Param("total", c.POINTER(c.c_size_t), "out"),
])

# What an address belongs to. Any address may be asked about, also one inside an allocation; it is
# not read.
# attributes [in,out]: `struct_size` is read, the rest is written.
# Since 0.1.
xpuPointerGetAttributes = Function("xpuPointerGetAttributes", c.c_int, [
    Param("attributes", c.POINTER(xpuPointerAttributes), "in,out"),
    Param("ptr", c.c_void_p),
])
