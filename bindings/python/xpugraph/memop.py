# SPDX-License-Identifier: Apache-2.0
"""Operations on values in memory, for nodes that do several one after the other."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Sequence

from xpugraph import _raw
from xpugraph._checked import filled

_TYPE = _raw.xpuStreamBatchMemOpType


class MemOp(NamedTuple):
    """A write of a value, or a wait for one.

    Parameters
    ----------
    address : int
        Of memory of the library.
    value : int
        What is written, or waited for.
    wait : bool, optional
        A write by default.
    bits : int, optional
        Of the value: 32 or 64.
    equal : bool, optional
        Of a wait: the value must be this one; otherwise it may also be larger.
    """

    address: int
    value: int
    wait: bool = False
    bits: int = 32
    equal: bool = False


def params_of(operations: Sequence[MemOp]) -> Any:
    """An `xpuBatchMemOpNodeParams`."""
    made = (_raw.xpuStreamBatchMemOpParams * len(operations))()
    for to, one in zip(made, operations):
        if one.bits not in (32, 64):
            raise ValueError(f"a value has 32 or 64 bits, not {one.bits}")
        kind = f"xpuStreamMemOp{'Wait' if one.wait else 'Write'}Value{one.bits}"
        to.writeValue.operation = int(getattr(_TYPE, kind))
        to.writeValue.flags = int(one.wait and one.equal)
        to.writeValue.address = one.address
        to.writeValue.value64 = one.value
    params = filled(_raw.xpuBatchMemOpNodeParams, count=len(operations))
    params.operations = made
    params.paramArray = ctypes.cast(made, type(params.paramArray))
    return params
