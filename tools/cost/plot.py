#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the figures of chains by number of nodes, three ways each, from tools/bench's JSON, with gnuplot.

usage: plot.py JSON FILE.svg
"""
import json
import subprocess
import sys
from pathlib import Path

from figures import FIGURES, measure

LABELS = {"raw": "Level Zero by hand", "driver": "the driver's graphs", "ours": "libxpugraph"}
COLOURS = {"raw": "#767676", "driver": "#d1742f", "ours": "#0068b5"}
UNITS = {"instructions": "instructions", "ns": "ns", "bytes": "bytes"}
# Updates, of which one way or two have nothing, are in the table only.
DRAWN = ["capture", "instantiate", "launch", "destroy", "bytes", "run"]


def series(rows, figure):
    """{by: [(nodes, value)]} of chains, and the unit; ways with nothing are left out."""
    lines, unit = {}, None
    for row in rows:
        if row["figure"] == figure and row["shape"] == "chain" and measure(row)[1] is not None:
            unit, value = measure(row)
            lines.setdefault(row["by"], []).append((row["n"], value))
    return lines, unit


def panel(figure, lines, unit):
    """gnuplot's commands for one figure."""
    for by, points in lines.items():
        yield f"${figure}_{by} << EOD"
        yield from (f"{nodes} {value}" for nodes, value in points)
        yield "EOD"
    yield f'set title "{FIGURES[figure][0].split(" (")[0]}: {UNITS[unit]} per {FIGURES[figure][1]}"'
    yield "plot " + ", ".join(
        f'${figure}_{by} with linespoints lc rgb "{COLOURS[by]}" lw 2 pt 7 ps 0.5'
        f' title "{LABELS[by]}"' for by in LABELS if by in lines)


def script(rows, target):
    panels = [(figure, *series(rows, figure)) for figure in DRAWN]
    panels = [p for p in panels if p[1]]
    if not panels:
        sys.exit("plot.py: no figure of a chain to draw")
    down = (len(panels) + 1) // 2
    yield f'set terminal svg size 900,{290 * down} font "sans-serif,12" background "white"'
    yield f'set output "{target}"'
    yield f"set multiplot layout {down},2"
    yield "set logscale xy; unset mxtics; unset mytics; set format x '%.0f'; set key top left"
    yield "set xlabel 'nodes of a chain'; set xrange [0.8:12500]; set offsets graph 0, graph 0, graph 0.35, graph 0.1"
    # '%.0f' would show numbers below 1 as 0.
    yield "set format y '%g'"
    for one in panels:
        yield from panel(*one)
    yield "unset multiplot"


def main():
    rows = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    commands = "\n".join(script(rows, sys.argv[2])) + "\n"
    subprocess.run(["gnuplot"], input=commands, text=True, check=True)


if __name__ == "__main__":
    main()
