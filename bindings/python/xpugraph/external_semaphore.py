# SPDX-License-Identifier: Apache-2.0
"""External semaphores: what other programs signal and wait for, such as Vulkan."""
from __future__ import annotations

import ctypes
from typing import Any, Optional

from xpugraph import _capturing, _lifetime, _raw
from xpugraph._checked import call, filled, raw
from xpugraph.device import Device, DeviceLike
from xpugraph.stream import Stream, current_stream

_TYPE = _raw.xpuExternalSemaphoreHandleType


class ExternalSemaphore:
    """A semaphore that is shared with another program.

    Parameters
    ----------
    fd : int
        Its file descriptor, which belongs to the library afterwards. The CPU driver takes an eventfd,
        and for a timeline a file of memory that begins with the value in 64 bits.
    timeline : bool
        It has a value, which signals set and waits wait for. Otherwise a wait uses a signal up.

    Raises
    ------
    NotSupported
        The driver has no external semaphores.
    """

    def __init__(self, fd: int, timeline: bool = False, device: DeviceLike = None) -> None:
        what = (_TYPE.xpuExternalSemaphoreHandleTypeTimelineSemaphoreFd if timeline
                else _TYPE.xpuExternalSemaphoreHandleTypeOpaqueFd)
        desc = filled(_raw.xpuExternalSemaphoreHandleDesc, type=int(what))
        desc.handle.fd = fd
        handle = _raw.xpuExternalSemaphore_t()
        with Device(device):
            call.xpuImportExternalSemaphore(ctypes.byref(handle), ctypes.byref(desc))
        #: The `xpuExternalSemaphore_t`, for C calls.
        self.handle: int = handle.value or 0

    def signal(self, stream: Optional[Stream] = None, value: int = 0) -> None:
        """Signals it when the work that a stream has now is done.

        Parameters
        ----------
        stream : Stream, optional
        value : int
            What a timeline gets.
        """
        self._use(call.xpuSignalExternalSemaphoresAsync, signal_params(value), stream)

    def wait(self, stream: Optional[Stream] = None, value: int = 0) -> None:
        """Makes what is given to a stream from now on wait for it.

        Parameters
        ----------
        stream : Stream, optional
        value : int
            What a timeline must reach.
        """
        self._use(call.xpuWaitExternalSemaphoresAsync, wait_params(value), stream)

    def _use(self, function: Any, params: Any, stream: Optional[Stream]) -> None:
        stream = current_stream() if stream is None else stream
        function(ctypes.byref(_raw.xpuExternalSemaphore_t(self.handle)), ctypes.byref(params), 1,
                 stream.handle)
        session = _capturing.session_of(stream)
        if session is not None:
            session.keep(self)

    def __repr__(self) -> str:
        return f"<xpugraph.ExternalSemaphore {self.handle:#x}>"

    @_lifetime.finaliser
    def __del__(self) -> None:
        handle = getattr(self, "handle", 0)
        if handle:
            _lifetime.release(lambda: raw.xpuDestroyExternalSemaphore(handle))


def signal_params(value: int) -> Any:
    """An `xpuExternalSemaphoreSignalParams`."""
    params = _raw.xpuExternalSemaphoreSignalParams()
    params.params.fence.value = value
    return params


def wait_params(value: int) -> Any:
    """An `xpuExternalSemaphoreWaitParams`."""
    params = _raw.xpuExternalSemaphoreWaitParams()
    params.params.fence.value = value
    return params


def node_params(kind: Any, semaphore: ExternalSemaphore, params: Any) -> Any:
    """The parameters of a node, which must live while what C makes of them is copied."""
    made = filled(kind, numExtSems=1)
    made.handles = (_raw.xpuExternalSemaphore_t * 1)(semaphore.handle)
    made.values = params
    made.extSemArray = made.handles
    made.paramsArray = ctypes.pointer(params)
    return made
