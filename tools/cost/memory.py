#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs memory_cost on allocation traces: a table, JSON if wanted, and instructions if counted.

usage: memory.py [--json FILE] [--count FOLDER] PROGRAM KERNELS.spv TRACE.json...

--count FOLDER also places generated chains of 1,000, 10,000 and 100,000 allocations under callgrind,
whose files go to FOLDER.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

from memory_trace import BadTrace, Trace

GENERATED = (1000, 10000, 100000)
ALIVE = 50  # allocations at once at most, in a generated chain
NO_PAGES = ("memory comes in pages of 2 MiB as far as they are full and of 64 KiB behind them; "
            "ratios are of reserved to the lower bound in such pages")


def in_pages(size):
    """As memory is rounded behind a range of addresses."""
    page = 64 << 10
    return -(-size // page) * page


def generated(count):
    """The lines of a chain: sizes at random, any of those alive freed next."""
    state = count

    def below(n):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) % n

    steps, alive = [], []
    for number in range(count):
        steps.append(f"a {1 + below(1 << 20)}")
        alive.append(number)
        if len(alive) > ALIVE or below(10) < 4:
            steps.append(f"f {alive.pop(below(len(alive)))}")
    return [f"chain{count}", str(len(steps)), *steps]


def run(command, lines):
    """What a program prints when it is given the lines; ends this one if it fails."""
    done = subprocess.run(command, input="\n".join(lines) + "\n", text=True, check=False,
                          stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit(done.returncode if done.returncode > 0 else 1)
    return done.stdout


def measure(program, kernels, traces):
    """The rows of the JSON, each with what sizes were divided by."""
    lines = [line for trace in traces for line in trace.lines()]
    rows = []
    for trace, line in zip(traces, run([program, kernels], lines).splitlines(), strict=True):
        _, divisor, graph, pool, ns = line.split("\t")
        row = {"trace": trace.name, "lower_bound": trace.lower_bound(),
               "reserved_graph": int(graph) * int(divisor),
               "reserved_pool": int(pool) * int(divisor), "planning_ms": float(ns) / 1e6}
        rows.append((row, int(divisor)))
    return rows


def table(rows):
    """Lines: one for each trace, then what they mean."""
    yield (f"{'trace':<16} {'lower bound':>13} {'in pages':>13} | {'graph':>13} {'ratio':>6} | "
           f"{'pool':>13} {'ratio':>6} | {'planning':>9}  scale")
    for row, divisor in rows:
        pages = in_pages(row["lower_bound"])
        graph, pool = row["reserved_graph"], row["reserved_pool"]
        yield (f"{row['trace']:<16} {row['lower_bound']:>13,} {pages:>13,} | {graph:>13,} "
               f"{graph / pages:>6.3f} | {pool:>13,} {pool / pages:>6.3f} | "
               f"{row['planning_ms']:>6.3f} ms  1/{divisor}")
    yield f"bytes; {NO_PAGES}"


def count(program, kernels, folder):
    """Lines: instructions of placing generated chains."""
    lines = [line for n in GENERATED for line in generated(n)]
    profile = Path(folder, "callgrind.out")
    run(["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no",
         f"--callgrind-out-file={profile}", program, "--count", kernels], lines)
    counts = {}
    for path in Path(folder).glob("callgrind.out.*"):
        text = path.read_text(encoding="utf-8", errors="replace")
        title = re.search(r"^desc: Trigger: Client Request: place chain(\d+)$", text, re.MULTILINE)
        total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
        if title and total:
            counts[int(title.group(1))] = int(total.group(1))
    yield ""
    yield f"{'allocations':>16} {'instructions':>16} {'for each':>10}"
    for n in GENERATED:
        yield f"{n:>16,} {counts[n]:>16,} {counts[n] / n:>10,.0f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json")
    parser.add_argument("--count")
    parser.add_argument("program")
    parser.add_argument("kernels")
    parser.add_argument("traces", nargs="*")
    given = parser.parse_args()
    try:
        traces = [Trace(path) for path in given.traces]
    except BadTrace as error:
        sys.exit(f"tools/bench: {error}")
    rows = measure(given.program, given.kernels, traces) if traces else []
    if rows:
        print("\n".join(table(rows)), flush=True)
    if given.json:
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row, _ in rows)
        Path(given.json).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    if given.count:
        print("\n".join(count(given.program, given.kernels, given.count)))


if __name__ == "__main__":
    main()
