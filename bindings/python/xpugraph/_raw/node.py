# SPDX-License-Identifier: Apache-2.0
"""xpugraph/node.h for ctypes. Written by tools/gen: edit the header instead.

Nodes: one way to add each kind to a graph, and to read and replace what it does.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.graph import xpuGraphNode_t, xpuGraph_t
from xpugraph._raw.memory import xpuMemcpy3DParms
from xpugraph._raw.mempool import xpuMemAccessDesc, xpuMemPoolProps
from xpugraph._raw.module import xpuDim3, xpuKernel_t
from xpugraph._raw.stream import xpuEvent_t, xpuHostFn_t


class xpuLaunchParam(IntEnum):
    """Keys of packed arguments."""
    xpuLaunchParamEnd = 0  # no value follows
    xpuLaunchParamBufferPointer = 1  # the block; its bytes are copied
    xpuLaunchParamBufferSize = 2  # a `size_t*`: the block's bytes, up to the end of the last one


class xpuKernelNodeParams(c.Structure):
    """A kernel launch."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuKernelNodeParams)
        ("sharedMemBytes", c.c_uint32),  # as `sharedMem` of xpuLaunchKernel()
        ("func", xpuKernel_t),
        ("gridDim", xpuDim3),  # work-groups
        ("blockDim", xpuDim3),  # work-items of a work-group
        # as `args` of xpuLaunchKernel(); NULL if `extra` is given
        ("kernelParams", c.POINTER(c.c_void_p)),
        # NULL, or pairs of a key of xpuLaunchParam (as a pointer) and its value, ended by
        # xpuLaunchParamEnd: all arguments in one block, laid out as xpuKernelGetParamInfo() tells.
        ("extra", c.POINTER(c.c_void_p)),
    ]


class xpuMemsetParams(c.Structure):
    """A fill of `height` rows of `width` elements."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuMemsetParams)
        ("reserved", c.c_uint32),  # 0
        ("dst", c.c_void_p),
        ("pitch", c.c_size_t),  # bytes from row to row; not read if `height` is 1
        ("value", c.c_uint32),  # its low `elementSize` bytes are used
        ("elementSize", c.c_uint32),  # bytes: 1, 2 or 4
        ("width", c.c_size_t),  # elements
        ("height", c.c_size_t),  # rows
    ]


class xpuHostNodeParams(c.Structure):
    """A call on the host; see xpuLaunchHostFunc()."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuHostNodeParams)
        ("reserved", c.c_uint32),  # 0
        ("fn", xpuHostFn_t),
        ("userData", c.c_void_p),
    ]


class xpuMemAllocNodeParams(c.Structure):
    """Memory that a graph allocates. It is there from this node on, for what comes behind the node,
    until a free node; without one it stays allocated behind the launch, until it is freed by
    another graph, xpuFreeAsync() or xpuFree().
    """

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuMemAllocNodeParams)
        ("reserved", c.c_uint32),  # 0
        ("poolProps", xpuMemPoolProps),  # pinned memory on a device
        # other devices that use it; its own device always may
        ("accessDescs", c.POINTER(xpuMemAccessDesc)),
        ("accessDescCount", c.c_size_t),
        ("bytesize", c.c_size_t),  # bytes, not 0
        ("dptr", c.c_void_p),  # out: the address, a multiple of 512, the same at every launch
    ]


LAYOUT = {
    "xpuKernelNodeParams": (56, [0, 4, 8, 16, 28, 40, 48]),
    "xpuMemsetParams": (48, [0, 4, 8, 16, 24, 28, 32, 40]),
    "xpuHostNodeParams": (24, [0, 4, 8, 16]),
    "xpuMemAllocNodeParams": (72, [0, 4, 8, 40, 48, 56, 64]),
}


# Adds a kernel launch.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# Errors: xpuErrorInvalidDeviceFunction for a NULL kernel; xpuErrorInvalidResourceHandle for what
# is no kernel; xpuErrorInvalidValue for sizes that the device or the kernel cannot take.
# Since 0.1.
xpuGraphAddKernelNode = Function("xpuGraphAddKernelNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("pNodeParams", c.POINTER(xpuKernelNodeParams)),
])

# Adds a copy of a block.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# Errors: xpuErrorInvalidPitchValue for a pitch below the width; xpuErrorInvalidMemcpyDirection for
# an unknown kind; xpuErrorInvalidValue for an empty extent or a range that leaves its allocation.
# Since 0.1.
xpuGraphAddMemcpyNode = Function("xpuGraphAddMemcpyNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("pCopyParams", c.POINTER(xpuMemcpy3DParms)),
])

# Adds a copy of `count` bytes.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# Errors: as for xpuGraphAddMemcpyNode().
# Since 0.1.
xpuGraphAddMemcpyNode1D = Function("xpuGraphAddMemcpyNode1D", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("dst", c.c_void_p),
    Param("src", c.c_void_p),
    Param("count", c.c_size_t),
    Param("kind", c.c_int),
])

# Adds a fill.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# Errors: xpuErrorInvalidValue for another element size, an empty size, a pitch below the width,
# memory that devices cannot use, or a range that leaves its allocation.
# Since 0.1.
xpuGraphAddMemsetNode = Function("xpuGraphAddMemsetNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("pMemsetParams", c.POINTER(xpuMemsetParams)),
])

# Adds a call on the host. It holds back only the nodes that depend on it; with a driver that takes
# no host functions in command lists (Level Zero before 1.17) also others of the graph may wait.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# Since 0.1.
xpuGraphAddHostNode = Function("xpuGraphAddHostNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("pNodeParams", c.POINTER(xpuHostNodeParams)),
])

# Adds a copy of another graph, which runs in place of the node.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# childGraph [in]: cloned during the call; it may be `graph` itself.
# Since 0.1.
xpuGraphAddChildGraphNode = Function("xpuGraphAddChildGraphNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("childGraph", xpuGraph_t),
])

# Adds a node that does nothing but join edges.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# Since 0.1.
xpuGraphAddEmptyNode = Function("xpuGraphAddEmptyNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
])

# Adds a record of an event at every launch.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# event [in]: the graph keeps what it needs of it.
# Since 0.1.
xpuGraphAddEventRecordNode = Function("xpuGraphAddEventRecordNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("event", xpuEvent_t),
])

# Adds a wait for the record of an event that is the last one when the graph is launched.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# event [in]: the graph keeps what it needs of it.
# Since 0.1.
xpuGraphAddEventWaitNode = Function("xpuGraphAddEventWaitNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("event", xpuEvent_t),
])

# Reads a kernel node.
# pNodeParams [in,out]: `struct_size` is read, the rest is written. `kernelParams` and what it
# points to, or `extra` if the node was given that, belong to the node and are valid until it is
# set or destroyed. `func` is NULL if its module was unloaded; the node still runs.
# Since 0.1.
xpuGraphKernelNodeGetParams = Function("xpuGraphKernelNodeGetParams", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuKernelNodeParams), "in,out"),
])

# Replaces a kernel node; the kernel may be another one.
# Errors: as for xpuGraphAddKernelNode().
# Since 0.1.
xpuGraphKernelNodeSetParams = Function("xpuGraphKernelNodeSetParams", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuKernelNodeParams)),
])

# Reads a copy node. A copy of `count` bytes reads as one row.
# pNodeParams [in,out]: `struct_size` is read, the rest is written.
# Since 0.1.
xpuGraphMemcpyNodeGetParams = Function("xpuGraphMemcpyNodeGetParams", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuMemcpy3DParms), "in,out"),
])

# Replaces a copy node.
# Errors: as for xpuGraphAddMemcpyNode().
# Since 0.1.
xpuGraphMemcpyNodeSetParams = Function("xpuGraphMemcpyNodeSetParams", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuMemcpy3DParms)),
])

# Replaces a copy node by a copy of `count` bytes.
# Errors: as for xpuGraphAddMemcpyNode1D().
# Since 0.1.
xpuGraphMemcpyNodeSetParams1D = Function("xpuGraphMemcpyNodeSetParams1D", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("dst", c.c_void_p),
    Param("src", c.c_void_p),
    Param("count", c.c_size_t),
    Param("kind", c.c_int),
])

# Reads a fill node.
# pNodeParams [in,out]: `struct_size` is read, the rest is written.
# Since 0.1.
xpuGraphMemsetNodeGetParams = Function("xpuGraphMemsetNodeGetParams", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuMemsetParams), "in,out"),
])

# Replaces a fill node.
# Errors: as for xpuGraphAddMemsetNode().
# Since 0.1.
xpuGraphMemsetNodeSetParams = Function("xpuGraphMemsetNodeSetParams", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuMemsetParams)),
])

# Reads a host node.
# pNodeParams [in,out]: `struct_size` is read, the rest is written.
# Since 0.1.
xpuGraphHostNodeGetParams = Function("xpuGraphHostNodeGetParams", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuHostNodeParams), "in,out"),
])

# Replaces a host node.
# Since 0.1.
xpuGraphHostNodeSetParams = Function("xpuGraphHostNodeSetParams", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuHostNodeParams)),
])

# The graph inside a child graph node.
# pGraph [out]: it belongs to the node: editing it changes the node, and it must not be destroyed.
# Since 0.1.
xpuGraphChildGraphNodeGetGraph = Function("xpuGraphChildGraphNodeGetGraph", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pGraph", c.POINTER(xpuGraph_t), "out"),
])

# The event of an event record node.
# event_out [out]: the event; if it was destroyed, a dead handle.
# Since 0.1.
xpuGraphEventRecordNodeGetEvent = Function("xpuGraphEventRecordNodeGetEvent", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("event_out", c.POINTER(xpuEvent_t), "out"),
])

# Replaces the event of an event record node.
# Since 0.1.
xpuGraphEventRecordNodeSetEvent = Function("xpuGraphEventRecordNodeSetEvent", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("event", xpuEvent_t),
])

# The event of an event wait node.
# event_out [out]: the event; if it was destroyed, a dead handle.
# Since 0.1.
xpuGraphEventWaitNodeGetEvent = Function("xpuGraphEventWaitNodeGetEvent", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("event_out", c.POINTER(xpuEvent_t), "out"),
])

# Replaces the event of an event wait node.
# Since 0.1.
xpuGraphEventWaitNodeSetEvent = Function("xpuGraphEventWaitNodeSetEvent", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("event", xpuEvent_t),
])

# Adds an allocation. Its address is decided now: memory of an earlier allocation of the graph is
# used again if that is freed by a node that comes before this one, over whatever path; what may
# run at the same time never shares. From here on no node and no edge of the graph can be removed,
# the graph cannot be cloned or be copied as a child graph (it can move into a node, and gets no
# more memory nodes then), and it can have one executable at a time.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# nodeParams [in,out]: `dptr` is written.
# Errors: xpuErrorMemoryAllocation for more than the device has; xpuErrorNotSupported for shared
# handles and access that is not for reading and writing; xpuErrorInvalidValue.
# Since 0.1.
xpuGraphAddMemAllocNode = Function("xpuGraphAddMemAllocNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("nodeParams", c.POINTER(xpuMemAllocNodeParams), "in,out"),
])

# Adds the end of an allocation of this graph or of another one. Everything that uses the memory
# must come before the node.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# dptr [in]: the address of an allocation node that neither its own graph nor this one frees
# already.
# Errors: xpuErrorInvalidValue for any other address.
# Since 0.1.
xpuGraphAddMemFreeNode = Function("xpuGraphAddMemFreeNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("dptr", c.c_void_p),
])

# params_out [out]: as they were given, with the address. `accessDescs` points to memory of the
# calling thread that is valid until it asks again.
# Since 0.1.
xpuGraphMemAllocNodeGetParams = Function("xpuGraphMemAllocNodeGetParams", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("params_out", c.POINTER(xpuMemAllocNodeParams), "out"),
])

# dptr_out [out]: a `void*`: the address.
# Since 0.1.
xpuGraphMemFreeNodeGetParams = Function("xpuGraphMemFreeNodeGetParams", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("dptr_out", c.c_void_p, "out"),
])
