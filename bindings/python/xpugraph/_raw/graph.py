# SPDX-License-Identifier: Apache-2.0
"""xpugraph/graph.h for ctypes. Written by tools/gen: edit the header instead.

Graphs as a value: nodes of work, and edges that say what must come before what.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param


class xpuGraph_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class xpuGraphNode_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class xpuGraphNodeType(IntEnum):
    """What a node does. The numbers that are left out are not given out yet."""
    xpuGraphNodeTypeKernel = 0
    xpuGraphNodeTypeMemcpy = 1
    xpuGraphNodeTypeMemset = 2
    xpuGraphNodeTypeHost = 3
    xpuGraphNodeTypeGraph = 4  # a child graph
    xpuGraphNodeTypeEmpty = 5  # nothing; joins edges
    xpuGraphNodeTypeWaitEvent = 6
    xpuGraphNodeTypeEventRecord = 7
    xpuGraphNodeTypeExtSemaphoreSignal = 8  # see external_semaphore.h
    xpuGraphNodeTypeExtSemaphoreWait = 9
    xpuGraphNodeTypeMemAlloc = 10
    xpuGraphNodeTypeMemFree = 11
    xpuGraphNodeTypeBatchMemOp = 12  # see memop.h
    xpuGraphNodeTypeConditional = 13  # see conditional.h


class xpuGraphDependencyType(IntEnum):
    """Kinds of edges."""
    xpuGraphDependencyTypeDefault = 0
    xpuGraphDependencyTypeProgrammatic = 1  # between kernels; may start early, here it never does


class xpuGraphKernelNodePort(IntEnum):
    """Values of `from_port` of a kernel node."""
    xpuGraphKernelNodePortDefault = 0
    xpuGraphKernelNodePortProgrammatic = 1  # needs xpuGraphDependencyTypeProgrammatic
    xpuGraphKernelNodePortLaunchCompletion = 2  # from a kernel


class xpuGraphDebugDotFlags(IntEnum):
    """What xpuGraphDebugDotPrint() writes beside the topology, node types, ids, kernel names and copy
    directions; or-ed. Unknown bits are ignored.
    """
    xpuGraphDebugDotFlagsVerbose = 1  # all of them
    xpuGraphDebugDotFlagsKernelNodeParams = 4
    xpuGraphDebugDotFlagsMemcpyNodeParams = 8
    xpuGraphDebugDotFlagsMemsetNodeParams = 16
    xpuGraphDebugDotFlagsHostNodeParams = 32
    xpuGraphDebugDotFlagsEventNodeParams = 64
    xpuGraphDebugDotFlagsExtSemasSignalNodeParams = 128
    xpuGraphDebugDotFlagsExtSemasWaitNodeParams = 256
    xpuGraphDebugDotFlagsKernelNodeAttributes = 512
    xpuGraphDebugDotFlagsHandles = 1024
    xpuGraphDebugDotFlagsMemAllocNodeParams = 2048
    xpuGraphDebugDotFlagsMemFreeNodeParams = 4096
    xpuGraphDebugDotFlagsBatchMemOpNodeParams = 8192
    xpuGraphDebugDotFlagsConditionalNodeParams = 32768


class xpuGraphMemoryReportFormat(IntEnum):
    """How xpuGraphMemoryReport() tells what it knows."""
    xpuGraphMemoryReportText = 0  # a table for people; its form may change
    xpuGraphMemoryReportJson = 1  # an object for programs
    xpuGraphMemoryReportSvg = 2  # a picture: levels to the right, addresses upwards


class xpuGraphEdgeData(c.Structure):
    """What an edge carries; all zero is a full ordering with all memory visible. Every kind of edge
    gives at least that here.
    """

    _fields_ = [
        ("from_port", c.c_uint8),  # of xpuGraphKernelNodePort
        ("to_port", c.c_uint8),  # 0
        ("type", c.c_uint8),  # of xpuGraphDependencyType
        ("reserved", c.c_uint8 * 5),  # 0
    ]


LAYOUT = {
    "xpuGraphEdgeData": (8, [0, 1, 2, 3]),
}


# Makes an empty graph.
# pGraph [out]: the graph; the caller destroys it.
# flags [in]: 0.
# Since 0.1.
xpuGraphCreate = Function("xpuGraphCreate", c.c_int, [
    Param("pGraph", c.POINTER(xpuGraph_t), "out"),
    Param("flags", c.c_uint32),
])

# Destroys a graph and its nodes. Executables made from it are not affected.
# Errors: xpuErrorInvalidValue for NULL, a destroyed graph and a graph owned by a child graph node;
# xpuErrorIllegalState while it is being captured into.
# Since 0.1.
xpuGraphDestroy = Function("xpuGraphDestroy", c.c_int, [
    Param("graph", xpuGraph_t),
])

# Makes a deep copy of a graph, child graphs included. Its nodes are new; see
# xpuGraphNodeFindInClone().
# pGraphClone [out]: the copy; the caller destroys it.
# Since 0.1.
xpuGraphClone = Function("xpuGraphClone", c.c_int, [
    Param("pGraphClone", c.POINTER(xpuGraph_t), "out"),
    Param("originalGraph", xpuGraph_t),
])

# Finds the copy of a node in a clone.
# pNode [out]: the node of `clonedGraph`.
# originalNode [in]: a node of the graph from which `clonedGraph` was cloned directly.
# Errors: xpuErrorInvalidValue if the node came later, its copy was removed, or the graph is no
# clone of its graph.
# Since 0.1.
xpuGraphNodeFindInClone = Function("xpuGraphNodeFindInClone", c.c_int, [
    Param("pNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("originalNode", xpuGraphNode_t),
    Param("clonedGraph", xpuGraph_t),
])

# Adds edges: `to[i]` runs after `from[i]`. Nothing is added unless all can be. A cycle is found
# only by xpuGraphInstantiate().
# from [in]: len = numDependencies.
# to [in]: len = numDependencies.
# edgeData [in]: len = numDependencies; may be NULL, for plain edges.
# Errors: xpuErrorInvalidValue for a node of another graph, an edge to itself, an edge that exists
# or is given twice, or edge data that does not suit the nodes.
# Since 0.1.
xpuGraphAddDependencies = Function("xpuGraphAddDependencies", c.c_int, [
    Param("graph", xpuGraph_t),
    Param("from", c.POINTER(xpuGraphNode_t), length="numDependencies"),
    Param("to", c.POINTER(xpuGraphNode_t), length="numDependencies"),
    Param("edgeData", c.POINTER(xpuGraphEdgeData), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
])

# Removes edges. Nothing is removed unless all can be.
# from [in]: len = numDependencies.
# to [in]: len = numDependencies.
# edgeData [in]: len = numDependencies; may be NULL. An edge is known by its two nodes.
# Errors: xpuErrorInvalidValue for an edge that does not exist or is given twice.
# Since 0.1.
xpuGraphRemoveDependencies = Function("xpuGraphRemoveDependencies", c.c_int, [
    Param("graph", xpuGraph_t),
    Param("from", c.POINTER(xpuGraphNode_t), length="numDependencies"),
    Param("to", c.POINTER(xpuGraphNode_t), length="numDependencies"),
    Param("edgeData", c.POINTER(xpuGraphEdgeData), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
])

# Removes a node and its edges. Its handle stays recognisable as dead.
# Errors: xpuErrorInvalidValue for NULL or a node that is gone; xpuErrorIllegalState while its
# graph is being captured into.
# Since 0.1.
xpuGraphDestroyNode = Function("xpuGraphDestroyNode", c.c_int, [
    Param("node", xpuGraphNode_t),
])

# The type of a node.
# pType [out]: the type.
# Since 0.1.
xpuGraphNodeGetType = Function("xpuGraphNodeGetType", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pType", c.POINTER(c.c_int), "out"),
])

# The nodes of a graph in the order in which they were added; those of child graphs are not listed.
# nodes [out]: len = *numNodes; may be NULL, and then only the count is told.
# numNodes [in,out]: in: room in `nodes`; out: the number written, or of all nodes if `nodes` is
# NULL. Room beyond that is set to NULL; less room gives the first ones.
# Errors: xpuErrorInvalidValue if `nodes` is given and the room is 0.
# Since 0.1.
xpuGraphGetNodes = Function("xpuGraphGetNodes", c.c_int, [
    Param("graph", xpuGraph_t),
    Param("nodes", c.POINTER(xpuGraphNode_t), "out", length="*numNodes", nullable=True),
    Param("numNodes", c.POINTER(c.c_size_t), "in,out"),
])

# The nodes that nothing comes before.
# pRootNodes [out]: len = *pNumRootNodes; may be NULL.
# pNumRootNodes [in,out]: as for xpuGraphGetNodes().
# Since 0.1.
xpuGraphGetRootNodes = Function("xpuGraphGetRootNodes", c.c_int, [
    Param("graph", xpuGraph_t),
    Param("pRootNodes", c.POINTER(xpuGraphNode_t), "out", length="*pNumRootNodes", nullable=True),
    Param("pNumRootNodes", c.POINTER(c.c_size_t), "in,out"),
])

# The edges of a graph.
# from [out]: len = *numEdges; may be NULL together with `to` and `edgeData`.
# to [out]: len = *numEdges.
# edgeData [out]: len = *numEdges; may be NULL.
# numEdges [in,out]: as for xpuGraphGetNodes().
# Errors: xpuErrorLossyQuery if `edgeData` is NULL while an edge carries some; xpuErrorInvalidValue
# if only some of the arrays are given.
# Since 0.1.
xpuGraphGetEdges = Function("xpuGraphGetEdges", c.c_int, [
    Param("graph", xpuGraph_t),
    Param("from", c.POINTER(xpuGraphNode_t), "out", length="*numEdges", nullable=True),
    Param("to", c.POINTER(xpuGraphNode_t), "out", length="*numEdges"),
    Param("edgeData", c.POINTER(xpuGraphEdgeData), "out", length="*numEdges", nullable=True),
    Param("numEdges", c.POINTER(c.c_size_t), "in,out"),
])

# The nodes that a node waits for, in the order in which the edges were added.
# pDependencies [out]: len = *pNumDependencies; may be NULL.
# edgeData [out]: len = *pNumDependencies; may be NULL.
# pNumDependencies [in,out]: as for xpuGraphGetNodes().
# Errors: as for xpuGraphGetEdges().
# Since 0.1.
xpuGraphNodeGetDependencies = Function("xpuGraphNodeGetDependencies", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), "out", length="*pNumDependencies", nullable=True),
    Param("edgeData", c.POINTER(xpuGraphEdgeData), "out", length="*pNumDependencies", nullable=True),
    Param("pNumDependencies", c.POINTER(c.c_size_t), "in,out"),
])

# The nodes that wait for a node, in the order in which the edges were added.
# pDependentNodes [out]: len = *pNumDependentNodes; may be NULL.
# edgeData [out]: len = *pNumDependentNodes; may be NULL.
# pNumDependentNodes [in,out]: as for xpuGraphGetNodes().
# Errors: as for xpuGraphGetEdges().
# Since 0.1.
xpuGraphNodeGetDependentNodes = Function("xpuGraphNodeGetDependentNodes", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("pDependentNodes", c.POINTER(xpuGraphNode_t), "out", length="*pNumDependentNodes", nullable=True),
    Param("edgeData", c.POINTER(xpuGraphEdgeData), "out", length="*pNumDependentNodes", nullable=True),
    Param("pNumDependentNodes", c.POINTER(c.c_size_t), "in,out"),
])

# The number of a graph: that of its picture and of sentences about errors.
# graphID [out]: never used again by the process before 2^32 others.
# Since 0.1.
xpuGraphGetId = Function("xpuGraphGetId", c.c_int, [
    Param("hGraph", xpuGraph_t),
    Param("graphID", c.POINTER(c.c_uint32), "out"),
])

# The graph that a node is in; for a node of a child graph that is the child graph.
# phGraph [out]: the graph.
# Since 0.1.
xpuGraphNodeGetContainingGraph = Function("xpuGraphNodeGetContainingGraph", c.c_int, [
    Param("hNode", xpuGraphNode_t),
    Param("phGraph", c.POINTER(xpuGraph_t), "out"),
])

# The number of a node in its graph: that of the graph's picture and of sentences about errors. A
# node and its copy in a clone have the same.
# nodeId [out]: counted from 0 as nodes are added; not used again in this graph.
# Since 0.1.
xpuGraphNodeGetLocalId = Function("xpuGraphNodeGetLocalId", c.c_int, [
    Param("hNode", xpuGraphNode_t),
    Param("nodeId", c.POINTER(c.c_uint32), "out"),
])

# A number for tools, which no other node of the process has or will have.
# toolsNodeId [out]: not 0.
# Since 0.1.
xpuGraphNodeGetToolsId = Function("xpuGraphNodeGetToolsId", c.c_int, [
    Param("hNode", xpuGraphNode_t),
    Param("toolsNodeId", c.POINTER(c.c_uint64), "out"),
])

# Writes a picture of a graph in Graphviz's DOT language.
# path [in]: the file; it is replaced.
# flags [in]: of xpuGraphDebugDotFlags, or-ed.
# Errors: xpuErrorOperatingSystem if the file cannot be written.
# Since 0.1.
xpuGraphDebugDotPrint = Function("xpuGraphDebugDotPrint", c.c_int, [
    Param("graph", xpuGraph_t),
    Param("path", c.c_char_p),
    Param("flags", c.c_uint32),
])

# Tells where the allocation nodes of a graph are placed, from which node to which each lives, and
# how close that is to the least possible. What is captured into a private pool has no nodes; see
# xpuGraphPoolGetUsage(). Nothing runs and nothing is reserved. The JSON object has `graph`,
# `levels`, `allocations` (`node`, `bytes`, `rounded` to what was placed, `device`, `range` and
# `offset` in it, `address` as a hexadecimal string, `begins`: a node, `ends`: a node or "stays",
# `first_level`, `last_level`) and `devices` (`device`, `peak` of addresses, `reserved`: memory of
# an executable in whole pages, `lower_bound`: the most bytes that can be alive at once in any
# order that the edges allow, `exact`: false if that is only a bound from below, beyond 512
# allocations, `waste`: reserved less lower bound). Nodes are named as in the picture of
# xpuGraphDebugDotPrint(); a level is the length of the longest way to a node. Members may be
# added.
# text [out]: the report, with a 0 behind it; NULL to learn the size.
# size [in,out]: bytes: in: the room in `text`, not read if that is NULL; out: what the report has,
# the 0 included.
# Errors: xpuErrorInvalidValue for an unknown format, too little room (nothing is written then) and
# a graph with a cycle.
# Since 0.1.
xpuGraphMemoryReport = Function("xpuGraphMemoryReport", c.c_int, [
    Param("graph", xpuGraph_t),
    Param("format", c.c_int),
    Param("text", c.POINTER(c.c_char), "out"),
    Param("size", c.POINTER(c.c_size_t), "in,out"),
])
