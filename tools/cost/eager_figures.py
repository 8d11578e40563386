#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts what eager_cost printed into a table beside the aims, and into JSON if wanted.

usage: eager_figures.py [--json FILE] TIMES
"""
import argparse
import json
import os
from pathlib import Path

# What is compared: (words, the figure, what it is divided by or None, the most it should be).
AIMS = [
    ("a kernel of a chain of 1,000, beside an eager one", "kernel of a graph", "eager kernel", 1.2),
    ("the call that launches the chain, ns", "launch call", None, 5_000),
    ("two branches side by side, beside one after another", "branches side by side",
     "branches one after another", 0.6),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json")
    parser.add_argument("times")
    given = parser.parse_args()
    rows = {}
    for line in Path(given.times).read_text(encoding="utf-8").splitlines():
        name, median, p90, unit = line.split("\t")
        rows[name] = {"figure": name, "median": float(median), "p90": float(p90), "unit": unit}
    load = os.getloadavg()[0]
    print(f"{'figure':<30}{'median':>14}{'p90':>14}  unit")
    for row in rows.values():
        print(f"{row['figure']:<30}{row['median']:>14,.0f}{row['p90']:>14,.0f}  {row['unit']}")
    print()
    for words, figure, beside, most in AIMS:
        value = rows[figure]["median"] / (rows[beside]["median"] if beside else 1)
        form = ",.0f" if most > 100 else ".2f"
        print(f"{words}: {value:{form}}, aim {most:{form}} at most")
    print(f"{os.cpu_count()} processors; load {load:.1f} afterwards")
    if given.json:
        text = json.dumps({"figures": list(rows.values()), "load": load}, indent=1)
        Path(given.json).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
