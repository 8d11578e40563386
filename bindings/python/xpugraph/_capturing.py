# SPDX-License-Identifier: Apache-2.0
"""Captures that this package has under way, and what each of them has to keep alive.

The dictionary is changed by single operations only, so that finalisers, which may run between any
two instructions, need no lock to look into it.
"""
from __future__ import annotations

import contextlib
import ctypes
import threading
import weakref
from collections import deque
from typing import Any, Iterator, Optional

from xpugraph import _raw
from xpugraph._checked import call, raw

_NONE = int(_raw.xpuStreamCaptureStatus.xpuStreamCaptureStatusNone)


class Session:
    """A capture from begin to end.

    Parameters
    ----------
    stream : Stream
        The origin.
    pool : PoolHandle
        Where allocations come from.
    """

    def __init__(self, stream: Any, pool: Any) -> None:
        self.stream = stream
        self.pool = pool
        self._kept: dict[int, Any] = {}
        self.allocated: weakref.WeakSet[Any] = weakref.WeakSet()
        self.id = capture_id(stream)

    def keep(self, thing: Any) -> None:
        """What the captured work uses; the graph keeps it then."""
        self._kept[id(thing)] = thing

    def lost(self) -> None:
        """The library has undone what was allocated: the addresses may be others' soon."""
        for memory in list(self.allocated):
            memory.lost()

    @property
    def kept(self) -> list[Any]:
        """Each thing once, however often it is used."""
        return list(self._kept.values())


_sessions: dict[int, Session] = {}
_announced: deque[None] = deque()


# Held while a capture begins, and by who waits for a device because none is under way.
_beginning = threading.RLock()


@contextlib.contextmanager
def announced() -> Iterator[None]:
    """A capture is about to begin: neither finalisers nor other captures may get in between."""
    with _beginning:
        _announced.append(None)
        try:
            yield
        finally:
            _announced.pop()


@contextlib.contextmanager
def none_begins() -> Iterator[bool]:
    """Keeps captures from beginning, and tells whether none is under way."""
    with _beginning:
        yield not any_under_way()


def capture_id(stream: Any) -> int:
    """The number of the capture that a stream takes part in, 0 if none."""
    status, identity = ctypes.c_int(), ctypes.c_ulonglong()
    call.xpuStreamGetCaptureInfo(stream.handle, ctypes.byref(status), ctypes.byref(identity),
                                 None, None, None, None)
    return identity.value if status.value == 1 else 0


def is_capturing(stream: Any) -> bool:
    """Does the stream take part in a capture, healthy or not, whoever began it?"""
    status = ctypes.c_int(_NONE)
    # The legacy stream answers xpuErrorStreamCaptureImplicit when another one is captured.
    code = raw.xpuStreamIsCapturing(stream.handle, ctypes.byref(status))
    return code == 0 and status.value != _NONE


def entered(session: Session) -> None:
    _sessions[session.id] = session


def left(session: Session) -> None:
    _sessions.pop(session.id, None)


def end_all() -> None:
    """Ends the captures of this thread without a result, at the end of the program."""
    for session in list(_sessions.values()):
        graph = _raw.xpuGraph_t()
        if raw.xpuStreamEndCapture(session.stream.handle, ctypes.byref(graph)) == 0 and graph:
            raw.xpuGraphDestroy(graph)


def any_under_way() -> bool:
    return bool(_sessions or _announced)


def on_device(index: int) -> bool:
    """Is a stream of the device being captured by this package?"""
    return any(s.stream.device.index == index for s in list(_sessions.values()))


def with_id(identity: int) -> Optional[Session]:
    return _sessions.get(identity)


def session_of(stream: Any) -> Optional[Session]:
    """The capture of this package that a stream takes part in."""
    return _sessions.get(capture_id(stream)) if _sessions else None
