# SPDX-License-Identifier: Apache-2.0
"""What a graph keeps alive: things that its nodes, and the graphs inside it, use."""
from __future__ import annotations

from typing import Any, Callable, Iterable

from xpugraph import kinds
from xpugraph.kinds import Kind

# Captured calls make none of these, or what they keep is their own.
_STAY = (kinds.EMPTY, kinds.MEM_ALLOC, kinds.MEM_FREE)


class Keeping:
    """Of a graph and of all that moved into it, which share one.

    Attributes
    ----------
    nodes : dict
        The kind of a node that was added from Python and what it uses, by handle.
    captured : dict
        What captured work uses, by the handle of the graph that it was captured into.
    also : list
        What the program gave.
    """

    def __init__(self) -> None:
        self.nodes: dict[int, tuple[Kind, tuple[Any, ...]]] = {}
        self.captured: dict[int, tuple[Any, ...]] = {}
        self.also: list[Any] = []

    def all(self) -> list[Any]:
        """Each thing, as often as it is used."""
        used = (*(things for _, things in self.nodes.values()), *self.captured.values(), self.also)
        return [thing for things in used for thing in things]

    def take_in(self, other: Keeping) -> None:
        """The graph of the other one moved inside."""
        self.nodes.update(other.nodes)
        self.captured.update(other.captured)
        self.also += other.also

    def capture_again(self, graph: int, nodes: Iterable[int], used: Iterable[Any]) -> None:
        """All that captured calls make was made again; what it used before is not needed."""
        for node in nodes:
            kind, _ = self.nodes.get(node, (kinds.EMPTY, ()))
            if kind not in _STAY:
                self.nodes[node] = (kind, ())
        self.captured[graph] = tuple(used)

    def copy(self, graph: int, clone: int, nodes: Iterable[int],
             copy_of: Callable[[int], int]) -> Keeping:
        """That of a copy. Graphs inside have copies, too, whose nodes are not looked for."""
        made, inside = Keeping(), Keeping()
        inside.take_in(self)
        for node in nodes:
            if node in inside.nodes:
                made.nodes[copy_of(node)] = inside.nodes.pop(node)
        made.captured[clone] = inside.captured.pop(graph, ())
        made.also = inside.all()
        return made
