# SPDX-License-Identifier: Apache-2.0
"""The arguments of launches: how Python values become the memory that C reads them from.

A launch takes some microseconds, most of which this would cost. So what follows from the types of the values
alone is worked out once for each combination of types: a Plan, which writes all values by one call. What a plan
cannot write takes the slow way, which also has the sentences about what is wrong.
"""
from __future__ import annotations

import ctypes
import struct
from typing import Any, NamedTuple, Optional, Sequence

import numpy as np

from xpugraph import _capturing
from xpugraph.buffer import Buffer
from xpugraph.stream import Stream

_FLOATS = {2: np.float16, 4: np.float32, 8: np.float64}
# The struct module's letters by NumPy's kinds, for 1, 2, 4 and 8 bytes.
_LETTERS = {"i": dict(zip((1, 2, 4, 8), "bhiq")), "u": dict(zip((1, 2, 4, 8), "BHIQ")),
            "f": dict(zip((2, 4, 8), "efd"))}
_ALIGNMENT = 16


class LocalMemory(NamedTuple):
    """Work-group local memory of `nbytes` bytes, for a parameter that is a ``local`` pointer."""

    nbytes: int


class Frame:
    """What C reads: the values, and an array of pointers to them."""

    __slots__ = ("storage", "pointers")

    def __init__(self, sizes: Sequence[int], offsets: Sequence[int], nbytes: int) -> None:
        self.storage = bytearray(max(nbytes, 1))
        begin = ctypes.addressof((ctypes.c_char * len(self.storage)).from_buffer(self.storage))
        self.pointers = (ctypes.c_void_p * max(len(sizes), 1))(*(begin + at for at in offsets))


class Plan(NamedTuple):
    """How values of certain types are written."""

    pack: Any  # Struct.pack_into
    buffers: tuple[int, ...]
    rooms: tuple[int, ...]


class Signature:
    """The parameters of a kernel: how many bytes each has, which is all that is known of their types."""

    def __init__(self, name: str, sizes: tuple[int, ...]) -> None:
        self.name, self.sizes = name, sizes
        self._offsets, self._nbytes = [], 0
        for size in sizes:
            self._offsets.append(self._nbytes)
            self._nbytes += -(-size // _ALIGNMENT) * _ALIGNMENT
        self._plans: dict[tuple[type, ...], Optional[Plan]] = {}
        # Taken and put back by single operations, so that threads and signal handlers have their own.
        self._frames: list[Frame] = []

    def taken(self, values: Sequence[Any], stream: Stream) -> Frame:
        """A frame with the values, which are noted as used in the stream; give_back() ends its use."""
        types = tuple(map(type, values))
        try:
            plan = self._plans[types]
        except KeyError:
            plan = self._planned(types)
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = self._new_frame()
        if plan is None:
            return self._slowly(frame, values, stream)
        words = list(values)
        for i in plan.rooms:
            words[i] = words[i].nbytes
        session = _capturing.session_of(stream)
        for i in plan.buffers:
            buffer = words[i]
            memory = buffer.memory
            words[i] = buffer.pointer
            if memory.stream is not stream or session is not None or memory.fate is not None:
                memory.used_in(stream, session)
        try:
            plan.pack(frame.storage, 0, *words)
        except (struct.error, OverflowError):
            return self._slowly(frame, values, stream)
        return frame

    def give_back(self, frame: Frame) -> None:
        """The frame may be used again."""
        self._frames.append(frame)

    def frame_of(self, values: Sequence[Any]) -> Frame:
        """A frame of its own with the values, for a node of a graph."""
        self._count(len(values))
        return self._filled(self._new_frame(), values)

    def _new_frame(self) -> Frame:
        return Frame(self.sizes, self._offsets, self._nbytes)

    def _planned(self, types: tuple[type, ...]) -> Optional[Plan]:
        self._count(len(types))
        letters = [_letter(kind, size) for kind, size in zip(types, self.sizes)]
        plan = None
        if None not in letters:
            form = "<" + "".join(f"{letter}{-size % _ALIGNMENT}x"
                                 for letter, size in zip(letters, self.sizes))
            plan = Plan(struct.Struct(form).pack_into,
                        tuple(i for i, kind in enumerate(types) if kind is Buffer),
                        tuple(i for i, kind in enumerate(types) if kind is LocalMemory))
        self._plans[types] = plan
        return plan

    def _count(self, given: int) -> None:
        if given != len(self.sizes):
            raise TypeError(f"{self.name} takes {len(self.sizes)} arguments, {given} were given")

    def _slowly(self, frame: Frame, values: Sequence[Any], stream: Stream) -> Frame:
        self._filled(frame, values)
        session = _capturing.session_of(stream)
        for thing in kept_of(values):
            if isinstance(thing, Buffer):
                thing.memory.used_in(stream, session)
            elif session is not None:
                session.keep(thing)
        return frame

    def _filled(self, frame: Frame, values: Sequence[Any]) -> Frame:
        for index, (at, size, value) in enumerate(zip(self._offsets, self.sizes, values)):
            data = self._bytes_of(index, size, value)
            if len(data) != size:
                raise TypeError(f"argument {index} of {self.name} has {size} bytes, {len(data)} were "
                                "given")
            frame.storage[at:at + size] = data
        return frame

    def _bytes_of(self, index: int, size: int, value: Any) -> bytes:
        if isinstance(value, Buffer):
            return value.pointer.to_bytes(8, "little")
        if isinstance(value, LocalMemory):
            if not 0 <= value.nbytes < 1 << 64:
                raise ValueError(f"argument {index} of {self.name} asks for {value.nbytes} bytes of "
                                 "local memory")
            return int(value.nbytes).to_bytes(8, "little")
        if isinstance(value, np.ndarray):
            raise TypeError(f"argument {index} of {self.name} is a NumPy array, which kernels cannot "
                            "reach: asarray() makes a buffer of it")
        if isinstance(value, (bool, int)):
            if not -(1 << (8 * size - 1)) <= value < 1 << (8 * size):
                raise OverflowError(f"argument {index} of {self.name} has {size} bytes, too few for "
                                    f"{value}")
            return int(value).to_bytes(size, "little", signed=value < 0)
        if isinstance(value, np.generic):
            data: bytes = value.tobytes()
            return data
        if isinstance(value, float):
            if size not in _FLOATS:
                raise TypeError(f"argument {index} of {self.name} has {size} bytes, which no float has")
            return np.array(value, _FLOATS[size]).tobytes()
        if isinstance(value, bytes):
            return value
        if isinstance(value, (ctypes._SimpleCData, ctypes.Structure, ctypes.Array)):
            return bytes(value)
        if hasattr(value, "__sycl_usm_array_interface__"):
            facts = value.__sycl_usm_array_interface__
            item = np.dtype(facts["typestr"]).itemsize
            address = int(facts["data"][0]) + int(facts.get("offset", 0) or 0) * item
            packed: bytes = address.to_bytes(8, "little")
            return packed
        raise TypeError(f"argument {index} of {self.name} is a {type(value).__name__}; kernels take "
                        "buffers, numbers, NumPy scalars, bytes, ctypes values and LocalMemory")


def _letter(kind: type, size: int) -> Optional[str]:
    """How the struct module writes values of exactly this type; None if it cannot."""
    if kind is Buffer or kind is LocalMemory:
        return "Q" if size == 8 else None
    if kind is int or kind is bool:
        return _LETTERS["i"].get(size)
    if kind is float:
        return _LETTERS["f"].get(size)
    if issubclass(kind, np.number):
        own = np.dtype(kind)
        return _LETTERS.get(own.kind, {}).get(size) if own.itemsize == size else None
    return None


def kept_of(values: Sequence[Any]) -> list[Any]:
    """Of the arguments, the arrays that must live as long as the work."""
    return [value for value in values
            if isinstance(value, Buffer) or hasattr(value, "__sycl_usm_array_interface__")]
