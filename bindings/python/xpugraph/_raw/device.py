# SPDX-License-Identifier: Apache-2.0
"""xpugraph/device.h for ctypes. Written by tools/gen: edit the header instead.

Devices: which there are, which one a thread works on, what it can do.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param


class xpuDeviceType(IntEnum):
    """What a device is. Numbers as in ze_device_type_t."""
    xpuDeviceTypeGpu = 1
    xpuDeviceTypeCpu = 2
    xpuDeviceTypeOther = 3


class xpuDeviceAttr(IntEnum):
    """What xpuDeviceGetAttribute() can tell. Numbers as in CUDA 13."""
    xpuDevAttrMaxThreadsPerBlock = 1
    xpuDevAttrMaxBlockDimX = 2
    xpuDevAttrMaxBlockDimY = 3
    xpuDevAttrMaxBlockDimZ = 4
    xpuDevAttrMaxGridDimX = 5
    xpuDevAttrMaxGridDimY = 6
    xpuDevAttrMaxGridDimZ = 7
    xpuDevAttrMaxSharedMemoryPerBlock = 8  # bytes
    xpuDevAttrWarpSize = 10  # widest sub-group
    xpuDevAttrClockRate = 13  # kHz
    xpuDevAttrMultiProcessorCount = 16  # sub-slices of a GPU, threads of a CPU
    xpuDevAttrIntegrated = 18  # 1 if it has the host's memory
    xpuDevAttrCanMapHostMemory = 19  # 1
    xpuDevAttrConcurrentKernels = 31  # 1 if kernels without an order may overlap
    xpuDevAttrAsyncEngineCount = 40  # copy engines
    xpuDevAttrUnifiedAddressing = 41  # 1
    xpuDevAttrStreamPrioritiesSupported = 78
    xpuDevAttrManagedMemory = 83
    xpuDevAttrConcurrentManagedAccess = 89
    xpuDevAttrCooperativeLaunch = 95


class xpuDeviceProp(c.Structure):
    """What a device is and has."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuDeviceProp)
        ("type", c.c_int),
        ("name", c.c_char * 256),  # UTF-8, ended by a NUL
        ("uuid", c.c_uint8 * 16),  # as the driver gives it
        ("vendorId", c.c_uint32),  # PCI
        ("deviceId", c.c_uint32),  # PCI
        ("totalGlobalMem", c.c_size_t),  # bytes
        ("maxMemAllocSize", c.c_size_t),  # bytes of one allocation, at most
        ("sharedMemPerBlock", c.c_size_t),  # bytes of work-group local memory
        ("maxThreadsPerBlock", c.c_int32),  # work-items of a work-group
        ("maxThreadsDim", c.c_int32 * 3),  # of each dimension of a work-group
        ("maxGridSize", c.c_int32 * 3),  # work-groups of each dimension
        ("warpSize", c.c_int32),  # widest sub-group
        ("multiProcessorCount", c.c_int32),  # sub-slices of a GPU, threads of a CPU
        ("clockRate", c.c_int32),  # kHz
        ("integrated", c.c_int32),  # 1 if it has the host's memory
        ("managedMemory", c.c_int32),  # 1 if xpuMallocManaged() works
        ("computeEngineCount", c.c_int32),  # engines that run kernels
        ("asyncEngineCount", c.c_int32),  # engines that only copy
    ]


LAYOUT = {
    "xpuDeviceProp": (368, [0, 4, 8, 264, 280, 284, 288, 296, 304, 312, 316, 328, 340, 344, 348,
352, 356, 360, 364]),
}


# The version of the loaded library, as XPUGRAPH_VERSION. Works without a device.
# runtimeVersion [out]: 1000 * major + 10 * minor + patch.
# Since 0.1.
xpuRuntimeGetVersion = Function("xpuRuntimeGetVersion", c.c_int, [
    Param("runtimeVersion", c.POINTER(c.c_int32), "out"),
])

# The Level Zero version that the driver implements.
# driverVersion [out]: 1000 * major + 10 * minor; 0 if there is no driver.
# Since 0.1.
xpuDriverGetVersion = Function("xpuDriverGetVersion", c.c_int, [
    Param("driverVersion", c.POINTER(c.c_int32), "out"),
])

# The number of devices.
# count [out]: 0 is not possible: without a device the call fails.
# Errors: xpuErrorNoDevice; xpuErrorInsufficientDriver if no driver could be loaded.
# Since 0.1.
xpuGetDeviceCount = Function("xpuGetDeviceCount", c.c_int, [
    Param("count", c.POINTER(c.c_int32), "out"),
])

# The calling thread's current device.
# device [out]: its number.
# Since 0.1.
xpuGetDevice = Function("xpuGetDevice", c.c_int, [
    Param("device", c.POINTER(c.c_int32), "out"),
])

# Sets the calling thread's current device.
# Errors: xpuErrorInvalidDevice.
# Since 0.1.
xpuSetDevice = Function("xpuSetDevice", c.c_int, [
    Param("device", c.c_int32),
])

# Tells what a device is and has.
# prop [in,out]: `struct_size` is read, the rest is written.
# Errors: xpuErrorInvalidDevice.
# Since 0.1.
xpuGetDeviceProperties = Function("xpuGetDeviceProperties", c.c_int, [
    Param("prop", c.POINTER(xpuDeviceProp), "in,out"),
    Param("device", c.c_int32),
])

# Tells one number about a device.
# value [out]: the number; larger ones than fit are INT_MAX.
# Errors: xpuErrorInvalidValue for an unknown attribute; xpuErrorInvalidDevice.
# Since 0.1.
xpuDeviceGetAttribute = Function("xpuDeviceGetAttribute", c.c_int, [
    Param("value", c.POINTER(c.c_int32), "out"),
    Param("attr", c.c_int),
    Param("device", c.c_int32),
])

# Tells whether kernels of a device can use the device memory of another one.
# canAccessPeer [out]: 1 or 0; 0 for the device itself.
# Since 0.1.
xpuDeviceCanAccessPeer = Function("xpuDeviceCanAccessPeer", c.c_int, [
    Param("canAccessPeer", c.POINTER(c.c_int32), "out"),
    Param("device", c.c_int32),
    Param("peerDevice", c.c_int32),
])

# The priorities that streams of the current device can have; lower is more urgent.
# leastPriority [out]: the highest number; may be NULL.
# greatestPriority [out]: the lowest number; may be NULL. Both are 0 if there is only one.
# Since 0.1.
xpuDeviceGetStreamPriorityRange = Function("xpuDeviceGetStreamPriorityRange", c.c_int, [
    Param("leastPriority", c.POINTER(c.c_int32), "out", nullable=True),
    Param("greatestPriority", c.POINTER(c.c_int32), "out", nullable=True),
])

# Waits until all work of the current device, in every stream, is finished.
# Errors: an error of that work; xpuErrorStreamCaptureUnsupported while a stream of the device is
# captured, which invalidates that capture.
# Since 0.1.
xpuDeviceSynchronize = Function("xpuDeviceSynchronize", c.c_int, [
])
