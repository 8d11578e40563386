# SPDX-License-Identifier: Apache-2.0
"""What is done when the work that streams have now is over, without anybody waiting for it.

The collector finalises the objects of a garbage in any order, so that a stream may come before the memory that
it used. A lease is what such things hold of a stream; it has no finaliser.
"""
from __future__ import annotations

import contextlib
import ctypes
from typing import Any, Callable, Iterable, Iterator

from xpugraph import _raw
from xpugraph._checked import raw

_NOT_READY = int(_raw.xpuError_t.xpuErrorNotReady)
_NO_SUCH = int(_raw.xpuError_t.xpuErrorInvalidResourceHandle)
_UNTIMED = int(_raw.xpuEventFlags.xpuEventDisableTiming)
_NOT_CAPTURED = int(_raw.xpuStreamCaptureStatus.xpuStreamCaptureStatusNone)


class Lease:
    """A stream's handle while the stream lives, and whether its last work is over after that.

    A native stream stands on a command list of somebody else's, which may be gone when a finaliser runs,
    so that nothing can be recorded in it then.
    """

    def __init__(self, handle: int, device: int, owned: bool, native: bool = False) -> None:
        self.handle, self.device, self.owned, self.native = handle, device, owned, native
        self.ended = False  # the handle is dead
        self.over = False  # and so is the work

    def can_be_used(self) -> bool:
        """False while it is captured, by whomever: what it is given would become part of that."""
        status = ctypes.c_int()
        # The legacy stream answers an error while another one is captured.
        code: int = raw.xpuStreamIsCapturing(self.handle, ctypes.byref(status))
        return code == _NO_SUCH or (code == 0 and status.value == _NOT_CAPTURED)

    def recorded(self) -> Any:
        """An event behind its work; None if its owner has destroyed the stream."""
        event = _raw.xpuEvent_t()
        if raw.xpuEventCreateWithFlags(ctypes.byref(event), _UNTIMED) != 0:
            return None
        if raw.xpuEventRecord(event, self.handle) != 0:
            raw.xpuEventDestroy(event)
            return None
        return event


@contextlib.contextmanager
def current(device: int) -> Iterator[None]:
    """The calling thread's current device, to which events and default streams belong."""
    before = ctypes.c_int()
    raw.xpuGetDevice(ctypes.byref(before))
    if before.value == device:
        yield
        return
    raw.xpuSetDevice(device)
    try:
        yield
    finally:
        raw.xpuSetDevice(before.value)


class Ending:
    """An action that comes when the work is over that some streams had when this was made.

    It is stepped on again and again, by one thread at a time. A stream's error is for the program to
    find, so that events are asked here and streams are not.
    """

    def __init__(self, leases: Iterable[Lease], action: Callable[[], Any]) -> None:
        self.unmarked = list(leases)
        self.ended: list[Lease] = []
        self.events: list[tuple[int, Any]] = []
        self.lost: list[Lease] = []  # no event tells of the work of these
        self.action = action

    def step(self) -> bool:
        """Goes on as far as is possible without waiting; True once the action is done.

        The action may answer False, to be called again.
        """
        self.unmarked = [lease for lease in self.unmarked if not self._mark(lease)]
        self.events = [(device, event) for device, event in self.events if not _reached(event)]
        self.ended = [lease for lease in self.ended if not lease.over]
        if self.unmarked or self.events or self.ended or self.lost:
            return False
        return self.action() is not False

    def device_was_idle(self, device: int) -> None:
        """Somebody has waited for all of a device since this was made."""
        for where, event in self.events:
            if where == device:
                raw.xpuEventDestroy(event)
        self.events = [(where, event) for where, event in self.events if where != device]
        self.unmarked, self.ended, self.lost = (
            [lease for lease in leases if lease.device != device]
            for leases in (self.unmarked, self.ended, self.lost))

    def _mark(self, lease: Lease) -> bool:
        """Finds out what to look at for a stream; False if that cannot be told now."""
        if lease.native or lease.ended:
            (self.lost if lease.native else self.ended).append(lease)
            return True
        with current(lease.device):
            if not lease.can_be_used():
                return False
            event = lease.recorded()
        if event is None:
            self.lost.append(lease)
        else:
            self.events.append((lease.device, event))
        return True


def _reached(event: Any) -> bool:
    if raw.xpuEventQuery(event) == _NOT_READY:
        return False
    raw.xpuEventDestroy(event)
    return True


class StreamEnding(Ending):
    """The end of a stream that this package owns."""

    def __init__(self, lease: Lease) -> None:
        def over() -> None:
            lease.over = True

        super().__init__([lease], over)
        self.lease = lease

    def step(self) -> bool:
        over = super().step()
        # Not before its last work is marked: it may be captured by other code, which this would spoil.
        if not self.lease.ended and not self.unmarked:
            raw.xpuStreamDestroy(self.lease.handle)
            self.lease.ended = True
        return over
