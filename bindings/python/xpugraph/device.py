# SPDX-License-Identifier: Apache-2.0
"""Devices: which there are, which one the calling thread works on, what each can do."""
from __future__ import annotations

import ctypes
import threading
from typing import Any, NamedTuple, Optional, Union

from xpugraph import _capturing, _lifetime, _raw
from xpugraph._checked import call, filled, raw
from xpugraph.error import CaptureError

DeviceLike = Union["Device", int, str, None]


class DeviceProperties(NamedTuple):
    """What a device is and has. Sizes are bytes, the clock is in kHz."""

    name: str
    type: str
    uuid: bytes
    vendor_id: int
    device_id: int
    total_memory: int
    max_allocation: int
    local_memory_per_group: int
    max_work_group_size: int
    max_work_group_shape: tuple[int, int, int]
    max_grid_shape: tuple[int, int, int]
    sub_group_size: int
    multi_processor_count: int
    clock_rate: int
    integrated: bool
    managed_memory: bool
    compute_engines: int
    copy_engines: int


def _three(numbers: Any) -> tuple[int, int, int]:
    return numbers[0], numbers[1], numbers[2]


class _Thread(threading.local):
    """The devices that were current before those of the `with` that a thread is in."""

    def __init__(self) -> None:
        self.stack: list[int] = []


_thread = _Thread()


class Device:
    """A device; as a context manager, the calling thread's current one.

    Parameters
    ----------
    index : int, str, Device or None
        Its number, or ``"xpu:1"``. None is the current device.

    Raises
    ------
    InvalidValue
        There is no such device.
    NoDevice
        There is none at all.
    """

    def __init__(self, index: DeviceLike = None) -> None:
        if isinstance(index, Device):
            self.index: int = index.index
        elif isinstance(index, str):
            kind, _, number = index.partition(":")
            if kind != "xpu" or (number and not number.isdigit()):
                raise ValueError(f"a device is called 'xpu' or 'xpu:1', not {index!r}")
            self.index = int(number) if number else current_device()
        else:
            self.index = current_device() if index is None else int(index)

    @property
    def properties(self) -> DeviceProperties:
        """What it is and has."""
        p = filled(_raw.xpuDeviceProp)
        call.xpuGetDeviceProperties(ctypes.byref(p), self.index)
        kind = _raw.xpuDeviceType(p.type).name[len("xpuDeviceType"):].lower()
        return DeviceProperties(
            p.name.decode("utf-8", "replace"), kind, bytes(p.uuid), p.vendorId, p.deviceId,
            p.totalGlobalMem, p.maxMemAllocSize, p.sharedMemPerBlock, p.maxThreadsPerBlock,
            _three(p.maxThreadsDim), _three(p.maxGridSize), p.warpSize, p.multiProcessorCount,
            p.clockRate, bool(p.integrated), bool(p.managedMemory), p.computeEngineCount,
            p.asyncEngineCount)

    @property
    def name(self) -> str:
        """Its name, as the driver gives it."""
        return self.properties.name

    @property
    def native(self) -> tuple[int, int, int]:
        """The Level Zero handles: driver, device, context. They stay the library's."""
        driver, device = _raw.ze_driver_handle_t(), _raw.ze_device_handle_t()
        context = _raw.ze_context_handle_t()
        call.xpuDeviceGetNative(self.index, ctypes.byref(driver), ctypes.byref(device),
                                ctypes.byref(context))
        return driver.value or 0, device.value or 0, context.value or 0

    def synchronize(self) -> None:
        """Waits until all work of the device, in every stream, is finished.

        Raises
        ------
        CaptureError
            A stream of the device is being captured; the capture goes on.
        LaunchFailure
            Work failed while it ran.
        """
        if _capturing.on_device(self.index):
            raise CaptureError(
                _raw.xpuError_t.xpuErrorStreamCaptureUnsupported,
                "synchronize() would wait for work that is being captured and does not run; wait "
                "after the capture", "xpuDeviceSynchronize")
        before = _lifetime.under_way()
        with self:
            call.xpuDeviceSynchronize()
        _lifetime.device_was_idle(self.index, before)

    def can_access(self, peer: DeviceLike) -> bool:
        """Can kernels of this device use the device memory of another one?"""
        answer = ctypes.c_int()
        call.xpuDeviceCanAccessPeer(ctypes.byref(answer), self.index, Device(peer).index)
        return bool(answer.value)

    def __enter__(self) -> Device:
        before = current_device()
        if before != self.index:
            set_device(self.index)
        _thread.stack.append(before)
        return self

    def __exit__(self, *_: Any) -> None:
        before = _thread.stack.pop()
        if before != self.index:
            raw.xpuSetDevice(before)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other.index == self.index

    def __hash__(self) -> int:
        return hash(("xpu", self.index))

    def __repr__(self) -> str:
        return f"xpugraph.Device({self.index})"


def device_count() -> int:
    """The number of devices; 0 if there is none or no driver."""
    count = ctypes.c_int()
    return count.value if raw.xpuGetDeviceCount(ctypes.byref(count)) == 0 else 0


def is_available() -> bool:
    """Is there a device?"""
    return device_count() > 0


def current_device() -> int:
    """The number of the calling thread's current device."""
    return 0 if _there_is_one else _current_device()


# Then nobody can make another one current, so that C need not be asked at every launch.
_there_is_one = False


def _current_device() -> int:
    global _there_is_one
    index = ctypes.c_int()
    call.xpuGetDevice(ctypes.byref(index))
    _there_is_one = device_count() == 1
    return index.value


def set_device(device: DeviceLike) -> None:
    """Sets the calling thread's current device."""
    call.xpuSetDevice(device if isinstance(device, int) else Device(device).index)


def synchronize(device: DeviceLike = None) -> None:
    """Waits until all work of a device is finished; see Device.synchronize()."""
    Device(device).synchronize()


def get_device_name(device: DeviceLike = None) -> str:
    """The name of a device."""
    return Device(device).name


def get_device_properties(device: DeviceLike = None) -> DeviceProperties:
    """What a device is and has."""
    return Device(device).properties


def init_from_native(driver: int, devices: list[int], context: int,
                     driver_path: Optional[str] = None) -> None:
    """Adopts Level Zero handles instead of opening a driver; before anything needs a device.

    Memory of that context, whoever allocated it, is then valid in kernels and copies.

    Parameters
    ----------
    driver, context : int
        ``ze_driver_handle_t``, ``ze_context_handle_t``; they must stay valid until the process ends.
    devices : list of int
        ``ze_device_handle_t``; they become devices 0, 1, …
    driver_path : str, optional
        The driver library that made the handles, if they do not come from the Level Zero loader.
    """
    array = (_raw.ze_device_handle_t * len(devices))(*devices)
    desc = filled(_raw.xpuNativeDesc, deviceCount=len(devices),
                  driver=_raw.ze_driver_handle_t(driver), devices=array,
                  context=_raw.ze_context_handle_t(context),
                  driverPath=driver_path.encode() if driver_path else None)
    call.xpuInitFromNative(ctypes.byref(desc))
