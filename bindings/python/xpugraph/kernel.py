# SPDX-License-Identifier: Apache-2.0
"""Kernels: how Python values become arguments, and how a kernel is launched."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from xpugraph import _capturing, _lifetime, _raw
from xpugraph._checked import call, filled, raw
from xpugraph.buffer import Buffer
from xpugraph.device import Device, DeviceLike
from xpugraph.memory import Memory
from xpugraph.stream import Stream, current_stream

Dim = Union[int, Sequence[int]]
_FLOATS = {2: np.float16, 4: np.float32, 8: np.float64}


class LocalMemory(NamedTuple):
    """Work-group local memory of `nbytes` bytes, for a parameter that is a ``local`` pointer."""

    nbytes: int


class KernelAttributes(NamedTuple):
    """Limits and needs of a kernel; sizes in bytes, the required work-group None if any will do."""

    parameters: int
    local_memory: int
    private_memory: int
    spilled_memory: int
    max_work_group_size: int
    sub_group_size: int
    required_work_group: Optional[tuple[int, int, int]]


def dim3(extents: Dim, what: str) -> Any:
    """One to three positive numbers as C has them."""
    numbers = (extents,) if isinstance(extents, (int, np.integer)) else tuple(extents)
    if not 1 <= len(numbers) <= 3:
        raise ValueError(f"{what} has one to three extents, not {len(numbers)}")
    if any(not 0 < int(n) < 2 ** 32 for n in numbers):
        raise ValueError(f"the extents of {what} are positive, unlike {tuple(numbers)}")
    return _raw.xpuDim3(*(int(n) for n in numbers), *(1,) * (3 - len(numbers)))


class Arguments:
    """The arguments of one launch in C's form: values, an array of pointers to them, the buffers."""

    def __init__(self, kernel: Kernel, values: Sequence[Any]) -> None:
        if len(values) != len(kernel.sizes):
            raise TypeError(f"{kernel.name} takes {len(kernel.sizes)} arguments, "
                            f"{len(values)} were given")
        self.memories: list[Memory] = []
        self.others: list[Any] = []
        self.values = [self._value(kernel, i, size, value)
                       for i, (size, value) in enumerate(zip(kernel.sizes, values))]
        self.pointers = (ctypes.c_void_p * max(len(values), 1))(
            *(ctypes.addressof(value) for value in self.values))

    def _value(self, kernel: Kernel, index: int, size: int, value: Any) -> Any:
        if isinstance(value, Buffer):
            self.memories.append(value.memory)
            return ctypes.c_void_p(self._of_size(kernel, index, size, 8, value.pointer))
        if isinstance(value, LocalMemory):
            return ctypes.c_size_t(self._of_size(kernel, index, size, 8, value.nbytes))
        if isinstance(value, np.ndarray):
            raise TypeError(f"argument {index} of {kernel.name} is a NumPy array, which kernels cannot "
                            "reach: asarray() makes a buffer of it")
        if isinstance(value, (bool, int)):
            if not -(1 << (8 * size - 1)) <= value < 1 << (8 * size):
                raise OverflowError(f"argument {index} of {kernel.name} has {size} bytes, too few "
                                    f"for {value}")
            data = int(value).to_bytes(size, "little", signed=value < 0)
        elif isinstance(value, np.generic):
            data = value.tobytes()
        elif isinstance(value, float):
            if size not in _FLOATS:
                raise TypeError(f"argument {index} of {kernel.name} has {size} bytes, which no float "
                                "has")
            data = np.array(value, _FLOATS[size]).tobytes()
        elif isinstance(value, bytes):
            data = value
        elif isinstance(value, (ctypes._SimpleCData, ctypes.Structure, ctypes.Array)):
            data = bytes(value)
        elif hasattr(value, "__sycl_usm_array_interface__"):
            facts = value.__sycl_usm_array_interface__
            self.others.append(value)
            item = np.dtype(facts["typestr"]).itemsize
            address = int(facts["data"][0]) + int(facts.get("offset", 0) or 0) * item
            return ctypes.c_void_p(self._of_size(kernel, index, size, 8, address))
        else:
            raise TypeError(f"argument {index} of {kernel.name} is a {type(value).__name__}; kernels "
                            "take buffers, numbers, NumPy scalars, bytes, ctypes values and "
                            "LocalMemory")
        self._of_size(kernel, index, size, len(data), 0)
        return (ctypes.c_char * size).from_buffer_copy(data)

    @staticmethod
    def _of_size(kernel: Kernel, index: int, size: int, given: int, value: int) -> int:
        if size != given:
            raise TypeError(f"argument {index} of {kernel.name} has {size} bytes, {given} were given")
        return value

    def used_in(self, stream: Stream) -> None:
        """Notes what a launch in a stream uses."""
        session = _capturing.session_of(stream)
        for memory in self.memories:
            memory.used_in(stream, session)
        if session is not None:
            for other in self.others:
                session.keep(other)


class Kernel:
    """A kernel; ``kernel[grid, block](*arguments)`` launches it.

    ``grid`` counts work-groups and ``block`` the work-items of one, each in one to three dimensions,
    the first being that of ``get_global_id(0)``.

    Arguments are converted by the size of each parameter, which is all that is known of its type: a
    Python float becomes a half, float or double, an int an integer. Structs and vectors are given as
    NumPy scalars, ctypes values or bytes.
    """

    def __init__(self, handle: int, sizes: tuple[int, ...], name: str, owner: Any) -> None:
        #: The `xpuKernel_t`, for C calls.
        self.handle = handle
        self.sizes, self.name, self.owner = sizes, name, owner

    @staticmethod
    def parameters_of(handle: int) -> tuple[int, ...]:
        """The bytes of each parameter of an `xpuKernel_t`."""
        facts, offset, size = filled(_raw.xpuKernelAttributes), ctypes.c_size_t(), ctypes.c_size_t()
        call.xpuKernelGetAttributes(ctypes.byref(facts), handle)
        sizes = []
        for index in range(facts.numParams):
            call.xpuKernelGetParamInfo(handle, index, ctypes.byref(offset), ctypes.byref(size))
            sizes.append(size.value)
        return tuple(sizes)

    @staticmethod
    def from_native(module: int, name: str, device: DeviceLike = None) -> Kernel:
        """A kernel of a ``ze_module_handle_t`` that the caller owns and keeps."""
        handle = _raw.xpuKernel_t()
        call.xpuKernelCreateFromNative(ctypes.byref(handle), Device(device).index, module,
                                       name.encode(), 0, None)
        value = handle.value or 0
        return Kernel(value, Kernel.parameters_of(value), name, _NativeKernel(value))

    @property
    def attributes(self) -> KernelAttributes:
        """Its limits and needs."""
        facts = filled(_raw.xpuKernelAttributes)
        call.xpuKernelGetAttributes(ctypes.byref(facts), self.handle)
        block = facts.requiredBlockDim
        return KernelAttributes(
            facts.numParams, facts.sharedSizeBytes, facts.localSizeBytes, facts.spillSizeBytes,
            facts.maxThreadsPerBlock, facts.warpSize,
            (block.x, block.y, block.z) if block.x else None)

    def __getitem__(self, configuration: tuple[Dim, Dim]) -> Launch:
        if not isinstance(configuration, tuple) or len(configuration) != 2:
            raise TypeError("a kernel is launched as kernel[grid, block](arguments)")
        return Launch(self, *configuration)

    def __repr__(self) -> str:
        return f"<xpugraph.Kernel {self.name} with {len(self.sizes)} parameters>"


class _NativeKernel:
    """Destroys a kernel of a foreign module."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    @_lifetime.finaliser
    def __del__(self) -> None:
        handle = self.handle
        _lifetime.release(lambda: raw.xpuKernelDestroy(handle))


class Launch:
    """A kernel with its sizes; may be kept and called again and again."""

    def __init__(self, kernel: Kernel, grid: Dim, block: Dim) -> None:
        self.kernel = kernel
        self.grid, self.block = dim3(grid, "the grid"), dim3(block, "the block")

    def __call__(self, *arguments: Any, stream: Optional[Stream] = None) -> None:
        """Queues the kernel in a stream, by default the current one; in a capture it is a node.

        Raises
        ------
        TypeError, OverflowError
            Arguments that do not fit the parameters.
        InvalidValue
            Sizes that the device or the kernel cannot take.
        """
        if stream is None:
            stream = current_stream()
        packed = Arguments(self.kernel, arguments)
        packed.used_in(stream)
        call.xpuLaunchKernel(self.kernel.handle, self.grid, self.block, packed.pointers, 0,
                             stream.handle)
