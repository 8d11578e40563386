#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the results in a JSON log of `meson test`.

Prints on one line: passed, failed and skipped programs; and of the programs that say so, how many of
their test functions ran, ran in part and were left out, since the device could not show their results
(tests/support/needs.h). What is left out counts as skipped, function by function.
"""
import json
import re
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}
FUNCTIONS = re.compile(r"^functions: (\d+) run, (\d+) of them in part, (\d+) left out$", re.MULTILINE)


def count(lines):
    passed = failed = skipped = 0
    functions = [0, 0, 0]
    for line in lines:
        test = json.loads(line)
        said = FUNCTIONS.search(test.get("stdout") or "")
        if said:
            functions = [sum(pair) for pair in zip(functions, map(int, said.groups()))]
        if test["result"] in PASSED:
            passed += 1
        elif test["result"] not in SKIPPED:  # FAIL, ERROR, TIMEOUT, INTERRUPT, UNEXPECTEDPASS
            failed += 1
        elif not said:
            skipped += 1
    return passed, failed, skipped + functions[2], *functions


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as log:
        print(*count(log))
