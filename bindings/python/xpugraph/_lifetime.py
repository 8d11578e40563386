# SPDX-License-Identifier: Apache-2.0
"""When things are destroyed: never inside a capture, and not before the work that uses them is over.

Finalisers may run at any moment, in any thread. Some destructions would invalidate a capture that is
under way. They are put off until there is none; a capture that was begun by other code than this
package is not disturbed either, since the thread goes into relaxed mode for them. No finaliser waits:
the work that it would wait for may itself wait for the thread that it runs in. Nothing here raises.
"""
from __future__ import annotations

import atexit
import contextlib
import ctypes
import threading
from collections import deque
from typing import Any, Callable, Iterable, Iterator

from xpugraph import _capturing, _raw
from xpugraph._checked import raw
from xpugraph._lease import Ending, Lease

_RELAXED = int(_raw.xpuStreamCaptureMode.xpuStreamCaptureModeRelaxed)

_postponed: deque[Callable[[], Any]] = deque()
_endings: deque[Ending] = deque()  # changed with _alone() only
_when_idle: deque[Callable[[], Any]] = deque()
_state = threading.local()
_ended = False
_over: list[bool] = []


def release(action: Callable[[], Any]) -> None:
    """Runs a destruction now, or as soon as no capture is under way."""
    _postponed.append(action)
    settle()


def settle(most: int = 16) -> None:
    """Does what was put off, if it can be done now, and steps on so many endings.

    Few, so that a long queue of work does not make each finaliser slow.
    """
    if _ended or is_quiet():
        return
    _capturing.abandon_orphans()
    if not (_postponed or _endings):
        return
    with _alone() as alone:
        if alone:
            _run_postponed()
            _step(most)
            _run_postponed()


@contextlib.contextmanager
def _alone() -> Iterator[bool]:
    """May the calling thread destroy things now? Then no capture begins, and nobody else destroys."""
    # An action may drop objects whose finalisers come back here.
    if _ended or is_quiet() or _capturing.any_under_way():
        yield False
        return
    with quiet(), _capturing.none_begins_now() as alone:
        if not alone:
            yield False
            return
        with relaxed():
            yield True


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


def after(leases: Iterable[Lease], action: Callable[[], Any]) -> None:
    """Does something when the work that streams have now is over.

    To be called from a released action.
    """
    follow(Ending(leases, action))


def follow(ending: Ending) -> None:
    """Steps on an ending until it is done. To be called from a released action."""
    if not ending.step():
        _endings.append(ending)


def _step(most: int) -> None:
    for _ in range(min(most, len(_endings))):
        ending = _endings.popleft()
        if not ending.step():
            _endings.append(ending)
        del ending


def under_way() -> list[Ending]:
    """What device_was_idle() is about if a wait for a device begins now."""
    return list(_endings)


def device_was_idle(device: int, before: list[Ending]) -> None:
    """A wait for a device is over: so is all that was under way before it."""
    with _alone() as alone:
        if alone:
            for ending in before:
                ending.device_was_idle(device)
    settle(len(_endings))
    free_idle()


def free_when_idle(action: Callable[[], Any]) -> None:
    """Puts off what would wait for all devices until the program does so itself, or needs memory."""
    _when_idle.append(action)


def free_idle() -> None:
    """Does what was put off by free_when_idle()."""
    if _ended or is_quiet() or _capturing.any_under_way():
        return
    # Without the lock that captures need to begin: this may wait.
    with quiet(), relaxed():
        while _when_idle:
            try:
                _when_idle.popleft()()
            except IndexError:  # another thread was faster
                return


def left_over() -> tuple[int, int]:
    """How many destructions wait for the end of captures, and how many for that of work; for tests."""
    return len(_postponed), len(_endings) + len(_when_idle)


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
