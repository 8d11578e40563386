# SPDX-License-Identifier: Apache-2.0
"""Modules: device code, loaded from SPIR-V, from a native binary or from OpenCL C source."""
from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any, Sequence, Union

import numpy as np

from xpugraph import _lifetime, _raw
from xpugraph._arguments import Signature
from xpugraph._checked import call, filled, raw
from xpugraph._source import compiled
from xpugraph.buffer import Buffer
from xpugraph.device import Device, DeviceLike
from xpugraph.error import BuildError
from xpugraph.kernel import Kernel
from xpugraph.memory import Memory

_LOG_BYTES = 65536


class Module:
    """Device code on a device.

    Parameters
    ----------
    image : bytes or path
        SPIR-V with OpenCL kernels, or what the driver's compiler made for this very device.
    options : str
        For the driver's compiler.
    device : device-like, optional
        The current device by default.

    Attributes
    ----------
    log : str
        What the compiler said.

    Raises
    ------
    BuildError
        The image is malformed or does not build; ``log`` has the compiler's words.
    """

    def __init__(self, image: Union[bytes, bytearray, str, os.PathLike[str]], options: str = "",
                 device: DeviceLike = None) -> None:
        if isinstance(image, (str, os.PathLike)):
            image = Path(image).read_bytes()
        if not isinstance(image, (bytes, bytearray)):
            raise TypeError(f"an image is bytes or a path, not {type(image).__name__}")
        self.device = Device(device)
        data, log = bytes(image), ctypes.create_string_buffer(_LOG_BYTES)
        desc = filled(_raw.xpuModuleDesc, image=ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p),
                      imageSize=len(data), buildOptions=options.encode() if options else None,
                      buildLog=log, buildLogSize=_LOG_BYTES)
        handle = _raw.xpuModule_t()
        try:
            # Nothing of it would be missing from a graph, so that a capture may come upon a kernel
            # that was never used before.
            with self.device, _lifetime.relaxed():
                call.xpuModuleLoad(ctypes.byref(handle), ctypes.byref(desc))
        except BuildError as error:
            error.log = log.value.decode("utf-8", "replace")
            raise
        _lifetime.note_use()
        self.log = log.value.decode("utf-8", "replace")
        #: The `xpuModule_t`, for C calls.
        self.handle: int = handle.value or 0
        self._kernels: dict[str, tuple[int, Signature]] = {}

    @staticmethod
    def from_source(source: str, options: Sequence[str] = (), device: DeviceLike = None) -> Module:
        """Compiles OpenCL C with the clang and llvm-spirv of the machine, and loads the result.

        Parameters
        ----------
        source : str
            OpenCL C 2.0.
        options : sequence of str
            For clang, e.g. ``["-DTILE=16"]``.

        Raises
        ------
        NotSupported
            clang or llvm-spirv is not there.
        BuildError
            The source does not compile.
        """
        return Module(compiled(source, options), device=device)

    def kernel(self, name: str) -> Kernel:
        """The kernel of a name; the module lives as long as it does.

        Raises
        ------
        SymbolNotFound
        """
        if name not in self._kernels:
            handle = _raw.xpuKernel_t()
            call.xpuModuleGetKernel(ctypes.byref(handle), self.handle, name.encode())
            # Without the object itself, which would be a cycle.
            value = handle.value or 0
            self._kernels[name] = (value, Kernel._signature_of(value, name))
        known, signature = self._kernels[name]
        return Kernel(known, signature, self)

    def variable(self, name: str, dtype: Any = np.uint8) -> Buffer:
        """The variable of a name, of the address space ``global`` and not ``static``, as a buffer.

        Kernels of the module use it without an argument. The module lives as long as the buffer.

        Parameters
        ----------
        name : str
        dtype : dtype-like
            What it is an array of.

        Raises
        ------
        SymbolNotFound
            The module does not export such a variable.
        NotSupported
            The driver cannot tell where it is.
        """
        at, size, kind = ctypes.c_void_p(), ctypes.c_size_t(), np.dtype(dtype)
        call.xpuModuleGetGlobal(ctypes.byref(at), ctypes.byref(size), self.handle, name.encode())
        if size.value % kind.itemsize:
            raise ValueError(f"{name} has {size.value} bytes, which are no array of {kind}")
        memory = Memory(at.value or 0, size.value, "device", self.device, owner=self)
        return Buffer(memory, (size.value // kind.itemsize,), kind)

    def __getitem__(self, name: str) -> Kernel:
        return self.kernel(name)

    def __repr__(self) -> str:
        return f"<xpugraph.Module {self.handle:#x} of {self.device}>"

    @_lifetime.finaliser
    def __del__(self) -> None:
        handle = getattr(self, "handle", 0)
        if handle:
            _lifetime.release(lambda: raw.xpuModuleUnload(handle))
