# SPDX-License-Identifier: Apache-2.0
"""How buffers are made: empty, filled, from NumPy and from the arrays of other packages."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from xpugraph.buffer import Buffer, Shape, bytes_of
from xpugraph.device import Device, DeviceLike
from xpugraph.memory import Memory, allocate
from xpugraph.stream import Stream


def _shape(shape: Shape) -> tuple[int, ...]:
    extents = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    if any(n < 0 for n in extents):
        raise ValueError(f"negative extents in {extents}")
    return tuple(int(n) for n in extents)


def empty(shape: Shape, dtype: Any = np.float32, *, device: DeviceLike = None,
          stream: Optional[Stream] = None, memory: str = "device") -> Buffer:
    """A buffer with undefined content.

    Parameters
    ----------
    shape : int or sequence of int
    dtype : dtype-like
    device : device-like, optional
        The current device by default, or that of the stream.
    stream : Stream, optional
        In whose order it is allocated and freed; the current stream by default.
    memory : {"device", "host", "shared"}
        "host" is pinned host memory. NumPy sees "host" and "shared" memory through numpy().

    Raises
    ------
    OutOfMemory
    """
    extents, kind = _shape(shape), np.dtype(dtype)
    if kind.hasobject:
        raise TypeError("a buffer cannot hold Python objects")
    return Buffer(allocate(bytes_of(extents, kind), memory, device, stream), extents, kind)


def zeros(shape: Shape, dtype: Any = np.float32, *, device: DeviceLike = None,
          stream: Optional[Stream] = None, memory: str = "device") -> Buffer:
    """A buffer of zeros; see empty()."""
    made = empty(shape, dtype, device=device, stream=stream, memory=memory)
    return made.zero_(stream)


def full(shape: Shape, value: Any, dtype: Any = None, *, device: DeviceLike = None,
         stream: Optional[Stream] = None, memory: str = "device") -> Buffer:
    """A buffer with one value in all places, of the value's dtype by default; see empty()."""
    kind = np.array(value).dtype if dtype is None else np.dtype(dtype)
    made = empty(shape, kind, device=device, stream=stream, memory=memory)
    return made.fill_(value, stream)


def empty_like(other: Any, **how: Any) -> Buffer:
    """A buffer of the shape and dtype of another array; see empty()."""
    return empty(other.shape, other.dtype, **how)


def zeros_like(other: Any, **how: Any) -> Buffer:
    """Zeros in the shape and dtype of another array; see empty()."""
    return zeros(other.shape, other.dtype, **how)


def empty_pinned(shape: Shape, dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    """A NumPy array in pinned host memory: copies from and to it do not wait. See empty()."""
    return empty(shape, dtype, memory="host").numpy()


def asarray(source: Any, dtype: Any = None, *, device: DeviceLike = None,
            stream: Optional[Stream] = None) -> Buffer:
    """A buffer with the elements of `source`: itself where it is one already, otherwise a copy.

    Parameters
    ----------
    source : Buffer, object with ``__sycl_usm_array_interface__``, or array-like
        Memory of others must be of the library's Level Zero context (init_from_native()).
    dtype : dtype-like, optional
        That of the source by default.
    """
    if hasattr(source, "__sycl_usm_array_interface__") and not isinstance(source, Buffer):
        source = from_usm(source)
    if isinstance(source, Buffer):
        if dtype is not None and source.dtype != np.dtype(dtype):
            raise ValueError(f"a buffer of {source.dtype} is not converted to {np.dtype(dtype)}")
        return source
    array = np.asarray(source, dtype)
    made = empty(array.shape, array.dtype, device=device, stream=stream)
    return made.copy_(array, stream)


def from_usm(source: Any, device: DeviceLike = None) -> Buffer:
    """A buffer over the memory of an object with ``__sycl_usm_array_interface__``."""
    facts = source.__sycl_usm_array_interface__
    kind, shape = np.dtype(facts["typestr"]), tuple(facts["shape"])
    strides, step = facts.get("strides"), 1
    if strides is not None:
        for extent, stride in zip(reversed(shape), reversed(tuple(strides))):
            if extent > 1 and stride != step:
                raise ValueError("only arrays in C order without gaps can be taken over")
            step *= extent
    pointer = int(facts["data"][0]) + int(facts.get("offset", 0) or 0) * kind.itemsize
    return Buffer(Memory(pointer, bytes_of(shape, kind), "foreign", Device(device), owner=source),
                  shape, kind)


def from_dlpack(source: Any) -> Buffer:
    """A buffer over the memory of an object with ``__dlpack__``.

    Raises
    ------
    BufferError
        The memory is not such that kernels can use it: not of the library's context, or ordinary
        host memory. asarray() copies that.
    """
    from xpugraph import dlpack
    return dlpack.taken(source)
