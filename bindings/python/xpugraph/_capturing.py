# SPDX-License-Identifier: Apache-2.0
"""Captures that this package has under way, and what each of them has to keep alive.

The dictionary is changed by single operations only, so that finalisers, which may run between any
two instructions, need no lock to look into it.
"""
from __future__ import annotations

import contextlib
import ctypes
import threading
from collections import deque
from typing import Any, Iterator, Optional

from xpugraph import _raw
from xpugraph._checked import call, raw

_NOT_PERMITTED = int(_raw.xpuError_t.xpuErrorNotPermitted)
_NONE = int(_raw.xpuStreamCaptureStatus.xpuStreamCaptureStatusNone)


class Fate:
    """What becomes of a capture, for memory that was allocated in it.

    It has no finaliser and nothing that has one, so that memory can look at it in its own, whatever
    the collector finalised before.
    """

    def __init__(self) -> None:
        self.ending = False
        self.lost = False  # and the library has taken back what was allocated


class Session:
    """A capture from begin to end.

    Parameters
    ----------
    stream : Stream
        The origin.
    pool : PoolHandle, optional
        Where allocations come from; without one they are nodes.
    again : bool
        Nodes that are there are captured again: the graph is the program's.
    """

    def __init__(self, stream: Any, pool: Any, again: bool = False) -> None:
        self.stream = stream
        self.pool = pool
        self.again = again
        self._kept: dict[int, Any] = {}
        self.fate = Fate()
        self.id = capture_id(stream)
        self.thread = threading.get_ident()
        self.orphan = False  # its graph died in a host function

    def keep(self, thing: Any) -> None:
        """What the captured work uses; the graph keeps it then."""
        self._kept[id(thing)] = thing

    @property
    def kept(self) -> list[Any]:
        """Each thing once, however often it is used."""
        return list(self._kept.values())


_sessions: dict[int, Session] = {}
_announced: deque[None] = deque()


# Held while a capture begins, and by who does what needs that none is under way.
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
def none_begins_now() -> Iterator[bool]:
    """As none_begins(), but False rather than wait: a finaliser may run in any thread."""
    if not _beginning.acquire(blocking=False):
        yield False
        return
    try:
        yield not any_under_way()
    finally:
        _beginning.release()


@contextlib.contextmanager
def none_begins() -> Iterator[bool]:
    """Keeps captures from beginning, and tells whether none is under way. Not to be held while waiting:
    what is waited for may itself wait for a capture of another thread.
    """
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


def abandon(session: Session) -> None:
    """Ends a capture without a result. If it cannot be ended here, what was allocated in it is lost."""
    graph, stream = _raw.xpuGraph_t(), session.stream.handle
    session.fate.ending = True
    if not session.again and raw.xpuStreamEndCapture(stream, ctypes.byref(graph)) == 0:
        raw.xpuGraphDestroy(graph)
    elif raw.xpuStreamAbortCapture(stream) == _NOT_PERMITTED:
        # In a host function; the next that may call C does it.
        session.fate.ending, session.orphan = False, True
        return
    else:
        session.fate.lost = True
    left(session)


def abandon_orphans() -> None:
    """Ends captures whose graphs died in host functions."""
    for session in list(_sessions.values()):
        if session.orphan:
            abandon(session)


def abandon_all() -> None:
    """Ends all captures, at the end of the program."""
    for session in list(_sessions.values()):
        abandon(session)


def any_under_way() -> bool:
    return bool(_sessions or _announced)


def on_device(index: int) -> bool:
    """Is a stream of the device being captured by this package?"""
    return any(s.stream.device.index == index for s in list(_sessions.values()))


def with_id(identity: int) -> Optional[Session]:
    return _sessions.get(identity)


# What graphs of other code use: nobody tells when these end.
_for_ever: list[Any] = []


def keep_for_ever(thing: Any) -> None:
    """For work that is captured into a graph that this package does not own."""
    _for_ever.append(thing)


def session_of(stream: Any) -> Optional[Session]:
    """The capture of this package that a stream takes part in."""
    if not _sessions:
        return None
    # A launch asks, so the usual case is first: the origin of a capture.
    for session in list(_sessions.values()):
        if session.stream is stream:
            return session
    return _sessions.get(capture_id(stream))
