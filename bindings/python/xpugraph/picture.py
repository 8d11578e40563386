# SPDX-License-Identifier: Apache-2.0
"""Pictures of graphs: DOT text from the library, SVG where Graphviz is installed."""
from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import Optional

from xpugraph import _raw
from xpugraph._checked import call
from xpugraph.error import NotSupported


def write_dot(graph: int, path: str, verbose: bool) -> None:
    """Writes the picture of an `xpuGraph_t` to a file."""
    flags = int(_raw.xpuGraphDebugDotFlags.xpuGraphDebugDotFlagsVerbose) if verbose else 0
    call.xpuGraphDebugDotPrint(graph, os.fsencode(path), flags)


def dot_of(graph: int, verbose: bool = False) -> str:
    """The picture of an `xpuGraph_t` in Graphviz's DOT language."""
    with tempfile.TemporaryDirectory(prefix="xpugraph-") as folder:
        path = os.path.join(folder, "graph.dot")
        write_dot(graph, path, verbose)
        with open(path, encoding="utf-8") as file:
            return file.read()


def can_draw() -> bool:
    """Is Graphviz there?"""
    return shutil.which("dot") is not None


def svg_of(dot: str) -> str:
    """The picture as SVG, drawn by Graphviz.

    Raises
    ------
    NotSupported
        Its program `dot` is not installed.
    """
    program = shutil.which("dot")
    if program is None:
        raise NotSupported(_raw.xpuError_t.xpuErrorNotSupported,
                           "drawing needs Graphviz's program dot in PATH (Debian: graphviz)",
                           "to_svg")
    drawn = subprocess.run([program, "-Tsvg"], input=dot, capture_output=True, text=True,
                           encoding="utf-8", check=True)
    return drawn.stdout[drawn.stdout.index("<svg"):]


class Pictured:
    """What a graph with a picture can do, given its handle."""

    handle: int

    def to_dot(self, verbose: bool = False) -> str:
        """A picture in Graphviz's DOT language; with all parameters if verbose."""
        return dot_of(self.handle, verbose)

    def write_dot(self, path: str, verbose: bool = False) -> None:
        """Writes the picture to a file."""
        write_dot(self.handle, path, verbose)

    def to_svg(self, verbose: bool = False) -> str:
        """The picture as SVG.

        Raises
        ------
        NotSupported
            Graphviz is not installed.
        """
        return svg_of(self.to_dot(verbose))

    def _repr_svg_(self) -> Optional[str]:
        return self.to_svg() if can_draw() else None
