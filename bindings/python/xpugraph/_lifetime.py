# SPDX-License-Identifier: Apache-2.0
"""When things are destroyed: never inside a capture, and not before the work that uses them is over.

Finalisers may run at any moment, in any thread. Some destructions wait for the device, which would
invalidate a capture that is under way. They are put off until there is none; a capture that was begun
by other code than this package is not disturbed either, since the thread goes into relaxed mode for
them. Nothing here raises.
"""
from __future__ import annotations

import atexit
import contextlib
import ctypes
import threading
from collections import deque
from typing import Any, Callable, Iterator

from xpugraph import _capturing, _raw
from xpugraph._checked import raw

_RELAXED = int(_raw.xpuStreamCaptureMode.xpuStreamCaptureModeRelaxed)

_postponed: deque[Callable[[], Any]] = deque()
# Streams to be marked, marks to be reached, and what is kept until then.
_in_flight: deque[tuple[list[Lease], int, list[Any], Any]] = deque()
_state = threading.local()
_ended = False
_over: list[bool] = []


def release(action: Callable[[], Any]) -> None:
    """Runs a destruction now, or as soon as no capture is under way."""
    _postponed.append(action)
    settle()


def settle() -> None:
    """Does what was put off, if it can be done now."""
    # An action may drop objects whose finalisers come back here.
    if _ended or getattr(_state, "busy", False):
        return
    _capturing.abandon_orphans()
    if _capturing.any_under_way() or not (_postponed or _in_flight):
        return
    with quiet(), _capturing.none_begins_now() as alone:
        if alone:
            with relaxed():
                _run_postponed()
                _drop_finished()
                _run_postponed()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Nothing is destroyed by the calling thread: it is about that, or in a host function."""
    before = getattr(_state, "busy", False)
    _state.busy = True
    try:
        yield
    finally:
        _state.busy = before


def is_quiet() -> bool:
    """Must the calling thread not call the library from a finaliser?"""
    return getattr(_state, "busy", False)


def finaliser(function: Callable[[Any], None]) -> Callable[[Any], None]:
    """A finaliser that does nothing once the program has ended: modules lose their names then."""
    over = _over

    def __del__(self: Any) -> None:
        if not over:
            function(self)

    return __del__


@contextlib.contextmanager
def relaxed() -> Iterator[None]:
    """The calling thread may allocate and free, whoever captures."""
    mode = ctypes.c_int(_RELAXED)
    raw.xpuThreadExchangeStreamCaptureMode(ctypes.byref(mode))
    try:
        yield
    finally:
        raw.xpuThreadExchangeStreamCaptureMode(ctypes.byref(mode))


def _run_postponed() -> None:
    while _postponed and not _capturing.any_under_way():
        try:
            action = _postponed.popleft()
        except IndexError:  # another thread was faster
            return
        try:
            action()
        except Exception:  # a finaliser has nobody to tell
            pass


class Lease:
    """A stream's handle, which lives as long as the stream or work of somebody that it has.

    The collector finalises the objects of a garbage in any order, so that a stream may come before
    the executable that was launched in it. A lease has no finaliser.
    """

    def __init__(self, handle: int, owned: bool) -> None:
        self.handle, self.owned = handle, owned
        self.users: dict[int, None] = {}  # changed by single operations only
        self.dead = False

    def taken_by(self, user: int) -> None:
        self.users[user] = None

    def given_back_by(self, user: int) -> None:
        self.users.pop(user, None)
        self.end_if_unused()

    def end_if_unused(self) -> None:
        if self.dead and self.owned and not self.users:
            raw.xpuStreamDestroy(self.handle)  # a second time does nothing


def keep_while_running(leases: list[Lease], user: int, kept: Any) -> None:
    """Keeps objects until the work that streams have now is finished, and gives the leases back.

    To be called from a released action: an event is recorded in each stream.
    """
    _in_flight.append((leases, user, [], kept))


def _mark(stream: Lease) -> Any:
    """An event that stands for the stream's work; None if it cannot be had now."""
    # In a capture of somebody else's, an event would become part of that.
    event = _raw.xpuEvent_t()
    if _capturing.is_capturing(stream) or raw.xpuEventCreateWithFlags(
            ctypes.byref(event), int(_raw.xpuEventFlags.xpuEventDisableTiming)) != 0:
        return None
    if raw.xpuEventRecord(event, stream.handle) != 0:
        # Its owner has destroyed the stream, and the work is still under way: only the device can be
        # waited for. The event, never recorded, counts as reached.
        raw.xpuDeviceSynchronize()
    return event


def _drop_finished() -> None:
    not_ready = int(_raw.xpuError_t.xpuErrorNotReady)
    for _ in range(len(_in_flight)):
        try:
            leases, user, events, kept = _in_flight.popleft()
        except IndexError:
            return
        marks = [(lease, _mark(lease)) for lease in leases]
        events = events + [event for _, event in marks if event is not None]
        waiting = [event for event in events if raw.xpuEventQuery(event) == not_ready]
        for event in events:
            if event not in waiting:
                raw.xpuEventDestroy(event)
        for lease, event in marks:
            if event is not None:
                lease.given_back_by(user)
        unmarked = [lease for lease, event in marks if event is None]
        if waiting or unmarked:
            _in_flight.append((unmarked, user, waiting, kept))
        del kept


def left_over() -> tuple[int, int]:
    """How many destructions and how many kept sets are waiting; for tests."""
    return len(_postponed), len(_in_flight)


def _end() -> None:
    """A callback must not run in an interpreter that is gone."""
    global _ended
    _ended = True
    _over.append(True)
    count, current = ctypes.c_int(), ctypes.c_int()
    if not _started() or raw.xpuGetDeviceCount(ctypes.byref(count)) != 0:
        return
    # A capture that is still under way would refuse the wait.
    _capturing.abandon_all()
    raw.xpuGetDevice(ctypes.byref(current))
    for index in range(count.value):
        raw.xpuSetDevice(index)
        raw.xpuDeviceSynchronize()
    raw.xpuSetDevice(current.value)


_used = False


def _started() -> bool:
    return _used


def note_use() -> None:
    """A stream or memory was made: there is something to wait for at the end."""
    global _used
    _used = True


atexit.register(_end)
