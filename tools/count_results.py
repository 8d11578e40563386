#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the results in a JSON log of `meson test`: prints passed, failed and skipped on one line."""
import json
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def count(lines):
    passed = failed = skipped = 0
    for line in lines:
        result = json.loads(line)["result"]
        if result in PASSED:
            passed += 1
        elif result in SKIPPED:
            skipped += 1
        else:  # FAIL, ERROR, TIMEOUT, INTERRUPT, UNEXPECTEDPASS
            failed += 1
    return passed, failed, skipped


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as log:
        print(*count(log))
