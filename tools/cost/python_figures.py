#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins what python_cost.py printed with the profiles callgrind dumped: figures beside their targets, and JSON.

usage: python_figures.py --device NAME [--json FILE] TIMES [FOLDER OF callgrind.out.*]
"""
import argparse
import json
from pathlib import Path

from figures import number, profiles

# figure: (what it is, the most nanoseconds that it should take longer than the same call from C)
FIGURES = {
    "replay": ("XPUGraph.replay()", 1000),
    "launch": ("kernel[grid, block](…)", 6000),
    "captured_launch": ("the same, captured", 6000),
}
WAYS = ("c", "python")


def read_times(path):
    """{(figure, way): nanoseconds: (least, median, 90th percentile)}"""
    rows = (line.split("\t") for line in Path(path).read_text(encoding="utf-8").splitlines())
    return {(figure, way): tuple(map(float, ns)) for figure, way, *ns in rows}


def read_instructions(folder):
    """{(figure, way): instructions of one call}"""
    return {(figure, way): total / int(calls) for (figure, way, calls), total in profiles(folder)}


def rows(times, counts, device):
    """The rows of the JSON: a call from Python, the same from C, the difference and its target.

    The difference is of the least of each, which other programs on the machine do not change.
    """
    for figure, (_, target) in FIGURES.items():
        (c_least, c_ns, c_p90), (least, ns, p90) = (times[figure, way] for way in WAYS)
        c_count, count = (counts.get((figure, way)) for way in WAYS)
        yield {"figure": figure, "device": device, "ns": ns, "ns_p90": p90, "c_ns": c_ns,
               "c_ns_p90": c_p90, "over_c_ns": least - c_least, "target_ns": target, "instructions": count,
               "c_instructions": c_count}


def table(found):
    """Lines: one for each figure, the least time over the least of C beside its target."""
    counted = any(row["instructions"] is not None for row in found)
    yield (f"{'per call':<24} |{'python ns':>11}{'p90':>9} |{'c ns':>9}{'p90':>9} |{'over c':>9}"
           f"{'target':>9}" + f" |{'python instr':>14}{'c instr':>10}{'over c':>10}" * counted)
    for row in found:
        line = f"{FIGURES[row['figure']][0]:<24} |{number(row['ns'], 11)}{number(row['ns_p90'], 9)}"
        line += f" |{number(row['c_ns'], 9)}{number(row['c_ns_p90'], 9)}"
        line += f" |{number(row['over_c_ns'], 9)}{row['target_ns']:>9,}"
        if counted:
            over = row["instructions"] - row["c_instructions"]
            line += (f" |{number(row['instructions'], 14)}{number(row['c_instructions'], 10)}"
                     f"{number(over, 10)}")
        yield line + ("" if row["over_c_ns"] <= row["target_ns"] else "  missed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", required=True)
    parser.add_argument("--json")
    parser.add_argument("times")
    parser.add_argument("profiles", nargs="?")
    given = parser.parse_args()
    counts = read_instructions(given.profiles) if given.profiles else {}
    found = list(rows(read_times(given.times), counts, given.device))
    print("\n".join(table(found)))
    if given.json:
        lines = ",\n".join(json.dumps(row) for row in found)
        Path(given.json).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
