# SPDX-License-Identifier: Apache-2.0
"""Private pools: where a capture allocates from, shared by graphs that are captured one after another."""
from __future__ import annotations

import ctypes
import itertools
from typing import Any, NamedTuple, Optional

from xpugraph import _lifetime, _raw
from xpugraph._checked import call, filled, raw


class PoolUsage(NamedTuple):
    """Bytes of a pool: allocated now, spanned by all addresses given out so far, of memory."""

    live: int
    peak: int
    reserved: int


class Hold:
    """One hold on a pool, in C's words, so that finalisers can give it up in any order.

    It does nothing by itself when it dies.
    """

    def __init__(self, token: Any, retained: bool) -> None:
        if not retained:
            call.xpuGraphPoolRetain(token)
        self.token = token
        self.number = next(_numbers)
        _holds[self.number] = token

    def give_up(self) -> None:
        """To be called once."""
        raw.xpuGraphPoolRelease(self.token)
        _holds.pop(self.number, None)


_numbers = itertools.count()
_holds: dict[int, Any] = {}  # changed by single operations only


def _usage_of(token: Any) -> PoolUsage:
    usage = filled(_raw.xpuGraphPoolUsage)
    call.xpuGraphPoolGetUsage(token, ctypes.byref(usage))
    return PoolUsage(usage.liveBytes, usage.peakBytes, usage.reservedBytes)


class PoolHandle:
    """An opaque token of a private pool, which it keeps alive.

    Graphs that were captured into one pool share its memory: they must be replayed in the order in
    which they were captured, and must not overlap.
    """

    def __init__(self, ids: Optional[tuple[int, int]] = None) -> None:
        #: The C token.
        self.token = _raw.xpuGraphPool()
        if ids is None:
            call.xpuGraphPoolCreate(ctypes.byref(self.token))
        else:
            self.token = _raw.xpuGraphPool(*ids)
        self._hold = Hold(self.token, retained=ids is None)

    @property
    def ids(self) -> tuple[int, int]:
        """The two numbers of the C token."""
        return self.token.first, self.token.second

    @property
    def usage(self) -> PoolUsage:
        """What the pool holds."""
        return _usage_of(self.token)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, tuple):
            return other == self.ids
        return isinstance(other, PoolHandle) and other.ids == self.ids

    def __hash__(self) -> int:
        return hash(self.ids)

    def __repr__(self) -> str:
        return f"<xpugraph.PoolHandle {self.ids}>"

    @_lifetime.finaliser
    def __del__(self) -> None:
        if hasattr(self, "_hold"):
            _lifetime.release(self._hold.give_up)


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


def all_usages() -> list[PoolUsage]:
    """What each pool holds that this package holds, through handles or buffers."""
    tokens = {(token.first, token.second): token for token in list(_holds.values())}
    return [_usage_of(token) for token in tokens.values()]
