# SPDX-License-Identifier: Apache-2.0
"""Kernels, and how they are launched."""
from __future__ import annotations

import ctypes
from typing import Any, Iterable, NamedTuple, Optional, Sequence, Union

import numpy as np

from xpugraph import _lifetime, _raw
from xpugraph._arguments import Signature
from xpugraph._checked import call, failure, filled, raw
from xpugraph.device import Device, DeviceLike
from xpugraph.stream import Stream, current_stream

Dim = Union[int, Sequence[int]]
_MOST_DIMS = 1000
_launch = raw.xpuLaunchKernel


class KernelAttributes(NamedTuple):
    """Limits and needs of a kernel; sizes in bytes, the required work-group None if any will do."""

    parameters: int
    local_memory: int
    private_memory: int
    spilled_memory: int
    max_work_group_size: int
    sub_group_size: int
    required_work_group: Optional[tuple[int, int, int]]


_dims: dict[Any, Any] = {}


def dim3(extents: Dim, what: str) -> Any:
    """One to three positive numbers as C has them."""
    exact = type(extents) is int or (type(extents) is tuple and all(type(n) is int for n in extents))
    known = _dims.get(extents) if exact else None
    if known is not None:
        return known
    numbers = tuple(extents) if isinstance(extents, Iterable) else (extents,)
    if not all(isinstance(n, (int, np.integer)) for n in numbers):
        raise TypeError(f"the extents of {what} are integers, unlike {extents!r}")
    if not 1 <= len(numbers) <= 3:
        raise ValueError(f"{what} has one to three extents, not {len(numbers)}")
    if any(not 0 < int(n) < 2 ** 32 for n in numbers):
        raise ValueError(f"the extents of {what} are positive and have 32 bits, unlike {numbers}")
    made = _raw.xpuDim3(*(int(n) for n in numbers), *(1,) * (3 - len(numbers)))
    if exact and len(_dims) < _MOST_DIMS:
        _dims[extents] = made
    return made


class Kernel:
    """A kernel; ``kernel[grid, block](*arguments)`` launches it.

    ``grid`` counts work-groups and ``block`` the work-items of one, each in one to three dimensions,
    the first being that of ``get_global_id(0)``.

    Arguments are converted by the size of each parameter, which is all that is known of its type: a
    Python float becomes a half, float or double, an int an integer. Structs and vectors are given as
    NumPy scalars, ctypes values or bytes.
    """

    def __init__(self, handle: int, signature: Signature, owner: Any) -> None:
        #: The `xpuKernel_t`, for C calls.
        self.handle = handle
        self.signature, self.owner = signature, owner

    @property
    def name(self) -> str:
        """Its name in the source."""
        return self.signature.name

    @property
    def sizes(self) -> tuple[int, ...]:
        """The bytes of each parameter."""
        return self.signature.sizes

    @staticmethod
    def _signature_of(handle: int, name: str) -> Signature:
        """The parameters of an `xpuKernel_t`."""
        facts, offset, size = filled(_raw.xpuKernelAttributes), ctypes.c_size_t(), ctypes.c_size_t()
        call.xpuKernelGetAttributes(ctypes.byref(facts), handle)
        sizes = []
        for index in range(facts.numParams):
            call.xpuKernelGetParamInfo(handle, index, ctypes.byref(offset), ctypes.byref(size))
            sizes.append(size.value)
        return Signature(name, tuple(sizes))

    @staticmethod
    def from_native(module: int, name: str, device: DeviceLike = None) -> Kernel:
        """A kernel of a Level Zero module.

        Parameters
        ----------
        module : int
            A ``ze_module_handle_t``, which the caller owns and keeps.
        name : str

        Raises
        ------
        SymbolNotFound
            The module has no kernel of that name.
        """
        handle = _raw.xpuKernel_t()
        call.xpuKernelCreateFromNative(ctypes.byref(handle), Device(device).index, module,
                                       name.encode(), 0, None)
        value = handle.value or 0
        return Kernel(value, Kernel._signature_of(value, name), _NativeKernel(value))

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

    __slots__ = ("kernel", "grid", "block")

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
        kernel = self.kernel
        frame = kernel.signature.taken(arguments, stream)
        code = _launch(kernel.handle, self.grid, self.block, frame.pointers, 0, stream.handle)
        kernel.signature.give_back(frame)
        if code:
            raise failure(code)
