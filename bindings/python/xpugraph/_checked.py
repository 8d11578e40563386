# SPDX-License-Identifier: Apache-2.0
"""The checked layer: the functions of the C library, a failure of which is an exception.

`call.xpuX(…)` raises; `raw.xpuX(…)` answers the code. ctypes lets other threads run during both.
"""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Iterator, Optional

from xpugraph import _raw
from xpugraph._function import Function
from xpugraph._load import open_library
from xpugraph.error import XPUError, error_of

# They answer an error as their result.
_TELL_ERRORS = {"xpuGetLastError", "xpuPeekAtLastError"}


def functions() -> Iterator[Function]:
    """Every function of the headers."""
    for header in _raw.HEADERS:
        for value in vars(header).values():
            if isinstance(value, Function):
                yield value


class Calls:
    """The functions of a library, as attributes by their C names."""

    def __init__(self, library: ctypes.CDLL,
                 errcheck: Optional[Callable[[int, Any, Any], int]] = None) -> None:
        for function in functions():
            checked = function.restype is ctypes.c_int and function.name not in _TELL_ERRORS
            setattr(self, function.name, function.bound(library, errcheck if checked else None))

    def __getattr__(self, name: str) -> Any:  # for type checkers: attributes are made above
        raise AttributeError(f"the library has no function {name}")


def failure(code: int) -> XPUError:
    """The exception for the calling thread's failure, with the library's own sentence.

    The C thread's last error is cleared: the exception has taken it over.
    """
    info = _raw.xpuErrorInfo(struct_size=ctypes.sizeof(_raw.xpuErrorInfo))
    if raw.xpuGetLastErrorInfo(ctypes.byref(info)) == 0 and info.code == code:
        raw.xpuGetLastError()
        return error_of(code, info.sentence.decode("utf-8", "replace"), info.function.decode(),
                        info.argument.decode(), info.nativeResult)
    # xpuErrorNotReady is not described, being no failure.
    return error_of(code, raw.xpuGetErrorString(code).decode("utf-8", "replace"))


def _errcheck(result: int, _function: Any, _arguments: Any) -> int:
    if result:
        raise failure(result)
    return result


_library = open_library()
raw = Calls(_library)
call = Calls(_library, _errcheck)


def filled(struct: Any, **members: Any) -> Any:
    """A struct of the raw layer with `struct_size` set."""
    return struct(struct_size=ctypes.sizeof(struct), **members)
