# SPDX-License-Identifier: Apache-2.0
"""Streams: queues of device work that runs in the order in which it was given."""
from __future__ import annotations

import ctypes
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, Optional

from xpugraph import _callback, _capturing, _lifetime, _raw
from xpugraph._checked import call, raw
from xpugraph._lease import Lease, StreamEnding
from xpugraph.device import Device, DeviceLike, current_device, set_device
from xpugraph.error import CaptureError

if TYPE_CHECKING:
    from xpugraph.event import Event

class _Thread(threading.local):
    """What is current in a thread: streams by device, and what `with` has put aside."""

    def __init__(self) -> None:
        self.currents: dict[int, Stream] = {}
        self.stack: list[tuple[Stream, int]] = []


_thread = _Thread()


class Stream:
    """A stream; as a context manager, the calling thread's current one.

    It is not ordered with the default stream, as streams of PyTorch are not.

    Parameters
    ----------
    device : device-like, optional
        Where it is; the current device by default.
    priority : int
        Lower is more urgent; moved into Stream.priority_range().
    """

    def __init__(self, device: DeviceLike = None, priority: int = 0) -> None:
        self.device = Device(device)
        handle = _raw.xpuStream_t()
        with self.device:
            call.xpuStreamCreateWithPriority(
                ctypes.byref(handle), int(_raw.xpuStreamFlags.xpuStreamNonBlocking), priority)
        _lifetime.note_use()
        self._own(handle.value or 0)

    def _own(self, handle: int, owned: bool = True, native: bool = False) -> None:
        #: The `xpuStream_t`, for C calls.
        self.handle = handle
        self.lease = Lease(handle, self.device.index, owned, native)
        _leases[id(self.lease)] = self.lease
        self._owner: Any = None

    @staticmethod
    def from_native(command_list: int, device: DeviceLike = None, owner: Any = None) -> Stream:
        """A stream over a Level Zero command list, so that work is ordered with what is in it.

        Parameters
        ----------
        command_list : int
            A ``ze_command_list_handle_t``: immediate, in-order, of the library's context. It must
            outlive the stream.
        owner : object, optional
            What keeps the list; the stream keeps it in turn.
        """
        handle, where = _raw.xpuStream_t(), Device(device)
        call.xpuStreamCreateFromNative(ctypes.byref(handle), where.index, command_list)
        _lifetime.note_use()
        made = _made(handle.value or 0, where, owned=True, native=True)
        made._owner = owner
        # Unlike finalisers, this comes before the owner's also where the collector finds both at once.
        weakref.finalize(made, _end_native, made.lease).atexit = False
        return made

    @property
    def native(self) -> int:
        """The stream's ``ze_command_list_handle_t``, valid while the stream lives."""
        command_list = _raw.ze_command_list_handle_t()
        call.xpuStreamGetNative(self.handle, ctypes.byref(command_list))
        return command_list.value or 0

    @property
    def priority(self) -> int:
        """The priority that it has, lower being more urgent."""
        value = ctypes.c_int()
        call.xpuStreamGetPriority(self.handle, ctypes.byref(value))
        return value.value

    @staticmethod
    def priority_range(device: DeviceLike = None) -> tuple[int, int]:
        """(least, greatest) priority of a device's streams."""
        least, greatest = ctypes.c_int(), ctypes.c_int()
        with Device(device):
            call.xpuDeviceGetStreamPriorityRange(ctypes.byref(least), ctypes.byref(greatest))
        return least.value, greatest.value

    @property
    def id(self) -> int:
        """A number that no other stream of this process has or has had."""
        value = ctypes.c_ulonglong()
        with self.device:
            call.xpuStreamGetId(self.handle, ctypes.byref(value))
        return value.value

    def is_capturing(self) -> bool:
        """Does it take part in a capture?"""
        return _capturing.is_capturing(self)

    def synchronize(self) -> None:
        """Waits until all work given to the stream so far is finished.

        Raises
        ------
        CaptureError
            The stream is being captured; the capture goes on.
        LaunchFailure
            Work failed while it ran.
        """
        self.refuse_in_capture("synchronize()")
        with self.device:
            call.xpuStreamSynchronize(self.handle)
        _callback.forget_done()
        _lifetime.settle()

    def query(self) -> bool:
        """Is all work given to the stream so far finished?"""
        self.refuse_in_capture("query()")
        return _ready(raw.xpuStreamQuery(self.handle))

    def refuse_in_capture(self, what: str) -> None:
        """Raises CaptureError if the stream is being captured, which leaves the capture alone."""
        if self.is_capturing():
            raise CaptureError(
                _raw.xpuError_t.xpuErrorStreamCaptureUnsupported,
                f"{what} needs the result of work that is being captured and does not run; call it "
                "after the capture", what)

    def record_event(self, event: Optional[Event] = None) -> Event:
        """Records an event, a new one by default, and returns it."""
        from xpugraph.event import Event
        if event is None and self.device.index != current_device():
            with self.device:  # an event is of one device, and so is what it marks
                event = Event()
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Makes what is given to the stream from now on wait for an event."""
        event.wait(self)

    def wait_stream(self, stream: Stream) -> None:
        """Makes what is given to the stream from now on wait for all that `stream` has now."""
        self.wait_event(stream.record_event())

    def launch_host_func(self, function: Callable[[], Any]) -> None:
        """Calls a function on a thread of the library when the work before it is finished.

        In a capture it becomes a node, called at every replay. The function must not use this
        package or wait for the device. An exception goes to ``sys.unraisablehook``.
        """
        session = _capturing.session_of(self)
        if session is not None:
            callback = _callback.repeated(function)
            session.keep(callback)
        elif self.is_capturing():
            callback = _callback.repeated(function)
            _capturing.keep_for_ever(callback)
        else:
            callback = _callback.once(function)
        call.xpuLaunchHostFunc(self.handle, callback, None)

    def write_value(self, address: int, value: int, bits: int = 32) -> None:
        """Writes a value when the work that the stream has now is done.

        Parameters
        ----------
        address : int
            Of memory of the library.
        value : int
        bits : {32, 64}
        """
        function = call.xpuStreamWriteValue64 if _is_wide(bits) else call.xpuStreamWriteValue32
        function(self.handle, address, value, 0)

    def wait_value(self, address: int, value: int, bits: int = 32, equal: bool = False) -> None:
        """Makes what is given to the stream from now on wait for a value in memory.

        Parameters
        ----------
        address : int
            Of memory of the library.
        value : int
        bits : {32, 64}
        equal : bool
            The value must be this one; otherwise it may also be larger.
        """
        function = call.xpuStreamWaitValue64 if _is_wide(bits) else call.xpuStreamWaitValue32
        function(self.handle, address, value, int(equal))

    def __enter__(self) -> Stream:
        _thread.stack.append((current_stream(self.device), current_device()))
        set_stream(self)
        return self

    def __exit__(self, *_: Any) -> None:
        before, device = _thread.stack.pop()
        _thread.currents[before.device.index] = before
        raw.xpuSetDevice(device)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and (other.handle, other.device) == (self.handle,
                                                                              self.device)

    def __hash__(self) -> int:
        return hash((self.handle, self.device))

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} {self.handle:#x} of {self.device}>"

    @_lifetime.finaliser
    def __del__(self) -> None:
        if not hasattr(self, "lease"):
            return
        lease = self.lease
        _leases.pop(id(lease), None)
        if lease.owned and not lease.native:
            _lifetime.release(lambda: _lifetime.follow(StreamEnding(lease)))


class ExternalStream(Stream):
    """A stream that somebody else made and destroys.

    Parameters
    ----------
    handle : int
        An ``xpuStream_t``.
    """

    def __init__(self, handle: int, device: DeviceLike = None) -> None:
        index = ctypes.c_int()
        call.xpuStreamGetDevice(handle, ctypes.byref(index))
        self.device = Device(index.value if device is None else device)
        self._own(handle, owned=False)


def _end_native(lease: Lease) -> None:
    """Now, since the list may be gone in a moment. It does not wait."""
    if _lifetime.is_quiet():
        _lifetime.release(lambda: _end_native(lease))
    else:
        with _lifetime.relaxed():
            raw.xpuStreamDestroy(lease.handle)


# Of the streams that there are; changed by single operations only.
_leases: dict[int, Lease] = {}


def wait_for_streams(device: Device) -> None:
    """Waits for the work that this package's streams have on a device, unless a capture is under way.

    A wait for the device itself would spoil a capture that another thread begins just before it. To hold
    such threads up meanwhile would be wrong, too: work may be waiting for them.
    """
    with _capturing.none_begins() as alone, device:
        marks = [lease.recorded() for lease in list(_leases.values())
                 if alone and lease.device == device.index and not lease.native
                 and lease.can_be_used()]
    events = [mark for mark in marks if mark is not None]
    try:
        with _lifetime.relaxed():
            for event in events:
                call.xpuEventSynchronize(event)
    finally:
        for event in events:
            raw.xpuEventDestroy(event)


def _is_wide(bits: int) -> bool:
    if bits not in (32, 64):
        raise ValueError(f"a value has 32 or 64 bits, not {bits}")
    return bits == 64


def _made(handle: int, device: Device, owned: bool, native: bool = False) -> Stream:
    stream = Stream.__new__(Stream)
    stream.device = device
    stream._own(handle, owned, native)
    return stream


def _ready(code: int) -> bool:
    from xpugraph._checked import failure
    if code not in (0, int(_raw.xpuError_t.xpuErrorNotReady)):
        raise failure(code)
    return code == 0


_defaults: dict[int, Stream] = {}


def default_stream(device: DeviceLike = None) -> Stream:
    """The default stream of a device: C's NULL. It cannot be captured."""
    where = Device(device)
    if where.index not in _defaults:
        _defaults.setdefault(where.index, _made(0, where, owned=False))
    return _defaults[where.index]


def current_stream(device: DeviceLike = None) -> Stream:
    """The calling thread's current stream on a device; the default stream at first."""
    return stream_on(current_device() if device is None else Device(device).index)


def stream_on(device: int) -> Stream:
    """As current_stream(), without anything made on the way: launches ask for it."""
    stream = _thread.currents.get(device)
    return default_stream(device) if stream is None else stream


def is_any_set() -> bool:
    """Has the calling thread ever made a stream the current one?"""
    return bool(_thread.currents)


def set_stream(stream: Stream) -> None:
    """Makes a stream, and its device, the calling thread's current ones."""
    set_device(stream.device.index)
    _thread.currents[stream.device.index] = stream


class StreamContext:
    """Makes a stream the current one inside ``with``; None changes nothing."""

    def __init__(self, stream: Optional[Stream]) -> None:
        self.stream = stream

    def __enter__(self) -> Optional[Stream]:
        return None if self.stream is None else self.stream.__enter__()

    def __exit__(self, *_: Any) -> None:
        if self.stream is not None:
            self.stream.__exit__()


def stream(stream: Optional[Stream]) -> StreamContext:
    """Makes a stream the current one inside ``with xpugraph.stream(s):``."""
    return StreamContext(stream)
