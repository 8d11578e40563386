# SPDX-License-Identifier: Apache-2.0
"""Values that conditional nodes look at, and the nodes with their bodies."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple

from xpugraph import _raw
from xpugraph._checked import call, filled

if TYPE_CHECKING:
    from xpugraph.graph import Graph
    from xpugraph.node import Node

_TYPE: Any = _raw.xpuGraphConditionalNodeType


class Condition(int):
    """A value that kernels set and a conditional node looks at.

    It is a number: the address of the value, an ``unsigned int``, for an argument of type ``ulong`` of
    a kernel, which stores to it.
    """

    def __repr__(self) -> str:
        return f"<xpugraph.Condition at {int(self):#x}>"


class Branch(NamedTuple):
    """A conditional node, and its bodies to be filled.

    Attributes
    ----------
    node : Node
    bodies : list of Graph
        They belong to the node: they can be filled and looked at, and have no executables.
    """

    node: Node
    bodies: list[Graph]


def make_condition(graph: int, value: int, at_launch: bool) -> Condition:
    """A condition of an `xpuGraph_t`."""
    handle = ctypes.c_uint64()
    flags = int(_raw.xpuGraphConditionalHandleFlags.xpuGraphCondAssignDefault)
    call.xpuGraphConditionalHandleCreate(ctypes.byref(handle), graph, value,
                                         flags if at_launch else 0)
    return Condition(handle.value)


def add_node(graph: int, before: Any, condition: int, kind: str, size: int) -> tuple[int, list[int]]:
    """Adds a conditional node to an `xpuGraph_t`; its handle, and those of its bodies."""
    params = filled(_raw.xpuGraphNodeParams,
                    type=int(_raw.xpuGraphNodeType.xpuGraphNodeTypeConditional))
    params.conditional.handle = condition
    params.conditional.type = int(getattr(_TYPE, f"xpuGraphCondType{kind}"))
    params.conditional.size = size
    node = _raw.xpuGraphNode_t()
    call.xpuGraphAddNode(ctypes.byref(node), graph, before, None, len(before), ctypes.byref(params))
    bodies = params.conditional.phGraph_out
    return node.value or 0, [bodies[i].value or 0 for i in range(size)]
