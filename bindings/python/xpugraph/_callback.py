# SPDX-License-Identifier: Apache-2.0
"""Python functions as C callbacks, kept as long as the library may call them.

A callback object must not die while C code is inside it, so one that has run is only marked, and is
dropped by a later call of the program.
"""
from __future__ import annotations

from collections import deque
from typing import Any, Callable

from xpugraph import _lifetime, _raw

_waiting: set[Any] = set()
_done: deque[Any] = deque()


def repeated(function: Callable[[], Any]) -> Any:
    """A callback that its owner keeps: a node of a graph."""
    if not callable(function):
        raise TypeError(f"a host function must be callable, not {type(function).__name__}")
    return _raw.xpuHostFn_t(lambda _: _called(function))


def _called(function: Callable[[], Any]) -> None:
    # The collector may run in here, and a destruction would wait for this very function.
    with _lifetime.quiet():
        function()


def once(function: Callable[[], Any]) -> Any:
    """A callback that is called once and then dropped."""
    if not callable(function):
        raise TypeError(f"a host function must be callable, not {type(function).__name__}")
    forget_done()
    box: list[Any] = []

    def run(_: Any) -> None:
        try:
            _called(function)
        finally:
            _done.append(box.pop())

    callback = _raw.xpuHostFn_t(run)
    box.append(callback)
    _waiting.add(_Held(callback))
    return callback


class _Held:
    """ctypes' callbacks cannot be hashed."""

    def __init__(self, callback: Any) -> None:
        self.callback = callback

    def __hash__(self) -> int:
        return id(self.callback)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.callback is self.callback


def forget_done() -> None:
    """Drops callbacks that have run. Their last instructions may not be over: keep the newest."""
    while len(_done) > 1:
        _waiting.discard(_Held(_done.popleft()))
