# SPDX-License-Identifier: Apache-2.0
"""xpugraph/capture.h for ctypes. Written by tools/gen: edit the header instead.

Capture: recording what is given to streams into a graph instead of running it.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.graph import xpuGraphEdgeData, xpuGraphNode_t, xpuGraph_t
from xpugraph._raw.stream import xpuStream_t


class xpuStreamCaptureMode(IntEnum):
    """How much a capture, or a thread, forbids."""
    xpuStreamCaptureModeGlobal = 0
    xpuStreamCaptureModeThreadLocal = 1
    xpuStreamCaptureModeRelaxed = 2


class xpuStreamCaptureStatus(IntEnum):
    """Whether a stream is captured."""
    xpuStreamCaptureStatusNone = 0
    xpuStreamCaptureStatusActive = 1
    xpuStreamCaptureStatusInvalidated = 2  # captured, and something illegal happened


class xpuStreamUpdateCaptureDependenciesFlags(IntEnum):
    """What xpuStreamUpdateCaptureDependencies() does with its nodes."""
    xpuStreamAddCaptureDependencies = 0
    xpuStreamSetCaptureDependencies = 1


class xpuGraphPool(c.Structure):
    """A pool that captures allocate from and that their graphs share; a token, passed by value. Both
    numbers zero: no pool. See xpuGraphPoolCreate().
    """

    _fields_ = [
        ("first", c.c_uint64),
        ("second", c.c_uint64),
    ]


class xpuStreamCaptureParams(c.Structure):
    """How xpuStreamBeginCaptureWithParams() captures."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuStreamCaptureParams)
        ("mode", c.c_int),
        # where allocations come from; zeros: they become nodes of the graph
        ("pool", xpuGraphPool),
    ]


class xpuGraphPoolUsage(c.Structure):
    """What a private pool holds, on all devices together."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuGraphPoolUsage)
        ("reserved", c.c_uint32),  # 0
        ("liveBytes", c.c_size_t),  # allocated and not freed, in multiples of 512
        ("peakBytes", c.c_size_t),  # what the addresses given out so far span
        # of memory; the peak, as the driver rounds it, from the end of a capture on
        ("reservedBytes", c.c_size_t),
    ]


LAYOUT = {
    "xpuGraphPool": (16, [0, 8]),
    "xpuStreamCaptureParams": (24, [0, 4, 8]),
    "xpuGraphPoolUsage": (32, [0, 4, 8, 16, 24]),
}


# Begins to capture a stream into a new graph. Work already in the stream is not part of it.
# Errors: xpuErrorStreamCaptureUnsupported for the legacy default stream; xpuErrorIllegalState if
# the stream is captured already.
# Since 0.1.
xpuStreamBeginCapture = Function("xpuStreamBeginCapture", c.c_int, [
    Param("stream", xpuStream_t),
    Param("mode", c.c_int),
])

# As xpuStreamBeginCapture(), with a private pool: what xpuMallocAsync() allocates in any stream
# that takes part in the capture comes from the pool. Its address is there at once, memory behind
# it from the end of the capture on, and it stays while the pool lives, until xpuFreeAsync() or
# xpuFree(). What is freed during the capture is used again for work that is captured behind the
# free. The graph and its executables hold the pool. A capture that fails leaves the pool as it
# was.
# Errors: as for xpuStreamBeginCapture(); xpuErrorInvalidValue for a pool that is not there;
# xpuErrorIllegalState while another capture uses the pool.
# Since 0.1.
xpuStreamBeginCaptureWithParams = Function("xpuStreamBeginCaptureWithParams", c.c_int, [
    Param("stream", xpuStream_t),
    Param("params", c.POINTER(xpuStreamCaptureParams)),
])

# Makes a private pool, for captures one after another. Graphs that were captured into one pool
# share its memory: they must be launched in the order in which they were captured and must not
# overlap; a later graph may overwrite what an earlier one left, except in what was still allocated
# when the later capture began.
# pool [out]: the token; the caller holds the pool until xpuGraphPoolRelease().
# Since 0.1.
xpuGraphPoolCreate = Function("xpuGraphPoolCreate", c.c_int, [
    Param("pool", c.POINTER(xpuGraphPool), "out"),
])

# Holds a pool once more. It may be done for a pool that graphs alone hold.
# Errors: xpuErrorInvalidValue for a pool that is not there.
# Since 0.1.
xpuGraphPoolRetain = Function("xpuGraphPoolRetain", c.c_int, [
    Param("pool", xpuGraphPool),
])

# Lets go of a pool once. With its last holder, graphs included, the pool and all that is allocated
# in it goes.
# Errors: xpuErrorInvalidValue for a pool that is not there or that nobody holds but graphs.
# Since 0.1.
xpuGraphPoolRelease = Function("xpuGraphPoolRelease", c.c_int, [
    Param("pool", xpuGraphPool),
])

# usage [out]: what the pool holds.
# Errors: xpuErrorInvalidValue for a pool that is not there.
# Since 0.1.
xpuGraphPoolGetUsage = Function("xpuGraphPoolGetUsage", c.c_int, [
    Param("pool", xpuGraphPool),
    Param("usage", c.POINTER(xpuGraphPoolUsage), "out"),
])

# Begins to capture a stream into an existing graph; the first captured nodes depend on the given
# ones. Until the end the graph cannot be destroyed, nor nodes be removed from it.
# dependencies [in]: len = numDependencies; may be NULL if that is 0.
# dependencyData [in]: len = numDependencies; may be NULL, for plain edges.
# Errors: as for xpuStreamBeginCapture(); xpuErrorIllegalState if the graph is being captured into
# already; xpuErrorInvalidValue for nodes of another graph.
# Since 0.1.
xpuStreamBeginCaptureToGraph = Function("xpuStreamBeginCaptureToGraph", c.c_int, [
    Param("stream", xpuStream_t),
    Param("graph", xpuGraph_t),
    Param("dependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("dependencyData", c.POINTER(xpuGraphEdgeData), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("mode", c.c_int),
])

# Ends a capture and returns its streams to normal, also if it fails.
# pGraph [out]: the graph, which the caller destroys; after xpuStreamBeginCaptureToGraph() the
# graph that was given, and then it may be NULL. Set to NULL if the capture is lost.
# Errors, with the capture lost: xpuErrorStreamCaptureUnjoined if captured work does not lead back
# to the stream; xpuErrorStreamCaptureInvalidated, and xpuGetLastErrorInfo() tells which call in
# which thread was the cause. Errors, with the capture going on: xpuErrorStreamCaptureUnmatched if
# another stream began it; xpuErrorStreamCaptureWrongThread if another thread did, except in
# relaxed mode; xpuErrorInvalidValue if `pGraph` is NULL and must not be; xpuErrorIllegalState if
# nothing is captured.
# Since 0.1.
xpuStreamEndCapture = Function("xpuStreamEndCapture", c.c_int, [
    Param("stream", xpuStream_t),
    Param("pGraph", c.POINTER(xpuGraph_t), "out", nullable=True),
])

# Gives a capture up, from any stream that takes part in it, in any thread, whatever its state. All
# its streams are ordinary again, and what was captured is gone: the graph with its nodes, unless
# it was there before (xpuStreamBeginCaptureToGraph()) and then keeps them; memory of a private
# pool is as it was before the capture. A stream that is not captured stays as it is, so that it
# can be called wherever a capture may have been left behind. CUDA has no such call.
# Errors: xpuErrorInvalidResourceHandle for a bad stream.
# Since 0.1.
xpuStreamAbortCapture = Function("xpuStreamAbortCapture", c.c_int, [
    Param("stream", xpuStream_t),
])

# Tells whether a stream is captured.
# pCaptureStatus [out]: the status.
# Errors: xpuErrorStreamCaptureImplicit for the legacy default stream while a stream that it is
# ordered with is captured.
# Since 0.1.
xpuStreamIsCapturing = Function("xpuStreamIsCapturing", c.c_int, [
    Param("stream", xpuStream_t),
    Param("pCaptureStatus", c.POINTER(c.c_int), "out"),
])

# Tells about the capture of a stream. Outputs other than the status are written only while it is
# active. The arrays belong to the library and are valid until the next call on the stream.
# captureStatus_out [out]: the status.
# id_out [out]: a number that no other capture of this process has; may be NULL.
# graph_out [out]: the graph; it may be edited, but not destroyed and no nodes removed until the
# end. May be NULL.
# dependencies_out [out]: len = *numDependencies_out; the nodes that the next one in the stream
# will depend on. May be NULL.
# edgeData_out [out]: len = *numDependencies_out; may be NULL.
# numDependencies_out [out]: may be NULL.
# Errors: xpuErrorLossyQuery if `edgeData_out` is NULL while an edge would carry some; otherwise as
# for xpuStreamIsCapturing().
# Since 0.1.
xpuStreamGetCaptureInfo = Function("xpuStreamGetCaptureInfo", c.c_int, [
    Param("stream", xpuStream_t),
    Param("captureStatus_out", c.POINTER(c.c_int), "out"),
    Param("id_out", c.POINTER(c.c_uint64), "out", nullable=True),
    Param("graph_out", c.POINTER(xpuGraph_t), "out", nullable=True),
    Param("dependencies_out", c.POINTER(c.POINTER(xpuGraphNode_t)), "out", length="*numDependencies_out", nullable=True),
    Param("edgeData_out", c.POINTER(c.POINTER(xpuGraphEdgeData)), "out", length="*numDependencies_out", nullable=True),
    Param("numDependencies_out", c.POINTER(c.c_size_t), "out", nullable=True),
])

# Changes the nodes that the next one in a captured stream will depend on. Nodes that are dropped
# so do not count as unjoined.
# dependencies [in]: len = numDependencies; may be NULL if that is 0. Nodes of the captured graph.
# dependencyData [in]: len = numDependencies; may be NULL, for plain edges.
# flags [in]: one of xpuStreamUpdateCaptureDependenciesFlags.
# Errors: xpuErrorIllegalState if the stream is not captured.
# Since 0.1.
xpuStreamUpdateCaptureDependencies = Function("xpuStreamUpdateCaptureDependencies", c.c_int, [
    Param("stream", xpuStream_t),
    Param("dependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("dependencyData", c.POINTER(xpuGraphEdgeData), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("flags", c.c_uint32),
])

# Swaps the calling thread's mode, which begins as global. Call it again with the same variable to
# go back.
# mode [in,out]: in: the new mode; out: the old one.
# Since 0.1.
xpuThreadExchangeStreamCaptureMode = Function("xpuThreadExchangeStreamCaptureMode", c.c_int, [
    Param("mode", c.POINTER(c.c_int), "in,out"),
])
