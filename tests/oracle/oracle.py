#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the oracle's cases and compares each line with what CUDA 13 answered.

usage: oracle.py PROGRAM [--golden FOLDER --differences PAGE] [--batch N] [PREFIX...]

Without --golden the lines are printed, as on CUDA to make golden files. With it, the output is TAP: a case is fine if its
line is CUDA's, or if PAGE says why it is not. A case that CUDA leaves undefined (its id begins with `ub.`) or on which
CUDA itself dies is fine unless it ends badly here. A difference that PAGE explains and that is none any more fails, too.
"""
import argparse
import fnmatch
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ENDED_BADLY = re.compile(r"CRASH\(|TIMEOUT$|EXIT\(")
SECONDS_PER_CASE = 20


def ending(status):
    return f"CRASH({-status})" if status < 0 else f"EXIT({status})"


def run_batch(program, ids):
    """The lines of `ids`; after a case that ends its process the rest goes on in a new one."""
    lines = {}
    while ids:
        try:
            done = subprocess.run([program, *ids], stdout=subprocess.PIPE, text=True, errors="replace",
                                  timeout=SECONDS_PER_CASE * len(ids))
            text, how = done.stdout, ending(done.returncode)
        except subprocess.TimeoutExpired as late:
            text, how = (late.stdout or b"").decode(errors="replace"), "TIMEOUT"
        whole, _, rest = text.rpartition("\n")
        for line in whole.splitlines():
            lines[line.split(":", 1)[0]] = line.split(":", 1)[1].strip()
        left = [i for i in ids if i not in lines]
        if left and (rest or len(left) == len(ids)):
            lines[left[0]] = f"{rest.partition(':')[2].strip()} {how}".strip()
        ids = [i for i in left if i not in lines]
    return lines


def run_all(program, ids, batch):
    alone = [[i] for i in ids if i.startswith("ub.")]
    others = [i for i in ids if not i.startswith("ub.")]
    batches = alone + [others[k:k + batch] for k in range(0, len(others), batch)]
    lines = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for some in pool.map(lambda b: run_batch(program, b), batches):
            lines.update(some)
    return lines


def golden_lines(folder):
    lines = {}
    for path in sorted(Path(folder).glob("*.txt")):
        for line in path.read_text().splitlines():
            case, _, said = line.partition(":")
            lines[case] = said.strip()
    return lines


def explained(page):
    """Patterns of cases in the page's table under `Cases that differ`: the first cell of each row."""
    text = Path(page).read_text().partition("Cases that differ\n")[2].partition("\n#")[0]
    return [name for row in text.splitlines() if row.startswith("|")
            for name in re.findall(r"`([^`]+)`", row.split("|")[1])]


def verdict(case, said, gold, patterns):
    if case.startswith("ub.") or ENDED_BADLY.search(gold or ""):
        return not ENDED_BADLY.search(said), "ended badly"
    if gold is None:
        return False, "the golden files do not have it"
    if ENDED_BADLY.search(said):
        return False, "ended badly"
    listed = any(fnmatch.fnmatchcase(case, p) for p in patterns)
    if said == gold:
        return not listed, "is as CUDA's now: take it out of the page"
    return listed, "differs, and the page does not say why"


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("program")
    options.add_argument("--golden")
    options.add_argument("--differences")
    options.add_argument("--batch", type=int, default=8)
    options.add_argument("prefixes", nargs="*")
    o = options.parse_intermixed_args()
    listed = subprocess.run([o.program, "--list"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    ids = [i for i in listed if not o.prefixes or i.removeprefix("ub.").startswith(tuple(o.prefixes))]
    lines = run_all(o.program, ids, o.batch)
    if not o.golden:
        for case in ids:
            print(f"{case}: {lines[case]}")
        return 0
    golden, patterns, wrong = golden_lines(o.golden), explained(o.differences), 0
    print(f"1..{len(ids)}")
    for number, case in enumerate(ids, 1):
        fine, why = verdict(case, lines[case], golden.get(case), patterns)
        print(f"{'ok' if fine else 'not ok'} {number} - {case}")
        if not fine:
            wrong += 1
            print(f"# {why}\n# CUDA: {golden.get(case)}\n# here: {lines[case]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
