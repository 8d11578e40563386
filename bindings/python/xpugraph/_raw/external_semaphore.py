# SPDX-License-Identifier: Apache-2.0
"""xpugraph/external_semaphore.h for ctypes. Written by tools/gen: edit the header instead.

External semaphores: what another program or library signals and waits for, such as Vulkan, made
known to streams and graphs.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.exec import xpuGraphExec_t
from xpugraph._raw.graph import xpuGraphNode_t, xpuGraph_t
from xpugraph._raw.stream import xpuStream_t


class xpuExternalSemaphore_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class xpuExternalSemaphoreHandleType(IntEnum):
    """What a semaphore is imported from. CUDA's other types are refused with xpuErrorNotSupported."""
    # A descriptor of a semaphore whose signal is used up by a wait; values mean nothing.
    xpuExternalSemaphoreHandleTypeOpaqueFd = 1
    # A descriptor of a timeline: a signal sets its value, and a wait is over once the value is
    # reached or passed.
    xpuExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9


class xpuExternalSemaphoreHandle(c.Union):
    """What a type of semaphore is imported from."""

    _fields_ = [
        ("fd", c.c_int32),  # of both types
        ("reserved", c.c_uint64 * 2),  # the room of all
    ]


class xpuExternalSemaphoreHandleDesc(c.Structure):
    """A semaphore to import."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuExternalSemaphoreHandleDesc)
        ("type", c.c_int),
        ("handle", xpuExternalSemaphoreHandle),
        ("flags", c.c_uint32),  # 0
        ("reserved", c.c_uint32),  # 0
    ]


class xpuExternalSemaphoreFence(c.Structure):
    """The value of a timeline."""

    _fields_ = [
        ("value", c.c_uint64),  # not read for other types
    ]


class xpuExternalSemaphoreValues(c.Structure):
    """What types of semaphores want to know."""

    _fields_ = [
        ("fence", xpuExternalSemaphoreFence),
        ("reserved", c.c_uint32 * 14),  # 0
    ]


class xpuExternalSemaphoreSignalParams(c.Structure):
    """What a signal does to a semaphore."""

    _fields_ = [
        ("params", xpuExternalSemaphoreValues),  # `fence.value` is what a timeline gets
        ("flags", c.c_uint32),  # 0
        ("reserved", c.c_uint32 * 15),  # 0
    ]


class xpuExternalSemaphoreWaitParams(c.Structure):
    """What a wait waits for."""

    _fields_ = [
        ("params", xpuExternalSemaphoreValues),  # `fence.value` is what a timeline must reach
        ("flags", c.c_uint32),  # 0
        ("reserved", c.c_uint32 * 15),  # 0
    ]


class xpuExternalSemaphoreSignalNodeParams(c.Structure):
    """A node that signals semaphores, in the order of the array."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuExternalSemaphoreSignalNodeParams)
        ("numExtSems", c.c_uint32),  # not 0
        ("extSemArray", c.POINTER(xpuExternalSemaphore_t)),  # len = numExtSems
        ("paramsArray", c.POINTER(xpuExternalSemaphoreSignalParams)),  # len = numExtSems
    ]


class xpuExternalSemaphoreWaitNodeParams(c.Structure):
    """A node that waits for semaphores, for one after the other."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuExternalSemaphoreWaitNodeParams)
        ("numExtSems", c.c_uint32),  # not 0
        ("extSemArray", c.POINTER(xpuExternalSemaphore_t)),  # len = numExtSems
        ("paramsArray", c.POINTER(xpuExternalSemaphoreWaitParams)),  # len = numExtSems
    ]


LAYOUT = {
    "xpuExternalSemaphoreHandle": (16, [0, 0]),
    "xpuExternalSemaphoreHandleDesc": (32, [0, 4, 8, 24, 28]),
    "xpuExternalSemaphoreFence": (8, [0]),
    "xpuExternalSemaphoreValues": (64, [0, 8]),
    "xpuExternalSemaphoreSignalParams": (128, [0, 64, 68]),
    "xpuExternalSemaphoreWaitParams": (128, [0, 64, 68]),
    "xpuExternalSemaphoreSignalNodeParams": (24, [0, 4, 8, 16]),
    "xpuExternalSemaphoreWaitNodeParams": (24, [0, 4, 8, 16]),
}


# Makes a semaphore known to the current device.
# extSem_out [out]: the semaphore; the caller destroys it.
# semHandleDesc [in]: the descriptor in it belongs to the library from then on, which closes it; it
# stays the caller's if the call fails.
# Errors: xpuErrorNotSupported if the driver has no external semaphores, and for other types;
# xpuErrorInvalidValue for a descriptor that is not open or not of that type. Source:
# cudaImportExternalSemaphore.
# Since 0.1.
xpuImportExternalSemaphore = Function("xpuImportExternalSemaphore", c.c_int, [
    Param("extSem_out", c.POINTER(xpuExternalSemaphore_t), "out"),
    Param("semHandleDesc", c.POINTER(xpuExternalSemaphoreHandleDesc)),
])

# Forgets a semaphore. It returns at once; signals and waits that are queued still happen, and
# graphs that have the semaphore in a node keep what they need of it.
# Errors: xpuErrorInvalidResourceHandle for NULL or a destroyed semaphore.
# Since 0.1.
xpuDestroyExternalSemaphore = Function("xpuDestroyExternalSemaphore", c.c_int, [
    Param("extSem", xpuExternalSemaphore_t),
])

# Signals semaphores when the work that is in the stream now is done. In a capture it becomes a
# node.
# extSemArray [in]: len = numExtSems.
# paramsArray [in]: len = numExtSems; copied.
# numExtSems [in]: not 0.
# stream [in]: of the semaphores' device.
# Since 0.1.
xpuSignalExternalSemaphoresAsync = Function("xpuSignalExternalSemaphoresAsync", c.c_int, [
    Param("extSemArray", c.POINTER(xpuExternalSemaphore_t), length="numExtSems"),
    Param("paramsArray", c.POINTER(xpuExternalSemaphoreSignalParams), length="numExtSems"),
    Param("numExtSems", c.c_uint32),
    Param("stream", xpuStream_t),
])

# Makes what is given to the stream from now on wait for semaphores, for one after the other. The
# host does not wait. In a capture it becomes a node.
# extSemArray [in]: len = numExtSems.
# paramsArray [in]: len = numExtSems; copied.
# numExtSems [in]: not 0.
# stream [in]: of the semaphores' device.
# Since 0.1.
xpuWaitExternalSemaphoresAsync = Function("xpuWaitExternalSemaphoresAsync", c.c_int, [
    Param("extSemArray", c.POINTER(xpuExternalSemaphore_t), length="numExtSems"),
    Param("paramsArray", c.POINTER(xpuExternalSemaphoreWaitParams), length="numExtSems"),
    Param("numExtSems", c.c_uint32),
    Param("stream", xpuStream_t),
])

# Adds signals of semaphores.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# nodeParams [in]: copied during the call; the graph keeps what it needs of the semaphores.
# Since 0.1.
xpuGraphAddExternalSemaphoresSignalNode = Function("xpuGraphAddExternalSemaphoresSignalNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("nodeParams", c.POINTER(xpuExternalSemaphoreSignalNodeParams)),
])

# Adds waits for semaphores.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# nodeParams [in]: copied during the call; the graph keeps what it needs of the semaphores.
# Since 0.1.
xpuGraphAddExternalSemaphoresWaitNode = Function("xpuGraphAddExternalSemaphoresWaitNode", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("nodeParams", c.POINTER(xpuExternalSemaphoreWaitNodeParams)),
])

# Reads a node that signals semaphores.
# params_out [in,out]: `struct_size` is read, the rest is written. The arrays belong to the node
# and are valid until it is set or destroyed; a semaphore that was destroyed is a dead handle.
# Since 0.1.
xpuGraphExternalSemaphoresSignalNodeGetParams = Function("xpuGraphExternalSemaphoresSignalNodeGetParams", c.c_int, [
    Param("hNode", xpuGraphNode_t),
    Param("params_out", c.POINTER(xpuExternalSemaphoreSignalNodeParams), "in,out"),
])

# Reads a node that waits for semaphores.
# params_out [in,out]: as for xpuGraphExternalSemaphoresSignalNodeGetParams().
# Since 0.1.
xpuGraphExternalSemaphoresWaitNodeGetParams = Function("xpuGraphExternalSemaphoresWaitNodeGetParams", c.c_int, [
    Param("hNode", xpuGraphNode_t),
    Param("params_out", c.POINTER(xpuExternalSemaphoreWaitNodeParams), "in,out"),
])

# Replaces a node that signals semaphores; their number may change.
# Since 0.1.
xpuGraphExternalSemaphoresSignalNodeSetParams = Function("xpuGraphExternalSemaphoresSignalNodeSetParams", c.c_int, [
    Param("hNode", xpuGraphNode_t),
    Param("nodeParams", c.POINTER(xpuExternalSemaphoreSignalNodeParams)),
])

# Replaces a node that waits for semaphores; their number may change.
# Since 0.1.
xpuGraphExternalSemaphoresWaitNodeSetParams = Function("xpuGraphExternalSemaphoresWaitNodeSetParams", c.c_int, [
    Param("hNode", xpuGraphNode_t),
    Param("nodeParams", c.POINTER(xpuExternalSemaphoreWaitNodeParams)),
])

# Changes what a node of an executable signals, from its next launch on.
# hNode [in]: as `node` of xpuGraphExecKernelNodeSetParams().
# nodeParams [in]: as many semaphores as before, of the executable's device.
# Errors: xpuErrorInvalidValue for another number of semaphores and for another device.
# Since 0.1.
xpuGraphExecExternalSemaphoresSignalNodeSetParams = Function("xpuGraphExecExternalSemaphoresSignalNodeSetParams", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("hNode", xpuGraphNode_t),
    Param("nodeParams", c.POINTER(xpuExternalSemaphoreSignalNodeParams)),
])

# Changes what a node of an executable waits for, from its next launch on.
# hNode [in]: as `node` of xpuGraphExecKernelNodeSetParams().
# nodeParams [in]: as many semaphores as before, of the executable's device.
# Errors: xpuErrorInvalidValue for another number of semaphores and for another device.
# Since 0.1.
xpuGraphExecExternalSemaphoresWaitNodeSetParams = Function("xpuGraphExecExternalSemaphoresWaitNodeSetParams", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("hNode", xpuGraphNode_t),
    Param("nodeParams", c.POINTER(xpuExternalSemaphoreWaitNodeParams)),
])
