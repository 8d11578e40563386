# SPDX-License-Identifier: Apache-2.0
"""xpugraph/module.h for ctypes. Written by tools/gen: edit the header instead.

Modules and kernels: device code loaded from SPIR-V or from a native binary, and how it is
launched.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.stream import xpuStream_t


class xpuModule_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class xpuKernel_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class xpuModuleFormat(IntEnum):
    """What an image is."""
    xpuModuleFormatAuto = 0  # told apart by content: SPIR-V by its magic number, else native
    xpuModuleFormatSpirv = 1  # a SPIR-V module with OpenCL kernels
    xpuModuleFormatNative = 2  # what the driver's compiler made for this very device


class xpuDim3(c.Structure):
    """Three sizes."""

    _fields_ = [
        ("x", c.c_uint32),
        ("y", c.c_uint32),
        ("z", c.c_uint32),
    ]


class xpuModuleDesc(c.Structure):
    """How to load a module."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuModuleDesc)
        ("format", c.c_int),
        ("image", c.c_void_p),  # len = imageSize; copied during the call
        ("imageSize", c.c_size_t),  # bytes
        ("buildOptions", c.c_char_p),  # for the driver's compiler; may be NULL
        # [out] len = buildLogSize; may be NULL. What the compiler says, cut to fit and ended by a
        # NUL; written also when the call fails.
        ("buildLog", c.POINTER(c.c_char)),
        ("buildLogSize", c.c_size_t),  # bytes
    ]


class xpuKernelAttributes(c.Structure):
    """What is known about a kernel."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuKernelAttributes)
        ("numParams", c.c_uint32),  # number of parameters
        ("sharedSizeBytes", c.c_size_t),  # work-group local memory that the kernel itself declares
        ("localSizeBytes", c.c_size_t),  # private memory of a work-item
        ("spillSizeBytes", c.c_size_t),  # of it, what did not fit into registers
        ("maxThreadsPerBlock", c.c_uint32),  # work-items of a work-group, at most
        ("warpSize", c.c_uint32),  # sub-group size; a block that is a multiple of it is best
        # the work-group size that the source demands; 0, 0, 0 if none
        ("requiredBlockDim", xpuDim3),
        ("reserved", c.c_uint32),  # 0
    ]


LAYOUT = {
    "xpuDim3": (12, [0, 4, 8]),
    "xpuModuleDesc": (48, [0, 4, 8, 16, 24, 32, 40]),
    "xpuKernelAttributes": (56, [0, 4, 8, 16, 24, 32, 36, 40, 52]),
}


# Loads a module on the current device from SPIR-V or a native binary, told apart by content.
# pModule [out]: the module; the caller unloads it.
# image [in]: len = size; copied during the call.
# Errors: xpuErrorInvalidKernelImage for an image that is malformed or does not build;
# xpuErrorNoKernelImageForDevice for a native binary of another device.
# Since 0.1.
xpuModuleLoadData = Function("xpuModuleLoadData", c.c_int, [
    Param("pModule", c.POINTER(xpuModule_t), "out"),
    Param("image", c.c_void_p, length="size"),
    Param("size", c.c_size_t),
])

# As xpuModuleLoadData(), with the format, options for the compiler and its log.
# pModule [out]: the module; the caller unloads it.
# desc [in]: copied during the call.
# Since 0.1.
xpuModuleLoad = Function("xpuModuleLoad", c.c_int, [
    Param("pModule", c.POINTER(xpuModule_t), "out"),
    Param("desc", c.POINTER(xpuModuleDesc)),
])

# Unloads a module; its kernel handles die with it. Work that was queued before still runs, and
# graphs and executables that have such kernels keep what they need.
# Errors: xpuErrorInvalidResourceHandle for NULL or an unloaded module.
# Since 0.1.
xpuModuleUnload = Function("xpuModuleUnload", c.c_int, [
    Param("module", xpuModule_t),
])

# Finds a kernel by name. The same name gives the same handle each time.
# pKernel [out]: the kernel; it lives as long as the module and is not destroyed by itself.
# Errors: xpuErrorSymbolNotFound if the module has no such kernel.
# Since 0.1.
xpuModuleGetKernel = Function("xpuModuleGetKernel", c.c_int, [
    Param("pKernel", c.POINTER(xpuKernel_t), "out"),
    Param("module", xpuModule_t),
    Param("name", c.c_char_p),
])

# Tells the limits and needs of a kernel.
# attr [in,out]: `struct_size` is read, the rest is written.
# Since 0.1.
xpuKernelGetAttributes = Function("xpuKernelGetAttributes", c.c_int, [
    Param("attr", c.POINTER(xpuKernelAttributes), "in,out"),
    Param("kernel", xpuKernel_t),
])

# Tells how large a parameter is, and where it lies in a block of all arguments that is laid out in
# order with natural alignment.
# paramIndex [in]: counted from 0.
# paramOffset [out]: bytes.
# paramSize [out]: bytes; sizeof(size_t) for a local-memory parameter. May be NULL.
# Errors: xpuErrorInvalidValue for an index past the last one.
# Since 0.1.
xpuKernelGetParamInfo = Function("xpuKernelGetParamInfo", c.c_int, [
    Param("kernel", xpuKernel_t),
    Param("paramIndex", c.c_size_t),
    Param("paramOffset", c.POINTER(c.c_size_t), "out"),
    Param("paramSize", c.POINTER(c.c_size_t), "out", nullable=True),
])

# Queues a kernel.
# func [in]: a kernel of the stream's device.
# gridDim [in]: number of work-groups, each at least 1.
# blockDim [in]: work-items of a work-group, each at least 1.
# args [in]: len = the kernel's number of parameters; `args[i]` points to the value of parameter i,
# whose bytes are copied during the call. For a local-memory parameter it points to a `size_t` with
# its size in bytes, or is NULL, and then `sharedMem` is its size. May be NULL if there are no
# parameters.
# sharedMem [in]: bytes for the local-memory parameter whose entry is NULL; otherwise 0.
# Errors: xpuErrorInvalidDeviceFunction for a NULL kernel; xpuErrorInvalidResourceHandle for what
# is no kernel or is of another device; xpuErrorInvalidConfiguration for sizes that the device or
# the kernel cannot take; xpuErrorInvalidValue for a missing argument.
# Since 0.1.
xpuLaunchKernel = Function("xpuLaunchKernel", c.c_int, [
    Param("func", xpuKernel_t),
    Param("gridDim", xpuDim3),
    Param("blockDim", xpuDim3),
    Param("args", c.POINTER(c.c_void_p), length="the", nullable=True),
    Param("sharedMem", c.c_size_t),
    Param("stream", xpuStream_t),
])
