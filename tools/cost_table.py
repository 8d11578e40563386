#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins what graph_cost printed with the profiles callgrind dumped, and prints one table.

usage: cost_table.py TIMES [FOLDER OF callgrind.out.*]
"""
import re
import sys
from pathlib import Path

PER_NODE = {"capture", "instantiate"}
COLUMNS = ["capture", "instantiate", "launch", "run"]


def read_times(path):
    """{(nodes, phase): nanoseconds}"""
    times = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        nodes, phase, nanoseconds = line.split()
        times[int(nodes), phase] = float(nanoseconds)
    return times


def read_instructions(folder):
    """{(nodes, phase): instructions of the calling thread}, per node where the phase is."""
    counts = {}
    for path in Path(folder).glob("callgrind.out.*"):
        text = path.read_text(encoding="utf-8", errors="replace")
        title = re.search(r"^desc: Trigger: Client Request: (\d+) (\w+)$", text, re.MULTILINE)
        total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
        if title and total:
            nodes, phase = int(title.group(1)), title.group(2)
            counts[nodes, phase] = int(total.group(1)) / (nodes if phase in PER_NODE else 1)
    return counts


def table(times, instructions):
    yield (f"{'':>8}  {'captured node':>20}  {'instantiated node':>20}  {'launch':>20}"
           f"  {'run, per node':>13}")
    yield (f"{'nodes':>8}" + f"  {'ns':>8} {'instructions':>11}" * 3 + f"  {'ns':>13}")
    for nodes in sorted({n for n, _ in times}):
        row = f"{nodes:>8}"
        for phase in COLUMNS[:3]:
            count = instructions.get((nodes, phase))
            row += f"  {times[nodes, phase]:>8,.0f} {'-' if count is None else f'{count:,.0f}':>11}"
        yield row + f"  {times[nodes, 'run']:>13,.0f}"


if __name__ == "__main__":
    print("\n".join(table(read_times(sys.argv[1]),
                          read_instructions(sys.argv[2]) if len(sys.argv) > 2 else {})))
