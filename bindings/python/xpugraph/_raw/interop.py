# SPDX-License-Identifier: Apache-2.0
"""xpugraph/interop.h for ctypes. Written by tools/gen: edit the header instead.

Interop: Level Zero handles in and out, for programs that already use Level Zero.
"""

import ctypes as c

from xpugraph._function import Function, Param
from xpugraph._raw.module import xpuKernel_t
from xpugraph._raw.stream import xpuEvent_t, xpuStream_t


XPU_PARAM_LOCAL = -1


class ze_driver_handle_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class ze_device_handle_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class ze_context_handle_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class ze_command_list_handle_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class ze_event_handle_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class ze_module_handle_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class xpuNativeDesc(c.Structure):
    """What the library is to work with."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuNativeDesc)
        ("deviceCount", c.c_uint32),
        ("driver", ze_driver_handle_t),
        # len = deviceCount; they become devices 0, 1, …
        ("devices", c.POINTER(ze_device_handle_t)),
        ("context", ze_context_handle_t),  # with all of the devices
        # The driver library that made the handles; may be NULL if they come from the Level Zero
        # loader.
        ("driverPath", c.c_char_p),
    ]


LAYOUT = {
    "xpuNativeDesc": (40, [0, 4, 8, 16, 24, 32]),
}


# Adopts a driver, devices and a context instead of opening them, so that all memory of that
# context is valid here. Must come before any call that needs a device.
# desc [in]: copied during the call; the handles must stay valid until the process ends.
# Errors: xpuErrorSetOnActiveProcess if the library has started already; xpuErrorInvalidValue for a
# device that is not the driver's.
# Since 0.1.
xpuInitFromNative = Function("xpuInitFromNative", c.c_int, [
    Param("desc", c.POINTER(xpuNativeDesc)),
])

# The Level Zero handles of a device.
# driver [out]: may be NULL.
# device_handle [out]: may be NULL.
# context [out]: may be NULL; the one in which the library allocates.
# Since 0.1.
xpuDeviceGetNative = Function("xpuDeviceGetNative", c.c_int, [
    Param("device", c.c_int32),
    Param("driver", c.POINTER(ze_driver_handle_t), "out", nullable=True),
    Param("device_handle", c.POINTER(ze_device_handle_t), "out", nullable=True),
    Param("context", c.POINTER(ze_context_handle_t), "out", nullable=True),
])

# Makes a stream over a command list that the caller owns, so that launches are ordered with what
# the caller appends to it. The stream counts as made with xpuStreamNonBlocking.
# pStream [out]: the stream; destroying it leaves the list alone.
# device [in]: the list's device.
# command_list [in]: immediate and in-order, of the library's context. It must outlive the stream,
# and appends to it from outside must not overlap with calls on the stream.
# Since 0.1.
xpuStreamCreateFromNative = Function("xpuStreamCreateFromNative", c.c_int, [
    Param("pStream", c.POINTER(xpuStream_t), "out"),
    Param("device", c.c_int32),
    Param("command_list", ze_command_list_handle_t),
])

# The immediate, in-order command list of a stream. Appending to it is ordered with the stream's
# work; it must not overlap with other calls on the stream.
# command_list [out]: valid until the stream is destroyed.
# Errors: xpuErrorStreamCaptureUnsupported while the stream is captured.
# Since 0.1.
xpuStreamGetNative = Function("xpuStreamGetNative", c.c_int, [
    Param("stream", xpuStream_t),
    Param("command_list", c.POINTER(ze_command_list_handle_t), "out"),
])

# The Level Zero event that is signalled when what the event stands for is finished. It may be
# waited for, but not signalled or reset.
# native_event [out]: valid until the event is recorded again or destroyed.
# Errors: xpuErrorInvalidResourceHandle if it was never recorded; xpuErrorCapturedEvent if it was
# last recorded in a capture.
# Since 0.1.
xpuEventGetNative = Function("xpuEventGetNative", c.c_int, [
    Param("event", xpuEvent_t),
    Param("native_event", c.POINTER(ze_event_handle_t), "out"),
])

# Makes a kernel of a module that the caller owns.
# pKernel [out]: the kernel; the caller destroys it with xpuKernelDestroy().
# device [in]: the module's device.
# module [in]: must outlive the kernel and every graph and executable that has it.
# name [in]: the kernel's name in the module.
# numParams [in]: entries of `paramSizes`.
# paramSizes [in]: len = numParams; bytes of each parameter, or XPU_PARAM_LOCAL. May be NULL: then
# they are what the driver reports.
# Errors: xpuErrorSymbolNotFound for an unknown name; xpuErrorInvalidValue if `numParams` is not
# the kernel's; xpuErrorNotSupported if `paramSizes` is NULL and the driver does not report them.
# Since 0.1.
xpuKernelCreateFromNative = Function("xpuKernelCreateFromNative", c.c_int, [
    Param("pKernel", c.POINTER(xpuKernel_t), "out"),
    Param("device", c.c_int32),
    Param("module", ze_module_handle_t),
    Param("name", c.c_char_p),
    Param("numParams", c.c_size_t),
    Param("paramSizes", c.POINTER(c.c_size_t), length="numParams", nullable=True),
])

# Destroys a kernel of xpuKernelCreateFromNative(), after waiting until the device is idle. Graphs
# and executables that have it keep what they need.
# Errors: xpuErrorInvalidResourceHandle for NULL, a dead kernel and a kernel that belongs to an
# xpuModule_t.
# Since 0.1.
xpuKernelDestroy = Function("xpuKernelDestroy", c.c_int, [
    Param("kernel", xpuKernel_t),
])
