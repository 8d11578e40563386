# SPDX-License-Identifier: Apache-2.0
"""DLPack: buffers as capsules for other array packages, and their capsules as buffers."""
from __future__ import annotations

import ctypes as c
from typing import Any

import numpy as np

from xpugraph import _lifetime, _raw
from xpugraph._checked import call, filled
from xpugraph.buffer import Buffer, bytes_of
from xpugraph.device import Device
from xpugraph.memory import Memory
from xpugraph.stream import ExternalStream, current_stream

# dlpack.h: DLDeviceType and DLDataTypeCode.
CPU, ONE_API = 1, 14
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
_LETTERS = {code: letter for letter, code in _CODES.items()}


class DLTensor(c.Structure):
    """dlpack.h."""

    _fields_ = [("data", c.c_void_p), ("device_type", c.c_int32), ("device_id", c.c_int32),
                ("ndim", c.c_int32), ("code", c.c_uint8), ("bits", c.c_uint8),
                ("lanes", c.c_uint16), ("shape", c.POINTER(c.c_int64)),
                ("strides", c.POINTER(c.c_int64)), ("byte_offset", c.c_uint64)]


class DLManagedTensor(c.Structure):
    """dlpack.h."""


_Deleter = c.CFUNCTYPE(None, c.POINTER(DLManagedTensor))
DLManagedTensor._fields_ = [("tensor", DLTensor), ("context", c.c_void_p), ("deleter", _Deleter)]

_new = c.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]
_valid = c.pythonapi.PyCapsule_IsValid
_valid.restype, _valid.argtypes = c.c_int, [c.py_object, c.c_char_p]
_pointer = c.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c.c_void_p, [c.py_object, c.c_char_p]
_rename = c.pythonapi.PyCapsule_SetName
_rename.restype, _rename.argtypes = c.c_int, [c.py_object, c.c_char_p]

_NAME, _USED = b"dltensor", b"used_dltensor"  # capsules keep the pointer, so these must live on

# What was given away, by address, until its consumer is done with it.
_given: dict[int, tuple[Any, ...]] = {}


def _drop(managed: Any) -> None:
    _given.pop(c.addressof(managed.contents), None)


_delete = _Deleter(_drop)


def _drop_unconsumed(capsule: int) -> None:
    """A capsule that nobody consumed takes its tensor with it."""
    is_valid = c.PYFUNCTYPE(c.c_int, c.c_void_p, c.c_char_p)(("PyCapsule_IsValid", c.pythonapi))
    get = c.PYFUNCTYPE(c.c_void_p, c.c_void_p, c.c_char_p)(("PyCapsule_GetPointer", c.pythonapi))
    if is_valid(capsule, _NAME):
        _given.pop(get(capsule, _NAME), None)


_forget = c.PYFUNCTYPE(None, c.c_void_p)(_drop_unconsumed)


def device_of(buffer: Buffer) -> tuple[int, int]:
    """(device type, device number) as DLPack has them."""
    return (CPU, 0) if buffer.memory.host_visible else (ONE_API, buffer.device.index)


def capsule_of(buffer: Buffer, stream: Any) -> Any:
    """A capsule over a buffer, which it keeps; work in it is ordered before the consumer's stream.

    Raises
    ------
    BufferError
        The dtype has no place in DLPack.
    """
    if buffer.dtype.kind not in _CODES or not buffer.dtype.isnative:
        raise BufferError(f"DLPack has no type for {buffer.dtype}")
    here = current_stream(buffer.device)
    if isinstance(stream, int) and stream > 0:
        ExternalStream(stream).wait_stream(here)
    elif stream != -1:
        here.synchronize()
    shape = (c.c_int64 * buffer.ndim)(*buffer.shape)
    kind, number = device_of(buffer)
    tensor = DLTensor(buffer.pointer, kind, number, buffer.ndim, _CODES[buffer.dtype.kind],
                      buffer.dtype.itemsize * 8, 1, shape, None, 0)
    managed = DLManagedTensor(tensor, None, _delete)
    address = c.addressof(managed)
    _given[address] = (managed, shape, buffer)
    return _new(address, _NAME, c.cast(_forget, c.c_void_p))


class _Taken:
    """A tensor of somebody else, given back when nobody refers to it."""

    def __init__(self, managed: DLManagedTensor) -> None:
        self.managed = managed

    @_lifetime.finaliser
    def __del__(self) -> None:
        if self.managed.deleter:
            self.managed.deleter(c.byref(self.managed))


def taken(source: Any) -> Buffer:
    """See xpugraph.from_dlpack()."""
    if isinstance(source, Buffer):
        return source
    capsule = source.__dlpack__()
    if not _valid(capsule, _NAME):
        raise BufferError("this is no DLPack capsule, or it was consumed already")
    managed = c.cast(_pointer(capsule, _NAME), c.POINTER(DLManagedTensor)).contents
    tensor = managed.tensor
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    if tensor.code not in _LETTERS or tensor.lanes != 1 or tensor.bits % 8:
        raise BufferError(f"DLPack type {tensor.code} with {tensor.bits} bits has no NumPy dtype")
    dtype = np.dtype(f"{_LETTERS[tensor.code]}{tensor.bits // 8}")
    if tensor.strides and bytes_of(shape, dtype):
        step = 1
        for axis in reversed(range(tensor.ndim)):
            if shape[axis] > 1 and tensor.strides[axis] != step:
                raise BufferError("only arrays in C order without gaps can be taken over")
            step *= shape[axis]
    pointer = (tensor.data or 0) + tensor.byte_offset
    kind, device = _known(pointer)
    _rename(capsule, _USED)
    memory = Memory(pointer, bytes_of(shape, dtype), kind, device, owner=_Taken(managed))
    return Buffer(memory, shape, dtype)


def _known(pointer: int) -> tuple[str, Device]:
    """What kind of memory an address is, and of which device."""
    facts = filled(_raw.xpuPointerAttributes)
    call.xpuPointerGetAttributes(c.byref(facts), pointer)
    kinds = {1: "host", 2: "device", 3: "shared"}
    if facts.type not in kinds:
        raise BufferError("this memory is not of the library's Level Zero context, so kernels cannot "
                          "use it; asarray() makes a copy")
    return kinds[facts.type], Device(max(facts.device, 0))
