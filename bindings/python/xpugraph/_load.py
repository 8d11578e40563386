# SPDX-License-Identifier: Apache-2.0
"""Finds and opens libxpugraph.so.0, and refuses one that is older than the raw layer.

A library that the package carries comes first; otherwise the dynamic linker looks for it, so that
LD_LIBRARY_PATH chooses one.
"""
import ctypes
from pathlib import Path

from xpugraph import _raw

SONAME = "libxpugraph.so.0"
CARRIED = Path(__file__).resolve().parent / "_lib" / SONAME


def _version_text(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}.{version % 10}"


def open_library() -> ctypes.CDLL:
    """The C library.

    Raises
    ------
    ImportError
        There is none, or it is older than what this package was generated from.
    """
    path = str(CARRIED) if CARRIED.exists() else SONAME
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"{SONAME} cannot be opened: {error}. Install the library, or set LD_LIBRARY_PATH to "
            "the folder that has it") from None
    version = ctypes.c_int()
    if _raw.xpuRuntimeGetVersion.bound(library)(ctypes.byref(version)) != 0:
        raise ImportError(f"{path} does not tell its version")
    if version.value < _raw.XPUGRAPH_VERSION:
        raise ImportError(f"{path} has version {_version_text(version.value)}, and this package "
                          f"needs {_version_text(_raw.XPUGRAPH_VERSION)} or newer")
    return library
