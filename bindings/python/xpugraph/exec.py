# SPDX-License-Identifier: Apache-2.0
"""Executables: a graph made ready once, to be launched many times."""
from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from xpugraph import _capturing, _lifetime, _raw
from xpugraph._checked import call, failure, raw
from xpugraph._lease import Lease
from xpugraph.buffer import Buffer
from xpugraph.device import Device
from xpugraph.error import UpdateRefused
from xpugraph.memory import Memory
from xpugraph.profile import Profile, profile_of
from xpugraph.stream import Stream, current_stream, stream_on

if TYPE_CHECKING:
    from xpugraph.graph import Graph
    from xpugraph.node import Node

_FLAGS = _raw.xpuGraphInstantiateFlags
_launch = raw.xpuGraphLaunch


class GraphExec:
    """An executable of a graph: a snapshot, which later changes of the graph do not touch.

    Made by Graph.instantiate(). It keeps the buffers, events and host functions of the graph, also
    after it is dropped itself, until its last launch is over.
    """

    def __init__(self, graph: int, kept: Sequence[Any], device: Device,
                 auto_free_on_launch: bool = False, auto_free_on_destroy: bool = False,
                 use_node_priority: bool = False) -> None:
        flags = int(_FLAGS.xpuGraphInstantiateFlagAutoFreeOnLaunch) if auto_free_on_launch else 0
        flags |= int(_FLAGS.xpuGraphInstantiateFlagAutoFreeOnDestroy) if auto_free_on_destroy else 0
        flags |= int(_FLAGS.xpuGraphInstantiateFlagUseNodePriority) if use_node_priority else 0
        handle = _raw.xpuGraphExec_t()
        with device:
            call.xpuGraphInstantiate(ctypes.byref(handle), graph, flags)
        #: The `xpuGraphExec_t`, for C calls.
        self.handle: int = handle.value or 0
        self.device = device
        self._kept = tuple(kept)
        self._changed: dict[int, tuple[Any, ...]] = {}  # what nodes keep that were changed since
        self._leases: dict[int, Lease] = {}  # of the streams in which it was launched
        self._told: set[int] = set()  # those for which memory knows of it

    def launch(self, stream: Optional[Stream] = None) -> None:
        """Queues one run in a stream, by default the device's current one.

        It does not wait. While the stream is captured, the launch becomes a child graph node.
        """
        if stream is None:
            stream = stream_on(self.device.index)
        code = _launch(self.handle, stream.handle)
        if code:
            raise failure(code)
        if id(stream.lease) not in self._told:
            self._used_in(stream)
        session = _capturing.session_of(stream)
        if session is not None:
            session.keep(self._things())

    def _things(self) -> tuple[Any, ...]:
        return (*self._kept, *(thing for kept in self._changed.values() for thing in kept))

    def _used_in(self, stream: Stream) -> None:
        for lease in [lease for lease in self._leases.values() if lease.over]:
            self._leases.pop(id(lease), None)
            self._told.discard(id(lease))
        self._leases[id(stream.lease)] = stream.lease
        self._told.add(id(stream.lease))
        # The collector may finalise memory before the executable that keeps it.
        for thing in self._things():
            if isinstance(thing, Memory):
                thing.used_in(stream, None)
            elif isinstance(thing, Buffer):
                thing.memory.used_in(stream, None)

    def profile(self, stream: Optional[Stream] = None,
                trace: Union[str, os.PathLike[str], None] = None) -> Profile:
        """Runs it once, waits for the end, and tells when each node ran and for how long.

        Parameters
        ----------
        stream : Stream, optional
            The device's current one by default.
        trace : path, optional
            A file to write for Perfetto or chrome://tracing.

        Raises
        ------
        CaptureError
            The stream is being captured; the capture goes on.
        """
        stream = current_stream(self.device) if stream is None else stream
        stream.refuse_in_capture("profile()")
        try:
            return profile_of(self.handle, stream.handle, trace)
        finally:
            if id(stream.lease) not in self._told:
                self._used_in(stream)

    def upload(self, stream: Optional[Stream] = None) -> None:
        """Does now what the first launch would otherwise do, without running anything."""
        stream = current_stream(self.device) if stream is None else stream
        call.xpuGraphUpload(self.handle, stream.handle)

    def set_params(self, node: Node, *what: Any) -> None:
        """Changes what a node does from the next launch on; launches in flight keep what they have.

        Parameters
        ----------
        node : Node
            Of the graph that the executable was made of, or of a child graph in it.
        what :
            The arguments of the ``Graph.add_…()`` call that made the node.

        Raises
        ------
        InvalidValue
            The node is none of the executable's, or something changes that an update has to keep:
            a copy's direction, the type of memory, the form of a child graph.
        """
        kind = node.graph._kind_of(node)
        if kind is None or kind.update is None:
            raise TypeError("what this node does cannot be changed from here")
        packed = kind.packed(what)
        getattr(call, kind.update)(self.handle, node.handle, *packed.values)
        self._let_go(self._changed.get(node.handle))
        self._changed[node.handle] = packed.kept

    def update(self, graph: Graph, *more: Any) -> None:
        """Makes every node do what the nodes of a graph of the same form do.

        Parameters
        ----------
        graph : Graph
        more :
            What it keeps alive besides what the graph does.

        Raises
        ------
        UpdateRefused
            The graph has another form, or changes what has to stay. Nothing has changed then.
        """
        info = _raw.xpuGraphExecUpdateResultInfo(ctypes.sizeof(_raw.xpuGraphExecUpdateResultInfo))
        try:
            call.xpuGraphExecUpdate(self.handle, graph.handle, ctypes.byref(info))
        except UpdateRefused as refused:
            name = _raw.xpuGraphExecUpdateResult(info.result).name
            refused.result = name.replace("xpuGraphExecUpdateError", "") or "Error"
            refused.node = info.errorNode.value or 0
            raise
        self._let_go((self._kept, self._changed))
        self._kept, self._changed = (*graph.kept(), *more), {}

    def enable(self, node: Node, on: bool = True) -> None:
        """Sets whether a node does anything in the coming launches.

        A disabled one keeps its place in the order and its parameters, which can be set meanwhile.

        Parameters
        ----------
        node : Node
            A kernel, a copy or a fill.
        on : bool
        """
        call.xpuGraphNodeSetEnabled(self.handle, node.handle, int(on))

    def is_enabled(self, node: Node) -> bool:
        """False after ``enable(node, False)``."""
        value = ctypes.c_uint()
        call.xpuGraphNodeGetEnabled(self.handle, node.handle, ctypes.byref(value))
        return bool(value.value)

    # Launches in flight may still use it.
    def _let_go(self, things: Any) -> None:
        self._told.clear()
        if things:
            leases = list(self._leases.values())
            _lifetime.release(lambda: _lifetime.after(leases, lambda: things and None))

    @property
    def flags(self) -> int:
        """The flags with which it was made, of ``xpuGraphInstantiateFlags``."""
        value = ctypes.c_ulonglong()
        call.xpuGraphExecGetFlags(self.handle, ctypes.byref(value))
        return value.value

    def __repr__(self) -> str:
        return f"<xpugraph.GraphExec {self.handle:#x} of {self.device}>"

    @_lifetime.finaliser
    def __del__(self) -> None:
        handle = getattr(self, "handle", 0)
        if not handle:
            return
        leases, kept = list(self._leases.values()), (self._kept, self._changed)

        def destroy() -> None:
            raw.xpuGraphExecDestroy(handle)
            _lifetime.after(leases, lambda: kept and None)

        _lifetime.release(destroy)
