# SPDX-License-Identifier: Apache-2.0
"""XPUGraph: work of a stream, captured once and replayed, as in torch.xpu."""
from __future__ import annotations

import ctypes
import os
import threading
import warnings
from typing import Any, Optional, Union

from xpugraph import _capturing, _lifetime, _raw
from xpugraph._checked import call, filled
from xpugraph.device import Device, current_device
from xpugraph.error import CaptureError, IllegalState, XPUError
from xpugraph.exec import GraphExec
from xpugraph.graph import Graph
from xpugraph.memory import empty_cache
from xpugraph.picture import can_draw, svg_of, write_dot
from xpugraph.pool import PoolHandle, pool_of
from xpugraph.profile import Profile
from xpugraph.stream import Stream, current_stream, is_any_set, wait_for_streams

_ERROR = _raw.xpuError_t
_MODES = {"global": 0, "thread_local": 1, "relaxed": 2}


def _wrong_state(sentence: str, method: str) -> IllegalState:
    return IllegalState(_ERROR.xpuErrorIllegalState, sentence, f"XPUGraph.{method}")


class XPUGraph:
    """Work of a stream, captured once and replayed at the price of one driver call.

    Parameters
    ----------
    keep_graph : bool
        If False, capture_end() makes the executable and drops the graph it was made of. If True, the
        graph stays, for raw_xpu_graph() and debug_dump(), and the executable is made by
        instantiate(), or by the first replay() if that was not called.
    """

    def __init__(self, keep_graph: bool = False) -> None:
        self._keep_graph = bool(keep_graph)
        self._debug = False
        # Each is set exactly while the thing is held.
        self._session: Optional[_capturing.Session] = None
        self._graph: Optional[Graph] = None
        self._exec: Optional[GraphExec] = None
        self._pool: Optional[PoolHandle] = None
        self._device: Optional[Device] = None
        self._kept: list[Any] = []
        self._ended = False

    def capture_begin(self, pool: Union[PoolHandle, tuple[int, int], None] = None,
                      capture_error_mode: str = "global") -> None:
        """Begins to capture the current stream. Usually graph() calls it.

        Parameters
        ----------
        pool : PoolHandle, optional
            What graph_pool_handle() or another graph's pool() gave: both share its memory. A pool of
            its own by default.
        capture_error_mode : {"global", "thread_local", "relaxed"}
            Which calls that act at once are refused meanwhile: those of all threads, of this one,
            or none.

        Raises
        ------
        IllegalState
            The object has a graph or is being captured; another capture uses the pool.
        CaptureError
            The current stream is the default one.
        """
        if self._session is not None:
            raise _wrong_state("This XPUGraph instance is being captured already.",
                               "capture_begin")
        if self._ended:
            raise _wrong_state(
                "This XPUGraph instance already owns a captured graph. To capture a new graph, "
                "create a new instance, or call reset() first.", "capture_begin")
        if capture_error_mode not in _MODES:
            raise ValueError(f"capture_error_mode is one of {', '.join(_MODES)}, not "
                             f"{capture_error_mode!r}")
        stream = current_stream()
        if stream.handle in (0, _raw.xpuStreamLegacy):
            raise CaptureError(
                _ERROR.xpuErrorStreamCaptureUnsupported,
                "XPU graphs must be captured on a non-default stream. (However, after capture, it's "
                "ok to replay them on the default stream.)", "XPUGraph.capture_begin")
        held = pool_of(pool)
        params = filled(_raw.xpuStreamCaptureParams, mode=_MODES[capture_error_mode],
                        pool=held.token)
        with _capturing.announced():
            call.xpuStreamBeginCaptureWithParams(stream.handle, ctypes.byref(params))
            self._session = _capturing.Session(stream, held)
            _capturing.entered(self._session)
        self._pool = held

    def capture_end(self) -> None:
        """Ends the capture; replay() may be called then. Usually graph() calls it.

        If it fails, nothing is left of the capture and the object is as new, unless the exception is
        about the wrong stream or the wrong thread: then the capture goes on.
        """
        session = self._session
        if session is None:
            raise _wrong_state("capture_end() was called without a preceding capture_begin().",
                               "capture_end")
        if current_stream(session.stream.device) != session.stream:
            raise CaptureError(_ERROR.xpuErrorStreamCaptureUnmatched,
                               "Capture must end on the same stream it began on.",
                               "XPUGraph.capture_end")
        handle = self._end(session)
        self._graph, self._kept, self._ended = Graph._of(handle, session.kept), session.kept, True
        self._device = session.stream.device
        try:
            if len(self._graph) == 0:
                warnings.warn(
                    "The XPU Graph is empty. This usually means that the graph was attempted to be "
                    "captured on wrong device or stream.", stacklevel=2)
            if not self._keep_graph:
                self._make_exec()
                if not self._debug:
                    self._graph = None
        except BaseException:
            self.reset()
            raise

    def _end(self, session: _capturing.Session) -> int:
        """Ends the capture in C and gives its graph; if it is lost, the object is as new."""
        handle = _raw.xpuGraph_t()
        session.fate.ending = True
        try:
            call.xpuStreamEndCapture(session.stream.handle, ctypes.byref(handle))
        except XPUError:
            session.fate.lost = not session.stream.is_capturing()
            session.fate.ending = session.fate.lost
            if session.fate.lost:
                self._forget(session)
                self._pool = None
                _lifetime.settle()
            raise
        self._forget(session)
        _lifetime.settle()
        return handle.value or 0

    def _forget(self, session: _capturing.Session) -> None:
        _capturing.left(session)
        self._session = None

    def _abandon(self) -> None:
        """Ends a capture whose graph nobody will have. Never raises."""
        if self._session is not None:
            _capturing.abandon(self._session)
            self._session = self._pool = None
            _lifetime.settle()

    def _make_exec(self) -> None:
        assert self._graph is not None and self._device is not None
        # The old one goes only when the new one is there.
        self._exec = GraphExec(self._graph.handle, [*self._kept, self._pool], self._device)

    def instantiate(self) -> None:
        """Makes the executable, or makes it again.

        Raises
        ------
        IllegalState
            Nothing was captured; or keep_graph is False and so it is there already.
        """
        if not self._ended:
            raise _wrong_state("capture_end() must have been called before calling instantiate",
                               "instantiate")
        if self._graph is None or not self._keep_graph:
            raise _wrong_state("instantiate() is intended to be called by the user only when "
                               "keep_graph=true", "instantiate")
        self._make_exec()

    def replay(self) -> None:
        """Runs the captured work on the current stream of the device it was captured on.

        It does not wait. If that stream is being captured, the replay becomes a child graph node.

        Raises
        ------
        IllegalState
            Nothing was captured.
        """
        executable = self._exec
        if executable is None:
            self._make_late("replay")
            executable = self._exec
            assert executable is not None
        executable.launch()

    def profile(self, trace: Union[str, os.PathLike[str], None] = None) -> Profile:
        """Replays once, waits for the end, and tells when each node ran and for how long.

        Parameters
        ----------
        trace : path, optional
            A file to write for Perfetto or chrome://tracing.

        Raises
        ------
        IllegalState
            Nothing was captured.
        CaptureError
            The current stream is being captured; the capture goes on.
        """
        if self._exec is None:
            self._make_late("profile")
        assert self._exec is not None
        return self._exec.profile(trace=trace)

    def _captured_again(self, kept: list[Any]) -> None:
        """The graph was captured again; see recapture."""
        assert self._graph is not None
        self._kept = kept
        if self._exec is not None:
            self._exec.update(self._graph, self._pool)

    def _make_late(self, method: str) -> None:
        if not self._ended:
            raise _wrong_state(f"Called XPUGraph::{method} without a preceding successful capture.",
                               method)
        self.instantiate()

    def reset(self) -> None:
        """Drops what was captured, or ends a capture that is under way; the object is as new.

        Buffers that were allocated in the capture stay valid. A replay that is under way runs to its
        end.

        Raises
        ------
        IllegalState
            Another thread is capturing it.
        """
        if self._session is not None and self._session.thread != threading.get_ident():
            raise _wrong_state("This XPUGraph instance is being captured by another thread.", "reset")
        self._abandon()
        self._exec = self._graph = self._pool = None
        self._kept = []
        self._ended = False

    def pool(self) -> PoolHandle:
        """The private pool of the graph's memory, for capture_begin() of other graphs."""
        if not self._ended or self._pool is None:
            raise _wrong_state("Called XPUGraph::pool() without a preceding successful capture.",
                               "pool")
        return self._pool

    def enable_debug_mode(self) -> None:
        """Keeps the graph for debug_dump(), if called before capture_end(). For this object alone."""
        self._debug = True

    def debug_dump(self, debug_path: Union[str, os.PathLike[str]], verbose: bool = True) -> None:
        """Writes the graph in Graphviz's DOT language, as often as wanted.

        Parameters
        ----------
        debug_path : path
            Ends in ``.dot``.

        Raises
        ------
        ValueError
            It does not.
        IllegalState
            Nothing was captured, or debug mode was not on when the capture ended.
        """
        path = os.fspath(debug_path)
        if not path.endswith(".dot"):
            raise ValueError(f"debug_dump() needs a path that ends in .dot, not {path!r}")
        if not self._debug and not self._keep_graph:
            warnings.warn("XPU Graphs debug not enabled, set with [graph].enable_debug_mode()",
                          stacklevel=2)
            return
        warnings.warn("DEBUG: calling debug_dump()", stacklevel=2)
        if self._graph is None:
            raise _wrong_state(
                "There is no graph to dump: nothing was captured, or enable_debug_mode() came after "
                "capture_end().", "debug_dump")
        write_dot(self._graph.handle, path, verbose)

    def raw_xpu_graph(self) -> int:
        """The `xpuGraph_t`; it works in every C call, and belongs to this object."""
        if not self._keep_graph:
            raise _wrong_state("You cannot access the raw xpuGraph_t instance unless XPUGraph was "
                               "initialized with keep_graph=true", "raw_xpu_graph")
        if self._graph is None:
            raise _wrong_state("You cannot access the raw xpuGraph_t instance until capture_end() "
                               "has been called", "raw_xpu_graph")
        return self._graph.handle

    def raw_xpu_graph_exec(self) -> int:
        """The `xpuGraphExec_t`; it dies with the next instantiate() or reset()."""
        if self._exec is None:
            raise _wrong_state("You cannot access the raw xpuGraphExec_t instance until "
                               "instantiate() has been called", "raw_xpu_graph_exec")
        return self._exec.handle

    def to_dot(self, verbose: bool = False) -> str:
        """The picture in DOT, of a kept graph."""
        if self._graph is None:
            raise _wrong_state("The graph was not kept: make it with keep_graph=True, or call "
                               "enable_debug_mode() before the capture ends.", "to_dot")
        return self._graph.to_dot(verbose)

    def to_svg(self, verbose: bool = False) -> str:
        """The picture as SVG, of a kept graph; needs Graphviz."""
        return svg_of(self.to_dot(verbose))

    def _repr_svg_(self) -> Optional[str]:
        return self.to_svg() if self._graph is not None and can_draw() else None

    def __repr__(self) -> str:
        state = "being captured" if self._session else "empty" if not self._ended else \
            "ready" if self._exec else "captured"
        return f"<xpugraph.XPUGraph, {state}>"

    @_lifetime.finaliser
    def __del__(self) -> None:
        if getattr(self, "_session", None) is not None:
            try:
                self._abandon()
            except Exception:  # at the end of the interpreter
                pass


_streams = threading.local()


def _capture_stream(device: int) -> Stream:
    """A thread's own stream for captures on a device."""
    by_device: dict[int, Stream] = _streams.__dict__.setdefault("by_device", {})
    if device not in by_device:
        by_device[device] = Stream(device)
    return by_device[device]


class graph:
    """Captures what is done inside ``with xpugraph.graph(g):`` into an XPUGraph.

    Whatever fails, the beginning, the body or the end: the current stream is restored, nothing is
    left of the capture, and the first exception is the one that is seen.

    Parameters
    ----------
    xpu_graph : XPUGraph
        An empty one.
    pool : PoolHandle, optional
        See XPUGraph.capture_begin().
    stream : Stream, optional
        Becomes the current one inside; by default a stream of the thread's own for captures.
    capture_error_mode : str
        See XPUGraph.capture_begin().
    """

    def __init__(self, xpu_graph: XPUGraph,
                 pool: Union[PoolHandle, tuple[int, int], None] = None,
                 stream: Optional[Stream] = None, capture_error_mode: str = "global") -> None:
        self.xpu_graph, self.pool, self.stream = xpu_graph, pool, stream
        self.capture_error_mode = capture_error_mode
        self._entered: list[Stream] = []

    def __enter__(self) -> None:
        stream = _capture_stream(current_device()) if self.stream is None else self.stream
        wait_for_streams(stream.device)
        empty_cache()
        stream.__enter__()
        try:
            self.xpu_graph.capture_begin(self.pool, self.capture_error_mode)
        except BaseException:
            stream.__exit__()
            raise
        self._entered.append(stream)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        stream = self._entered.pop()
        try:
            if kind is None:
                self.xpu_graph.capture_end()
            else:
                self.xpu_graph.reset()
        except XPUError:
            # Ended on another stream or thread: the capture must not outlive this block.
            self.xpu_graph._abandon()
            if kind is None:
                raise
        finally:
            stream.__exit__()


def is_current_stream_capturing() -> bool:
    """Is the current stream being captured? False where no device was used yet."""
    # The default stream cannot be captured.
    return is_any_set() and _capturing.is_capturing(current_stream())
