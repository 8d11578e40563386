#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins what graph_cost printed with the profiles callgrind dumped: one table, and JSON if wanted.

usage: figures.py --device NAME [--json FILE] TIMES [FOLDER OF callgrind.out.*]
"""
import argparse
import json
import re
from pathlib import Path

# figure: (what it is, per what)
FIGURES = {
    "capture": ("capture", "node"),
    "instantiate": ("instantiate (raw: write and close the list)", "node"),
    "launch": ("launch", "call"),
    "update_one": ("update one argument", "call"),
    "update_one_launch": ("update one argument and launch", "call"),
    "update_all": ("update an argument of every node", "node"),
    "update_graph": ("update from a graph with other arguments, and launch", "node"),
    "update_graph_same": ("update from a graph in which nothing differs", "node"),
    "destroy": ("destroy", "call"),
    "bytes": ("host memory", "node"),
    "run": ("launch and wait for the end", "node"),
}
# way: those it is compared with in the table
RATIOS = {"raw": [], "driver": ["raw"], "ours": ["raw", "driver"]}
# figure: instructions that this library is to stay within, for a chain of 1,000 nodes on bmg
TARGETS = {"capture": 700, "instantiate": 4_600, "launch": 11_179, "update_one_launch": 12_900,
           "update_graph": 900, "update_graph_same": 250}
WIDTH, RATIO_WIDTH = 11, 9


def read_times(path, device):
    """The rows of the JSON, in the program's order, without instructions and ratios."""
    rows = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        figure, shape, nodes, by, value, p90 = line.split("\t")
        row = {"figure": figure, "shape": shape, "n": int(nodes), "device": device, "by": by,
               "ns": None, "ns_p90": None, "bytes": None, "instructions": None,
               "ratio_to_raw": None, "reason": None}
        if value == "-":
            row["reason"] = p90
        elif figure == "bytes":
            row["bytes"] = float(value)
        else:
            row["ns"], row["ns_p90"] = float(value), float(p90)
        rows.append(row)
    return rows


def profiles(folder):
    """(words of the title, instructions of the calling thread) of each profile."""
    for path in Path(folder).glob("callgrind.out.*"):
        text = path.read_text(encoding="utf-8", errors="replace")
        title = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
        total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
        if title and total:
            yield title.group(1).split(), int(total.group(1))


def read_instructions(folder):
    """{(figure, shape, nodes, by): instructions of the calling thread}, per node where it is so."""
    counts = {}
    for (figure, shape, nodes, by), total in profiles(folder):
        divisor = int(nodes) if FIGURES[figure][1] == "node" else 1
        counts[figure, shape, int(nodes), by] = total / divisor
    return counts


def key(row):
    return row["figure"], row["shape"], row["n"]


def measure(row):
    """(unit, value) of what says most: instructions repeat, times do not."""
    for unit in ("instructions", "bytes", "ns"):
        if row[unit] is not None:
            return unit, row[unit]
    return None, None


def ratio(row, other):
    """None unless both were measured in the same unit."""
    (unit, value), (other_unit, other_value) = measure(row), measure(other)
    return value / other_value if unit and unit == other_unit and other_value else None


def join(rows, counts):
    """The rows with instructions and ratios."""
    for row in rows:
        row["instructions"] = counts.get((*key(row), row["by"]))
    raw = {key(row): row for row in rows if row["by"] == "raw"}
    for row in rows:
        if key(row) in raw:
            row["ratio_to_raw"] = ratio(row, raw[key(row)])
    return rows


def number(value, width, form=",.0f"):
    return f"{'–' if value is None else format(value, form):>{width}}"


def table(rows):
    """Lines: a block for each figure, a line for each shape, the reasons for what is not there."""
    for figure, (name, per) in FIGURES.items():
        chosen = [row for row in rows if row["figure"] == figure]
        if chosen:
            yield f"{name}, per {per}"
            yield from block(figure, chosen)
            yield from target(figure, chosen)
            yield ""


def target(figure, rows):
    """What was aimed at beside what it is."""
    for row in rows:
        if figure in TARGETS and row["device"] == "bmg" and row["by"] == "ours" and \
                (row["shape"], row["n"]) == ("chain", 1000) and row["instructions"] is not None:
            yield f"  target: ours {TARGETS[figure]:,} for a chain of 1,000; it is " \
                f"{row['instructions']:,.0f}"


def block(figure, rows):
    """Head, units, a line per shape, reasons; of a figure that nobody has only the reasons."""
    counted = any(row["instructions"] is not None for row in rows)
    columns = ["bytes"] if figure == "bytes" else ["ns", "p90"] + ["instr"] * counted
    shapes = {}
    for row in rows:
        shapes.setdefault(key(row), {})[row["by"]] = row
    if any(measure(row)[0] for row in rows):
        head, units = f"{'':>19}", f"{'shape':<12} {'nodes':>6}"
        for by, ratios in RATIOS.items():
            head += f" | {by:<{WIDTH * len(columns) + RATIO_WIDTH * len(ratios) - 1}}"
            units += " |" + "".join(f"{c:>{WIDTH}}" for c in columns)
            units += "".join(f"{'/' + to:>{RATIO_WIDTH}}" for to in ratios)
        yield head.rstrip()
        yield units
        for (_, shape, nodes), of in shapes.items():
            yield f"{shape:<12} {nodes:>6}" + "".join(cells(of, by, columns) for by in RATIOS)
    for by, reason in dict.fromkeys((row["by"], row["reason"]) for row in rows if row["reason"]):
        yield f"  – {by}: {reason}"


def cells(of, by, columns):
    """The part of a line that is about one way."""
    row = of[by]
    values = {"ns": row["ns"], "p90": row["ns_p90"], "instr": row["instructions"],
              "bytes": row["bytes"]}
    return " |" + "".join(number(values[column], WIDTH) for column in columns) + \
        "".join(number(ratio(row, of[to]), RATIO_WIDTH, ".2f") for to in RATIOS[by])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", required=True)
    parser.add_argument("--json")
    parser.add_argument("times")
    parser.add_argument("profiles", nargs="?")
    given = parser.parse_args()
    counts = read_instructions(given.profiles) if given.profiles else {}
    rows = join(read_times(given.times, given.device), counts)
    print("\n".join(table(rows)))
    if given.json:
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        Path(given.json).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
