# SPDX-License-Identifier: Apache-2.0
"""xpugraph/any_node.h for ctypes. Written by tools/gen: edit the header instead.

Nodes of any kind through one call: a tagged union of what the calls of node.h take.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.conditional import xpuConditionalNodeParams
from xpugraph._raw.exec import xpuGraphExec_t
from xpugraph._raw.external_semaphore import (
    xpuExternalSemaphoreSignalNodeParams, xpuExternalSemaphoreWaitNodeParams)
from xpugraph._raw.graph import xpuGraphEdgeData, xpuGraphNode_t, xpuGraph_t
from xpugraph._raw.memop import xpuBatchMemOpNodeParams
from xpugraph._raw.memory import xpuMemcpy3DParms
from xpugraph._raw.node import (
    xpuHostNodeParams, xpuKernelNodeParams, xpuMemAllocNodeParams, xpuMemsetParams)
from xpugraph._raw.stream import xpuEvent_t


class xpuGraphChildGraphNodeOwnership(IntEnum):
    """Who has the graph of a child graph node afterwards."""
    xpuGraphChildGraphOwnershipClone = 0  # the caller; the node gets a copy
    # The node. The graph's handle stays, for editing it; it cannot be destroyed, instantiated or
    # made the child of another node any more.
    xpuGraphChildGraphOwnershipMove = 1


class xpuMemcpyNodeParams(c.Structure):
    """A copy."""

    _fields_ = [
        ("flags", c.c_int32),  # 0
        ("reserved", c.c_int32 * 3),  # 0
        ("copyParams", xpuMemcpy3DParms),  # as for xpuGraphAddMemcpyNode()
    ]


class xpuChildGraphNodeParams(c.Structure):
    """A child graph."""

    _fields_ = [
        ("graph", xpuGraph_t),
        ("ownership", c.c_int),
        ("reserved", c.c_uint32),  # 0
    ]


class xpuEventWaitNodeParams(c.Structure):
    """A wait for an event."""

    _fields_ = [
        ("event", xpuEvent_t),
    ]


class xpuEventRecordNodeParams(c.Structure):
    """A record of an event."""

    _fields_ = [
        ("event", xpuEvent_t),
    ]


class xpuMemFreeNodeParams(c.Structure):
    """The end of an allocation."""

    _fields_ = [
        ("dptr", c.c_void_p),  # as for xpuGraphAddMemFreeNode()
    ]


class xpuGraphNodeParams_union(c.Union):
    """What a struct has for each of its kinds."""

    _fields_ = [
        ("reserved1", c.c_int64 * 29),  # the room of all; 0 behind the member that counts
        ("kernel", xpuKernelNodeParams),
        ("memcpy", xpuMemcpyNodeParams),
        ("memset", xpuMemsetParams),
        ("host", xpuHostNodeParams),
        ("graph", xpuChildGraphNodeParams),
        ("eventWait", xpuEventWaitNodeParams),
        ("eventRecord", xpuEventRecordNodeParams),
        ("extSemSignal", xpuExternalSemaphoreSignalNodeParams),
        ("extSemWait", xpuExternalSemaphoreWaitNodeParams),
        ("memOp", xpuBatchMemOpNodeParams),
        ("alloc", xpuMemAllocNodeParams),  # its `dptr` is written
        ("free", xpuMemFreeNodeParams),
        ("conditional", xpuConditionalNodeParams),  # its `phGraph_out` is written
    ]


class xpuGraphNodeParams(c.Structure):
    """What a node of any kind does."""

    _anonymous_ = ("of_kind",)
    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuGraphNodeParams)
        ("type", c.c_int),  # says which of the members counts
        ("reserved0", c.c_int32 * 2),  # 0
        ("of_kind", xpuGraphNodeParams_union),
        ("reserved2", c.c_int64),  # 0
    ]


LAYOUT = {
    "xpuMemcpyNodeParams": (160, [0, 4, 16]),
    "xpuChildGraphNodeParams": (16, [0, 8, 12]),
    "xpuEventWaitNodeParams": (8, [0]),
    "xpuEventRecordNodeParams": (8, [0]),
    "xpuMemFreeNodeParams": (8, [0]),
    "xpuGraphNodeParams_union": (232, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    "xpuGraphNodeParams": (256, [0, 4, 8, 16, 248]),
}


# Adds a node of any kind.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# dependencyData [in]: len = numDependencies; may be NULL, for plain edges.
# nodeParams [in,out]: what the kind writes is written, nothing else.
# Errors: those of the call of node.h for that kind; xpuErrorInvalidValue for an unknown type, for
# bytes that must be 0 and for edge data that does not suit the nodes.
# Since 0.1.
xpuGraphAddNode = Function("xpuGraphAddNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("dependencyData", c.POINTER(xpuGraphEdgeData), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("nodeParams", c.POINTER(xpuGraphNodeParams), "in,out"),
])

# Replaces what a node does; its edges stay.
# nodeParams [in]: of the node's own type.
# Errors: xpuErrorInvalidValue for another type than the node's; xpuErrorNotSupported for
# allocations and their ends, for conditional nodes, and for child graphs, whose graph is edited
# instead.
# Since 0.1.
xpuGraphNodeSetParams = Function("xpuGraphNodeSetParams", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("nodeParams", c.POINTER(xpuGraphNodeParams)),
])

# Changes what a node of an executable does, from its next launch on.
# node [in]: of the graph that the executable was made of; it must have been there then.
# nodeParams [in]: of the node's own type. Of a child graph, whose ownership must be Clone, the
# nodes are taken over as by xpuGraphExecChildGraphNodeSetParams().
# Errors: those of the call of exec.h for that type; as for xpuGraphNodeSetParams().
# Since 0.1.
xpuGraphExecNodeSetParams = Function("xpuGraphExecNodeSetParams", c.c_int, [
    Param("graphExec", xpuGraphExec_t),
    Param("node", xpuGraphNode_t),
    Param("nodeParams", c.POINTER(xpuGraphNodeParams)),
])
