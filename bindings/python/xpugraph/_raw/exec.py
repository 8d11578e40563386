# SPDX-License-Identifier: Apache-2.0
"""xpugraph/exec.h for ctypes. Written by tools/gen: edit the header instead.

Executables: a graph made ready once, to be launched many times.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.graph import xpuGraphNode_t, xpuGraph_t
from xpugraph._raw.stream import xpuStream_t


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
    xpuGraphInstantiateMultipleDevicesNotSupported = 4  # `errNode_out` is for another device
    xpuGraphInstantiateConditionalHandleUnused = 5  # a handle belongs to no node


class xpuGraphInstantiateParams(c.Structure):
    """How to make an executable, and what was wrong if there is none."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuGraphInstantiateParams)
        ("result_out", c.c_int),  # out
        ("flags", c.c_uint64),  # of xpuGraphInstantiateFlags, or-ed
        ("uploadStream", xpuStream_t),  # not used without the flag Upload
        ("errNode_out", xpuGraphNode_t),  # out: the node at fault, NULL if it is no single node's
    ]


LAYOUT = {
    "xpuGraphInstantiateParams": (32, [0, 4, 8, 16, 24]),
}


# Makes an executable of a graph on the current device. It is a snapshot: the graph may be edited
# or destroyed at once. Kernels, events and modules that it uses are kept alive; memory that it
# reads and writes is not. A graph that is being captured into may be instantiated; what is
# captured later is not in it.
# pGraphExec [out]: the executable; the caller destroys it.
# flags [in]: of xpuGraphInstantiateFlags, or-ed.
# Errors: xpuErrorInvalidValue for a cycle (xpuErrorInfo names its nodes) and unknown flags;
# xpuErrorMemoryAllocation.
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

# Queues one run of an executable. It does not wait on the host. The stream must be of the device
# that was current when the executable was made. While the stream is captured, the launch becomes a
# child graph node.
# Errors: xpuErrorInvalidValue for NULL or a destroyed executable; xpuErrorInvalidResourceHandle
# for a bad stream. A node that fails while it runs is reported by the next call that waits for the
# stream.
# Since 0.1.
xpuGraphLaunch = Function("xpuGraphLaunch", c.c_int, [
    Param("graphExec", xpuGraphExec_t),
    Param("stream", xpuStream_t),
])

# Destroys an executable. It returns at once; launches that are under way run to their end, and
# what they need is released after them.
# Errors: xpuErrorInvalidValue for NULL or a destroyed executable.
# Since 0.1.
xpuGraphExecDestroy = Function("xpuGraphExecDestroy", c.c_int, [
    Param("graphExec", xpuGraphExec_t),
])
