# SPDX-License-Identifier: Apache-2.0
"""Profiles: when each node of an executable ran, and for how long."""
from __future__ import annotations

import ctypes
import html
import os
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, Union, overload

from xpugraph import _raw
from xpugraph._checked import call

_HEADINGS = ("node", "name", "type", "lane", "start us", "us")


class NodeProfile(NamedTuple):
    """One node in a profile.

    Attributes
    ----------
    path : tuple of int
        The node's number in its graph, as pictures have it, behind those of the child graph nodes that
        it is inside.
    name : str
        The kernel's, or in a word what the node does.
    type : NodeType
    lane : int or None
        Nodes of one lane share a queue of the device; None if nothing of the node runs by itself.
    start_ns, duration_ns : int
        Nanoseconds since the run began, and from then on.
    timed : bool
        False: nothing ran, or the driver does not tell; start_ns is where the nodes before it end.
    """

    path: tuple[int, ...]
    name: str
    type: _raw.xpuGraphNodeType
    lane: Optional[int]
    start_ns: int
    duration_ns: int
    timed: bool

    def _cells(self) -> tuple[str, ...]:
        kind = self.type.name.removeprefix("xpuGraphNodeType")
        took = f"{self.duration_ns / 1000:.3f}" if self.timed else "-"
        return ("/".join(map(str, self.path)), self.name, kind,
                "-" if self.lane is None else str(self.lane), f"{self.start_ns / 1000:.3f}", took)


class Profile(Sequence[NodeProfile]):
    """The nodes of one run, each behind those that it depends on; a table for print and notebooks."""

    def __init__(self, nodes: Sequence[NodeProfile]) -> None:
        self._nodes = tuple(nodes)

    @overload
    def __getitem__(self, index: int) -> NodeProfile: ...

    @overload
    def __getitem__(self, index: slice) -> Profile: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[NodeProfile, Profile]:
        return Profile(self._nodes[index]) if isinstance(index, slice) else self._nodes[index]

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def end_ns(self) -> int:
        """When the last node had ended, since the run began."""
        return max((n.start_ns + n.duration_ns for n in self._nodes), default=0)

    def to_dicts(self) -> list[dict[str, Any]]:
        """The nodes as dictionaries, for pandas.DataFrame and the like."""
        return [node._asdict() for node in self._nodes]

    def __str__(self) -> str:
        rows = [_HEADINGS, *(node._cells() for node in self._nodes)]
        widths = [max(map(len, column)) for column in zip(*rows)]
        # Words to the left, numbers to the right.
        return "\n".join("  ".join(
            cell.ljust(width) if i < 3 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        def row(cells: Sequence[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

        body = "".join(row(node._cells(), "td") for node in self._nodes)
        return f"<table><thead>{row(_HEADINGS, 'th')}</thead><tbody>{body}</tbody></table>"

    def __repr__(self) -> str:
        return f"<xpugraph.Profile of {len(self)} nodes, {self.end_ns / 1000:.3f} us>"


def profile_of(executable: int, stream: int,
               trace: Union[str, os.PathLike[str], None]) -> Profile:
    """Runs an `xpuGraphExec_t` once in an `xpuStream_t` and waits for its end."""
    count = ctypes.c_size_t()
    call.xpuGraphExecProfile(executable, stream, None, ctypes.byref(count), None)
    rows = (_raw.xpuGraphNodeProfile * max(count.value, 1))()
    rows[0].struct_size = ctypes.sizeof(_raw.xpuGraphNodeProfile)
    call.xpuGraphExecProfile(executable, stream, rows, ctypes.byref(count),
                             None if trace is None else os.fsencode(trace))
    nodes: list[NodeProfile] = []
    for row in rows[:count.value]:
        above = () if row.parent == _raw.XPU_PROFILE_NONE else nodes[row.parent].path
        nodes.append(NodeProfile(
            (*above, row.localId), row.name.decode("utf-8", "replace"),
            _raw.xpuGraphNodeType(row.type),
            None if row.lane == _raw.XPU_PROFILE_NONE else row.lane, row.startNs, row.durationNs,
            bool(row.timed)))
    return Profile(nodes)
