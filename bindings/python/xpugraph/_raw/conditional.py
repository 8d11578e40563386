# SPDX-License-Identifier: Apache-2.0
"""xpugraph/conditional.h for ctypes. Written by tools/gen: edit the header instead.

Conditional nodes: graphs inside a graph that run once, again and again, or not at all, as device
code decides while the graph runs.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.graph import xpuGraph_t


class xpuGraphConditionalHandleFlags(IntEnum):
    """Flags of a conditional handle."""
    xpuGraphCondAssignDefault = 1  # each launch sets the value before its first node


class xpuGraphConditionalNodeType(IntEnum):
    """How a conditional node chooses."""
    # Runs the first body if the value is not 0, and the second one, if there is one, if it is 0.
    xpuGraphCondTypeIf = 0
    # Runs the body as long as the value is not 0, which it looks at before every turn.
    xpuGraphCondTypeWhile = 1
    xpuGraphCondTypeSwitch = 2  # Runs the body of that number; none, if there is none.


class xpuConditionalNodeParams(c.Structure):
    """A conditional node."""

    _fields_ = [
        ("handle", c.c_uint64),  # of the graph of the node, or of one around it
        ("type", c.c_int),
        # number of bodies: 1 or 2 for an if, 1 for a while, 1 or more for a switch
        ("size", c.c_uint32),
        # out: an array of the bodies, `size` entries. It belongs to the library, as the graphs in
        # it do, and is valid as long as the node.
        ("phGraph_out", c.POINTER(xpuGraph_t)),
    ]


LAYOUT = {
    "xpuConditionalNodeParams": (24, [0, 8, 12, 16]),
}


# Makes a handle for a conditional node that will be in the graph or in a body of it. Exactly one
# node must look at it when the graph is instantiated.
# pHandle_out [out]: the handle.
# defaultLaunchValue [in]: what each launch sets the value to, with xpuGraphCondAssignDefault.
# Without that flag the value is undefined until a kernel sets it.
# flags [in]: 0 or xpuGraphCondAssignDefault.
# Errors: xpuErrorInvalidValue for unknown flags; xpuErrorNotSupported for a graph inside a child
# graph node; xpuErrorMemoryAllocation.
# Since 0.1.
xpuGraphConditionalHandleCreate = Function("xpuGraphConditionalHandleCreate", c.c_int, [
    Param("pHandle_out", c.POINTER(c.c_uint64), "out"),
    Param("graph", xpuGraph_t),
    Param("defaultLaunchValue", c.c_uint32),
    Param("flags", c.c_uint32),
])
