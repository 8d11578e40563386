# SPDX-License-Identifier: Apache-2.0
"""Capture and replay: XPUGraph, and the context manager that captures into one."""
import torch

from . import _C
from .streams import Stream, stream as use_stream


class PoolHandle(tuple):
    """A memory pool that graphs share: a pair of numbers, as PyTorch passes pools.

    The handle keeps the pool; the graphs that were captured into it do so, too.
    """

    def __new__(cls, hold):
        handle = super().__new__(cls, hold.id)
        handle._hold = hold
        return handle


def graph_pool_handle():
    """A fresh pool for `graph(..., pool=)`, `XPUGraph.capture_begin` and `make_graphed_callables`."""
    return PoolHandle(_C.PoolHold())


def is_current_stream_capturing():
    """Whether the current stream is being captured. Can be called at any time."""
    return _C.is_current_stream_capturing()


class XPUGraph(_C.XPUGraph):
    """A captured graph.

    Parameters
    ----------
    keep_graph
        If false, the executable is made at the end of the capture and the template is dropped. If true, the
        template stays for raw_xpu_graph() and debug_dump(), and the executable is made by instantiate() or
        by the first replay().
    """

    def __init__(self, keep_graph=False):
        super().__init__(keep_graph)

    def capture_begin(self, pool=None):
        """Begins to capture the current stream, which must not be the default one; see `graph`.

        Parameters
        ----------
        pool
            What graph_pool_handle() or another graph's pool() returned; None for a pool of its own.
        """
        super().capture_begin(pool)

    def pool(self):
        """The handle of this graph's memory pool."""
        return PoolHandle(_C.PoolHold.find(super().pool()))


class graph:
    """Captures what a `with` block does into an XPUGraph.

    If something fails, in the beginning, in the block or at the end, the current stream is as before, the
    graph is empty, and the first failure is what is seen.

    Parameters
    ----------
    xpu_graph
        The graph, which must be empty.
    pool
        A pool to share memory with other graphs, which are then replayed in the order of their capture.
    stream
        The stream to capture; one of this class's own if None. Captures that share a pool should share it.
    """

    default_capture_stream = None

    def __init__(self, xpu_graph, pool=None, stream=None):
        if not isinstance(xpu_graph, _C.XPUGraph):
            raise TypeError(f"graph() captures into a torch.xpuref.XPUGraph, not a {type(xpu_graph).__name__}")
        self.xpu_graph = xpu_graph
        self.pool = pool
        self.stream = stream

    def __enter__(self):
        # The memory that is not in use goes back first, so that the graph can have it.
        torch.accelerator.synchronize()
        torch.accelerator.empty_cache()
        if self.stream is None:
            if graph.default_capture_stream is None:
                graph.default_capture_stream = Stream()
            self.stream = graph.default_capture_stream
        self._streams = use_stream(self.stream)
        self._streams.__enter__()
        try:
            self.xpu_graph.capture_begin(self.pool)
        except BaseException:
            self._streams.__exit__()
            raise

    def __exit__(self, kind, error, trace):
        try:
            if kind is None:
                self.xpu_graph.capture_end()
            else:
                # A part of what was wanted is of no use, and replaying it would hide the failure.
                self.xpu_graph.reset()
        finally:
            self._streams.__exit__()
