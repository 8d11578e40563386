# SPDX-License-Identifier: Apache-2.0
"""Capturing once more into a graph: its nodes stay, and what they do is set anew."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional, Union

from xpugraph import _capturing, _lifetime, _raw
from xpugraph._checked import call, raw
from xpugraph.capture import _MODES, XPUGraph, _capture_stream, _wrong_state
from xpugraph.device import current_device
from xpugraph.graph import Graph
from xpugraph.node import Node
from xpugraph.stream import Stream, wait_for_streams

#: Told the node, what it did and what it is to do, as ``xpuGraphNodeParams``.
Allow = Callable[[Node, Any, Any], bool]
_REFUSED = int(_raw.xpuError_t.xpuErrorNotPermitted)


class recapture:
    """Captures what is done inside ``with xpugraph.recapture(g):`` into a graph that has its nodes.

    The same work in the same order, with other arguments, kernels or sizes. An XPUGraph takes it over
    into its executable, if it has one; other executables do so by GraphExec.update(). What is
    allocated inside must have been allocated by the graph itself.

    Whatever fails, the graph cannot be used any more: a Graph refuses all calls, and an XPUGraph loses
    its graph, but not its executable.

    Parameters
    ----------
    graph : Graph or XPUGraph
        An XPUGraph that keeps its graph (``keep_graph=True``).
    allow : callable, optional
        ``allow(node, was, next)`` is asked about each node that is to do something else; False fails
        the recapture. It must not call the library. All changes are allowed by default.
    stream : Stream, optional
        Becomes the current one inside; by default a stream of the thread's own for captures.
    capture_error_mode : str
        See XPUGraph.capture_begin().

    Raises
    ------
    CaptureError
        The work does not make the nodes of the graph, or `allow` did not allow it.
    IllegalState
        The graph is being captured into; the XPUGraph has no graph.
    """

    def __init__(self, graph: Union[Graph, XPUGraph], allow: Optional[Allow] = None,
                 stream: Optional[Stream] = None, capture_error_mode: str = "global") -> None:
        if capture_error_mode not in _MODES:
            raise ValueError(f"capture_error_mode is one of {', '.join(_MODES)}, not "
                             f"{capture_error_mode!r}")
        self.graph, self.allow, self.stream = graph, allow, stream
        self.capture_error_mode = capture_error_mode
        self._session: Optional[_capturing.Session] = None
        self._raised: Optional[BaseException] = None

    def _target(self) -> Graph:
        if isinstance(self.graph, Graph):
            return self.graph
        if self.graph._graph is None:
            raise _wrong_state("There is no graph to capture again: nothing was captured, or it was "
                               "not kept (keep_graph=True).", "recapture")
        return self.graph._graph

    def _ask(self, _data: Any, node: Any, was: Any, following: Any) -> int:
        assert self.allow is not None
        try:
            # The collector may run in here, and what it destroys would call the library.
            with _lifetime.quiet():
                told = Node(self._target(), node.value or 0)
                return 0 if self.allow(told, was.contents, following.contents) else _REFUSED
        except BaseException as error:
            self._raised = error
            return _REFUSED

    def __enter__(self) -> None:
        target = self._target()
        stream = _capture_stream(current_device()) if self.stream is None else self.stream
        # C may call it until the end.
        self._callback = _raw.xpuGraphRecaptureCallback_t(self._ask)
        data = _raw.xpuGraphRecaptureCallbackData(callbackFunc=self._callback)
        wait_for_streams(stream.device)
        stream.__enter__()
        try:
            with _capturing.announced():
                call.xpuStreamBeginRecaptureToGraph(
                    stream.handle, _MODES[self.capture_error_mode], target.handle,
                    None if self.allow is None else ctypes.byref(data))
                self._session = _capturing.Session(stream, None, again=True)
                _capturing.entered(self._session)
        except BaseException:
            stream.__exit__()
            raise

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        session = self._session
        assert session is not None
        try:
            if kind is None:
                call.xpuStreamEndCapture(session.stream.handle, None)
        except BaseException as failed:
            kind, error = type(failed), failed
            raise
        finally:
            if kind is not None:
                raw.xpuStreamAbortCapture(session.stream.handle)
                self._lose()
            _capturing.left(session)
            self._session = None
            session.stream.__exit__()
            _lifetime.settle()
            if self._raised is not None:
                raise self._raised from error
        if kind is None:
            self._take_over(session)

    def _take_over(self, session: _capturing.Session) -> None:
        target = self._target()
        target._captured_again(session.kept)
        if isinstance(self.graph, XPUGraph):
            self.graph._captured_again(session.kept)

    def _lose(self) -> None:
        if isinstance(self.graph, XPUGraph):
            self.graph._graph = None
