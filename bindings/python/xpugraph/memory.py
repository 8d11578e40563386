# SPDX-License-Identifier: Apache-2.0
"""Blocks of memory: how they are allocated and given back, and what there is of them."""
from __future__ import annotations

import ctypes
import threading
from functools import partial
from typing import Any, Optional

from xpugraph import _capturing, _lifetime, _raw
from xpugraph._checked import call, filled, raw
from xpugraph._lease import Lease, current
from xpugraph.device import Device, DeviceLike, device_count
from xpugraph.error import InvalidValue, OutOfMemory
from xpugraph.pool import Hold, all_usages
from xpugraph.stream import Stream, current_stream

KINDS = ("device", "host", "shared")


class Memory:
    """A block of memory, given back when nobody refers to it.

    Device memory is allocated and freed in the order of a stream, in a capture in the order of the
    graph. A block that other streams have used too is freed when what they had is over, without
    waiting for it, and in a capture only when that has ended. Pinned and shared memory is freed when
    the program waits for the device or allocates more of it, since that means to wait for all devices.

    Attributes
    ----------
    pointer, nbytes : int
    kind : str
        "device", "host" (pinned), "shared" (moved by the driver as needed), or "foreign".
    owner : object
        What keeps memory alive that this package did not allocate.
    """

    def __init__(self, pointer: int, nbytes: int, kind: str, device: Device,
                 stream: Optional[Stream] = None, owner: Any = None) -> None:
        self.pointer, self.nbytes, self.kind, self.device = pointer, nbytes, kind, device
        self.stream = stream
        self.owner = owner
        self.owned = owner is None
        self.others: dict[int, Lease] = {}  # of streams besides its own that have used it
        # Of the capture in which it was allocated, if any.
        self.capture = 0
        self.fate: Optional[_capturing.Fate] = None
        self.pool: Optional[Hold] = None

    @property
    def host_visible(self) -> bool:
        """May the host read and write it?"""
        return self.kind in ("host", "shared")

    def captured_in(self, session: _capturing.Session) -> None:
        """It is of the capture's private pool, and holds that."""
        self.capture, self.fate = session.id, session.fate
        self.pool = Hold(session.pool.token, retained=False)

    def used_in(self, stream: Stream, session: Optional[_capturing.Session]) -> None:
        """To be called for each use in a stream, with the capture that the stream takes part in."""
        if self.fate is not None and self.fate.lost:
            raise InvalidValue(
                _raw.xpuError_t.xpuErrorInvalidDevicePointer,
                "this buffer was allocated in a capture that failed, and its memory is gone")
        if self.stream is not stream and id(stream.lease) not in self.others:
            for lease in [lease for lease in self.others.values() if lease.over]:
                self.others.pop(id(lease), None)
            self.others[id(stream.lease)] = stream.lease
        if session is not None and self.capture != session.id:
            session.keep(self)

    @_lifetime.finaliser
    def __del__(self) -> None:
        # The collector may have finalised the stream and the pool handle of the same garbage before:
        # what is needed of them is held in C's words.
        if not getattr(self, "owned", False) or not self.pointer:
            return
        if self.stream is None:
            _lifetime.free_when_idle(partial(
                raw.xpuFreeHost if self.kind == "host" else raw.xpuFree, self.pointer))
        elif not self._freed_in_capture(self.stream):
            _lifetime.release(partial(_free, self.pointer, self.stream.lease,
                                      list(self.others.values()), self.fate, self.pool))

    def _freed_in_capture(self, stream: Stream) -> bool:
        """Not device work: what is captured behind this may have the addresses."""
        if self.fate is None or self.fate.ending or self.others or _lifetime.is_quiet() or \
                _capturing.with_id(self.capture) is None or \
                raw.xpuFreeAsync(self.pointer, stream.handle) != 0:
            return False
        if self.pool is not None:
            self.pool.give_up()
        return True


def _free(pointer: int, own: Lease, others: list[Lease], fate: Optional[_capturing.Fate],
          pool: Optional[Hold]) -> None:
    def freed() -> bool:
        if (fate is None or not fate.lost) and not _freed_in_order(pointer, own):
            return False
        if pool is not None:
            pool.give_up()
        return True

    _lifetime.after([*others, own] if own.ended else others, freed)


def _freed_in_order(pointer: int, stream: Lease) -> bool:
    """False while the stream is captured. If it is gone, its work is over, and any stream will do."""
    if stream.ended:
        stream = Lease(0, stream.device, owned=False)
    with current(stream.device):
        if not stream.can_be_used():
            return False
        if raw.xpuFreeAsync(pointer, stream.handle) != 0:
            _lifetime.free_when_idle(partial(raw.xpuFree, pointer))
    return True


_pools: dict[int, Any] = {}
_pools_lock = threading.Lock()


def _pool(device: Device) -> Any:
    """This package's own stream-ordered pool on a device, which keeps what is freed for reuse."""
    with _pools_lock:
        if device.index not in _pools:
            attributes = _raw.xpuMemPoolAttr
            props = filled(_raw.xpuMemPoolProps, allocType=1, location=(1, device.index))
            pool, everything = _raw.xpuMemPool_t(), ctypes.c_uint64(2 ** 64 - 1)
            call.xpuMemPoolCreate(ctypes.byref(pool), ctypes.byref(props))
            call.xpuMemPoolSetAttribute(pool, int(attributes.xpuMemPoolAttrReleaseThreshold),
                                        ctypes.byref(everything))
            _pools[device.index] = pool
        return _pools[device.index]


def allocate(nbytes: int, kind: str = "device", device: DeviceLike = None,
             stream: Optional[Stream] = None) -> Memory:
    """Allocates a block.

    Parameters
    ----------
    nbytes : int
    kind : {"device", "host", "shared"}
    device : device-like, optional
        Of the stream, if one is given; else the current one.
    stream : Stream, optional
        In whose order device memory is allocated and freed; the current stream by default.

    Raises
    ------
    OutOfMemory
        Also after all that was kept for reuse has been given back to the driver.
    """
    if kind not in KINDS:
        raise ValueError(f"memory is of kind {', '.join(KINDS)}; there is no {kind!r}")
    if nbytes < 0:
        raise ValueError(f"a block of {nbytes} bytes cannot be")
    if stream is None:
        stream = current_stream(device)
    where = stream.device
    _lifetime.note_use()
    if nbytes == 0:
        return Memory(0, 0, kind, where, stream if kind == "device" else None)
    try:
        return _allocate(nbytes, kind, where, stream)
    except OutOfMemory:
        if _capturing.any_under_way():
            raise
        _lifetime.settle()
        where.synchronize()
        empty_cache(where)
        return _allocate(nbytes, kind, where, stream)


def _allocate(nbytes: int, kind: str, device: Device, stream: Stream) -> Memory:
    pointer = ctypes.c_void_p()
    if kind == "device":
        call.xpuMallocFromPoolAsync(ctypes.byref(pointer), nbytes, _pool(device), stream.handle)
        memory = Memory(pointer.value or 0, nbytes, kind, device, stream)
        capture = _capturing.capture_id(stream)
        session = _capturing.with_id(capture)
        if session is not None and session.pool is not None:
            memory.captured_in(session)
        elif capture:
            memory.owned = False  # a node of a graph
        return memory
    _lifetime.free_idle()
    # Not stream-ordered, so nothing of it would be missing from a graph.
    with device, _lifetime.relaxed():
        if kind == "host":
            call.xpuMallocHost(ctypes.byref(pointer), nbytes)
        else:
            call.xpuMallocManaged(ctypes.byref(pointer), nbytes,
                                  int(_raw.xpuMemAttachFlags.xpuMemAttachGlobal))
    return Memory(pointer.value or 0, nbytes, kind, device)


def empty_cache(device: DeviceLike = None) -> None:
    """Gives memory that is kept for reuse back to the driver, on one device or on all.

    During a capture it does nothing.
    """
    _lifetime.settle()
    indices = list(_pools) if device is None else [Device(device).index]
    with _capturing.none_begins() as alone:
        for index in indices if alone else []:
            if index in _pools:
                call.xpuMemPoolTrimTo(_pools[index], 0)
            call.xpuDeviceGraphMemTrim(index)


def _attribute(device: Device, name: str) -> int:
    value = ctypes.c_uint64()
    if device.index in _pools:
        number = int(_raw.xpuMemPoolAttr["xpuMemPoolAttr" + name])
        call.xpuMemPoolGetAttribute(_pools[device.index], number, ctypes.byref(value))
    return value.value


def _graph_attribute(device: Device, name: str) -> int:
    value = ctypes.c_uint64()
    number = int(_raw.xpuGraphMemAttributeType["xpuGraphMemAttr" + name])
    call.xpuDeviceGetGraphMemAttribute(device.index, number, ctypes.byref(value))
    return value.value


def memory_stats(device: DeviceLike = None) -> dict[str, int]:
    """Bytes of this package's allocations on a device.

    Returns
    -------
    dict
        ``allocated``, ``reserved`` and their peaks ``allocated_peak``, ``reserved_peak``: of
        stream-ordered memory. ``graph_pools_allocated``, ``graph_pools_reserved``: of the private
        pools of all devices. ``graph_nodes_used``, ``graph_nodes_reserved``: of allocation nodes.
    """
    where = Device(device)
    usages = all_usages()
    return {
        "allocated": _attribute(where, "UsedMemCurrent"),
        "allocated_peak": _attribute(where, "UsedMemHigh"),
        "reserved": _attribute(where, "ReservedMemCurrent"),
        "reserved_peak": _attribute(where, "ReservedMemHigh"),
        "graph_pools_allocated": sum(usage.live for usage in usages),
        "graph_pools_reserved": sum(usage.reserved for usage in usages),
        "graph_nodes_used": _graph_attribute(where, "UsedMemCurrent"),
        "graph_nodes_reserved": _graph_attribute(where, "ReservedMemCurrent"),
    }


def memory_allocated(device: DeviceLike = None) -> int:
    """Bytes of stream-ordered device memory that are allocated now."""
    return _attribute(Device(device), "UsedMemCurrent")


def memory_reserved(device: DeviceLike = None) -> int:
    """Bytes of stream-ordered device memory that are held, in use or not."""
    return _attribute(Device(device), "ReservedMemCurrent")


def max_memory_allocated(device: DeviceLike = None) -> int:
    """The most that memory_allocated() was since reset_peak_memory_stats()."""
    return _attribute(Device(device), "UsedMemHigh")


def max_memory_reserved(device: DeviceLike = None) -> int:
    """The most that memory_reserved() was since reset_peak_memory_stats()."""
    return _attribute(Device(device), "ReservedMemHigh")


def reset_peak_memory_stats(device: DeviceLike = None) -> None:
    """Sets the peaks to what there is now."""
    index, zero = Device(device).index, ctypes.c_uint64(0)
    for name in ("UsedMemHigh", "ReservedMemHigh"):
        if index in _pools:
            call.xpuMemPoolSetAttribute(
                _pools[index], int(_raw.xpuMemPoolAttr["xpuMemPoolAttr" + name]),
                ctypes.byref(zero))


def mem_get_info(device: DeviceLike = None) -> tuple[int, int]:
    """(free, total) bytes of a device."""
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    with Device(device):
        call.xpuMemGetInfo(ctypes.byref(free), ctypes.byref(total))
    return free.value, total.value


def all_devices() -> list[Device]:
    """Every device."""
    return [Device(index) for index in range(device_count())]
