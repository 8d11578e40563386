# SPDX-License-Identifier: Apache-2.0
"""xpugraph/memop.h for ctypes. Written by tools/gen: edit the header instead.

Values in memory: streams and graphs write them and wait for them. CUDA has these calls in its
driver API.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.exec import xpuGraphExec_t
from xpugraph._raw.graph import xpuGraphNode_t, xpuGraph_t
from xpugraph._raw.stream import xpuStream_t


class xpuStreamWaitValue_flags(IntEnum):
    """What a wait compares with."""
    # Until the value in memory is as large or larger, both without a sign; CUDA's comparison goes
    # round at the end of the numbers, this one does not.
    xpuStreamWaitValueGeq = 0
    # Until the value in memory is as large or larger, both without a sign; CUDA's comparison goes
    # round at the end of the numbers, this one does not.
    xpuStreamWaitValueEq = 1
    xpuStreamWaitValueAnd = 2  # refused with xpuErrorNotSupported
    xpuStreamWaitValueNor = 3  # refused with xpuErrorNotSupported
    xpuStreamWaitValueFlush = 1073741824  # refused with xpuErrorNotSupported


class xpuStreamWriteValue_flags(IntEnum):
    """Flags of a write."""
    xpuStreamWriteValueDefault = 0
    xpuStreamWriteValueNoMemoryBarrier = 1  # allowed, and no different here


class xpuStreamBatchMemOpType(IntEnum):
    """Operations of a batch."""
    xpuStreamMemOpWaitValue32 = 1
    xpuStreamMemOpWriteValue32 = 2
    xpuStreamMemOpFlushRemoteWrites = 3  # refused with xpuErrorNotSupported
    xpuStreamMemOpWaitValue64 = 4
    xpuStreamMemOpWriteValue64 = 5
    xpuStreamMemOpBarrier = 6  # refused with xpuErrorNotSupported


class xpuStreamMemOpValueParams(c.Structure):
    """A wait or a write."""

    _fields_ = [
        ("operation", c.c_int),
        ("flags", c.c_uint32),  # of xpuStreamWaitValue_flags or xpuStreamWriteValue_flags
        ("address", c.c_void_p),
        ("value64", c.c_uint64),  # of 32 bits its low half, which `value` is in CUDA
        ("alias", c.c_void_p),  # NULL
    ]


class xpuStreamBatchMemOpParams(c.Union):
    """One operation of a batch. Which member counts, `operation` says, with which both begin."""

    _fields_ = [
        ("operation", c.c_int),
        ("waitValue", xpuStreamMemOpValueParams),
        ("writeValue", xpuStreamMemOpValueParams),
        ("pad", c.c_uint64 * 6),  # the room of all; 0 behind the member that counts
    ]


class xpuBatchMemOpNodeParams(c.Structure):
    """A node that does operations one after the other."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuBatchMemOpNodeParams)
        ("count", c.c_uint32),  # 1 to 256
        ("paramArray", c.POINTER(xpuStreamBatchMemOpParams)),  # len = count
        ("flags", c.c_uint32),  # 0
        ("reserved", c.c_uint32),  # 0
    ]


LAYOUT = {
    "xpuStreamMemOpValueParams": (32, [0, 4, 8, 16, 24]),
    "xpuStreamBatchMemOpParams": (48, [0, 0, 0, 0]),
    "xpuBatchMemOpNodeParams": (24, [0, 4, 8, 16, 20]),
}


# Writes 32 bits when the work that is in the stream now is done.
# addr [in]: a multiple of 4.
# flags [in]: of xpuStreamWriteValue_flags. Source: cuStreamWriteValue32.
# Since 0.1.
xpuStreamWriteValue32 = Function("xpuStreamWriteValue32", c.c_int, [
    Param("stream", xpuStream_t),
    Param("addr", c.c_void_p),
    Param("value", c.c_uint32),
    Param("flags", c.c_uint32),
])

# Writes 64 bits.
# addr [in]: a multiple of 8.
# flags [in]: of xpuStreamWriteValue_flags.
# Since 0.1.
xpuStreamWriteValue64 = Function("xpuStreamWriteValue64", c.c_int, [
    Param("stream", xpuStream_t),
    Param("addr", c.c_void_p),
    Param("value", c.c_uint64),
    Param("flags", c.c_uint32),
])

# Makes what is given to the stream from now on wait until 32 bits in memory are right.
# addr [in]: a multiple of 4.
# flags [in]: of xpuStreamWaitValue_flags.
# Since 0.1.
xpuStreamWaitValue32 = Function("xpuStreamWaitValue32", c.c_int, [
    Param("stream", xpuStream_t),
    Param("addr", c.c_void_p),
    Param("value", c.c_uint32),
    Param("flags", c.c_uint32),
])

# Makes what is given to the stream from now on wait until 64 bits in memory are right. Some of
# Intel's devices cannot (xpuErrorNotSupported).
# addr [in]: a multiple of 8.
# flags [in]: of xpuStreamWaitValue_flags.
# Since 0.1.
xpuStreamWaitValue64 = Function("xpuStreamWaitValue64", c.c_int, [
    Param("stream", xpuStream_t),
    Param("addr", c.c_void_p),
    Param("value", c.c_uint64),
    Param("flags", c.c_uint32),
])

# Does several of these, one after the other.
# count [in]: 1 to 256.
# paramArray [in]: len = count; copied.
# flags [in]: 0. Source: cuStreamBatchMemOp.
# Since 0.1.
xpuStreamBatchMemOp = Function("xpuStreamBatchMemOp", c.c_int, [
    Param("stream", xpuStream_t),
    Param("count", c.c_uint32),
    Param("paramArray", c.POINTER(xpuStreamBatchMemOpParams), length="count"),
    Param("flags", c.c_uint32),
])

# Adds a node that does operations one after the other.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# nodeParams [in]: copied during the call. The operations are of the device that is current then.
# Source: cuGraphAddBatchMemOpNode.
# Since 0.1.
xpuGraphAddBatchMemOpNode = Function("xpuGraphAddBatchMemOpNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("nodeParams", c.POINTER(xpuBatchMemOpNodeParams)),
])

# Reads a node of operations.
# params_out [in,out]: `struct_size` is read, the rest is written. The array belongs to the node
# and is valid until it is set or destroyed.
# Since 0.1.
xpuGraphBatchMemOpNodeGetParams = Function("xpuGraphBatchMemOpNodeGetParams", c.c_int, [
    Param("hNode", xpuGraphNode_t),
    Param("params_out", c.POINTER(xpuBatchMemOpNodeParams), "in,out"),
])

# Replaces what a node of operations does; their number may change.
# Since 0.1.
xpuGraphBatchMemOpNodeSetParams = Function("xpuGraphBatchMemOpNodeSetParams", c.c_int, [
    Param("hNode", xpuGraphNode_t),
    Param("nodeParams", c.POINTER(xpuBatchMemOpNodeParams)),
])

# Changes the addresses, values and flags of a node of an executable, from its next launch on.
# hNode [in]: as `node` of xpuGraphExecKernelNodeSetParams().
# nodeParams [in]: as many operations as before, each of the same type.
# Errors: xpuErrorInvalidValue for other operations than before.
# Since 0.1.
xpuGraphExecBatchMemOpNodeSetParams = Function("xpuGraphExecBatchMemOpNodeSetParams", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("hNode", xpuGraphNode_t),
    Param("nodeParams", c.POINTER(xpuBatchMemOpNodeParams)),
])
