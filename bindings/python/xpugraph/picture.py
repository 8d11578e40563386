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


def svg_of(dot: str) -> Optional[str]:
    """The picture as SVG, None where Graphviz's `dot` is not installed."""
    program = shutil.which("dot")
    if program is None:
        return None
    drawn = subprocess.run([program, "-Tsvg"], input=dot, capture_output=True, text=True,
                           encoding="utf-8", check=False)
    return drawn.stdout[drawn.stdout.index("<svg"):] if drawn.returncode == 0 else None
