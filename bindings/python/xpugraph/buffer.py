# SPDX-License-Identifier: Apache-2.0
"""Buffers: arrays in device, pinned or shared memory, with NumPy's shapes and types."""
from __future__ import annotations

import ctypes
from typing import Any, Optional, Sequence, Union

import numpy as np

from xpugraph import _capturing, _raw
from xpugraph._checked import call
from xpugraph.device import Device
from xpugraph.memory import Memory
from xpugraph.stream import Stream, current_stream

_KIND = int(_raw.xpuMemcpyKind.xpuMemcpyDefault)
Shape = Union[int, Sequence[int]]


def bytes_of(shape: tuple[int, ...], dtype: np.dtype[Any]) -> int:
    """The bytes of an array."""
    count = 1
    for extent in shape:  # not np.prod: its product wraps at 64 bits
        count *= extent
    return count * dtype.itemsize


class Buffer:
    """An array without gaps, in C order, in memory that kernels can use.

    Made by empty(), zeros(), full(), asarray(), from_dlpack(); slices of the first axis are views.

    Attributes
    ----------
    shape : tuple of int
    dtype : numpy.dtype
    memory : Memory
        The block that it lies in.
    pointer : int
        Its address, for kernels and C calls.
    """

    __slots__ = ("shape", "dtype", "memory", "pointer", "__weakref__")
    # NumPy must not take a buffer for a sequence of numbers.
    __array_ufunc__ = None

    def __init__(self, memory: Memory, shape: tuple[int, ...], dtype: np.dtype[Any],
                 offset: int = 0) -> None:
        self.memory, self.shape, self.dtype = memory, shape, dtype
        self.pointer = memory.pointer + offset

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.nbytes // self.dtype.itemsize if self.dtype.itemsize else 0

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return bytes_of(self.shape, self.dtype)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def device(self) -> Device:
        """Where it is."""
        return self.memory.device

    def data_ptr(self) -> int:
        """The address, by PyTorch's name."""
        return self.pointer

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a buffer without dimensions has no length")
        return self.shape[0]

    def __getitem__(self, key: Any) -> Buffer:
        """A view of a range of the first axis (step 1), or of one element of it."""
        if key is Ellipsis:
            return self
        if not self.shape:
            raise IndexError("a buffer without dimensions cannot be indexed")
        row = self.nbytes // self.shape[0] if self.shape[0] else 0
        offset = self.pointer - self.memory.pointer
        if isinstance(key, slice):
            start, stop, step = key.indices(self.shape[0])
            if step != 1:
                raise IndexError("a buffer has no gaps: slices have step 1")
            shape = (max(stop - start, 0), *self.shape[1:])
            return Buffer(self.memory, shape, self.dtype, offset + start * row)
        if not isinstance(key, (int, np.integer)):
            raise IndexError(f"a buffer is indexed by an integer or a slice, not {key!r}")
        index = int(key) + (self.shape[0] if key < 0 else 0)
        if not 0 <= index < self.shape[0]:
            raise IndexError(f"index {key} is outside of an axis of {self.shape[0]}")
        return Buffer(self.memory, self.shape[1:], self.dtype, offset + index * row)

    def __setitem__(self, key: Any, value: Any) -> None:
        self[key].copy_(value)

    def reshape(self, *shape: Any) -> Buffer:
        """The same elements in another shape; one extent may be -1."""
        wanted = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else shape
        known = bytes_of(tuple(n for n in wanted if n != -1), np.dtype(np.uint8))
        if wanted.count(-1) == 1 and known:
            wanted = tuple(self.size // known if n == -1 else n for n in wanted)
        if min(wanted, default=0) < 0 or bytes_of(wanted, self.dtype) != self.nbytes:
            raise ValueError(f"{self.shape} cannot become {shape}")
        return Buffer(self.memory, wanted, self.dtype, self.pointer - self.memory.pointer)

    def view(self, dtype: Any) -> Buffer:
        """The same bytes as elements of another type; the last axis changes with its size."""
        kind = np.dtype(dtype)
        last = (self.shape[-1] if self.shape else 1) * self.dtype.itemsize
        if last % kind.itemsize:
            raise ValueError(f"{last} bytes are no whole number of {kind}")
        return Buffer(self.memory, (*self.shape[:-1], last // kind.itemsize), kind,
                      self.pointer - self.memory.pointer)

    def copy_(self, source: Any, stream: Optional[Stream] = None) -> Buffer:
        """Queues a copy into this buffer, in the order of a stream.

        In a capture it becomes a node. A NumPy array as the source is then read at every replay: what
        it holds at that time is copied.

        Parameters
        ----------
        source : Buffer, numpy.ndarray, scalar or array-like
            Of this shape; NumPy arrays are converted to this dtype, except in a capture.

        Raises
        ------
        ValueError
            Another shape or, for buffers, another dtype.
        """
        stream = current_stream() if stream is None else stream
        if not isinstance(source, Buffer):
            source = self._host_source(source, stream)
        if source.shape != self.shape or source.dtype != self.dtype:
            raise ValueError(f"{source.dtype}{list(source.shape)} cannot be copied into "
                             f"{self.dtype}{list(self.shape)}")
        copy_bytes(self, source, self.nbytes, stream)
        return self

    def _host_source(self, source: Any, stream: Stream) -> np.ndarray[Any, Any]:
        array = np.asarray(source)
        if array.shape == () and self.shape != () and not isinstance(source, np.ndarray):
            return np.full(self.shape, array, self.dtype)
        wanted = np.ascontiguousarray(array, self.dtype).reshape(array.shape)
        if isinstance(source, np.ndarray) and stream.is_capturing() and \
                not np.shares_memory(wanted, source) and wanted.size:
            raise ValueError("in a capture the source is read at every replay, so it must have this "
                             f"dtype, {self.dtype}, and no gaps; convert it before the capture")
        return wanted

    def copy_to(self, target: np.ndarray[Any, Any], stream: Optional[Stream] = None) -> None:
        """Queues a copy into a NumPy array of this shape and dtype without gaps.

        Outside of a capture the call waits for it; in a capture it happens at every replay.
        """
        stream = current_stream() if stream is None else stream
        if target.shape != self.shape or target.dtype != self.dtype:
            raise ValueError(f"{self.dtype}{list(self.shape)} cannot be copied into "
                             f"{target.dtype}{list(target.shape)}")
        if not target.flags.c_contiguous or not target.flags.writeable:
            raise ValueError("the target must be writable, in C order and without gaps")
        copy_bytes(target, self, self.nbytes, stream)
        if not stream.is_capturing():
            stream.synchronize()

    def get(self, stream: Optional[Stream] = None) -> np.ndarray[Any, Any]:
        """A new NumPy array with the elements, after waiting for the stream.

        Raises
        ------
        CaptureError
            The stream is being captured; the capture goes on.
        """
        stream = current_stream() if stream is None else stream
        stream.refuse_in_capture("get()")
        array = np.empty(self.shape, self.dtype)
        copy_bytes(array, self, self.nbytes, stream)
        stream.synchronize()
        return array

    def item(self) -> Any:
        """The only element, as a Python number; waits as get() does."""
        if self.size != 1:
            raise ValueError(f"a buffer of {self.size} elements has no single value")
        return self.get().item()

    def fill_(self, value: Any, stream: Optional[Stream] = None) -> Buffer:
        """Queues a fill with one value."""
        stream = current_stream() if stream is None else stream
        pattern = np.array(value, self.dtype).tobytes()
        if len(set(pattern)) <= 1 and self.nbytes:
            used(stream, self)
            call.xpuMemsetAsync(self.pointer, pattern[0], self.nbytes, stream.handle)
            return self
        return self.copy_(np.full(self.shape, value, self.dtype), stream)

    def zero_(self, stream: Optional[Stream] = None) -> Buffer:
        """Queues a fill with zero bytes."""
        stream = current_stream() if stream is None else stream
        if self.nbytes:
            used(stream, self)
            call.xpuMemsetAsync(self.pointer, 0, self.nbytes, stream.handle)
        return self

    def numpy(self) -> np.ndarray[Any, Any]:
        """The elements as a NumPy array that shares the memory, which must be pinned or shared.

        The caller must wait for work that writes it.
        """
        bytes_ = self._bytes()
        if not self.nbytes:
            return np.empty(self.shape, self.dtype)
        return np.frombuffer(bytes_, self.dtype).reshape(self.shape)

    def _bytes(self) -> Any:
        if not self.memory.host_visible:
            raise TypeError("the host cannot read device memory: call get() for a copy")
        block: Any = (ctypes.c_char * self.nbytes).from_address(self.pointer) if self.nbytes \
            else (ctypes.c_char * 0)()
        block.memory = self.memory  # lives as long as a view does
        return block

    def __buffer__(self, flags: int) -> memoryview:  # Python 3.12
        return self.numpy().data

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray[Any, Any]:
        array = self.numpy()
        return array.copy() if copy or (dtype is not None and array.dtype != dtype) else array

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]:
        return {"data": (self.pointer, False), "shape": self.shape, "strides": None,
                "typestr": self.dtype.str, "offset": 0, "version": 1,
                "syclobj": f"level_zero:{self.device.properties.type}:{self.device.index}"}

    def __dlpack_device__(self) -> tuple[int, int]:
        from xpugraph import dlpack
        return dlpack.device_of(self)

    def __dlpack__(self, *, stream: Any = None, **_: Any) -> Any:
        from xpugraph import dlpack
        return dlpack.capsule_of(self, stream)

    def __repr__(self) -> str:
        return (f"<xpugraph.Buffer {self.dtype}{list(self.shape)} in {self.memory.kind} memory of "
                f"{self.device}>")


def used(stream: Stream, *buffers: Any) -> None:
    """Notes that work given to a stream uses these buffers or NumPy arrays."""
    session = _capturing.session_of(stream)
    for buffer in buffers:
        if isinstance(buffer, Buffer):
            buffer.memory.used_in(stream, session)
        elif session is not None:
            session.keep(buffer)
        elif stream.is_capturing():
            _capturing.keep_for_ever(buffer)


def copy_bytes(target: Any, source: Any, nbytes: int, stream: Stream) -> None:
    """Queues a copy between buffers and NumPy arrays."""
    if not nbytes:
        return
    used(stream, target, source)
    to, of = (b.pointer if isinstance(b, Buffer) else b.ctypes.data for b in (target, source))
    call.xpuMemcpyAsync(to, of, nbytes, _KIND, stream.handle)
