# SPDX-License-Identifier: Apache-2.0
"""Events: marks in streams, to wait for, to order streams by, and to measure time with."""
from __future__ import annotations

import ctypes
from typing import Optional

from xpugraph import _capturing, _lifetime, _raw
from xpugraph._checked import call, raw
from xpugraph.error import CaptureError
from xpugraph.stream import Stream, _ready, current_stream


class Event:
    """An event.

    Parameters
    ----------
    enable_timing : bool
        Keep a time stamp, for elapsed_time().
    blocking : bool
        synchronize() sleeps instead of polling.
    external : bool
        In a capture, record() and wait() become nodes that act at every replay, instead of a fork or
        a join of streams.
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False,
                 external: bool = False) -> None:
        flags = 0 if enable_timing else int(_raw.xpuEventFlags.xpuEventDisableTiming)
        flags |= int(_raw.xpuEventFlags.xpuEventBlockingSync) if blocking else 0
        handle = _raw.xpuEvent_t()
        call.xpuEventCreateWithFlags(ctypes.byref(handle), flags)
        #: The `xpuEvent_t`, for C calls.
        self.handle: int = handle.value or 0
        self.external = external
        self._capture = 0  # the id of the capture in which it was last recorded

    def record(self, stream: Optional[Stream] = None) -> None:
        """Marks what a stream has now, by default the current stream."""
        stream = current_stream() if stream is None else stream
        capture = _capturing.capture_id(stream)
        external = bool(capture) and self.external
        call.xpuEventRecordWithFlags(self.handle, stream.handle, int(external))
        self._capture = 0 if external else capture
        self._keep(stream)

    def wait(self, stream: Optional[Stream] = None) -> None:
        """Makes what is given to a stream from now on wait for the event."""
        stream = current_stream() if stream is None else stream
        external = self.external and stream.is_capturing()
        call.xpuStreamWaitEvent(stream.handle, self.handle, int(external))
        self._keep(stream)

    def _keep(self, stream: Stream) -> None:
        session = _capturing.session_of(stream) if self.external else None
        if session is not None:
            session.keep(self)

    def query(self) -> bool:
        """Is the work that it stands for finished? True if it was never recorded."""
        self._refuse_captured("query()")
        return _ready(raw.xpuEventQuery(self.handle))

    def synchronize(self) -> None:
        """Waits until the work that it stands for is finished.

        Raises
        ------
        CaptureError
            It was last recorded in a capture; the capture goes on.
        """
        self._refuse_captured("synchronize()")
        call.xpuEventSynchronize(self.handle)
        _lifetime.settle()

    def _refuse_captured(self, what: str) -> None:
        if self._capture and _capturing.with_id(self._capture) is not None:
            raise CaptureError(
                _raw.xpuError_t.xpuErrorCapturedEvent,
                f"{what}: the event was recorded in a capture, where nothing runs", what)

    def elapsed_time(self, end: Event) -> float:
        """Milliseconds of device time from this event to `end`."""
        milliseconds = ctypes.c_float()
        call.xpuEventElapsedTime(ctypes.byref(milliseconds), self.handle, end.handle)
        return milliseconds.value

    @property
    def native(self) -> int:
        """The ``ze_event_handle_t``, valid until the event is recorded again."""
        handle = _raw.ze_event_handle_t()
        call.xpuEventGetNative(self.handle, ctypes.byref(handle))
        return handle.value or 0

    def __repr__(self) -> str:
        return f"<xpugraph.Event {self.handle:#x}>"

    @_lifetime.finaliser
    def __del__(self) -> None:
        handle = getattr(self, "handle", 0)
        if handle:
            _lifetime.release(lambda: raw.xpuEventDestroy(handle))
