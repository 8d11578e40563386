# SPDX-License-Identifier: Apache-2.0
"""Nodes of graphs: what they are, what is around them, and how kernels among them are launched."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Iterable, Optional, Union

from xpugraph import _raw
from xpugraph._checked import call

if TYPE_CHECKING:
    from xpugraph.graph import Graph

After = Union["Node", Iterable["Node"]]
_ATTRIBUTE = _raw.xpuLaunchAttributeID


class Node:
    """A node of a graph, which it keeps alive.

    Attributes
    ----------
    graph : Graph
    handle : int
        The `xpuGraphNode_t`, for C calls.
    """

    __slots__ = ("graph", "handle")

    def __init__(self, graph: Graph, handle: int) -> None:
        self.graph, self.handle = graph, handle

    @property
    def type(self) -> _raw.xpuGraphNodeType:
        """What it does."""
        value = ctypes.c_int()
        call.xpuGraphNodeGetType(self.handle, ctypes.byref(value))
        return _raw.xpuGraphNodeType(value.value)

    @property
    def id(self) -> int:
        """Its number in the graph: that of pictures and of sentences about errors."""
        value = ctypes.c_uint()
        call.xpuGraphNodeGetLocalId(self.handle, ctypes.byref(value))
        return value.value

    @property
    def cooperative(self) -> bool:
        """Do all work-groups of the kernel run at the same time? May be set; kernel nodes alone."""
        return bool(self._attribute(_ATTRIBUTE.xpuLaunchAttributeCooperative).cooperative)

    @cooperative.setter
    def cooperative(self, value: bool) -> None:
        """All work-groups at the same time: as many as fit, or instantiate() refuses the graph."""
        self._set_attribute(_ATTRIBUTE.xpuLaunchAttributeCooperative, cooperative=int(value))

    @property
    def priority(self) -> int:
        """The kernel's priority, lower is more urgent; used by executables that are asked to.

        May be set; kernel nodes alone. See Graph.instantiate().
        """
        return int(self._attribute(_ATTRIBUTE.xpuLaunchAttributePriority).priority)

    @priority.setter
    def priority(self, value: int) -> None:
        """Lower is more urgent."""
        self._set_attribute(_ATTRIBUTE.xpuLaunchAttributePriority, priority=value)

    def _attribute(self, which: int) -> Any:
        value = _raw.xpuLaunchAttributeValue()
        call.xpuGraphKernelNodeGetAttribute(self.handle, which, ctypes.byref(value))
        return value

    def _set_attribute(self, which: int, **member: int) -> None:
        value = _raw.xpuLaunchAttributeValue(**member)
        call.xpuGraphKernelNodeSetAttribute(self.handle, which, ctypes.byref(value))

    @property
    def dependencies(self) -> list[Node]:
        """The nodes that it waits for."""
        return self._neighbours(call.xpuGraphNodeGetDependencies)

    @property
    def dependents(self) -> list[Node]:
        """The nodes that wait for it."""
        return self._neighbours(call.xpuGraphNodeGetDependentNodes)

    def _neighbours(self, ask: Any) -> list[Node]:
        count = ctypes.c_size_t()
        ask(self.handle, None, None, ctypes.byref(count))
        found = (_raw.xpuGraphNode_t * count.value)()
        edges = (_raw.xpuGraphEdgeData * count.value)()
        if count.value:
            ask(self.handle, found, edges, ctypes.byref(count))
        return [Node(self.graph, node.value or 0) for node in found]

    def replace(self, *what: Any) -> None:
        """Replaces what it does, with the arguments of the Graph.add_…() call that made it.

        Executables made before keep what they have. Allocation, child and empty nodes have nothing
        to replace.
        """
        self.graph._replace(self, what)

    def remove(self) -> None:
        """Removes the node and its edges."""
        call.xpuGraphDestroyNode(self.handle)
        self.graph._keeping.nodes.pop(self.handle, None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and other.handle == self.handle

    def __hash__(self) -> int:
        return hash(self.handle)

    def __repr__(self) -> str:
        return f"<xpugraph.Node {self.handle:#x}>"


def handles(nodes: Optional[After]) -> Any:
    """An array of handles, in the form that C takes."""
    listed = [] if nodes is None else [nodes] if isinstance(nodes, Node) else list(nodes)
    for node in listed:
        if not isinstance(node, Node):
            raise TypeError(f"a graph has nodes, not {type(node).__name__}")
    return (_raw.xpuGraphNode_t * len(listed))(*(node.handle for node in listed))
