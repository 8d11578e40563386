# SPDX-License-Identifier: Apache-2.0
"""Graphs built by hand: nodes of work, and edges that say what must come before what."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Iterable, Optional, Union

import numpy as np

from xpugraph import _lifetime, _raw, kinds
from xpugraph._checked import call, filled, raw
from xpugraph._keeping import Keeping
from xpugraph.buffer import Buffer, Shape, bytes_of
from xpugraph.conditional import Branch, Condition, add_node, make_condition
from xpugraph.device import Device, DeviceLike
from xpugraph.event import Event
from xpugraph.exec import GraphExec
from xpugraph.external_semaphore import ExternalSemaphore
from xpugraph.kernel import Dim, Kernel
from xpugraph.kinds import Kind
from xpugraph.memop import MemOp
from xpugraph.memory import Memory
from xpugraph.node import After, Node, handles
from xpugraph.picture import Pictured

_REPORTS = {"text": 0, "json": 1, "svg": 2}


class Graph(Pictured):
    """A graph of device work.

    The ``add_…()`` methods take the nodes that come before the new one as ``after`` and return the
    new node. Buffers, events and functions given to a graph live as long as its nodes and the
    executables made of them.
    """

    def __init__(self) -> None:
        handle = _raw.xpuGraph_t()
        call.xpuGraphCreate(ctypes.byref(handle), 0)
        _lifetime.note_use()
        self._own(handle.value or 0)

    def _own(self, handle: int) -> None:
        #: The `xpuGraph_t`, for C calls.
        self.handle = handle
        self._keeping = Keeping()
        # The graph that a body or a moved child graph is inside of, and that keeps for it.
        self._around: Optional[Graph] = None

    @staticmethod
    def _of(handle: int, captured: Iterable[Any] = ()) -> Graph:
        graph = Graph.__new__(Graph)
        graph._own(handle)
        graph._keeping.captured[handle] = tuple(captured)
        return graph

    def kept(self) -> list[Any]:
        """All that the graph keeps alive."""
        return self._keeping.all()

    def keep(self, thing: Any) -> None:
        """Keeps something alive as long as the graph, its copies and what is made of them.

        For what its nodes use and the package does not know, such as memory given by its address.
        """
        self._keeping.also.append(thing)

    def _add(self, kind: Kind, after: Optional[After], *what: Any) -> Node:
        packed = kind.pack(*what)
        before = handles(after)
        node = _raw.xpuGraphNode_t()
        getattr(call, kind.add)(ctypes.byref(node), self.handle, before, len(before),
                                *packed.values)
        made = node.value or 0
        self._keeping.nodes[made] = (kind, packed.kept)
        return Node(self, made)

    def _captured_again(self, captured: Iterable[Any]) -> None:
        self._keeping.capture_again(self.handle, (n.handle for n in self.nodes), captured)

    def _kind_of(self, node: Node) -> Optional[Kind]:
        kind, _ = self._keeping.nodes.get(node.handle, (None, ()))
        return kind

    def _replace(self, node: Node, what: tuple[Any, ...]) -> None:
        kind = self._kind_of(node)
        if kind is None or kind.replace is None:
            raise TypeError("what this node does cannot be replaced from here")
        packed = kind.packed(what)
        getattr(call, kind.replace)(node.handle, *packed.values)
        self._keeping.nodes[node.handle] = (kind, packed.kept)

    def add_kernel(self, kernel: Kernel, grid: Dim, block: Dim, *arguments: Any,
                   after: Optional[After] = None) -> Node:
        """A kernel.

        Parameters
        ----------
        kernel : Kernel
        grid, block : int or tuple of int
            Work-groups, and work-items of one, in up to three dimensions.
        arguments
            As in ``kernel[grid, block](*arguments)``.
        """
        return self._add(kinds.KERNEL, after, kernel, grid, block, arguments)

    def add_memcpy(self, target: Any, source: Any, nbytes: Optional[int] = None,
                   after: Optional[After] = None) -> Node:
        """A copy between buffers, NumPy arrays and addresses.

        Parameters
        ----------
        target, source : Buffer, numpy.ndarray or int
            Arrays without gaps. They are kept; what an address names is not.
        nbytes : int, optional
            All of it by default, which both must agree on.
        """
        return self._add(kinds.MEMCPY, after, target, source, nbytes)

    def add_memcpy3d(self, target: Any, source: Any, extent: tuple[int, int, int],
                     target_pitch: int, source_pitch: int, target_rows: int = 0,
                     source_rows: int = 0, after: Optional[After] = None) -> Node:
        """A copy of a block.

        Parameters
        ----------
        target, source : Buffer, numpy.ndarray or int
            As in add_memcpy().
        extent : (int, int, int)
            Bytes of a row, rows, slices.
        target_pitch, source_pitch : int
            Bytes from row to row.
        target_rows, source_rows : int
            Rows from slice to slice; those of the extent by default.
        """
        return self._add(kinds.MEMCPY_3D, after, target, source, extent, target_pitch,
                         source_pitch, target_rows, source_rows)

    def add_memset(self, target: Buffer, value: Any, rows: Optional[tuple[int, int, int]] = None,
                   after: Optional[After] = None) -> Node:
        """A fill with a value of the buffer's dtype, of 1, 2 or 4 bytes or of one byte repeated.

        Parameters
        ----------
        target : Buffer
        value : scalar
        rows : (int, int, int), optional
            Elements of a row, rows, and bytes from row to row; the whole buffer by default.
        """
        return self._add(kinds.MEMSET, after, target, value, rows)

    def add_host(self, function: Callable[[], Any], after: Optional[After] = None) -> Node:
        """A call on a thread of the library; the function must not use this package."""
        return self._add(kinds.HOST, after, function)

    def add_child(self, graph: Graph, after: Optional[After] = None, move: bool = False) -> Node:
        """Another graph, which runs in place of the node.

        Parameters
        ----------
        graph : Graph
        move : bool
            The graph goes into the node and can be edited there, but cannot be instantiated or
            given to another node any more. Otherwise the node gets a copy.
        """
        if not move:
            return self._add(kinds.CHILD, after, graph)
        params = filled(_raw.xpuGraphNodeParams, type=int(kinds.CHILD.type))
        params.graph.graph = graph.handle
        params.graph.ownership = int(_raw.xpuGraphChildGraphNodeOwnership.xpuGraphChildGraphOwnershipMove)
        before, made = handles(after), _raw.xpuGraphNode_t()
        call.xpuGraphAddNode(ctypes.byref(made), self.handle, before, None, len(before),
                             ctypes.byref(params))
        graph._go_into(self)
        return Node(self, made.value or 0)

    def add_empty(self, after: Optional[After] = None) -> Node:
        """A node that does nothing but join edges."""
        return self._add(kinds.EMPTY, after)

    def add_event_record(self, event: Event, after: Optional[After] = None) -> Node:
        """A record of an event at every launch."""
        return self._add(kinds.EVENT_RECORD, after, event)

    def add_event_wait(self, event: Event, after: Optional[After] = None) -> Node:
        """A wait for the record of an event that is the last one when the graph is launched."""
        return self._add(kinds.EVENT_WAIT, after, event)

    def add_semaphore_signal(self, semaphore: ExternalSemaphore, value: int = 0,
                             after: Optional[After] = None) -> Node:
        """A signal of an external semaphore at every launch.

        Parameters
        ----------
        semaphore : ExternalSemaphore
        value : int, optional
            What a timeline gets; without a meaning for others.
        """
        return self._add(kinds.SEMAPHORE_SIGNAL, after, semaphore, value)

    def add_semaphore_wait(self, semaphore: ExternalSemaphore, value: int = 0,
                           after: Optional[After] = None) -> Node:
        """A wait at every launch, for a timeline until it has the value: see add_semaphore_signal()."""
        return self._add(kinds.SEMAPHORE_WAIT, after, semaphore, value)

    def add_batch(self, *operations: MemOp, after: Optional[After] = None) -> Node:
        """Writes of values and waits for them, one after the other, at every launch."""
        return self._add(kinds.BATCH, after, *operations)

    def add_mem_alloc(self, shape: Shape, dtype: Any = np.float32, device: DeviceLike = None,
                      after: Optional[After] = None) -> tuple[Node, Buffer]:
        """An allocation of the graph.

        Parameters
        ----------
        shape : int or sequence of int
        dtype : dtype-like

        Returns
        -------
        (Node, Buffer)
            The buffer is for the nodes behind the node, and dead behind the node that frees it.
        """
        extents = (shape,) if isinstance(shape, int) else tuple(shape)
        kind, where = np.dtype(dtype), Device(device)
        nbytes = bytes_of(extents, kind)
        node = self._add(kinds.MEM_ALLOC, after, nbytes, where)
        params = _raw.xpuMemAllocNodeParams(ctypes.sizeof(_raw.xpuMemAllocNodeParams))
        call.xpuGraphMemAllocNodeGetParams(node.handle, ctypes.byref(params))
        # The graph keeps the buffers of its nodes, so the buffer must not keep the graph.
        memory = Memory(params.dptr, nbytes, "device", where, owner="a graph")
        return node, Buffer(memory, extents, kind)

    def add_mem_free(self, buffer: Union[Buffer, int], after: Optional[After] = None) -> Node:
        """The end of an allocation of this graph or of another one."""
        return self._add(kinds.MEM_FREE, after, buffer)

    def condition(self, value: Optional[int] = None) -> Condition:
        """A value for one conditional node of this graph or of a body in it.

        Parameters
        ----------
        value : int, optional
            What each launch sets it to. Without one it is undefined until a kernel sets it.
        """
        return make_condition(self.handle, value or 0, value is not None)

    def add_if(self, condition: Condition, orelse: bool = False,
               after: Optional[After] = None) -> Branch:
        """Runs a body if a value is not 0.

        Parameters
        ----------
        condition : Condition
        orelse : bool
            There is a second body, which runs if the value is 0.
        """
        return self._branch("If", condition, 1 + orelse, after)

    def add_while(self, condition: Condition, after: Optional[After] = None) -> Branch:
        """Runs a body as long as the value is not 0, which it looks at before every turn."""
        return self._branch("While", condition, 1, after)

    def add_switch(self, condition: Condition, count: int,
                   after: Optional[After] = None) -> Branch:
        """Runs the body whose number a value is, or none if there is no such.

        Parameters
        ----------
        condition : Condition
        count : int
            Number of bodies.
        """
        return self._branch("Switch", condition, count, after)

    def _branch(self, kind: str, condition: Condition, size: int,
                after: Optional[After]) -> Branch:
        node, bodies = add_node(self.handle, handles(after), condition, kind, size)
        return Branch(Node(self, node), [self._body(handle) for handle in bodies])

    def _body(self, handle: int) -> Graph:
        body = Graph._of(handle)
        body._go_into(self)
        return body

    def _go_into(self, graph: Graph) -> None:
        graph._keeping.take_in(self._keeping)
        self._keeping, self._around = graph._keeping, graph

    def add_edge(self, before: Node, behind: Node) -> None:
        """Makes a node wait for another one. A cycle is found only by instantiate().

        Parameters
        ----------
        before, behind : Node
            Of this graph; `behind` waits.
        """
        call.xpuGraphAddDependencies(self.handle, handles(before), handles(behind), None, 1)

    def remove_edge(self, before: Node, behind: Node) -> None:
        """Takes back what add_edge() of the same nodes did; see add_edge()."""
        call.xpuGraphRemoveDependencies(self.handle, handles(before), handles(behind), None, 1)

    @property
    def id(self) -> int:
        """Its number in the process: that of pictures and of sentences about errors."""
        value = ctypes.c_uint()
        call.xpuGraphGetId(self.handle, ctypes.byref(value))
        return value.value

    @property
    def nodes(self) -> list[Node]:
        """The nodes in the order in which they were added, without those of child graphs."""
        return self._list(call.xpuGraphGetNodes)

    @property
    def roots(self) -> list[Node]:
        """The nodes that nothing comes before."""
        return self._list(call.xpuGraphGetRootNodes)

    def _list(self, ask: Any) -> list[Node]:
        count = ctypes.c_size_t()
        ask(self.handle, None, ctypes.byref(count))
        found = (_raw.xpuGraphNode_t * count.value)()
        if count.value:
            ask(self.handle, found, ctypes.byref(count))
        return [Node(self, node.value or 0) for node in found]

    @property
    def edges(self) -> list[tuple[Node, Node]]:
        """The pairs (before, behind)."""
        return [(before, node) for node in self.nodes for before in node.dependencies]

    def __len__(self) -> int:
        count = ctypes.c_size_t()
        call.xpuGraphGetNodes(self.handle, None, ctypes.byref(count))
        return count.value

    def __bool__(self) -> bool:
        return True

    def clone(self) -> Graph:
        """A deep copy; see find()."""
        handle = _raw.xpuGraph_t()
        call.xpuGraphClone(ctypes.byref(handle), self.handle)
        copy = Graph._of(handle.value or 0)
        copy._keeping = self._keeping.copy(self.handle, copy.handle, (n.handle for n in self.nodes),
                                           lambda node: copy.find(Node(self, node)).handle)
        return copy

    def find(self, original: Node) -> Node:
        """The copy of a node in this graph, which was cloned from the node's graph."""
        node = _raw.xpuGraphNode_t()
        call.xpuGraphNodeFindInClone(ctypes.byref(node), original.handle, self.handle)
        return Node(self, node.value or 0)

    def instantiate(self, device: DeviceLike = None, *, auto_free_on_launch: bool = False,
                    auto_free_on_destroy: bool = False,
                    use_node_priority: bool = False) -> GraphExec:
        """An executable of the graph as it is now, on a device, the current one by default.

        Parameters
        ----------
        auto_free_on_launch, auto_free_on_destroy : bool
            When to free allocations of the graph that it does not free itself.
        use_node_priority : bool
            Kernels of an urgent priority run in an urgent queue, with what is in order with them.

        Raises
        ------
        InvalidValue
            The graph has a cycle; the sentence names its nodes.
        """
        return GraphExec(self.handle, self.kept(), Device(device), auto_free_on_launch,
                         auto_free_on_destroy, use_node_priority)

    def memory_report(self, form: str = "text") -> str:
        """Where the allocation nodes lie, how long each lives, and how close that is to the least.

        Parameters
        ----------
        form : {"text", "json", "svg"}
        """
        if form not in _REPORTS:
            raise ValueError(f"a report is one of {', '.join(_REPORTS)}, not {form!r}")
        size = ctypes.c_size_t()
        call.xpuGraphMemoryReport(self.handle, _REPORTS[form], None, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        call.xpuGraphMemoryReport(self.handle, _REPORTS[form], text, ctypes.byref(size))
        return text.value.decode("utf-8")

    def __repr__(self) -> str:
        return f"<xpugraph.Graph {self.handle:#x} of {len(self)} nodes>"

    @_lifetime.finaliser
    def __del__(self) -> None:
        handle, kept = getattr(self, "handle", 0), getattr(self, "_keeping", None)
        if handle and not getattr(self, "_around", None):
            _lifetime.release(lambda: (raw.xpuGraphDestroy(handle), kept))
