# SPDX-License-Identifier: Apache-2.0
"""Private pools: where a capture allocates from, shared by graphs that are captured one after another."""
from __future__ import annotations

import ctypes
import weakref
from typing import Any, NamedTuple, Optional

from xpugraph import _lifetime, _raw
from xpugraph._checked import call, filled, raw


class PoolUsage(NamedTuple):
    """Bytes of a pool: allocated now, spanned by all addresses given out so far, of memory."""

    live: int
    peak: int
    reserved: int


_all: weakref.WeakSet[PoolHandle] = weakref.WeakSet()


class PoolHandle:
    """An opaque token of a private pool, which it keeps alive.

    Graphs that were captured into one pool share its memory: they must be replayed in the order in
    which they were captured, and must not overlap.
    """

    def __init__(self, ids: Optional[tuple[int, int]] = None) -> None:
        self._held = False
        self._pool = _raw.xpuGraphPool()
        if ids is None:
            call.xpuGraphPoolCreate(ctypes.byref(self._pool))
        else:
            self._pool = _raw.xpuGraphPool(*ids)
            call.xpuGraphPoolRetain(self._pool)
        self._held = True
        _all.add(self)

    @property
    def ids(self) -> tuple[int, int]:
        """The two numbers of the C token."""
        return self._pool.first, self._pool.second

    @property
    def usage(self) -> PoolUsage:
        """What the pool holds."""
        usage = filled(_raw.xpuGraphPoolUsage)
        call.xpuGraphPoolGetUsage(self._pool, ctypes.byref(usage))
        return PoolUsage(usage.liveBytes, usage.peakBytes, usage.reservedBytes)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, tuple):
            return other == self.ids
        return isinstance(other, PoolHandle) and other.ids == self.ids

    def __hash__(self) -> int:
        return hash(self.ids)

    def __repr__(self) -> str:
        return f"<xpugraph.PoolHandle {self.ids}>"

    def __del__(self) -> None:
        if getattr(self, "_held", False):
            pool = self._pool
            _lifetime.release(lambda: raw.xpuGraphPoolRelease(pool))


def graph_pool_handle() -> PoolHandle:
    """A new private pool for graphs; pass it to XPUGraph.capture_begin() or graph().

    Unlike PyTorch's token it keeps the pool alive, so that it can be used again at any time.
    """
    return PoolHandle()


def pool_of(token: Any) -> PoolHandle:
    """The pool that a token names; a new one for None and for (0, 0)."""
    if token is None or token == (0, 0):
        return PoolHandle()
    if isinstance(token, PoolHandle):
        return token
    if isinstance(token, tuple) and len(token) == 2 and all(isinstance(n, int) for n in token):
        return PoolHandle((token[0], token[1]))
    raise TypeError("pool must be what graph_pool_handle() or XPUGraph.pool() gave, not "
                    f"{type(token).__name__}")


def all_pools() -> list[PoolHandle]:
    """Every pool that this package holds, each once."""
    return list({pool.ids: pool for pool in list(_all)}.values())
