# SPDX-License-Identifier: Apache-2.0
"""xpugraph/exec.h for ctypes. Written by tools/gen: edit the header instead.

Executables: a graph made ready once, to be launched many times.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.graph import xpuGraphNode_t, xpuGraph_t
from xpugraph._raw.memory import xpuMemcpy3DParms
from xpugraph._raw.node import xpuHostNodeParams, xpuKernelNodeParams, xpuMemsetParams
from xpugraph._raw.stream import xpuEvent_t, xpuStream_t


class xpuGraphExec_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class xpuGraphInstantiateFlags(IntEnum):
    """Flags of an executable."""
    # Each launch first frees what the launch before it left allocated. No effect on a graph
    # without memory nodes.
    xpuGraphInstantiateFlagAutoFreeOnLaunch = 1
    # For xpuGraphInstantiateWithParams(), which has a stream for it; others refuse it with
    # xpuErrorInvalidValue, as CUDA does.
    xpuGraphInstantiateFlagUpload = 2
    xpuGraphInstantiateFlagDeviceLaunch = 4  # refused with xpuErrorNotSupported
    # Kernel nodes with a priority (xpuLaunchAttributePriority) that is more urgent than 0 run in a
    # queue of that priority, together with what the executable runs in order with them. The rest
    # runs, and without the flag all runs, at the priority of the stream of the launch.
    xpuGraphInstantiateFlagUseNodePriority = 8
    # What the last launch left allocated is freed when the executable is destroyed; CUDA has no
    # such flag, and leaks it.
    xpuGraphInstantiateFlagAutoFreeOnDestroy = 256


class xpuGraphInstantiateResult(IntEnum):
    """What became of xpuGraphInstantiateWithParams()."""
    xpuGraphInstantiateSuccess = 0
    xpuGraphInstantiateError = 1  # for a reason that is none of the below
    xpuGraphInstantiateInvalidStructure = 2  # a cycle; `errNode_out` is in it
    xpuGraphInstantiateNodeOperationNotSupported = 3  # what `errNode_out` does cannot be done
    # `errNode_out` has a body on another device, or is on the ninth one
    xpuGraphInstantiateMultipleDevicesNotSupported = 4
    xpuGraphInstantiateConditionalHandleUnused = 5  # a handle belongs to no node


class xpuGraphExecUpdateResult(IntEnum):
    """What became of xpuGraphExecUpdate()."""
    xpuGraphExecUpdateSuccess = 0
    xpuGraphExecUpdateError = 1  # for a reason that is none of the below
    xpuGraphExecUpdateErrorTopologyChanged = 2  # other nodes or other edges
    xpuGraphExecUpdateErrorNodeTypeChanged = 3
    xpuGraphExecUpdateErrorFunctionChanged = 4  # not given here: kernels may be exchanged
    xpuGraphExecUpdateErrorParametersChanged = 5  # in a way that an update cannot
    xpuGraphExecUpdateErrorNotSupported = 6  # nodes of this kind cannot be updated
    xpuGraphExecUpdateErrorUnsupportedFunctionChange = 7  # to a kernel of another device
    xpuGraphExecUpdateErrorAttributesChanged = 8


class xpuGraphInstantiateParams(c.Structure):
    """How to make an executable, and what was wrong if there is none."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuGraphInstantiateParams)
        ("result_out", c.c_int),  # out
        ("flags", c.c_uint64),  # of xpuGraphInstantiateFlags, or-ed
        ("uploadStream", xpuStream_t),  # not used without the flag Upload
        # out: the node at fault, NULL if it is no single node's; a conditional node for what is in
        # a body of it
        ("errNode_out", xpuGraphNode_t),
    ]


class xpuGraphExecUpdateResultInfo(c.Structure):
    """Why xpuGraphExecUpdate() refused a graph. Nodes are of that graph, or of a child graph in it."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuGraphExecUpdateResultInfo)
        ("result", c.c_int),
        ("errorNode", xpuGraphNode_t),  # the node that differs; NULL if there are more or fewer
        # where an edge to `errorNode` begins that differs, else NULL
        ("errorFromNode", xpuGraphNode_t),
    ]


LAYOUT = {
    "xpuGraphInstantiateParams": (32, [0, 4, 8, 16, 24]),
    "xpuGraphExecUpdateResultInfo": (24, [0, 4, 8, 16]),
}


# Makes an executable of a graph on the current device. Nodes may be on up to seven other devices,
# too: a kernel runs on the device of its module, a record on that of the event, a fill on that of
# the memory, a copy on that of the device memory that it touches. A copy between two devices runs
# on the source's if that reaches the target's memory, else on the target's, and if neither reaches
# the other it goes through host memory that the executable has for it. Everything else runs on the
# current device, and so do bodies of conditional nodes. An executable is a snapshot: the graph may
# be edited or destroyed at once. Kernels, events and modules that it uses are kept alive; memory
# that it reads and writes is not. A graph that is being captured into may be instantiated; what is
# captured later is not in it.
# pGraphExec [out]: the executable; the caller destroys it.
# flags [in]: of xpuGraphInstantiateFlags, or-ed.
# Errors: xpuErrorInvalidValue for a cycle (xpuErrorInfo names its nodes), for unknown flags and
# for the body of a conditional node on another device; xpuErrorNotSupported for more than eight
# devices; xpuErrorMemoryAllocation.
# Since 0.1.
xpuGraphInstantiate = Function("xpuGraphInstantiate", c.c_int, [
    Param("pGraphExec", c.POINTER(xpuGraphExec_t), "out"),
    Param("graph", xpuGraph_t),
    Param("flags", c.c_uint64),
])

# The same as xpuGraphInstantiate(), by CUDA's older name.
# Since 0.1.
xpuGraphInstantiateWithFlags = Function("xpuGraphInstantiateWithFlags", c.c_int, [
    Param("pGraphExec", c.POINTER(xpuGraphExec_t)),
    Param("graph", xpuGraph_t),
    Param("flags", c.c_uint64),
])

# Makes an executable of a graph on the current device, as xpuGraphInstantiate() does. With the
# flag Upload it is uploaded in `uploadStream`, too, as by xpuGraphUpload().
# pGraphExec [out]: the executable; the caller destroys it.
# instantiateParams [in,out]: `result_out` and `errNode_out` are written, after failures, too.
# Errors: those of xpuGraphInstantiate() and xpuGraphUpload(); nothing is left behind then.
# Since 0.1.
xpuGraphInstantiateWithParams = Function("xpuGraphInstantiateWithParams", c.c_int, [
    Param("pGraphExec", c.POINTER(xpuGraphExec_t), "out"),
    Param("graph", xpuGraph_t),
    Param("instantiateParams", c.POINTER(xpuGraphInstantiateParams), "in,out"),
])

# The number of an executable. Graphs and executables are counted together.
# graphID [out]: never used again by the process before 2^32 others.
# Since 0.1.
xpuGraphExecGetId = Function("xpuGraphExecGetId", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("graphID", c.POINTER(c.c_uint32), "out"),
])

# The flags with which an executable was made.
# flags [out]: of xpuGraphInstantiateFlags, or-ed, without Upload.
# Since 0.1.
xpuGraphExecGetFlags = Function("xpuGraphExecGetFlags", c.c_int, [
    Param("graphExec", xpuGraphExec_t),
    Param("flags", c.POINTER(c.c_uint64), "out"),
])

# Does now what the first launch would otherwise do, without running anything.
# stream [in]: the stream of the coming launches.
# Since 0.1.
xpuGraphUpload = Function("xpuGraphUpload", c.c_int, [
    Param("graphExec", xpuGraphExec_t),
    Param("stream", xpuStream_t),
])

# Queues one run of an executable. It does not wait on the host. All nodes, on all devices, come
# after the stream's earlier work and before its later work. The stream may be of any device; one
# of the device that was current when the executable was made costs least. While the stream is
# captured, the launch becomes a child graph node.
# Errors: xpuErrorNotSupported for a graph with conditional nodes in a stream of another device;
# xpuErrorInvalidValue for NULL or a destroyed executable; xpuErrorInvalidResourceHandle for a bad
# stream. A node that fails while it runs is reported by the next call that waits for the stream.
# Since 0.1.
xpuGraphLaunch = Function("xpuGraphLaunch", c.c_int, [
    Param("graphExec", xpuGraphExec_t),
    Param("stream", xpuStream_t),
])

# Makes an executable do what the nodes of a graph do. The graph must have the same form: nodes of
# the same types with the same edges. It may be the one that the executable was made of, a copy, or
# another one; it is best built by the same calls in the same order. Nodes are paired from the last
# ones (that nothing depends on), in the order in which they were added, along their dependencies,
# in the order in which those were. What may change is said at the setters below, which follow the
# same rules; nodes that do the same as before cost next to nothing. Which nodes are disabled does
# not change. The executable is known by the same nodes as before: those of the graph it was made
# of.
# hGraph [in]: it may be edited or destroyed at once. What it keeps alive, the executable keeps
# from now on, and lets go of what it kept before.
# resultInfo [in,out]: `struct_size` is read; the rest is written if the graph was compared.
# Errors: xpuErrorGraphExecUpdateFailure if the graph is refused: `resultInfo` and
# xpuGetLastErrorInfo() say why, and the executable is as it was. xpuErrorInvalidValue,
# xpuErrorMemoryAllocation. Source: cudaGraphExecUpdate.
# Since 0.1.
xpuGraphExecUpdate = Function("xpuGraphExecUpdate", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("hGraph", xpuGraph_t),
    Param("resultInfo", c.POINTER(xpuGraphExecUpdateResultInfo), "in,out"),
])

# Changes what a kernel node does: another kernel, sizes, arguments. A kernel whose arguments and
# sizes alone change is patched in its command list; the first such change encodes that list anew.
# node [in]: of the graph that the executable was made of, or of a child graph in it (see
# xpuGraphChildGraphNodeGetGraph()); it must have been there then.
# pNodeParams [in]: copied during the call.
# Errors: as for xpuGraphAddKernelNode(); xpuErrorInvalidValue for a node that is none of the
# executable's and a kernel of another device.
# Since 0.1.
xpuGraphExecKernelNodeSetParams = Function("xpuGraphExecKernelNodeSetParams", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuKernelNodeParams)),
])

# Changes what a copy node does. The old and the new copy have one row; the direction and the types
# of memory stay. The command list with the node is encoded anew.
# node [in]: as for xpuGraphExecKernelNodeSetParams().
# Errors: as for xpuGraphAddMemcpyNode(); xpuErrorInvalidValue for what has to stay.
# Since 0.1.
xpuGraphExecMemcpyNodeSetParams = Function("xpuGraphExecMemcpyNodeSetParams", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuMemcpy3DParms)),
])

# The same for a run of bytes.
# count [in]: bytes.
# Errors: as for xpuGraphAddMemcpyNode1D(); xpuErrorInvalidValue for what has to stay.
# Since 0.1.
xpuGraphExecMemcpyNodeSetParams1D = Function("xpuGraphExecMemcpyNodeSetParams1D", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("node", xpuGraphNode_t),
    Param("dst", c.c_void_p),
    Param("src", c.c_void_p),
    Param("count", c.c_size_t),
    Param("kind", c.c_int),
])

# Changes what a fill node does. The type of memory and the number of rows stay; of a fill of
# several rows only the address and the value may change. The command list with the node is encoded
# anew.
# node [in]: as for xpuGraphExecKernelNodeSetParams().
# Errors: as for xpuGraphAddMemsetNode(); xpuErrorInvalidValue for what has to stay.
# Since 0.1.
xpuGraphExecMemsetNodeSetParams = Function("xpuGraphExecMemsetNodeSetParams", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuMemsetParams)),
])

# Changes what a host node calls. Both members may change.
# node [in]: as for xpuGraphExecKernelNodeSetParams().
# Since 0.1.
xpuGraphExecHostNodeSetParams = Function("xpuGraphExecHostNodeSetParams", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("node", xpuGraphNode_t),
    Param("pNodeParams", c.POINTER(xpuHostNodeParams)),
])

# Changes what the nodes inside a child graph node do, as xpuGraphExecUpdate() does for all.
# node [in]: as for xpuGraphExecKernelNodeSetParams().
# childGraph [in]: of the same form as the child graph.
# Errors: xpuErrorInvalidValue if the graph has another form or changes what has to stay.
# Since 0.1.
xpuGraphExecChildGraphNodeSetParams = Function("xpuGraphExecChildGraphNodeSetParams", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("node", xpuGraphNode_t),
    Param("childGraph", xpuGraph_t),
])

# Changes the event of an event record node.
# hNode [in]: as `node` of xpuGraphExecKernelNodeSetParams().
# event [in]: it is kept alive.
# Since 0.1.
xpuGraphExecEventRecordNodeSetEvent = Function("xpuGraphExecEventRecordNodeSetEvent", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("hNode", xpuGraphNode_t),
    Param("event", xpuEvent_t),
])

# Changes the event of an event wait node.
# hNode [in]: as `node` of xpuGraphExecKernelNodeSetParams().
# event [in]: it is kept alive.
# Since 0.1.
xpuGraphExecEventWaitNodeSetEvent = Function("xpuGraphExecEventWaitNodeSetEvent", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("hNode", xpuGraphNode_t),
    Param("event", xpuEvent_t),
])

# Takes a kernel, copy or fill node out of the coming launches, or puts it back. A disabled node
# does nothing and keeps its place in the order and its parameters, which can be set meanwhile. No
# other change of the executable enables or disables a node.
# hNode [in]: as `node` of xpuGraphExecKernelNodeSetParams().
# isEnabled [in]: 0: disabled; anything else: enabled, as all nodes are at first.
# Errors: xpuErrorInvalidValue for other types of nodes and nodes that are none of the
# executable's.
# Since 0.1.
xpuGraphNodeSetEnabled = Function("xpuGraphNodeSetEnabled", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("hNode", xpuGraphNode_t),
    Param("isEnabled", c.c_uint32),
])

# Whether a node is enabled.
# hNode [in]: as for xpuGraphNodeSetEnabled().
# isEnabled [out]: 1 or 0.
# Since 0.1.
xpuGraphNodeGetEnabled = Function("xpuGraphNodeGetEnabled", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("hNode", xpuGraphNode_t),
    Param("isEnabled", c.POINTER(c.c_uint32), "out"),
])

# Destroys an executable. It returns at once; launches that are under way run to their end, and
# what they need is released after them.
# Errors: xpuErrorInvalidValue for NULL or a destroyed executable.
# Since 0.1.
xpuGraphExecDestroy = Function("xpuGraphExecDestroy", c.c_int, [
    Param("graphExec", xpuGraphExec_t),
])
