# SPDX-License-Identifier: Apache-2.0
"""xpugraph/stream.h for ctypes. Written by tools/gen: edit the header instead.

Streams: queues of device work that runs in the order in which it was given.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param


xpuStreamLegacy = 1
xpuStreamPerThread = 2


class xpuStream_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class xpuEvent_t(c.c_void_p):
    """See event.h; named here because a stream can wait for one."""


# A function that the library calls on a thread of its own, with nothing locked. It must not call
# this library: every call from it gives xpuErrorNotPermitted, except those that ask about errors
# (xpuGetErrorName(), xpuGetErrorString(), xpuGetLastError(), xpuPeekAtLastError(),
# xpuGetLastErrorInfo()).
xpuHostFn_t = c.CFUNCTYPE(None, c.c_void_p)


class xpuStreamFlags(IntEnum):
    """Flags of a stream."""
    xpuStreamDefault = 0  # ordered with the legacy default stream
    xpuStreamNonBlocking = 1  # not ordered with the legacy default stream


# Makes a stream on the current device, with default flags and priority. It may be made during a
# capture, but has no part in it until it waits for a captured event.
# pStream [out]: the stream; the caller destroys it.
# Since 0.1.
xpuStreamCreate = Function("xpuStreamCreate", c.c_int, [
    Param("pStream", c.POINTER(xpuStream_t), "out"),
])

# Makes a stream on the current device, with default priority.
# pStream [out]: the stream; the caller destroys it.
# flags [in]: of xpuStreamFlags.
# Since 0.1.
xpuStreamCreateWithFlags = Function("xpuStreamCreateWithFlags", c.c_int, [
    Param("pStream", c.POINTER(xpuStream_t), "out"),
    Param("flags", c.c_uint32),
])

# Makes a stream on the current device.
# pStream [out]: the stream; the caller destroys it.
# flags [in]: of xpuStreamFlags.
# priority [in]: lower is more urgent; a value outside xpuDeviceGetStreamPriorityRange() is moved
# to its nearest end.
# Since 0.1.
xpuStreamCreateWithPriority = Function("xpuStreamCreateWithPriority", c.c_int, [
    Param("pStream", c.POINTER(xpuStream_t), "out"),
    Param("flags", c.c_uint32),
    Param("priority", c.c_int32),
])

# Ends a stream. It returns at once: work already in the stream still runs, and what it needs is
# released after it. The handle is dead when the call returns, also while work is left. Destroying
# a stream that takes part in a capture invalidates the capture.
# Errors: xpuErrorInvalidResourceHandle for NULL, the special streams and a destroyed stream.
# Since 0.1.
xpuStreamDestroy = Function("xpuStreamDestroy", c.c_int, [
    Param("stream", xpuStream_t),
])

# Waits until all work given to the stream so far is finished.
# Errors: an error of that work; xpuErrorStreamCaptureUnsupported if the stream is being captured
# or another capture forbids waiting (capture.h), which invalidates the capture.
# Since 0.1.
xpuStreamSynchronize = Function("xpuStreamSynchronize", c.c_int, [
    Param("stream", xpuStream_t),
])

# Asks whether all work given to the stream so far is finished, without waiting.
# Returns xpuSuccess if it is, xpuErrorNotReady if not (which is no failure and is not stored as
# the last error), otherwise as for xpuStreamSynchronize().
# Since 0.1.
xpuStreamQuery = Function("xpuStreamQuery", c.c_int, [
    Param("stream", xpuStream_t),
])

# Makes what is given to `stream` from now on wait for what `event` stands for now: the work that
# was in the recorded stream at its last record. An event that was never recorded is no wait. The
# host does not wait. The event may be recorded again or destroyed right after the call. If the
# event was recorded in a capture, `stream` joins that capture.
# flags [in]: xpuEventWaitDefault or xpuEventWaitExternal (see event.h). The latter makes an event
# wait node, and only in a captured stream.
# Errors: xpuErrorInvalidResourceHandle for a bad event; xpuErrorIllegalState for
# xpuEventWaitExternal outside of a capture; xpuErrorStreamCaptureMerge if event and stream are in
# two captures; xpuErrorStreamCaptureIsolation if only the stream is in one; xpuErrorInvalidValue
# if the event's capture has ended.
# Since 0.1.
xpuStreamWaitEvent = Function("xpuStreamWaitEvent", c.c_int, [
    Param("stream", xpuStream_t),
    Param("event", xpuEvent_t),
    Param("flags", c.c_uint32),
])

# Calls `fn(userData)` on a thread of the library when the work before it in the stream is
# finished; what follows in the stream waits until it returns. `fn` must not call this library (see
# xpuHostFn_t) or wait for work of it. `userData` is passed as it is and must stay valid until `fn`
# has returned. In a capture it becomes a host node, called at every launch.
# Since 0.1.
xpuLaunchHostFunc = Function("xpuLaunchHostFunc", c.c_int, [
    Param("stream", xpuStream_t),
    Param("fn", xpuHostFn_t),
    Param("userData", c.c_void_p),
])

# The flags with which a stream was made.
# flags [out]: of xpuStreamFlags.
# Since 0.1.
xpuStreamGetFlags = Function("xpuStreamGetFlags", c.c_int, [
    Param("stream", xpuStream_t),
    Param("flags", c.POINTER(c.c_uint32), "out"),
])

# The priority that a stream has, after it was moved into the range.
# priority [out]: lower is more urgent.
# Since 0.1.
xpuStreamGetPriority = Function("xpuStreamGetPriority", c.c_int, [
    Param("stream", xpuStream_t),
    Param("priority", c.POINTER(c.c_int32), "out"),
])

# The device of a stream.
# device [out]: its number.
# Since 0.1.
xpuStreamGetDevice = Function("xpuStreamGetDevice", c.c_int, [
    Param("stream", xpuStream_t),
    Param("device", c.POINTER(c.c_int32), "out"),
])

# A number that no other stream of this process has or has had.
# streamId [out]: for NULL and the special streams, that of the stream they stand for.
# Since 0.1.
xpuStreamGetId = Function("xpuStreamGetId", c.c_int, [
    Param("stream", xpuStream_t),
    Param("streamId", c.POINTER(c.c_uint64), "out"),
])
