# SPDX-License-Identifier: Apache-2.0
"""xpugraph/event.h for ctypes. Written by tools/gen: edit the header instead.

Events: marks in streams, to wait for, to order streams by, and to measure time with.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.stream import xpuEvent_t, xpuStream_t


class xpuEventFlags(IntEnum):
    """Flags of an event."""
    xpuEventDefault = 0
    xpuEventBlockingSync = 1  # waiting for it sleeps instead of polling
    xpuEventDisableTiming = 2  # no time stamp; cheaper
    xpuEventInterprocess = 4  # refused with xpuErrorNotSupported


class xpuEventRecordFlags(IntEnum):
    """Flags of a record."""
    xpuEventRecordDefault = 0
    xpuEventRecordExternal = 1  # in a capture: a node that records at every launch


class xpuEventWaitFlags(IntEnum):
    """Flags of xpuStreamWaitEvent()."""
    xpuEventWaitDefault = 0
    xpuEventWaitExternal = 1  # in a capture: a node that waits at every launch


# Makes an event on the current device, with default flags.
# event [out]: the event; the caller destroys it.
# Since 0.1.
xpuEventCreate = Function("xpuEventCreate", c.c_int, [
    Param("event", c.POINTER(xpuEvent_t), "out"),
])

# Makes an event on the current device.
# event [out]: the event; the caller destroys it.
# flags [in]: of xpuEventFlags, or-ed.
# Errors: xpuErrorNotSupported for xpuEventInterprocess; xpuErrorInvalidValue for unknown bits.
# Since 0.1.
xpuEventCreateWithFlags = Function("xpuEventCreateWithFlags", c.c_int, [
    Param("event", c.POINTER(xpuEvent_t), "out"),
    Param("flags", c.c_uint32),
])

# Makes the event stand for all work that is in the stream now. The host does not wait. The stream
# must be of the event's device. In a capture no node is made: the event stands for what the stream
# has captured so far, and serves only to order streams of that capture until it is recorded again
# outside.
# Errors: xpuErrorInvalidResourceHandle for a bad event or a stream of another device.
# Since 0.1.
xpuEventRecord = Function("xpuEventRecord", c.c_int, [
    Param("event", xpuEvent_t),
    Param("stream", xpuStream_t),
])

# As xpuEventRecord(), with flags.
# flags [in]: xpuEventRecordDefault or xpuEventRecordExternal; the latter is valid only while the
# stream is captured (xpuErrorIllegalState otherwise) and makes an event record node.
# Since 0.1.
xpuEventRecordWithFlags = Function("xpuEventRecordWithFlags", c.c_int, [
    Param("event", xpuEvent_t),
    Param("stream", xpuStream_t),
    Param("flags", c.c_uint32),
])

# Asks whether the work that the event stands for is finished, without waiting.
# Returns xpuSuccess if it is, xpuErrorNotReady if not (not stored as the last error).
# Errors: an error of that work; xpuErrorCapturedEvent if it was last recorded in a capture, which
# is invalidated, or xpuErrorInvalidValue if that capture has ended.
# Since 0.1.
xpuEventQuery = Function("xpuEventQuery", c.c_int, [
    Param("event", xpuEvent_t),
])

# Waits until the work that the event stands for is finished.
# Errors: as for xpuEventQuery().
# Since 0.1.
xpuEventSynchronize = Function("xpuEventSynchronize", c.c_int, [
    Param("event", xpuEvent_t),
])

# The device time between two records.
# ms [out]: milliseconds from `start` to `end`, negative if `end` was reached first.
# Errors: xpuErrorNotReady if one is not reached yet; xpuErrorInvalidResourceHandle if one was
# never recorded or was made with xpuEventDisableTiming, or if their devices differ; for captured
# events as for xpuEventQuery().
# Since 0.1.
xpuEventElapsedTime = Function("xpuEventElapsedTime", c.c_int, [
    Param("ms", c.POINTER(c.c_float), "out"),
    Param("start", xpuEvent_t),
    Param("end", xpuEvent_t),
])

# Ends an event. It returns at once; waits that were already queued still happen, and graphs that
# have the event in a node keep what they need of it.
# Errors: xpuErrorInvalidResourceHandle for NULL or a destroyed event.
# Since 0.1.
xpuEventDestroy = Function("xpuEventDestroy", c.c_int, [
    Param("event", xpuEvent_t),
])
