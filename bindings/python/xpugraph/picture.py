# SPDX-License-Identifier: Apache-2.0
"""Pictures of graphs: DOT text from the library, SVG where Graphviz is installed."""
from __future__ import annotations

import os
import shutil
import subprocess
import tempfile

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
